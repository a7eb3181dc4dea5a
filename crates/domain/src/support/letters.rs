//! The letters to customers.

use std::sync::{Arc, Mutex, PoisonError};

use super::tracking_links::{ask_again_url, new_link, url_of};
use super::{Requester, Ticket};
use crate::Error;
use crate::access::ActorKind;
use crate::issues::{Comment, Issue, IssueKind, Visibility};
use crate::ports::{Mail, Ports, Tx};
use crate::workspaces::Workspace;

/// The letters of one transaction: they go out when it is committed.
#[derive(Clone, Default)]
pub(crate) struct Letters(Arc<Mutex<Vec<Mail>>>);

impl Letters {
    /// Forgets the letters of a run that was in vain. First in every transaction.
    pub(crate) fn begin(&self) {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).clear();
    }

    /// Takes a letter, as part of the transaction. The one place that knows how letters wait for a commit.
    #[expect(clippy::unnecessary_wraps, reason = "a queue of letters in the store can fail")]
    pub(crate) fn put(&self, _tx: &mut dyn Tx, mail: Mail) -> Result<(), Error> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).push(mail);
        Ok(())
    }

    /// Posts what was taken. Last, after the commit.
    pub(crate) fn post(&self, ports: &Ports) {
        for mail in self.0.lock().unwrap_or_else(PoisonError::into_inner).drain(..) {
            ports.mailer.post(mail);
        }
    }
}

/// Writes to the customer of a ticket that has got a public answer, with a fresh link. Does nothing for internal comments,
/// the customer's own, and tickets that nobody asked for from outside.
pub(crate) fn answered(
    ports: &Ports,
    workspace: &Workspace,
    tx: &mut dyn Tx,
    letters: &Letters,
    issue: &Issue,
    comment: &Comment,
) -> Result<(), Error> {
    let is_public = issue.kind == IssueKind::Ticket && comment.visibility == Visibility::Public;
    if !is_public || comment.author.kind == ActorKind::Customer {
        return Ok(());
    }
    let Some(requester) = tx.tickets().requester(issue.id)? else {
        return Ok(());
    };
    let (token, link) = new_link(ports, issue.id);
    tx.tickets().add_link(&link)?;
    let again = ask_again_url(ports, workspace.id, issue.reference.as_deref().unwrap_or_default());
    letters.put(tx, answer(workspace, issue, &requester, &comment.body, [&url_of(ports, &token), &again]))
}

/// The letter with a link that somebody asked for.
pub(super) fn wanted_link(workspace: &Workspace, ticket: &Ticket, url: &str) -> Mail {
    let (name, reference) = (&workspace.name, ticket.reference());
    Mail {
        to: ticket.requester.email.clone(),
        subject: format!("Your ticket {reference}"),
        text: format!(
            "Somebody asked for a link to your ticket {reference} at {name}.\n\nTo see it and to reply, open this link \
             within 30 minutes; it works once:\n\n{url}\n\nIf it was not you, there is nothing to do.\n"
        ),
    }
}

fn answer(workspace: &Workspace, issue: &Issue, requester: &Requester, body: &str, [url, again]: [&str; 2]) -> Mail {
    let (name, reference) = (&workspace.name, issue.reference.as_deref().unwrap_or_default());
    Mail {
        to: requester.email.clone(),
        subject: format!("Re: [{reference}] {}", issue.title),
        text: format!(
            "{body}\n\n-- \n{name}\n\nTo see the whole ticket and to reply, open this link within 30 minutes; it works \
             once:\n\n{url}\n\nAfter that, ask for a new link here:\n\n{again}\n"
        ),
    }
}
