//! Customers without an account: the tickets that they open, the links to these, and the widget (interface 12, 14).

pub mod canned_replies;
mod emails;
pub mod erasure;
pub mod help_centre;
mod intake;
pub mod kb;
mod list;
mod magic_links;
mod portal;
mod reply;
mod tracking_links;
mod view;
mod widget;

pub use intake::{IntakeFields, open_by_key, open_by_widget};
pub use list::{TicketFilter, list, parse_email, read};
pub use magic_links::{
    LostLinkFields, MagicLinkFields, answer_link_request, request_lost_link, request_magic_link, take_link_requests,
};
pub use portal::{
    PORTAL_SESSION_TTL, PortalLogin, PortalVisitor, SessionFields, begin_session, enter, host, host_of_link, read_own,
};
pub use reply::{ReplyFields, reply};
pub use tracking_links::{IssuedLink, create_link, share_link};

pub use crate::work::issues::TicketReference;
pub use view::{CommentSide, MAX_COMMENTS, PublicComment, RequesterView, TicketSummary, TicketView};
pub use widget::{WidgetVisitor, admit, search_kb};

use time::OffsetDateTime;
use uuid::Uuid;

use crate::identity::access::HashedSecret;
use crate::identity::workspaces::Workspace;
use crate::kernel::paging::{ListName, Paginated};
use crate::work::issues::{Issue, Requester, TrackingLink};
use crate::{IssueId, PortalSessionId};

/// A ticket with a customer, who opened it by API key or widget, or for whom the workspace opened it. It is an issue with a requester.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Ticket {
    issue: Issue,
    requester: Requester,
}

impl Ticket {
    /// `None` for an issue without a requester.
    pub fn of(issue: Issue) -> Option<Self> {
        let requester = issue.requester.clone()?;
        Some(Self { issue, requester })
    }

    /// The underlying issue, as REST and tools show it.
    pub const fn issue(&self) -> &Issue {
        &self.issue
    }

    pub const fn requester(&self) -> &Requester {
        &self.requester
    }

    /// The public reference.
    pub fn reference(&self) -> &str {
        // Every ticket has a reference.
        self.issue.reference.as_deref().unwrap_or_default()
    }
}

impl Paginated for Ticket {
    const LIST: ListName = ListName::PUBLIC_TICKETS;

    fn cursor_key(&self) -> (OffsetDateTime, Uuid) {
        (self.issue.created_at, self.issue.id.0)
    }
}

/// A ticket link found by its look-up id.
#[derive(Debug, Clone)]
pub struct TrackingLinkLookup {
    pub link: TrackingLink,
    pub workspace: Workspace,
}

/// A customer's session of one hour with one ticket.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PortalSession {
    /// Also the key of its rate limits.
    pub id: PortalSessionId,
    /// The only ticket that the session reaches.
    pub issue_id: IssueId,
    /// The part of the token that identifies the session.
    pub lookup_id: String,
    /// The hash of the token's secret.
    pub secret: HashedSecret,
    pub created_at: OffsetDateTime,
    pub expires_at: OffsetDateTime,
}

/// A customer's session found by its look-up id.
#[derive(Debug, Clone)]
pub struct PortalSessionLookup {
    pub session: PortalSession,
    pub workspace: Workspace,
}
