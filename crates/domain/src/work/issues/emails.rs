//! E-mails about issues: to members about assignments, to customers about answers and resolutions.

use super::tracking_link::{new_link, new_link_url, url_of};
use super::{Issue, IssueStatus, Requester, TrackingLink};
use crate::email::{EmailBatch, EmailMessage, EmailPart, EmailPurpose, QueuedEmail, add_parts, footer};
use crate::identity::access::{ActorKind, Principal};
use crate::identity::notifications::{AssignedRecord, Assignment, notify_assigned};
use crate::identity::workspaces::Workspace;
use crate::kernel::IssueKind;
use crate::ports::{Ports, Tx};
use crate::work::comments::{Comment, Visibility};
use crate::{EmailPartId, Error, IssueId};

/// The assignment to notify about, if the assignee has changed. `before` is `None` for a new issue.
pub(super) fn assignment(before: Option<&Issue>, after: &Issue) -> Option<Assignment> {
    Assignment::between(before.and_then(|issue| issue.assignee_id), after.assignee_id, || {
        let label = match after.kind {
            IssueKind::Task => Some(format!("#{}", after.number)),
            IssueKind::Ticket => after.reference.clone(),
        };
        AssignedRecord { kind: after.kind.into(), id: after.id.0, label, title: after.title.clone() }
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

/// Queues an e-mail to the ticket's requester with a new public comment and a new link. Everything within the same minute goes into one
/// e-mail. Does nothing for internal comments, for comments by customers, and for tickets without a requester.
pub(crate) fn queue_answer_email(
    ports: &Ports,
    workspace: &Workspace,
    tx: &mut dyn Tx,
    issue: &Issue,
    comment: &Comment,
) -> Result<(), Error> {
    let is_public = issue.kind == IssueKind::Ticket && comment.visibility == Visibility::Public;
    if !is_public || comment.author.kind == ActorKind::Customer {
        return Ok(());
    }
    let Some(requester) = issue.requester.as_ref().filter(|requester| !requester.is_erased()) else {
        return Ok(());
    };
    let (batch, id) = (EmailBatch::Ticket(issue.id), EmailPartId(comment.id.0));
    let part = EmailPart::seal(ports, workspace.id, batch, id, &comment.body)?;
    add_to_tickets(ports, workspace, tx, EmailPurpose::Answer, &[part], &[(issue, requester)])
}

/// Queues e-mails to the requesters of tickets that a change resolved or closed. A ticket that is reopened within the same minute sends
/// none. Each change is an issue before and after it.
pub(crate) fn queue_resolution_emails(
    ports: &Ports,
    workspace: &Workspace,
    tx: &mut dyn Tx,
    changes: &[(&Issue, &Issue)],
) -> Result<(), Error> {
    let reopened =
        changes.iter().filter(|(before, after)| before.status.is_completed() && !after.status.is_completed());
    let reopened: Vec<_> = reopened.filter(|(_, after)| after.requester.is_some()).map(|(_, after)| after.id).collect();
    if !reopened.is_empty() {
        tx.emails().withdraw(&reopened.into_iter().map(resolution_of).collect::<Vec<_>>())?;
    }
    if !workspace.notifies_requesters(&ports.settings) {
        return Ok(());
    }
    let completed =
        changes.iter().filter(|(before, after)| !before.status.is_completed() && after.status.is_completed());
    let completed: Vec<_> = completed
        .filter_map(|(_, after)| Some((*after, after.requester.as_ref().filter(|one| !one.is_erased())?)))
        .collect();
    if completed.is_empty() {
        return Ok(());
    }
    let part = |(issue, _): &(&Issue, _)| {
        let (batch, id) = resolution_of(issue.id);
        EmailPart::seal(ports, workspace.id, batch, id, &resolution(issue))
    };
    let sealed = completed.iter().map(part).collect::<Result<Vec<_>, _>>()?;
    add_to_tickets(ports, workspace, tx, EmailPurpose::Resolution, &sealed, &completed)
}

/// The part of an e-mail about the resolution of a ticket. It uses the ticket's id, which is older than those of its comments, so it
/// comes first.
const fn resolution_of(ticket: IssueId) -> (EmailBatch, EmailPartId) {
    (EmailBatch::Ticket(ticket), EmailPartId(ticket.0))
}

fn resolution(issue: &Issue) -> String {
    let reference = issue.reference.as_deref().unwrap_or_default();
    if issue.status == IssueStatus::Closed {
        return format!(
            "Your ticket {reference} was closed. If you still need help, open a new ticket and mention this reference."
        );
    }
    format!(
        "Your ticket {reference} was marked as resolved. If it is not, open the link below and reply there to reopen it."
    )
}

/// Adds a text to the open e-mail of each ticket, or starts a new e-mail if there is none.
fn add_to_tickets(
    ports: &Ports,
    workspace: &Workspace,
    tx: &mut dyn Tx,
    purpose: EmailPurpose,
    texts: &[EmailPart],
    tickets: &[(&Issue, &Requester)],
) -> Result<(), Error> {
    let mut links: Vec<Option<TrackingLink>> = vec![None; tickets.len()];
    let opened = add_parts(tx, texts, |index| {
        let (issue, requester) = tickets[index];
        let (token, link) = new_link(ports, issue.id);
        let reference = issue.reference.as_deref().unwrap_or_default();
        let form = new_link_url(ports, workspace.id, reference, &requester.email);
        let Some(email) = ticket_email(ports, workspace, issue, requester, [&url_of(ports, &token), &form]) else {
            return Ok(None);
        };
        links[index] = Some(link);
        let queued = QueuedEmail::seal(ports, workspace.email_source(purpose), &email)?;
        Ok(Some(queued.batched(ports, EmailBatch::Ticket(issue.id))))
    })?;
    let links: Vec<_> = opened.into_iter().filter_map(|index| links[index].take()).collect();
    if links.is_empty() {
        return Ok(());
    }
    Ok(tx.tickets().add_links(&links)?)
}

/// The e-mail without the texts, which come before its body. The subject has no text of the workspace, because that could be abused to
/// put any text in front of people outside it.
fn ticket_email(
    ports: &Ports,
    workspace: &Workspace,
    issue: &Issue,
    requester: &Requester,
    [url, again]: [&str; 2],
) -> Option<EmailMessage> {
    let (name, reference) = (&workspace.name, issue.reference.as_deref().unwrap_or_default());
    // A closed ticket takes no replies.
    let and_reply = if issue.status == IssueStatus::Closed { "" } else { " and reply" };
    EmailMessage::to_stored(
        &requester.email,
        &format!("Re: your ticket {reference}"),
        &format!(
            "\n\n-- \n{name}\n\nReplies to this e-mail do not reach your ticket. To see the whole ticket{and_reply}, open \
             this link. It works once, within 30 minutes:\n\n{url}\n\nTo get a new link at any time:\n\n{again}\n\n{}",
            footer(&ports.settings, name)
        ),
    )
}
