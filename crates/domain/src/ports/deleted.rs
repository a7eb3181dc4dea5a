//! Deleted records: listed and restored until their content is erased.

use time::OffsetDateTime;
use uuid::Uuid;

use super::StoreError;
use crate::kernel::paging::PageRequest;
use crate::records::{DeletableKind, Deleted};

/// Deleted records of one kind whose content is not erased. `F` filters their list.
pub trait DeletedRepo<R, F> {
    /// A record deleted after `since`, locked until the transaction ends.
    fn get_deleted_for_update(&mut self, id: Uuid, since: OffsetDateTime) -> Result<Option<Deleted<R>>, StoreError>;
    /// Makes a record that was locked before live again, with the version, times and references to cycles that it has here;
    /// [`StoreError::Duplicate`] if a live record has a unique value of it. What was deleted with it, at the same time,
    /// comes back, two versions later: the cycles and tasks of a project. They are noted to be announced
    /// ([`CascadeRepo`](super::CascadeRepo)).
    fn restore(&mut self, deleted: &Deleted<R>) -> Result<(), StoreError>;
    /// Records deleted after `since`, newest first by their creation, one more than the limit. One statement.
    fn list_deleted(
        &mut self,
        filter: &F,
        since: OffsetDateTime,
        page: &PageRequest,
    ) -> Result<Vec<Deleted<R>>, StoreError>;
}

/// Erasure of what records contain.
pub trait RecordErasureRepo {
    /// Erases records, deleted or not, and all that is only about them: comments on them go, their events in the log keep
    /// no content, and their own members become neutral. The rows stay, deleted and marked as erased, so that ids that
    /// refer to them keep their meaning. Changes at most `most` rows, the records themselves last, and returns how many:
    /// fewer than `most` means that all is done.
    fn erase(&mut self, kind: DeletableKind, ids: &[Uuid], at: OffsetDateTime, most: u32) -> Result<u64, StoreError>;
}
