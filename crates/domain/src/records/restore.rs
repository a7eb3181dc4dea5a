//! Lists deleted records and restores them.

use time::OffsetDateTime;
use uuid::Uuid;

use super::{
    Deleted, Kind, Listed, ListedKind, RecordFilter, WriteKind, Writing, restorable_since, retry_on_duplicate,
};
use crate::events::{Cascade, Event, EventBuilder};
use crate::identity::access::{Permit, ToolPermit};
use crate::kernel::idempotency::{IdempotentRequest, IdempotentResult};
use crate::kernel::paging::{ListOrder, Page, PageRequest};
use crate::kernel::search::SearchQuery;
use crate::ports::{Ports, StoreError, Tx, Weight, transact_idempotent, weighed_read_only};
use crate::{Error, Reference};

/// A kind of record that can be deleted and restored.
pub trait Deletable: Kind {
    /// The permission to delete it, which also allows listing deleted records and restoring them.
    type Delete: ToolPermit;

    /// Whether there is a live record with this id that the caller reaches.
    fn is_live<P>(tx: &mut dyn Tx, permit: &Permit<P>, id: Uuid) -> Result<bool, StoreError> {
        Ok(tx.records::<Self>().get(id.into())?.is_some_and(|record| record.is_visible_to(permit.actor())))
    }
    /// Adapts the record to changes since it was deleted. [`RecordRepo::restore`](crate::ports::RecordRepo::restore) says which of its
    /// members are written.
    ///
    /// # Errors
    /// [`Error::InvalidStateChange`] or [`Error::Conflict`] if it cannot be restored in the current state.
    fn fit(&mut self, _deleted_at: OffsetDateTime, _: &mut dyn Tx, _: &Writing) -> Result<(), Error> {
        Ok(())
    }
    /// Checks that the locked record may be deleted, and writes what changes before it is, for kinds that have rules for deletions.
    ///
    /// # Errors
    /// [`Error::InvalidStateChange`] and [`Error::Forbidden`].
    fn prepare_deletion(&mut self, _: &mut dyn Tx, _: &Writing) -> Result<(), Error> {
        Ok(())
    }
    /// The reference to it, for kinds whose deletion reports how many records still refer to the deleted one.
    fn reference(_: Self::Id) -> Option<Reference> {
        None
    }
    /// The records that were just deleted with it; `None` for kinds whose deletion does not cascade.
    fn taken_along(_: &mut dyn Tx, _: Self::Id, _deleted_at: OffsetDateTime) -> Result<Option<Cascade>, StoreError> {
        Ok(None)
    }
    /// The records that are restored with it; `None` for kinds whose deletion does not cascade.
    fn deleted_with(_: &mut dyn Tx, _id: Self::Id, _deleted_at: OffsetDateTime) -> Result<Option<Cascade>, StoreError> {
        Ok(None)
    }
    /// Makes other writers of this kind wait until the transaction ends, for kinds with rules that span all their records.
    fn lock_all(_: &mut dyn Tx) -> Result<(), StoreError> {
        Ok(())
    }
    /// Writes the action to the audit log, for kinds that are audited.
    fn audit(&self, _: &mut dyn Tx, _: &Writing, _: WriteKind) -> Result<(), StoreError> {
        Ok(())
    }
    /// The event of its restoration. `deleted` is the record before it.
    fn restored_event(&self, deleted: &Self, reporter: &EventBuilder, now: OffsetDateTime) -> Event;
}

/// Implements [`Deletable`] for a record declared with [`resource!`](super::resource) and [`kind!`](super::kind). The braces hold the
/// methods that the kind overrides.
macro_rules! deletable {
    ($record:ty, $delete:ty $(, { $($rules:tt)+ })?) => {
        impl $crate::records::Deletable for $record {
            type Delete = $delete;

            fn restored_event(
                &self,
                deleted: &Self,
                reporter: &$crate::events::EventBuilder,
                _: time::OffsetDateTime,
            ) -> $crate::events::Event {
                reporter.restored(deleted, self)
            }

            $($($rules)+)?
        }
    };
}
pub(crate) use deletable;

