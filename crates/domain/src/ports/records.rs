//! The repositories of records of any kind: the records, their lists, their erasure, and what was deleted or restored with a project.

use time::OffsetDateTime;
use uuid::Uuid;

use super::StoreError;
use crate::events::EventCause;
use crate::identity::access::Principal;
use crate::kernel::paging::PageRequest;
use crate::kernel::totals::CountedPart;
use crate::records::{Deleted, Kind, RecordKind};
use crate::work::cascades::{CascadedRecords, ProjectChange};
use crate::work::cycles::{Cycle, CycleCounts};
use crate::work::issues::Issue;
use crate::{CycleId, IssueId};

/// The records of one kind. Each method is one statement unless its comment says otherwise.
pub trait RecordRepo<K: Kind> {
    /// Adds a record; [`StoreError::Duplicate`] if a live record has one of its [unique values](Kind::unique_values),
    /// [`StoreError::Contended`] if another issue has its reference.
    fn insert(&mut self, record: &K) -> Result<(), StoreError>;
    /// A live record.
    fn get(&mut self, id: K::Id) -> Result<Option<K>, StoreError>;
    /// A live record, locked until the transaction ends.
    fn get_for_update(&mut self, id: K::Id) -> Result<Option<K>, StoreError>;
    /// Writes all members of a record that was locked before; [`StoreError::Duplicate`] as for an insert.
    fn save(&mut self, record: &K) -> Result<(), StoreError>;
    /// Marks a live record as deleted; returns whether there was one. A transaction that adds a reference to it waits until this
    /// one ends, and then no longer finds it. Records that refer to it stay unchanged, except that the cycles and tasks of a
    /// project (not its tickets) are deleted with it, in two more statements.
    fn delete(&mut self, id: K::Id, now: OffsetDateTime) -> Result<bool, StoreError>;
    /// A record deleted after `since` whose content is not erased, locked until the transaction ends.
    fn get_deleted_for_update(&mut self, id: Uuid, since: OffsetDateTime) -> Result<Option<Deleted<K>>, StoreError>;
    /// Makes a record that was locked before live again, with the version, times, reference to a cycle, and end and status of
    /// time given here; [`StoreError::Duplicate`] if a live record has one of its unique values. The cycles and tasks that were deleted at the
    /// same time as a project are restored with it, two versions later, in further statements, and recorded so that their events
    /// follow ([`CascadeRepo`](super::CascadeRepo)).
    fn restore(&mut self, deleted: &Deleted<K>) -> Result<(), StoreError>;
    /// Records deleted after `since` whose content is not erased, by creation, newest first, one more than the limit.
    fn list_deleted(
        &mut self,
        filter: &K::Filter,
        since: OffsetDateTime,
        page: &PageRequest,
    ) -> Result<Vec<Deleted<K>>, StoreError>;
}

/// The list of the live records of one kind that match a filter.
pub trait RecordList<K: Kind> {
    /// A page in the order of the filter, plus one more record. One statement.
    fn list(&mut self, filter: &K::Filter, page: &PageRequest) -> Result<Vec<K>, StoreError>;
    /// Counts and sums the records by currency, reading at most one more than [`MAX_COUNTED`](crate::kernel::totals::MAX_COUNTED).
    /// One statement.
    fn totals(&mut self, filter: &K::Filter) -> Result<Vec<CountedPart>, StoreError>;
}

/// Erasure of the content of records.
pub trait RecordErasureRepo {
    /// Erases records, deleted or not, and everything that is only about them: comments are deleted, events in the log lose their
    /// content, and fields get neutral values. The rows stay, deleted and marked as erased, so that references to them stay valid.
    /// Changes at most `most` rows, the records themselves last, and returns how many; fewer than `most` means that everything is
    /// done.
    fn erase(&mut self, kind: RecordKind, ids: &[Uuid], at: OffsetDateTime, most: u32) -> Result<u64, StoreError>;
}

/// The tasks and cycles that were noted when their project was deleted or restored
/// ([`ProjectRepo::note_deleted`](super::ProjectRepo::note_deleted), [`RecordRepo::restore`](super::RecordRepo::restore)).
pub trait CascadeRepo {
    /// Takes at most `most` noted records of one change of a project, sorted by id, skipping changes that another transaction is
    /// taking; `None` if there are none.
    fn take(&mut self, most: u32) -> Result<Option<CascadedRecords>, StoreError>;
    /// The project's event of this change and its actor; `None` if the log no longer has it. One statement.
    fn cause(&mut self, change: &ProjectChange) -> Result<Option<(EventCause, Principal)>, StoreError>;
    /// The tasks with these ids, live, deleted or erased, with the time of their deletion, locked until the transaction ends. One
    /// statement.
    fn tasks(&mut self, ids: &[IssueId]) -> Result<Vec<(Issue, Option<OffsetDateTime>)>, StoreError>;
    /// Like [`CascadeRepo::tasks`], for cycles, with their live issues. One statement.
    fn cycles(&mut self, ids: &[CycleId]) -> Result<Vec<(Cycle, CycleCounts, Option<OffsetDateTime>)>, StoreError>;
}
