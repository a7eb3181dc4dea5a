//! What people need beside records: drafts, and who else is there.

use time::OffsetDateTime;
use uuid::Uuid;

use super::StoreError;
use crate::UserId;
use crate::work::comments::{CommentedRecord, Visibility};
use crate::work::drafts::Draft;
use crate::work::presence::{Presence, PresenceState};

/// Drafts of comments.
pub trait DraftRepo {
    /// Writes a person's draft, and removes others of theirs beyond [`MAX_DRAFTS`](crate::work::drafts::MAX_DRAFTS) and
    /// [`MAX_DRAFT_BYTES`](crate::work::drafts::MAX_DRAFT_BYTES), those that were not written for longest first. Returns
    /// its version: one more than that of the draft it replaces, or 1. One statement.
    fn save(&mut self, user: UserId, draft: &Draft) -> Result<i64, StoreError>;
    /// A person's drafts of comments on a record, at most one of each visibility, public ones last.
    fn on(&mut self, user: UserId, record: CommentedRecord) -> Result<Vec<Draft>, StoreError>;
    /// A person's drafts, those written last first. One statement.
    fn list(&mut self, user: UserId) -> Result<Vec<Draft>, StoreError>;
    /// Removes a person's draft; returns whether there was one.
    fn delete(&mut self, user: UserId, record: CommentedRecord, kind: Visibility) -> Result<bool, StoreError>;
    /// Removes everybody's drafts on these records.
    fn delete_on(&mut self, records: &[Uuid]) -> Result<(), StoreError>;
}

/// Who has which record open.
pub trait PresenceRepo {
    /// Notes that somebody has a record open, and returns who else has, the latest first, with their names: within
    /// [`PRESENT_FOR`](crate::work::presence::PRESENT_FOR), at most [`MAX_SHOWN`](crate::work::presence::MAX_SHOWN). Of other
    /// records of the person, the latest remain, [`MAX_RECORDS`](crate::work::presence::MAX_RECORDS) with this one. One
    /// statement.
    fn report_presence(
        &mut self,
        record: Uuid,
        user: UserId,
        state: PresenceState,
        now: OffsetDateTime,
    ) -> Result<Vec<Presence>, StoreError>;
    /// Notes that somebody has closed a record.
    fn leave(&mut self, record: Uuid, user: UserId) -> Result<(), StoreError>;
}
