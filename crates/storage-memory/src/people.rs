//! Drafts, and who has which record open.

use time::OffsetDateTime;
use uuid::Uuid;

use super::state::MemoryTx;
use domain::UserId;
use domain::ports::{DraftRepo, PresenceRepo, StoreError};
use domain::work::comments::{CommentedRecord, Visibility};
use domain::work::drafts::{Draft, MAX_DRAFT_BYTES, MAX_DRAFTS};
use domain::work::presence::{MAX_RECORDS, MAX_SHOWN, PRESENT_FOR, Presence, PresenceState};

impl DraftRepo for MemoryTx<'_> {
    fn save(&mut self, user: UserId, draft: &Draft) -> Result<i64, StoreError> {
        let drafts = &mut self.records.drafts;
        let key = (user, draft.record.id(), draft.visibility);
        let version = drafts.get(&key).map_or(1, |before| before.version + 1);
        drafts.insert(key, Draft { version, ..draft.clone() });
        let (mut kept, mut bytes) = (1, draft.body.len());
        let same = |other: &Draft| (other.record, other.visibility) == (draft.record, draft.visibility);
        for other in self.list(user)?.into_iter().filter(|other| !same(other)) {
            kept += 1;
            bytes += other.body.len();
            if kept > MAX_DRAFTS || bytes > MAX_DRAFT_BYTES as usize {
                self.records.drafts.remove(&(user, other.record.id(), other.visibility));
            }
        }
        Ok(version)
    }

    fn on(&mut self, user: UserId, record: CommentedRecord) -> Result<Vec<Draft>, StoreError> {
        let key = |visibility| (user, record.id(), visibility);
        let found = [Visibility::Internal, Visibility::Public].map(|kind| self.records.drafts.get(&key(kind)).cloned());
        Ok(found.into_iter().flatten().collect())
    }

    fn list(&mut self, user: UserId) -> Result<Vec<Draft>, StoreError> {
        let own = self.records.drafts.iter().filter(|((writer, ..), _)| *writer == user);
        let mut own: Vec<_> = own.map(|(_, draft)| draft.clone()).collect();
        own.sort_by_key(|draft| std::cmp::Reverse((draft.updated_at, draft.record.id(), draft.visibility.as_str())));
        Ok(own)
    }

    fn delete(&mut self, user: UserId, record: CommentedRecord, kind: Visibility) -> Result<bool, StoreError> {
        Ok(self.records.drafts.remove(&(user, record.id(), kind)).is_some())
    }

    fn delete_on(&mut self, records: &[Uuid]) -> Result<(), StoreError> {
        self.records.drafts.retain(|(_, record, _), _| !records.contains(record));
        Ok(())
    }
}

impl PresenceRepo for MemoryTx<'_> {
    fn be_there(
        &mut self,
        record: Uuid,
        user: UserId,
        state: PresenceState,
        now: OffsetDateTime,
    ) -> Result<Vec<Presence>, StoreError> {
        let presences = &mut self.records.presences;
        let elsewhere = presences.iter().filter(|((other, who), _)| *who == user && *other != record);
        let mut elsewhere: Vec<_> = elsewhere.map(|((other, _), (_, seen_at))| (*seen_at, *other)).collect();
        elsewhere.sort_unstable();
        let surplus = (elsewhere.len() + 1).saturating_sub(MAX_RECORDS as usize);
        for (_, other) in elsewhere.into_iter().take(surplus) {
            presences.remove(&(other, user));
        }
        presences.insert((record, user), (state, now));
        let others = presences.iter().filter(|((on, who), _)| *on == record && *who != user);
        let mut others: Vec<_> = others
            .filter(|(_, (_, seen_at))| *seen_at > now - PRESENT_FOR)
            .filter_map(|((_, who), (state, seen_at))| {
                let name = self.shared.users.get(who)?.name.clone();
                Some(Presence { user: *who, name, state: *state, seen_at: *seen_at })
            })
            .collect();
        others.sort_by_key(|other| std::cmp::Reverse((other.seen_at, other.user)));
        others.truncate(MAX_SHOWN as usize);
        Ok(others)
    }

    fn leave(&mut self, record: Uuid, user: UserId) -> Result<(), StoreError> {
        self.records.presences.remove(&(record, user));
        Ok(())
    }
}
