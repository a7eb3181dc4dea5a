//! E-mails to customers.

use super::Ticket;
use crate::email::{EmailMessage, footer};
use crate::identity::workspaces::Workspace;
use crate::ports::Settings;

/// The e-mail with a link that was requested.
pub(super) fn link_message(
    settings: &Settings,
    workspace: &Workspace,
    ticket: &Ticket,
    url: &str,
) -> Option<EmailMessage> {
    let (name, reference) = (&workspace.name, ticket.reference());
    EmailMessage::to_stored(
        &ticket.requester.email,
        &format!("Your ticket {reference}"),
        &format!(
            "A link to your ticket {reference} at {name} was requested.\n\nTo read the ticket and to reply, open this \
             link within 30 minutes; it works once:\n\n{url}\n\nIf you did not request it, ignore this e-mail.\n\n{}",
            footer(settings, name)
        ),
    )
}
