//! One-time links by which a customer gets to their ticket.

use time::{Duration, OffsetDateTime};

use crate::identity::access::{HashedSecret, PlainToken, TokenKind};
use crate::ports::Ports;
use crate::{IssueId, WorkspaceId};

/// How long a link is good.
pub const TRACKING_LINK_TTL: Duration = Duration::minutes(30);

/// A one-time link to one ticket; a ticket may have several that are open.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TrackingLink {
    /// The ticket.
    pub issue_id: IssueId,
    /// The part of the token that finds it.
    pub lookup_id: String,
    /// The hash of the token's secret.
    pub secret: HashedSecret,
    /// Until when it is good.
    pub expires_at: OffsetDateTime,
    /// When it was used.
    pub used_at: Option<OffsetDateTime>,
}

/// A new token and what is kept of it.
pub(crate) fn new_link(ports: &Ports, issue_id: IssueId) -> (PlainToken, TrackingLink) {
    let token = PlainToken::generate(TokenKind::TrackingLink, &*ports.random);
    let link = TrackingLink {
        issue_id,
        lookup_id: token.lookup_id().to_owned(),
        secret: token.hashed(),
        expires_at: ports.clock.now() + TRACKING_LINK_TTL,
        used_at: None,
    };
    (token, link)
}

/// The address of a link.
pub(crate) fn url_of(ports: &Ports, token: &PlainToken) -> String {
    ports.settings.link("portal", token)
}

/// The address where a customer asks for a new link; it carries no secret.
pub(crate) fn new_link_url(ports: &Ports, workspace: WorkspaceId, reference: &str) -> String {
    let root = ports.settings.public_url.trim_end_matches('/');
    format!("{root}/portal#workspace={workspace}&reference={reference}")
}
