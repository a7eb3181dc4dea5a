//! Storage of pending events about records that were deleted or restored with their project.

use time::OffsetDateTime;

use super::StoreError;
use crate::events::EventCause;
use crate::identity::access::Principal;
use crate::work::cascades::{NotedRecords, ProjectChange};
use crate::work::cycles::{Cycle, CycleCounts};
use crate::work::issues::Issue;
use crate::{CycleId, IssueId};

/// The tasks and cycles that were noted when their project was deleted or restored
/// ([`ProjectRepo::note_deleted`](super::ProjectRepo::note_deleted), [`RecordRepo::restore`](super::RecordRepo::restore)).
pub trait CascadeRepo {
    /// Takes at most `most` noted records of one change of a project, sorted by id, skipping changes that another transaction is
    /// taking; `None` if there are none.
    fn take(&mut self, most: u32) -> Result<Option<NotedRecords>, StoreError>;
    /// The project's event of this change and its actor; `None` if the log no longer has it. One statement.
    fn cause(&mut self, of: &ProjectChange) -> Result<Option<(EventCause, Principal)>, StoreError>;
    /// The tasks with these ids, live, deleted or erased, with the time of their deletion, locked until the transaction ends. One
    /// statement.
    fn tasks(&mut self, ids: &[IssueId]) -> Result<Vec<(Issue, Option<OffsetDateTime>)>, StoreError>;
    /// Like [`CascadeRepo::tasks`], for cycles, with their live issues. One statement.
    fn cycles(&mut self, ids: &[CycleId]) -> Result<Vec<(Cycle, CycleCounts, Option<OffsetDateTime>)>, StoreError>;
}
