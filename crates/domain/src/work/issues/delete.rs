//! Deletes and restores tasks.

use time::OffsetDateTime;
use uuid::Uuid;

use super::Issue;
use super::update::lock_reached;
use crate::events::{Event, EventBuilder};
use crate::identity::access::{DeleteIssues, Permit};
use crate::kernel::IssueKind;
use crate::kernel::idempotency::{IdempotentRequest, IdempotentResult};
use crate::kernel::versions::ExpectedVersion;
use crate::ports::{Ports, StoreError, Tx, transact};
use crate::records::{self, Deletable, Kind, Writing};
use crate::{Error, IssueId, Reference};

/// Soft-deletes a task. Its sub-tasks and comments stay.
///
/// # Errors
/// [`Error::NotFound`], [`Error::ConcurrentUpdate`], [`Error::InvalidStateChange`] for a ticket.
pub async fn delete(
    ports: &Ports,
    permit: &Permit<DeleteIssues>,
    id: IssueId,
    expected: ExpectedVersion,
) -> Result<(), Error> {
    let now = ports.clock.now();
    let reporter = EventBuilder::new(&permit.principal(), now);
    let acting = permit.clone();
    transact(ports, permit, move |tx| {
        let stored = lock_reached(tx, &acting, id)?;
        expected.check(stored.version)?;
        if stored.kind == IssueKind::Ticket {
            return Err(Error::InvalidStateChange("tickets are closed, not deleted: set status to closed".to_owned()));
        }
        tx.records::<Issue>().delete(id, now)?;
        // The version is bumped so that consumers can order the deletion.
        let mut deleted = stored;
        deleted.bump_version(now);
        Ok(tx.emit(&[reporter.happened(&deleted, "deleted")])?)
    })
    .await
}

impl Deletable for Issue {
    type Delete = DeleteIssues;

    fn is_live<P>(tx: &mut dyn Tx, permit: &Permit<P>, id: Uuid) -> Result<bool, StoreError> {
        Ok(tx.issues().kind_of(IssueId(id))?.is_some_and(|kind| permit.reaches(kind)))
    }

    /// A deleted cycle releases its issues, but not those that were deleted before it, such as this one.
    fn fit(&mut self, _: OffsetDateTime, tx: &mut dyn Tx, _: &Writing) -> Result<(), Error> {
        let Some(project) = self.project_id else { return Ok(()) };
        if tx.references_exist(&[Reference::Project(project)])? != [true] {
            let message = "the project of this task is deleted: restore the project first";
            return Err(Error::InvalidStateChange(message.to_owned()));
        }
        if let Some(cycle) = self.cycle_id
            && tx.references_exist(&[Reference::Cycle(project, cycle)])? != [true]
        {
            self.cycle_id = None;
        }
        Ok(())
    }

    fn restored_event(&self, deleted: &Self, reporter: &EventBuilder, _: OffsetDateTime) -> Event {
        reporter.restored(deleted, self)
    }
}

/// Restores a task that was deleted within the last 30 days.
///
/// # Errors
/// [`Error::NotFound`], [`Error::InvalidStateChange`], also for a task whose project is deleted.
pub async fn restore(
    ports: &Ports,
    permit: &Permit<DeleteIssues>,
    once: Option<IdempotentRequest<Issue>>,
    id: IssueId,
) -> Result<IdempotentResult<Issue>, Error> {
    records::restore(ports, permit, once, id).await
}
