//! One-time links that give a customer access to their ticket.

use time::{Duration, OffsetDateTime};

use crate::identity::access::{HashedSecret, PlainToken, TokenKind};
use crate::ports::Ports;
use crate::{IssueId, WorkspaceId};

/// How long a link is valid.
pub const TRACKING_LINK_TTL: Duration = Duration::minutes(30);

/// A one-time link to one ticket; a ticket can have several open ones.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TrackingLink {
    pub issue_id: IssueId,
    /// The part of the token that identifies the link.
    pub lookup_id: String,
    /// The hash of the token's secret.
    pub secret: HashedSecret,
    pub expires_at: OffsetDateTime,
    pub used_at: Option<OffsetDateTime>,
    /// Whether the customer requested it.
    pub is_requested: bool,
}

/// A new token and the link to store for it.
pub(crate) fn new_link(ports: &Ports, issue_id: IssueId) -> (PlainToken, TrackingLink) {
    let token = PlainToken::generate(TokenKind::TrackingLink, &*ports.random);
    let link = TrackingLink {
        issue_id,
        lookup_id: token.lookup_id().to_owned(),
        secret: token.hashed(),
        expires_at: ports.clock.now() + TRACKING_LINK_TTL,
        used_at: None,
        is_requested: false,
    };
    (token, link)
}

pub(crate) fn url_of(ports: &Ports, token: &PlainToken) -> String {
    ports.settings.link("portal", token)
}

/// The URL of the page where a customer can request a new link, with the form filled in. It contains no secret, and browsers do not
/// send the part after the `#` to any server.
pub(crate) fn new_link_url(ports: &Ports, workspace: WorkspaceId, reference: &str, email: &str) -> String {
    let root = ports.settings.public_url.trim_end_matches('/');
    let email: String = url::form_urlencoded::byte_serialize(email.as_bytes()).collect();
    format!("{root}/portal#workspace={workspace}&reference={reference}&email={email}")
}
