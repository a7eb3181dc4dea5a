//! The customer portal: a one-time link starts a session of one hour for one ticket.

use std::net::IpAddr;
use std::sync::Arc;

use time::{Duration, OffsetDateTime};
use uuid::Uuid;

use super::{MAX_COMMENTS, PortalSession, Ticket, TicketView, TrackingLinkLookup};
use crate::identity::access::{PlainToken, TokenKind};
use crate::identity::workspaces::{Workspace, WorkspaceStatus};
use crate::kernel::input::{Line, fields};
use crate::ports::{Ports, statement_in, transact_in};
use crate::work::issues::Issue;
use crate::{Error, IssueId, PortalSessionId, WorkspaceId};

/// How long a customer's session is valid.
pub const PORTAL_SESSION_TTL: Duration = Duration::hours(1);

fields! {
    /// The body of a portal sign-in.
    pub struct SessionFields {
        /// The token of a link.
        token: Line<200> = required,
    }
}

/// A new session with its plain token, which is shown only once.
#[derive(Debug)]
pub struct PortalLogin {
    pub token: PlainToken,
    pub expires_at: OffsetDateTime,
}

/// A customer with a valid portal token, who reaches one ticket and gets no [`Permit`](crate::identity::access::Permit). Only [`enter`]
/// creates it:
///
/// ```
/// # use domain::support::PortalVisitor;
/// fn keep(visitor: PortalVisitor) -> PortalVisitor {
///     visitor
/// }
/// ```
/// ```compile_fail,E0451
/// # use domain::{IssueId, support::PortalVisitor};
/// fn forged(visitor: PortalVisitor, issue: IssueId) -> PortalVisitor {
///     PortalVisitor { issue, ..visitor }
/// }
/// ```
#[derive(Debug, Clone)]
pub struct PortalVisitor {
    pub(super) workspace: Arc<Workspace>,
    pub(super) issue: IssueId,
    session: PortalSessionId,
    pub(super) address: Option<IpAddr>,
    pub(super) request_id: Option<Arc<str>>,
}

impl PortalVisitor {
    /// The session, which is the key of rate limits.
    pub const fn session_id(&self) -> PortalSessionId {
        self.session
    }

    /// The same visitor with the id of the request, which the event log records.
    #[must_use]
    pub fn in_request(self, request_id: Arc<str>) -> Self {
        Self { request_id: Some(request_id), ..self }
    }

    /// The workspace of the ticket.
    pub fn workspace_id(&self) -> WorkspaceId {
        self.workspace.id
    }

    /// The owner of idempotency keys: the ticket, so that a customer can retry with a new link.
    pub(super) const fn idempotency_owner(&self) -> Uuid {
        self.issue.0
    }
}

const fn is_open(workspace: &Workspace) -> bool {
    matches!(workspace.status, WorkspaceStatus::Active)
}

/// The workspace of a portal page, by the id in a link; `None` unless it is active.
pub async fn host(ports: &Ports, id: WorkspaceId) -> Result<Option<Workspace>, Error> {
    let found = ports.directory.find_workspace(&id.to_string()).await?;
    // A slug can look like an id.
    Ok(found.filter(|found| found.id == id && is_open(found)))
}

/// The workspace of a link, even if the link was used or has expired. Does not consume the link.
pub async fn host_of_link(ports: &Ports, fields: SessionFields) -> Result<Option<WorkspaceId>, Error> {
    Ok(find_link(ports, &fields).await?.map(|found| found.workspace.id))
}

/// The link of a token, in any state, if its workspace is active.
async fn find_link(ports: &Ports, fields: &SessionFields) -> Result<Option<TrackingLinkLookup>, Error> {
    let presented = fields.token.set().and_then(|text| PlainToken::parse_kind(TokenKind::TrackingLink, text.as_str()));
    let Some(presented) = presented else { return Ok(None) };
    let found = ports.directory.find_tracking_link(presented.lookup_id()).await?;
    Ok(found.filter(|found| found.link.secret.matches(&presented.hashed()) && is_open(&found.workspace)))
}

/// Consumes a link and starts a session for its ticket. If several calls use one link concurrently, one succeeds.
///
/// # Errors
/// [`Error::LinkExpired`] for an invalid or expired token, a deleted ticket or an inactive workspace;
/// [`Error::CapabilityConsumed`] for a used link.
pub async fn begin_session(ports: &Ports, fields: SessionFields) -> Result<PortalLogin, Error> {
    let found = find_link(ports, &fields).await?.ok_or(Error::LinkExpired)?;
    let consumed = || Error::CapabilityConsumed("this link was already used: ask for a new one");
    if found.link.used_at.is_some() {
        return Err(consumed());
    }
    let now = ports.clock.now();
    if found.link.expires_at <= now {
        return Err(Error::LinkExpired);
    }
    let token = PlainToken::generate(TokenKind::PortalSession, &*ports.random);
    let session = PortalSession {
        id: PortalSessionId(ports.ids.new_id()),
        issue_id: found.link.issue_id,
        lookup_id: token.lookup_id().to_owned(),
        secret: token.hashed(),
        created_at: now,
        expires_at: now + PORTAL_SESSION_TTL,
    };
    let expires_at = session.expires_at;
    transact_in(ports, found.workspace.id, move |tx| {
        if !tx.tickets().use_link(&found.link.lookup_id, now)? {
            return Err(consumed());
        }
        Ok(tx.tickets().add_session(&session)?)
    })
    .await?;
    Ok(PortalLogin { token, expires_at })
}

/// Verifies a portal token. Never cached, so that deleting a ticket or suspending a workspace takes effect immediately.
///
/// # Errors
/// [`Error::PortalTokenNeeded`] for every invalid token, including API keys and access tokens.
pub async fn enter(ports: &Ports, bearer: &str, address: Option<IpAddr>) -> Result<PortalVisitor, Error> {
    let presented = PlainToken::parse_kind(TokenKind::PortalSession, bearer).ok_or(Error::PortalTokenNeeded)?;
    let found = ports.directory.find_portal_session(presented.lookup_id()).await?;
    let found = found.ok_or(Error::PortalTokenNeeded)?;
    let session = found.session;
    let matches = session.secret.matches(&presented.hashed());
    if !(matches && is_open(&found.workspace) && ports.clock.now() < session.expires_at) {
        return Err(Error::PortalTokenNeeded);
    }
    let (workspace, issue) = (Arc::new(found.workspace), session.issue_id);
    Ok(PortalVisitor { workspace, issue, session: session.id, address, request_id: None })
}

/// The visitor's ticket with its newest public comments.
///
/// # Errors
/// [`Error::PortalTokenNeeded`] once it is deleted.
pub async fn read_own(ports: &Ports, visitor: &PortalVisitor) -> Result<TicketView, Error> {
    let id = visitor.issue;
    statement_in(ports, visitor.workspace_id(), move |tx| {
        let ticket = tx.records::<Issue>().get(id)?.and_then(Ticket::of).ok_or(Error::PortalTokenNeeded)?;
        let comments = tx.tickets().public_comments(id, MAX_COMMENTS + 1)?;
        Ok(TicketView::new(ticket, comments))
    })
    .await
}
