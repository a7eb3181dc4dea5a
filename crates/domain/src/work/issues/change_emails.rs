//! E-mails about changes of issues: to members about issues assigned to them, to customers about resolved tickets.

use super::Issue;
use super::customer_email::queue_resolution_emails;
use crate::Error;
use crate::identity::access::Principal;
use crate::identity::notifications::{AssignedRecord, Assignment, notify_assigned};
use crate::identity::workspaces::Workspace;
use crate::kernel::IssueKind;
use crate::ports::{Ports, Tx};
use crate::records::RecordKind;

/// The assignment to notify about, if the assignee has changed. `before` is `None` for a new issue.
pub(super) fn assignment(before: Option<&Issue>, after: &Issue) -> Option<Assignment> {
    Assignment::between(before.and_then(|issue| issue.assignee_id), after.assignee_id, || {
        let (kind, label) = match after.kind {
            IssueKind::Task => (RecordKind::Task, Some(format!("#{}", after.number))),
            IssueKind::Ticket => (RecordKind::Ticket, after.reference.clone()),
        };
        AssignedRecord { kind, id: after.id.0, label, title: after.title.clone() }
    })
}

/// Queues the e-mails about issues that changed, each given before and after the change. Must be the last step of the transaction,
/// because transactions that queue e-mails wait for each other.
pub(super) fn queue_change_emails(
    ports: &Ports,
    workspace: &Workspace,
    tx: &mut dyn Tx,
    by: &Principal,
    changes: &[(&Issue, &Issue)],
) -> Result<(), Error> {
    queue_resolution_emails(ports, workspace, tx, changes)?;
    let assigned = changes.iter().filter_map(|(before, after)| assignment(Some(*before), after));
    notify_assigned(ports, workspace, tx, by, &assigned.collect::<Vec<_>>())
}
