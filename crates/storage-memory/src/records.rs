//! Repositories for the kinds of records.

use std::any::{Any, TypeId};
use std::collections::BTreeMap;
use std::fmt::Debug;

use time::OffsetDateTime;
use uuid::Uuid;

use super::not_in_memory::not_in_memory;
use super::state::{MemoryTx, Records};
use super::table::{Table, written};
use super::unique::check_unique;
use domain::ProjectId;
use domain::console::FoundRecord;
use domain::kernel::paging::PageRequest;
use domain::ports::{RecordRepo, StoreError};
use domain::records::{Deleted, Kind, RecordById, RecordKind, UniqueValue};

/// A kind of record: the parts that differ between kinds.
pub(super) trait StoredKind: Kind<Id: Debug> + Debug {
    /// The table of a workspace that never had such a record.
    const NONE: &'static Table<Self::Id, Self> = &Table::EMPTY;

    fn insert(&self, records: &mut Records) -> Result<(), StoreError> {
        check_unique(self, records)?;
        records.of_mut::<Self>().insert(self.id(), self)
    }

    fn save(&self, records: &mut Records) -> Result<(), StoreError> {
        check_unique(self, records)?;
        records.of_mut::<Self>().save(self.id(), self)
    }

    fn delete(records: &mut Records, id: Self::Id, now: OffsetDateTime) -> bool {
        records.of_mut::<Self>().delete(id, now)
    }

    /// The kind of the record, which overrides this if its type has several kinds.
    fn kind(&self) -> RecordKind {
        Self::KINDS[0]
    }

    /// Its title.
    fn title(&self) -> String;

    /// Its entry in the search across all kinds; `None` if it has none. `drafts` says whether unpublished records are included.
    fn found(&self, _: bool) -> Option<Found> {
        None
    }

    /// The project whose deletion hides it.
    fn goes_with(&self) -> Option<ProjectId> {
        None
    }

    /// Whether an event of another record reports its change.
    fn is_told_elsewhere(&self, _: &Self) -> bool {
        false
    }
}

/// A record that a search may find.
pub(super) struct Found {
    pub(super) words: Vec<String>,
    /// The detail to show next to the title.
    pub(super) detail: Option<String>,
    pub(super) created_at: OffsetDateTime,
}

/// The tables of the kinds, each by the type of its records.
#[derive(Debug, Clone, Default)]
pub(super) struct Tables(BTreeMap<TypeId, Box<dyn AnyTable>>);

impl Tables {
    pub(super) fn of<K: StoredKind>(&self) -> &Table<K::Id, K> {
        let table = self.0.get(&TypeId::of::<K>()).and_then(|table| {
            let table: &dyn Any = &**table;
            table.downcast_ref::<Table<K::Id, K>>()
        });
        table.unwrap_or(K::NONE)
    }

    pub(super) fn of_mut<K: StoredKind>(&mut self) -> &mut Table<K::Id, K> {
        let table = self.0.entry(TypeId::of::<K>()).or_insert_with(|| Box::new(Table::<K::Id, K>::EMPTY));
        let table: &mut dyn Any = &mut **table;
        match table.downcast_mut::<Table<K::Id, K>>() {
            Some(table) => table,
            None => unreachable!("a table is found by the type of its records"),
        }
    }

    pub(super) fn all(&self) -> impl Iterator<Item = &dyn AnyTable> {
        self.0.values().map(|table| &**table)
    }
}

/// A table of any kind.
pub(super) trait AnyTable: Any + Debug + Send {
    fn boxed(&self) -> Box<dyn AnyTable>;
    /// The kind of the record with the id, and its time of deletion.
    fn by_id(&self, id: Uuid) -> Option<RecordById>;
    /// The title of a live record of the kind.
    fn title(&self, kind: RecordKind, id: Uuid) -> Option<String>;
    /// The searchable live records of the kind, each with its words.
    fn found(&self, kind: RecordKind, drafts: bool) -> Vec<(FoundRecord, Vec<String>)>;
    /// The live record that has the value.
    fn with_value(&self, value: &UniqueValue) -> Option<Uuid>;
    /// The changed records that need an event, with their versions. `is_gone` says whether a project was deleted.
    fn written(&self, before: &Tables, is_gone: &dyn Fn(ProjectId) -> bool) -> Vec<(RecordKind, Uuid, i64)>;
}

