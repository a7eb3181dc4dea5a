//! E-mails to customers.

use super::Ticket;
use crate::Error;
use crate::email::{EmailMessage, EmailPurpose, Enqueued, QueuedEmail, footer};
use crate::identity::workspaces::Workspace;
use crate::ports::{Ports, Settings, Tx};
use crate::work::issues::{Issue, new_link, new_link_url, url_of};

/// Queues an e-mail to the requester of a new ticket, with its reference and a link to it. The ticket may have been opened with another
/// person's address, so the e-mail does not repeat its text.
pub(super) fn acknowledge(ports: &Ports, workspace: &Workspace, tx: &mut dyn Tx, ticket: &Issue) -> Result<(), Error> {
    let (Some(reference), Some(requester)) = (&ticket.reference, &ticket.requester) else {
        return Ok(());
    };
    let (email, (token, link)) = (&requester.email, new_link(ports, ticket.id));
    let form = new_link_url(ports, workspace.id, reference, email);
    let message = acknowledgement(&ports.settings, &workspace.name, reference, email, [&url_of(ports, &token), &form]);
    let Some(message) = message else {
        return Ok(());
    };
    let queued = QueuedEmail::seal(ports, workspace.email_source(EmailPurpose::Acknowledgement), &message)?;
    if tx.emails().enqueue(&queued)? == Enqueued::Queued {
        tx.tickets().add_link(&link)?;
    }
    Ok(())
}

fn acknowledgement(
    settings: &Settings,
    workspace: &str,
    reference: &str,
    email: &str,
    [url, again]: [&str; 2],
) -> Option<EmailMessage> {
    EmailMessage::to_stored(
        email,
        &format!("We have received your ticket {reference}"),
        &format!(
            "{workspace} has received your request. Its ticket is {reference}.\n\nReplies to this e-mail do not reach \
             your ticket. To read it and add to it, open this link. It works once, within 30 minutes:\n\n{url}\n\nTo get \
             a new link at any time:\n\n{again}\n\nYour address was given with the request. If you did not make it, \
             ignore this e-mail.\n\n{}",
            footer(settings, workspace)
        ),
    )
}

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
            "A link to your ticket {reference} at {name} was requested.\n\nReplies to this e-mail do not reach your \
             ticket. To read it and reply, open this link. It works once, within 30 minutes:\n\n{url}\n\nIf you did not \
             request it, ignore this e-mail.\n\n{}",
            footer(settings, name)
        ),
    )
}
