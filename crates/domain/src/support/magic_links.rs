//! Mailing a customer a link to their ticket, on their own word.

use super::TicketReference;
use super::letters::{queue, wanted_link};
use super::tracking_links::{new_link, url_of};
use crate::accounts::count_try;
use crate::input::{Email, Line, fields};
use crate::ports::{Ports, transact_in};
use crate::workspaces::WorkspaceStatus;
use crate::{Error, WorkspaceId};

fields! {
    /// Who wants to see which ticket.
    pub struct MagicLinkFields {
        /// The workspace that has the ticket.
        workspace_id: WorkspaceId = required,
        /// The address that the ticket was opened with.
        email: Email = required,
        /// The ticket's reference.
        reference: Line<200> = required,
    }
}

/// Mails a link if workspace, address and reference fit together; does nothing otherwise, nor after too many tries at one
/// ticket. The surface answers before this is done, so that its time tells nothing.
///
/// # Errors
/// The store's.
pub async fn send_magic_link(ports: &Ports, fields: MagicLinkFields) -> Result<(), Error> {
    let (Some(workspace), Some(email)) = (fields.workspace_id.set(), fields.email.set()) else {
        return Ok(());
    };
    let Some(reference) = fields.reference.set().and_then(|text| TicketReference::parse(text.as_str())) else {
        return Ok(());
    };
    // From wherever they come: nobody's mailbox is flooded. No address looks like this, so that no login is counted.
    if count_try(ports, &format!("{workspace} {}", reference.as_str())).await.is_err() {
        return Ok(());
    }
    let found = ports.directory.find_workspace(&workspace.to_string()).await?;
    let Some(workspace) = found.filter(|found| found.status == WorkspaceStatus::Active) else {
        return Ok(());
    };
    let (outside, email_key) = (ports.clone(), email.as_str().to_lowercase());
    transact_in(ports, workspace.id, move |tx| {
        let ticket = tx.tickets().find(reference.as_str())?;
        let Some(ticket) = ticket.filter(|ticket| ticket.requester.email_key() == email_key) else {
            return Ok(());
        };
        let (token, link) = new_link(&outside, ticket.issue.id);
        tx.tickets().add_link(&link)?;
        let mail = wanted_link(&workspace, &ticket, &url_of(&outside, &token));
        queue(&outside, &workspace, tx, mail.as_ref())
    })
    .await
}