impl Clone for Box<dyn AnyTable> {
    fn clone(&self) -> Self {
        (**self).boxed()
    }
}

impl<K: StoredKind> AnyTable for Table<K::Id, K> {
    fn boxed(&self) -> Box<dyn AnyTable> {
        Box::new(self.clone())
    }

    fn by_id(&self, id: Uuid) -> Option<RecordById> {
        self.with_deletion(id.into()).map(|(record, deleted_at)| RecordById { kind: record.kind(), deleted_at })
    }

    fn title(&self, kind: RecordKind, id: Uuid) -> Option<String> {
        self.get(id.into()).filter(|record| record.kind() == kind).map(K::title)
    }

    fn found(&self, kind: RecordKind, drafts: bool) -> Vec<(FoundRecord, Vec<String>)> {
        let of_kind = self.live().filter(|record| record.kind() == kind);
        let found = of_kind.filter_map(|record| {
            let Found { words, detail, created_at } = record.found(drafts)?;
            let (id, title) = (record.uuid(), record.title());
            Some((FoundRecord { kind, id, title, detail, created_at, comment: None }, words))
        });
        found.collect()
    }

    fn with_value(&self, value: &UniqueValue) -> Option<Uuid> {
        self.live().find(|record| record.unique_values().contains(value)).map(K::uuid)
    }

    fn written(&self, before: &Tables, is_gone: &dyn Fn(ProjectId) -> bool) -> Vec<(RecordKind, Uuid, i64)> {
        let before = before.of::<K>();
        let told = written(before, self).filter_map(|(id, record, is_deleted)| {
            let is_hidden = if is_deleted {
                record.goes_with().is_some_and(is_gone)
            } else {
                before.get(id).is_some_and(|was| record.is_told_elsewhere(was))
            };
            // A deletion is a separate version, which the row does not have.
            (!is_hidden).then(|| (record.kind(), record.uuid(), record.version() + i64::from(is_deleted)))
        });
        told.collect()
    }
}

impl<K: StoredKind> RecordRepo<K> for MemoryTx<'_> {
    fn insert(&mut self, record: &K) -> Result<(), StoreError> {
        record.insert(self.records)
    }

    fn get(&mut self, id: K::Id) -> Result<Option<K>, StoreError> {
        Ok(self.records.of::<K>().get(id).cloned())
    }

    // No lock needed: transactions run one at a time.
    fn get_for_update(&mut self, id: K::Id) -> Result<Option<K>, StoreError> {
        Ok(self.records.of::<K>().get(id).cloned())
    }

    fn save(&mut self, record: &K) -> Result<(), StoreError> {
        record.save(self.records)
    }

    fn delete(&mut self, id: K::Id, now: OffsetDateTime) -> Result<bool, StoreError> {
        Ok(K::delete(self.records, id, now))
    }

    fn get_deleted_for_update(&mut self, _: Uuid, _: OffsetDateTime) -> Result<Option<Deleted<K>>, StoreError> {
        not_in_memory("RecordRepo::get_deleted_for_update")
    }

    fn restore(&mut self, _: &Deleted<K>) -> Result<(), StoreError> {
        not_in_memory("RecordRepo::restore")
    }

    fn list_deleted(
        &mut self,
        _: &K::Filter,
        _: OffsetDateTime,
        _: &PageRequest,
    ) -> Result<Vec<Deleted<K>>, StoreError> {
        not_in_memory("RecordRepo::list_deleted")
    }
}
