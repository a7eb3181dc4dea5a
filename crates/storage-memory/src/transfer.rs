//! Imports of files.

use domain::ports::{ImportRepo, StoreError};
use domain::transfer::{Import, ImportDigest, Progress, Refusal, Surplus};
use time::OffsetDateTime;
use uuid::Uuid;

use super::state::{MemoryTx, Records};

impl ImportRepo for MemoryTx<'_> {
    fn insert(&mut self, import: &Import) -> Result<(), StoreError> {
        if self.records.imports.contains_key(&import.digest) {
            return Err(StoreError::Contended);
        }
        self.records.imports.insert(import.digest.clone(), (import.clone(), Vec::new()));
        Ok(())
    }

    fn get_for_update(&mut self, digest: &ImportDigest) -> Result<Option<Import>, StoreError> {
        Ok(self.records.imports.get(digest).map(|(import, _)| import.clone()))
    }

    fn advance(&mut self, before: &Import, progress: &Progress) -> Result<bool, StoreError> {
        let stands = |(stored, _): &&mut (Import, _)| {
            stored.finished_at.is_none() && stored.progress.rows() == before.progress.rows()
        };
        let stored = self.records.imports.get_mut(&before.digest).filter(stands);
        Ok(stored.map(|(stored, _)| stored.progress = *progress).is_some())
    }

    fn add_refusals(&mut self, digest: &ImportDigest, refused: &[Refusal]) -> Result<(), StoreError> {
        let stored = self.records.imports.get_mut(digest);
        let (_, refusals) = stored.ok_or_else(|| StoreError::Internal("there is no such import".to_owned()))?;
        refusals.extend_from_slice(refused);
        Ok(())
    }

    fn refusals(&mut self, digest: &ImportDigest, first: u64, last: u64) -> Result<Vec<Refusal>, StoreError> {
        let refusals = self.records.imports.get(digest).into_iter().flat_map(|(_, refusals)| refusals);
        Ok(refusals.filter(|refusal| (first..=last).contains(&refusal.row)).cloned().collect())
    }

    fn add_written(&mut self, digest: &ImportDigest, written: &[(Uuid, u64)]) -> Result<(), StoreError> {
        let written = written.iter().map(|(record, line)| ((digest.clone(), *record), *line));
        self.records.import_lines.extend(written);
        Ok(())
    }

    fn written(&mut self, digest: &ImportDigest, records: &[Uuid]) -> Result<Vec<(Uuid, u64)>, StoreError> {
        let line_of = |record: &Uuid| self.records.import_lines.get(&(digest.clone(), *record)).copied();
        Ok(records.iter().filter_map(|record| Some((*record, line_of(record)?))).collect())
    }

    fn forget_written(&mut self, limit: u32) -> Result<u64, StoreError> {
        let Records { imports, import_lines, .. } = &mut *self.records;
        let is_finished =
            |digest: &ImportDigest| imports.get(digest).is_some_and(|(import, _)| import.finished_at.is_some());
        let going: Vec<_> = import_lines.keys().filter(|(digest, _)| is_finished(digest)).cloned().collect();
        let going = going.into_iter().take(limit as usize);
        Ok(going.filter_map(|key| import_lines.remove(&key)).count() as u64)
    }

    fn end_surplus(&mut self, surplus: &Surplus, now: OffsetDateTime) -> Result<(), StoreError> {
        let mut imports: Vec<_> = self.records.imports.values_mut().map(|(import, _)| import).collect();
        imports.sort_by_key(|import| std::cmp::Reverse(import.started_at));
        let mut unfinished = 0;
        for (place, import) in (0_u32..).zip(imports).filter(|(_, import)| import.finished_at.is_none()) {
            unfinished += 1;
            let is_surplus = place >= surplus.keep || unfinished > surplus.keep_unfinished;
            if is_surplus || import.started_at < surplus.before {
                import.finished_at = Some(now);
            }
        }
        Ok(())
    }

    fn finish(&mut self, digest: &ImportDigest, now: OffsetDateTime) -> Result<bool, StoreError> {
        for (import, refusals) in self.records.imports.values_mut() {
            if import.finished_at.is_some() {
                refusals.clear();
            }
        }
        let stored = self.records.imports.get_mut(digest).filter(|(import, _)| import.finished_at.is_none());
        Ok(stored.map(|(import, _)| import.finished_at = Some(now)).is_some())
    }

    fn delete(&mut self, digest: &ImportDigest) -> Result<(), StoreError> {
        self.records.imports.remove(digest);
        self.records.import_lines.retain(|(import, _), _| import != digest);
        Ok(())
    }

    fn prune(&mut self, before: OffsetDateTime, keep: u32) -> Result<(), StoreError> {
        let mut starts: Vec<_> = self.records.imports.values().map(|(import, _)| import.started_at).collect();
        starts.sort_unstable_by(|one, other| other.cmp(one));
        let newest = starts.get((keep as usize).saturating_sub(1)).copied();
        self.records.imports.retain(|_, (import, _)| {
            import.started_at >= before && newest.is_none_or(|oldest| import.started_at >= oldest)
        });
        let imports = &self.records.imports;
        self.records.import_lines.retain(|(digest, _), _| imports.contains_key(digest));
        Ok(())
    }
}
