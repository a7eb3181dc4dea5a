//! The letters to customers.

use super::Ticket;
use crate::email::EmailMessage;
use crate::identity::workspaces::Workspace;

/// The letter with a link that somebody asked for.
pub(super) fn link_message(workspace: &Workspace, ticket: &Ticket, url: &str) -> Option<EmailMessage> {
    let (name, reference) = (&workspace.name, ticket.reference());
    EmailMessage::to_stored(
        &ticket.requester.email,
        &format!("Your ticket {reference}"),
        &format!(
            "Somebody asked for a link to your ticket {reference} at {name}.\n\nTo see it and to reply, open this link \
             within 30 minutes; it works once:\n\n{url}\n\nIf it was not you, there is nothing to do.\n"
        ),
    )
}
