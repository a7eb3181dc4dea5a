//! Deletes a task.

use super::Issue;
use crate::events::EventBuilder;
use crate::identity::access::{DeleteIssues, Permit};
use crate::kernel::IssueKind;
use crate::kernel::versions::ExpectedVersion;
use crate::ports::{Ports, transact};
use crate::records::Kind;
use crate::{Error, IssueId};

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
        let stored = tx.records::<Issue>().get_for_update(id)?.filter(|issue| acting.reaches(issue.kind));
        let stored = stored.ok_or(Error::NotFound("issue"))?;
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
