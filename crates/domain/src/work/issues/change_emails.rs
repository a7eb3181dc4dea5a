//! E-mails about changes of issues: to members about what is assigned to them, to customers about what is resolved.

use super::Issue;
use super::customer_email::queue_resolution_emails;
use crate::identity::access::Principal;
use crate::identity::notifications::{Assignable, AssignedRecord, Assignment, notify_assigned};
use crate::identity::workspaces::Workspace;
use crate::kernel::IssueKind;
use crate::ports::{Ports, Tx};
use crate::records::RecordKind;
use crate::{Error, UserId};

impl Assignable for Issue {
    fn assignee(&self) -> Option<UserId> {
        self.assignee_id
    }

    fn described(&self) -> AssignedRecord {
        let (kind, label) = match self.kind {
            IssueKind::Task => (RecordKind::Task, Some(format!("#{}", self.number))),
            IssueKind::Ticket => (RecordKind::Ticket, self.reference.clone()),
        };
        AssignedRecord { kind, id: self.id.0, label, title: self.title.clone() }
    }
}

/// Queues the e-mails about issues that changed, each given before and after the change. The last step of the transaction:
/// whoever has an e-mail queued waits for others who do.
pub(super) fn queue_change_emails(
    ports: &Ports,
    workspace: &Workspace,
    tx: &mut dyn Tx,
    by: &Principal,
    changes: &[(&Issue, &Issue)],
) -> Result<(), Error> {
    queue_resolution_emails(ports, workspace, tx, changes)?;
    let assigned = changes.iter().filter_map(|(before, after)| Assignment::between(Some(*before), after));
    notify_assigned(ports, workspace, tx, by, &assigned.collect::<Vec<_>>())
}
