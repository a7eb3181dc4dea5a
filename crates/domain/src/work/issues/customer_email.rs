//! E-mails to customers about their tickets.

use super::tracking_link::{new_link, new_link_url, url_of};
use super::{Issue, Requester};
use crate::Error;
use crate::email::{EmailMessage, QueuedEmail};
use crate::identity::access::ActorKind;
use crate::identity::workspaces::Workspace;
use crate::kernel::IssueKind;
use crate::ports::{Ports, Tx};
use crate::work::comments::{Comment, Visibility};

/// Queues an e-mail in the current transaction. `None` if the stored address is not valid.
pub(crate) fn queue(
    ports: &Ports,
    workspace: &Workspace,
    tx: &mut dyn Tx,
    email: Option<&EmailMessage>,
) -> Result<(), Error> {
    if let Some(email) = email {
        tx.emails().enqueue(&QueuedEmail::seal(ports, workspace.id, email)?)?;
    }
    Ok(())
}

/// Mails a ticket's requester a new public comment with a fresh link. Does nothing for internal comments, the
/// requester's own, and tickets without a requester.
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
    let Some(requester) = &issue.requester else {
        return Ok(());
    };
    let (token, link) = new_link(ports, issue.id);
    tx.tickets().add_link(&link)?;
    let again = new_link_url(ports, workspace.id, issue.reference.as_deref().unwrap_or_default());
    let email = answer(workspace, issue, requester, &comment.body, [&url_of(ports, &token), &again]);
    queue(ports, workspace, tx, email.as_ref())
}

fn answer(
    workspace: &Workspace,
    issue: &Issue,
    requester: &Requester,
    body: &str,
    [url, again]: [&str; 2],
) -> Option<EmailMessage> {
    let (name, reference) = (&workspace.name, issue.reference.as_deref().unwrap_or_default());
    EmailMessage::to_stored(
        &requester.email,
        &format!("Re: [{reference}] {}", issue.title),
        &format!(
            "{body}\n\n-- \n{name}\n\nTo see the whole ticket and to reply, open this link within 30 minutes; it works \
             once:\n\n{url}\n\nAfter that, request a new link here:\n\n{again}\n"
        ),
    )
}
