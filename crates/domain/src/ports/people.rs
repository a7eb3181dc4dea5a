//! Repositories for people at work: drafts, and who else has a record open.

use time::OffsetDateTime;
use uuid::Uuid;

use super::StoreError;
use crate::UserId;
use crate::work::comments::{CommentedRecord, Visibility};
use crate::work::drafts::Draft;
use crate::work::presence::{Presence, PresenceState};

/// Drafts of comments.
pub trait DraftRepo {
    /// Writes a user's draft, and removes the user's least recently written drafts above
    /// [`MAX_DRAFTS`](crate::work::drafts::MAX_DRAFTS) and [`MAX_DRAFT_BYTES`](crate::work::drafts::MAX_DRAFT_BYTES). Returns its
    /// version: one more than that of the draft it replaces, or 1. One statement.
    fn save(&mut self, user: UserId, draft: &Draft) -> Result<i64, StoreError>;
    /// A user's drafts of comments on a record, at most one per visibility, public ones last.
    fn on(&mut self, user: UserId, record: CommentedRecord) -> Result<Vec<Draft>, StoreError>;
    /// A user's drafts, latest first. One statement.
    fn list(&mut self, user: UserId) -> Result<Vec<Draft>, StoreError>;
    /// Removes a user's draft; returns whether there was one.
    fn delete(&mut self, user: UserId, record: CommentedRecord, kind: Visibility) -> Result<bool, StoreError>;
    /// Removes all users' drafts on these records.
    fn delete_on(&mut self, records: &[Uuid]) -> Result<(), StoreError>;
}

/// Who has which record open.
pub trait PresenceRepo {
    /// Notes that a user has a record open, and returns the others who had it open within
    /// [`PRESENT_FOR`](crate::work::presence::PRESENT_FOR) with their names, latest first, at most
    /// [`MAX_SHOWN`](crate::work::presence::MAX_SHOWN). Keeps the user's [`MAX_RECORDS`](crate::work::presence::MAX_RECORDS) latest
    /// records, including this one. One statement.
    fn report_presence(
        &mut self,
        record: Uuid,
        user: UserId,
        state: PresenceState,
        now: OffsetDateTime,
    ) -> Result<Vec<Presence>, StoreError>;
    /// Notes that a user has closed a record.
    fn leave(&mut self, record: Uuid, user: UserId) -> Result<(), StoreError>;
}
