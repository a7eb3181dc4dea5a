//! One-time links by which a customer gets to their ticket.

use time::{Duration, OffsetDateTime};

use super::{TicketReference, TrackingLink};
use crate::access::{CreateTrackingLinks, Permit, PlainToken, TokenKind};
use crate::ports::{Ports, transact};
use crate::{Error, IssueId, WorkspaceId};

/// How long a link is good.
pub const LINK_LIFE: Duration = Duration::minutes(30);

/// A link that was just made: the only time that its token is known.
#[derive(Debug)]
pub struct MadeLink {
    /// The token.
    pub token: PlainToken,
    /// The address that carries it.
    pub url: String,
    /// Until when it is good.
    pub expires_at: OffsetDateTime,
}

/// A new token and what is kept of it.
pub(super) fn new_link(ports: &Ports, issue_id: IssueId) -> (PlainToken, TrackingLink) {
    let token = PlainToken::generate(TokenKind::TrackingLink, &*ports.random);
    let link = TrackingLink {
        issue_id,
        lookup_id: token.lookup_id().to_owned(),
        secret: token.hashed(),
        expires_at: ports.clock.now() + LINK_LIFE,
        used_at: None,
    };
    (token, link)
}

/// The address of a link.
pub(super) fn url_of(ports: &Ports, token: &PlainToken) -> String {
    ports.settings.link("portal", token)
}

/// The address where a customer asks for a new link; it carries no secret.
pub(super) fn ask_again_url(ports: &Ports, workspace: WorkspaceId, reference: &str) -> String {
    let root = ports.settings.public_url.trim_end_matches('/');
    format!("{root}/portal#workspace={workspace}&reference={reference}")
}

/// Makes a link to a ticket, for the workspace's own program to hand on.
///
/// # Errors
/// [`Error::NotFound`] for the ticket.
pub async fn make_link(
    ports: &Ports,
    permit: &Permit<CreateTrackingLinks>,
    reference: Option<TicketReference>,
) -> Result<MadeLink, Error> {
    let reference = reference.ok_or(Error::NotFound("ticket"))?;
    // To whom it leads is known only inside.
    let (token, link) = new_link(ports, IssueId(uuid::Uuid::nil()));
    let expires_at = link.expires_at;
    transact(ports, permit, move |tx| {
        let ticket = tx.tickets().find(reference.as_str())?.ok_or(Error::NotFound("ticket"))?;
        Ok(tx.tickets().add_link(&TrackingLink { issue_id: ticket.issue.id, ..link.clone() })?)
    })
    .await?;
    Ok(MadeLink { url: url_of(ports, &token), token, expires_at })
}
