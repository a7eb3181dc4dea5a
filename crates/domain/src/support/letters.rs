//! The letters to customers.

use super::tracking_links::{ask_again_url, new_link, url_of};
use super::{Requester, Ticket};
use crate::Error;
use crate::access::ActorKind;
use crate::issues::{Comment, Issue, IssueKind, Visibility};
use crate::mails::{Mail, QueuedMail};
use crate::ports::{Ports, Tx};
use crate::workspaces::Workspace;

/// Queues a letter, as part of the transaction. None where the stored address is none after all.
pub(super) fn queue(ports: &Ports, workspace: &Workspace, tx: &mut dyn Tx, mail: Option<&Mail>) -> Result<(), Error> {
    if let Some(mail) = mail {
        tx.mails().enqueue(&QueuedMail::seal(ports, workspace.id, mail)?)?;
    }
    Ok(())
}

/// Writes to the customer of a ticket that has got a public answer, with a fresh link. Does nothing for internal comments,
/// the customer's own, and tickets that nobody asked for from outside.
pub(crate) fn answered(
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
    let again = ask_again_url(ports, workspace.id, issue.reference.as_deref().unwrap_or_default());
    let mail = answer(workspace, issue, requester, &comment.body, [&url_of(ports, &token), &again]);
    queue(ports, workspace, tx, mail.as_ref())
}

/// The letter with a link that somebody asked for.
pub(super) fn wanted_link(workspace: &Workspace, ticket: &Ticket, url: &str) -> Option<Mail> {
    let (name, reference) = (&workspace.name, ticket.reference());
    Mail::to_stored(
        &ticket.requester.email,
        &format!("Your ticket {reference}"),
        &format!(
            "Somebody asked for a link to your ticket {reference} at {name}.\n\nTo see it and to reply, open this link \
             within 30 minutes; it works once:\n\n{url}\n\nIf it was not you, there is nothing to do.\n"
        ),
    )
}

fn answer(
    workspace: &Workspace,
    issue: &Issue,
    requester: &Requester,
    body: &str,
    [url, again]: [&str; 2],
) -> Option<Mail> {
    let (name, reference) = (&workspace.name, issue.reference.as_deref().unwrap_or_default());
    Mail::to_stored(
        &requester.email,
        &format!("Re: [{reference}] {}", issue.title),
        &format!(
            "{body}\n\n-- \n{name}\n\nTo see the whole ticket and to reply, open this link within 30 minutes; it works \
             once:\n\n{url}\n\nAfter that, ask for a new link here:\n\n{again}\n"
        ),
    )
}

#[cfg(test)]
mod tests;
