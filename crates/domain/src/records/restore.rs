//! Listing deleted records, and making them live again.

use time::OffsetDateTime;
use uuid::Uuid;

use super::{Deleted, Listed, again_if_taken, reach_of_deleted};
use crate::Error;
use crate::events::{Cascade, Event, EventBuilder};
use crate::identity::access::{Permit, ToolPermit};
use crate::kernel::UniqueValue;
use crate::kernel::idempotency::{IdempotentRequest, IdempotentResult};
use crate::kernel::paging::{ListOrder, Page, PageRequest, Paginated};
use crate::ports::{DeletedRepo, Ports, StoreError, Tx, Weight, transact_idempotent, weighed_read_only};

/// A record that can be deleted and restored.
pub(crate) trait Deletable: Clone + Send + 'static {
    /// What its list is filtered by.
    type Filter: Send + Sync + 'static;
    /// The permission to delete it, which lists deleted ones and restores them too.
    type Delete: ToolPermit;
    /// The name of the record in messages.
    const NOUN: &'static str;

    fn deleted(tx: &mut dyn Tx) -> &mut dyn DeletedRepo<Self, Self::Filter>;
    /// Whether there is a live record with this id that the caller reaches.
    fn is_live<P>(tx: &mut dyn Tx, permit: &Permit<P>, id: Uuid) -> Result<bool, StoreError>;
    /// Counts the deletion and the restoration as versions; the time is later than that of either.
    fn bump_versions(&mut self, deleted_at: OffsetDateTime, now: OffsetDateTime);
    /// The values that only one live record may have.
    fn own_unique_values(&self) -> Vec<UniqueValue> {
        Vec::new()
    }
    /// Fits the record to what has changed since it was deleted.
    ///
    /// # Errors
    /// [`Error::InvalidStateChange`] or [`Error::Conflict`] if it cannot come back as things are.
    fn fit(&mut self, _: &mut dyn Tx) -> Result<(), Error> {
        Ok(())
    }
    /// What comes back with it; `None` for kinds that take nothing along.
    fn deleted_with(_: &mut dyn Tx, _id: Uuid, _deleted_at: OffsetDateTime) -> Result<Option<Cascade>, StoreError> {
        Ok(None)
    }
    /// The event of its restoration from what was deleted.
    fn restored_event(&self, deleted: &Self, reporter: &EventBuilder, now: OffsetDateTime) -> Event;
}

/// Implements [`Deletable`] for a record declared with [`resource!`](super::resource) and
/// [`record!`](super::record).
macro_rules! deletable {
    ($record:ty, $filter:ty, $delete:ty, $repo:ident $(, unique: $unique:expr)? $(, with: $with:expr)?) => {
        impl $crate::records::Deletable for $record {
            type Filter = $filter;
            type Delete = $delete;
            const NOUN: &'static str = <Self as $crate::records::Record>::NOUN;

            fn deleted(tx: &mut dyn $crate::ports::Tx) -> &mut dyn $crate::ports::DeletedRepo<Self, $filter> {
                tx.$repo()
            }

            fn is_live<P>(
                tx: &mut dyn $crate::ports::Tx,
                _: &$crate::identity::access::Permit<P>,
                id: uuid::Uuid,
            ) -> Result<bool, $crate::ports::StoreError> {
                Ok(tx.$repo().get(id.into())?.is_some())
            }

            fn bump_versions(&mut self, deleted_at: time::OffsetDateTime, now: time::OffsetDateTime) {
                $crate::records::Record::bump_version(self, deleted_at);
                $crate::records::Record::bump_version(self, now);
            }

            $(fn own_unique_values(&self) -> Vec<$crate::kernel::UniqueValue> {
                let values: fn(&Self) -> Vec<$crate::kernel::UniqueValue> = $unique;
                values(self)
            })?

            $(fn deleted_with(
                tx: &mut dyn $crate::ports::Tx,
                id: uuid::Uuid,
                deleted_at: time::OffsetDateTime,
            ) -> Result<Option<$crate::events::Cascade>, $crate::ports::StoreError> {
                let with: fn(
                    &mut dyn $crate::ports::Tx,
                    uuid::Uuid,
                    time::OffsetDateTime,
                ) -> Result<$crate::events::Cascade, $crate::ports::StoreError> = $with;
                with(tx, id, deleted_at).map(Some)
            })?

            fn restored_event(
                &self,
                deleted: &Self,
                reporter: &$crate::events::EventBuilder,
                _: time::OffsetDateTime,
            ) -> $crate::events::Event {
                reporter.restored(deleted, self)
            }
        }
    };
}
pub(crate) use deletable;

