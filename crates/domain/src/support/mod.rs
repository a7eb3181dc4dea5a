//! Customers without an account: the tickets that they open, the links by which they follow them, and the widget
//! (contract: ticket intake, customer tracking, widget).

mod intake;
mod letters;
mod list;
mod magic_links;
mod portal;
mod read;
mod reference;
mod reply;
mod tracking_links;
mod view;
mod widget;

pub use intake::{IntakeFields, open_by_key, open_by_widget};
pub(crate) use letters::answered;
pub use list::{TicketFilter, list, parse_email};
pub(crate) use magic_links::answer_magic_link;
pub use magic_links::{MagicLinkFields, request_magic_link};
pub use portal::{PORTAL_LIFE, PortalLogin, PortalVisitor, SessionFields, begin_session, enter, read_own};
pub use read::read;
pub use reference::TicketReference;
pub use reply::{ReplyFields, reply};
pub use tracking_links::{LINK_LIFE, MadeLink, make_link};
pub use view::{CommentSide, MAX_COMMENTS, PublicComment, RequesterView, TicketSummary, TicketView};
pub use widget::{WidgetVisitor, admit, search_kb};

use schemars::JsonSchema;
use serde::Serialize;
use time::OffsetDateTime;
use uuid::Uuid;

use crate::access::HashedSecret;
use crate::input::{choices, readable_choices};
use crate::issues::Issue;
use crate::paging::{ListName, Listed};
use crate::workspaces::Workspace;
use crate::{ContactId, IssueId, PortalSessionId};

choices! {
    /// What a customer asks for.
    pub enum TicketType {
        /// They want to know something.
        Question = "question",
        /// Something does not work right now.
        Incident = "incident",
        /// Something does not work again and again.
        Problem = "problem",
        /// They want something to be done.
        Request = "request",
    }
}

readable_choices!(TicketType);

/// Who asked for a ticket from outside.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Requester {
    /// Their name.
    pub name: String,
    /// Their address, as they gave it.
    pub email: String,
    /// What they ask for.
    #[serde(rename = "type")]
    pub ticket_type: TicketType,
    /// The contact whose address it was when the ticket was opened.
    pub contact_id: Option<ContactId>,
}

impl Requester {
    /// What makes two addresses the same.
    pub fn email_key(&self) -> String {
        self.email.to_lowercase()
    }
}

/// A ticket that somebody asked for from outside: one that has a requester.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Ticket {
    issue: Issue,
    requester: Requester,
}

impl Ticket {
    /// None for an issue that nobody asked for from outside.
    pub fn of(issue: Issue) -> Option<Self> {
        let requester = issue.requester.clone()?;
        Some(Self { issue, requester })
    }

    /// The record that REST and tools show too.
    pub const fn issue(&self) -> &Issue {
        &self.issue
    }

    /// Who asked.
    pub const fn requester(&self) -> &Requester {
        &self.requester
    }

    /// What customers call it.
    pub fn reference(&self) -> &str {
        // Every ticket has one.
        self.issue.reference.as_deref().unwrap_or_default()
    }
}

impl Listed for Ticket {
    const LIST: ListName = ListName::PublicTickets;

    fn place(&self) -> (OffsetDateTime, Uuid) {
        (self.issue.created_at, self.issue.id.0)
    }
}

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

/// A link found by its look-up id.
#[derive(Debug, Clone)]
pub struct FoundLink {
    /// The link.
    pub link: TrackingLink,
    /// Its workspace.
    pub workspace: Workspace,
}

/// A customer's hour with one ticket.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PortalSession {
    /// Its id, which limits count for.
    pub id: PortalSessionId,
    /// The one ticket that it reaches.
    pub issue_id: IssueId,
    /// The part of the token that finds it.
    pub lookup_id: String,
    /// The hash of the token's secret.
    pub secret: HashedSecret,
    /// When it began.
    pub created_at: OffsetDateTime,
    /// When it ends.
    pub expires_at: OffsetDateTime,
}

/// A customer's session found by its look-up id.
#[derive(Debug, Clone)]
pub struct FoundPortalSession {
    /// The session.
    pub session: PortalSession,
    /// Its workspace.
    pub workspace: Workspace,
}
