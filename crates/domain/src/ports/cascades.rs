//! Storage of what is still to be announced of records that were deleted or restored with their project.

use time::OffsetDateTime;

use super::StoreError;
use crate::events::EventCause;
use crate::identity::access::Principal;
use crate::work::cascades::{NotedRecords, ProjectChange};
use crate::work::cycles::{Cycle, CycleCounts};
use crate::work::issues::Issue;
use crate::{CycleId, IssueId};

/// The tasks and cycles that the deletion or restoration of a project noted
/// ([`ProjectRepo::note_deleted`](super::ProjectRepo::note_deleted), [`RecordRepo::restore`](super::RecordRepo::restore)).
pub trait CascadeRepo {
    /// Takes at most `most` of the records that one change of a project noted, in the order of their ids, of those that no other
    /// transaction is taking; `None` if there are none.
    fn take(&mut self, most: u32) -> Result<Option<NotedRecords>, StoreError>;
    /// The project's event of this change, and who made it; `None` if the log no longer has it. One statement.
    fn cause(&mut self, of: &ProjectChange) -> Result<Option<(EventCause, Principal)>, StoreError>;
    /// The tasks among the records, with the time of their deletion, locked until the transaction ends: live, deleted and erased ones. One
    /// statement.
    fn tasks(&mut self, ids: &[IssueId]) -> Result<Vec<(Issue, Option<OffsetDateTime>)>, StoreError>;
    /// Like [`CascadeRepo::tasks`], for cycles, with their live issues. One statement.
    fn cycles(&mut self, ids: &[CycleId]) -> Result<Vec<(Cycle, CycleCounts, Option<OffsetDateTime>)>, StoreError>;
}