/// A page of the records of the last 30 days that are deleted, newest first by their creation.
///
/// # Errors
/// [`Error::RoleNeeded`] and [`Error::GrantNeeded`] for who may not see them; [`Error::Malformed`] for a cursor of another
/// order.
pub(crate) async fn list_deleted<P, R: Deletable + Paginated>(
    ports: &Ports,
    permit: &Permit<P>,
    filter: R::Filter,
    page: PageRequest,
) -> Result<Page<Listed<R>>, Error> {
    permit.check_sees_deleted::<R::Delete>()?;
    page.check_order(ListOrder::Created)?;
    let since = reach_of_deleted(ports.clock.now());
    // One index has all that are deleted, in order: what else is filtered by may leave few of them.
    let rows = weighed_read_only(ports, permit, Weight::Search, move |tx| {
        Ok(R::deleted(tx).list_deleted(&filter, since, &page)?)
    });
    Ok(Page::from_rows(rows.await?, &page).map(Listed::of_deleted))
}

/// Restores a deleted record.
///
/// # Errors
/// Those of [`restore_in`] and of idempotency.
pub(crate) async fn restore<P: 'static, R: Deletable>(
    ports: &Ports,
    permit: &Permit<P>,
    once: Option<IdempotentRequest<R>>,
    id: Uuid,
) -> Result<IdempotentResult<R>, Error> {
    let (acting, now) = (permit.clone(), ports.clock.now());
    transact_idempotent(ports, permit, once, move |tx| restore_in(tx, &acting, id, now)).await
}

/// Restores a deleted record within a transaction.
///
/// # Errors
/// [`Error::NotFound`], also for a record that is out of reach; [`Error::InvalidStateChange`] for one that is not deleted;
/// [`Error::Duplicate`] if another has a unique value of it by now; those of [`Deletable::fit`].
pub(crate) fn restore_in<P, R: Deletable>(
    tx: &mut dyn Tx,
    permit: &Permit<P>,
    id: Uuid,
    now: OffsetDateTime,
) -> Result<R, Error> {
    let Some(Deleted { mut record, deleted_at }) = R::deleted(tx).get_deleted_for_update(id, reach_of_deleted(now))?
    else {
        return Err(if R::is_live(tx, permit, id)? {
            Error::InvalidStateChange(format!("the {} is not deleted: there is nothing to restore", R::NOUN))
        } else {
            Error::NotFound(R::NOUN)
        });
    };
    let before = record.clone();
    record.fit(tx)?;
    for value in record.own_unique_values() {
        if let Some(existing) = tx.record_with(&value)? {
            let existing_id = permit.may_read(value.read_requirement()).then_some(existing);
            return Err(Error::Duplicate { field: value.member(), existing_id });
        }
    }
    record.bump_versions(deleted_at, now);
    let cascade = R::deleted_with(tx, id, deleted_at)?;
    let restored = Deleted { record, deleted_at };
    again_if_taken(R::deleted(tx).restore(&restored))?;
    let reporter = EventBuilder::new(&permit.principal(), now);
    tx.emit(&[restored.record.restored_event(&before, &reporter, now).with_cascade(cascade)])?;
    Ok(restored.record)
}
