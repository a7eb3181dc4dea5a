//! The repository of the records of a kind, and the repository of their list.

use time::OffsetDateTime;
use uuid::Uuid;

use super::StoreError;
use crate::kernel::paging::PageRequest;
use crate::kernel::totals::CountedPart;
use crate::records::{Deleted, Kind};

/// The records of one kind. Each method is one statement unless its comment says otherwise.
pub trait RecordRepo<K: Kind> {
    /// Adds a record; [`StoreError::Duplicate`] if a live record has one of its [unique values](Kind::unique_values),
    /// [`StoreError::Contended`] if an issue has its reference.
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
    /// Makes a record that was locked before live again, with the version, times and references to cycles given here;
    /// [`StoreError::Duplicate`] if a live record has one of its unique values. The cycles and tasks that were deleted with a
    /// project, at the same time, are restored with it, two versions later, in further statements. They are noted, so that their
    /// events follow ([`CascadeRepo`](super::CascadeRepo)).
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
