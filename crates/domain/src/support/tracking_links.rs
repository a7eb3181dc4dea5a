//! One-time links that give a customer access to their ticket.

use time::OffsetDateTime;

use crate::identity::access::{CreateTrackingLinks, Permit, PlainToken, UpdateIssues};
use crate::kernel::IssueKind;
use crate::ports::{Ports, transact};
use crate::work::issues::{TicketReference, TrackingLink, new_link, url_of};
use crate::{Error, IssueId};

/// A new link with its plain token, which is shown only once.
#[derive(Debug)]
pub struct IssuedLink {
    pub token: PlainToken,
    /// The address that contains the token.
    pub url: String,
    pub expires_at: OffsetDateTime,
}

/// Creates a link to a ticket, which the workspace's own backend passes on.
///
/// # Errors
/// [`Error::NotFound`] for the ticket.
pub async fn create_link(
    ports: &Ports,
    permit: &Permit<CreateTrackingLinks>,
    reference: Option<TicketReference>,
) -> Result<IssuedLink, Error> {
    issue_link(ports, permit, reference).await
}

/// Creates a link to a ticket, which a member passes on to the customer.
///
/// # Errors
/// [`Error::NotFound`] for the ticket.
pub async fn share_link(
    ports: &Ports,
    permit: &Permit<UpdateIssues>,
    reference: Option<TicketReference>,
) -> Result<IssuedLink, Error> {
    permit.check_kind(IssueKind::Ticket)?;
    issue_link(ports, permit, reference).await
}

async fn issue_link<P>(
    ports: &Ports,
    permit: &Permit<P>,
    reference: Option<TicketReference>,
) -> Result<IssuedLink, Error> {
    let reference = reference.ok_or(Error::NotFound("ticket"))?;
    // The id of the ticket is set when the transaction has found it.
    let (token, link) = new_link(ports, IssueId(uuid::Uuid::nil()));
    let expires_at = link.expires_at;
    transact(ports, permit, move |tx| {
        let ticket = tx.tickets().find(reference.as_str())?.ok_or(Error::NotFound("ticket"))?;
        Ok(tx.tickets().add_link(&TrackingLink { issue_id: ticket.issue.id, ..link.clone() })?)
    })
    .await?;
    Ok(IssuedLink { url: url_of(ports, &token), token, expires_at })
}