/// A page of the records that were deleted in the last 30 days, the most recently created first.
///
/// # Errors
/// [`Error::RoleNeeded`] and [`Error::GrantNeeded`] for callers who may not see them; [`Error::Malformed`] for a cursor of another
/// order.
pub(crate) async fn list_deleted<P, K: Deletable + ListedKind>(
    ports: &Ports,
    permit: &Permit<P>,
    filter: K::Filter,
    page: PageRequest,
) -> Result<Page<Listed<K>>, Error> {
    permit.check_sees_deleted::<K::Delete>()?;
    page.check_order(ListOrder::Created)?;
    if filter.search().is_some_and(SearchQuery::matches_nothing) {
        return Ok(Page::from_rows(Vec::<K>::new(), &page).map(Listed::from));
    }
    let (filter, since) = (K::visible_to(filter, permit.actor()), restorable_since(ports.clock.now()));
    // An index has all deleted records in order, but other filters may leave few of them.
    let rows = weighed_read_only(ports, permit, Weight::Search, move |tx| {
        Ok(tx.records::<K>().list_deleted(&filter, since, &page)?)
    });
    let to_listed = |Deleted { record, deleted_at }: Deleted<K>| {
        Listed::of_deleted(Deleted { record: record.shown_to(permit.credential()), deleted_at })
    };
    Ok(Page::from_rows(rows.await?, &page).map(to_listed))
}

/// Restores a record that was deleted within the last 30 days, with what was deleted with it.
///
/// # Errors
/// [`Error::NotFound`], [`Error::InvalidStateChange`] for one that is not deleted, [`Error::Duplicate`] of a unique value; those of
/// [`Deletable::fit`].
pub async fn restore<K: Deletable>(
    ports: &Ports,
    permit: &Permit<K::Delete>,
    once: Option<IdempotentRequest<K>>,
    id: K::Id,
) -> Result<IdempotentResult<K>, Error> {
    let (acting, writing) = (permit.clone(), Writing::new(ports, permit));
    transact_idempotent(ports, permit, once, move |tx| {
        let record: K = restore_in(tx, &acting, id.into(), &writing)?;
        Ok(record.shown_to(acting.credential()))
    })
    .await
}

/// Restores a deleted record within a transaction.
///
/// # Errors
/// [`Error::NotFound`], also for a record that is out of reach; [`Error::InvalidStateChange`] for one that is not deleted;
/// [`Error::Duplicate`] if another record has taken a unique value since; those of [`Deletable::fit`].
pub(crate) fn restore_in<P, K: Deletable>(
    tx: &mut dyn Tx,
    permit: &Permit<P>,
    id: Uuid,
    writing: &Writing,
) -> Result<K, Error> {
    let now = writing.now;
    K::lock_all(tx)?;
    let found = tx.records::<K>().get_deleted_for_update(id, restorable_since(now))?;
    let found = found.filter(|deleted| deleted.record.is_visible_to(writing.actor()));
    let Some(Deleted { mut record, deleted_at }) = found else {
        return Err(if K::is_live(tx, permit, id)? {
            let noun = K::NOUN.replace('_', " ");
            Error::InvalidStateChange(format!("the {noun} is not deleted: there is nothing to restore"))
        } else {
            Error::NotFound(K::NOUN)
        });
    };
    let before = record.clone();
    record.fit(deleted_at, tx, writing)?;
    for value in record.unique_values() {
        if let Some(existing) = tx.record_with(&value)? {
            let existing_id = permit.may_read(value.kind.reads()).then_some(existing);
            return Err(Error::Duplicate { field: value.member, existing_id });
        }
    }
    // The deletion and the restoration are one version each.
    record.bump_version(deleted_at);
    record.bump_version(now);
    let cascade = K::deleted_with(tx, record.id(), deleted_at)?;
    let restored = Deleted { record, deleted_at };
    retry_on_duplicate(tx.records::<K>().restore(&restored))?;
    restored.record.audit(tx, writing, WriteKind::Restored)?;
    if restored.record.owner().is_none() {
        tx.emit(&[restored.record.restored_event(&before, &writing.reporter, now).with_cascade(cascade)])?;
    }
    Ok(restored.record)
}
