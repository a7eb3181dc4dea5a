//! One-time links by which a customer gets to their ticket.

use time::OffsetDateTime;

use super::TicketReference;
use crate::identity::access::{CreateTrackingLinks, Permit, PlainToken};
use crate::ports::{Ports, transact};
use crate::work::issues::{TrackingLink, new_link, url_of};
use crate::{Error, IssueId};

/// A link that was just made: the only time that its token is known.
#[derive(Debug)]
pub struct IssuedLink {
    /// The token.
    pub token: PlainToken,
    /// The address that carries it.
    pub url: String,
    /// Until when it is good.
    pub expires_at: OffsetDateTime,
}

/// Makes a link to a ticket, for the workspace's own program to hand on.
///
/// # Errors
/// [`Error::NotFound`] for the ticket.
pub async fn create_link(
    ports: &Ports,
    permit: &Permit<CreateTrackingLinks>,
    reference: Option<TicketReference>,
) -> Result<IssuedLink, Error> {
    let reference = reference.ok_or(Error::NotFound("ticket"))?;
    // To whom it leads is known only inside.
    let (token, link) = new_link(ports, IssueId(uuid::Uuid::nil()));
    let expires_at = link.expires_at;
    transact(ports, permit, move |tx| {
        let ticket = tx.tickets().find(reference.as_str())?.ok_or(Error::NotFound("ticket"))?;
        Ok(tx.tickets().add_link(&TrackingLink { issue_id: ticket.issue.id, ..link.clone() })?)
    })
    .await?;
    Ok(IssuedLink { url: url_of(ports, &token), token, expires_at })
}
