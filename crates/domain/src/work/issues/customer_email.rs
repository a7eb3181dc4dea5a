//! E-mails to customers about their tickets.

use super::tracking_link::{new_link, new_link_url, url_of};
use super::{Issue, Requester};
use crate::Error;
use crate::email::{EmailMessage, EmailPart, EmailPurpose, Enqueued, QueuedEmail, footer};
use crate::identity::access::ActorKind;
use crate::identity::workspaces::Workspace;
use crate::kernel::IssueKind;
use crate::ports::{Ports, StoreError, Tx};
use crate::work::comments::{Comment, Visibility};

/// How often an answer looks for an open e-mail that it can be added to, or opens one.
const MAX_TRIES: u32 = 3;

/// Mails a ticket's requester a new public comment, with a fresh link and with the other comments of the same minute.
/// Does nothing for internal comments, the requester's own, and tickets without a requester.
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
    let part = EmailPart::seal(ports, workspace.id, comment.id, &comment.body)?;
    for _ in 0..MAX_TRIES {
        if tx.emails().append(issue.id, &part)? {
            return Ok(());
        }
        // If somebody else opens one at the same time, the comment is added to theirs.
        if !open_answer_email(ports, workspace, tx, issue, requester)? {
            return Ok(());
        }
    }
    Err(StoreError::Contended.into())
}

/// Queues an e-mail that comments can be added to; returns false if none can be sent.
fn open_answer_email(
    ports: &Ports,
    workspace: &Workspace,
    tx: &mut dyn Tx,
    issue: &Issue,
    requester: &Requester,
) -> Result<bool, Error> {
    let (token, link) = new_link(ports, issue.id);
    let again = new_link_url(ports, workspace.id, issue.reference.as_deref().unwrap_or_default());
    let Some(email) = answer(ports, workspace, issue, requester, [&url_of(ports, &token), &again]) else {
        return Ok(false);
    };
    let queued = QueuedEmail::seal(ports, workspace.email_source(EmailPurpose::Answer), &email)?;
    match tx.emails().enqueue(&queued.batched(ports, issue.id))? {
        Enqueued::Queued => {
            tx.tickets().add_link(&link)?;
            Ok(true)
        }
        Enqueued::AlreadyOpen => Ok(true),
        // The comment stands without an e-mail.
        Enqueued::WorkspaceLimit | Enqueued::MailboxLimit | Enqueued::QueueFull => Ok(false),
    }
}

/// What follows the comments. The subject holds no text of the workspace: it would be the first line that people
/// outside read, of whatever somebody wants to be read.
fn answer(
    ports: &Ports,
    workspace: &Workspace,
    issue: &Issue,
    requester: &Requester,
    [url, again]: [&str; 2],
) -> Option<EmailMessage> {
    let (name, reference) = (&workspace.name, issue.reference.as_deref().unwrap_or_default());
    EmailMessage::to_stored(
        &requester.email,
        &format!("Re: your ticket {reference}"),
        &format!(
            "\n\n-- \n{name}\n\nTo see the whole ticket and to reply, open this link within 30 minutes; it works once:\n\n\
             {url}\n\nAfter that, request a new link here:\n\n{again}\n\n{}",
            footer(&ports.settings, name)
        ),
    )
}
