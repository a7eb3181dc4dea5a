//! A ticket as its customer sees it: nothing of what the workspace keeps to itself.

use schemars::JsonSchema;
use serde::Serialize;
use time::OffsetDateTime;

use super::Ticket;
use crate::CommentId;
use crate::identity::access::ActorKind;
use crate::kernel::input::schema::TimestampText;
use crate::kernel::input::{choices, timestamp_json};
use crate::work::comments::Comment;
use crate::work::issues::{Issue, IssueStatus, TicketType};

/// How many public comments are shown with a ticket: the newest.
pub const MAX_COMMENTS: u32 = 100;

choices! {
    /// Which side wrote a comment.
    pub enum CommentSide {
        /// Who asked.
        Customer = "customer",
        /// The workspace.
        Support = "support",
    }
}

/// A ticket in a list.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct TicketSummary {
    /// What customers call it.
    pub reference: String,
    /// Where it stands.
    pub status: IssueStatus,
    /// What it is about.
    pub subject: String,
    /// What is asked for.
    #[serde(rename = "type")]
    pub ticket_type: TicketType,
    /// When it was opened.
    #[serde(with = "timestamp_json")]
    #[schemars(with = "TimestampText")]
    pub created_at: OffsetDateTime,
}

/// Who asked.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct RequesterView {
    /// Their name.
    pub name: String,
    /// Their address.
    pub email: String,
}

/// A comment that the customer may read.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct PublicComment {
    /// Its id.
    pub id: CommentId,
    /// The text.
    pub body: String,
    /// Which side wrote it.
    pub author: CommentSide,
    /// When.
    #[serde(with = "timestamp_json")]
    #[schemars(with = "TimestampText")]
    pub created_at: OffsetDateTime,
}

/// One ticket.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct TicketView {
    /// What a list shows too.
    #[serde(flatten)]
    pub summary: TicketSummary,
    /// What the customer wrote.
    pub description: Option<String>,
    /// Who asked.
    pub requester: RequesterView,
    /// The newest public comments, oldest first.
    pub comments: Vec<PublicComment>,
    /// Whether there are older ones than those that are shown.
    pub has_earlier_comments: bool,
}

impl TicketSummary {
    /// Of an issue whose requester asks for `ticket_type`.
    pub(super) fn new(issue: Issue, ticket_type: TicketType) -> Self {
        Self {
            reference: issue.reference.unwrap_or_default(),
            status: issue.status,
            subject: issue.title,
            ticket_type,
            created_at: issue.created_at,
        }
    }
}

impl From<Ticket> for TicketSummary {
    fn from(ticket: Ticket) -> Self {
        Self::new(ticket.issue, ticket.requester.ticket_type)
    }
}

impl From<Comment> for PublicComment {
    fn from(comment: Comment) -> Self {
        let author =
            if comment.author.kind == ActorKind::Customer { CommentSide::Customer } else { CommentSide::Support };
        Self { id: comment.id, body: comment.body, author, created_at: comment.created_at }
    }
}

impl TicketView {
    /// A ticket with up to one public comment more than are shown, oldest first.
    pub(super) fn new(mut ticket: Ticket, mut comments: Vec<Comment>) -> Self {
        let hidden = comments.len().saturating_sub(MAX_COMMENTS as usize);
        comments.drain(..hidden);
        let requester = RequesterView { name: ticket.requester.name.clone(), email: ticket.requester.email.clone() };
        Self {
            description: ticket.issue.description.take(),
            summary: ticket.into(),
            requester,
            comments: comments.into_iter().map(PublicComment::from).collect(),
            has_earlier_comments: hidden > 0,
        }
    }
}
