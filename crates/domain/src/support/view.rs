//! A ticket as shown to its customer, without internal data.

use schemars::JsonSchema;
use serde::Serialize;
use time::OffsetDateTime;

use super::Ticket;
use crate::CommentId;
use crate::identity::access::ActorKind;
use crate::kernel::input::choices;
use crate::kernel::input::schema::{OptionalTimestampText, TimestampText};
use crate::work::comments::Comment;
use crate::work::issues::{Issue, IssueStatus, TicketType};

/// How many public comments are shown with a ticket; the newest ones.
pub const MAX_COMMENTS: u32 = 100;

choices! {
    /// Which side wrote a comment.
    pub enum CommentSide {
        /// The requester.
        Customer = "customer",
        /// The workspace.
        Support = "support",
    }
}

/// A ticket in a list.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct TicketSummary {
    /// The public reference.
    pub reference: String,
    /// The status.
    pub status: IssueStatus,
    /// What it is about.
    pub subject: String,
    /// The type of the request.
    #[serde(rename = "type")]
    pub ticket_type: TicketType,
    /// When it was opened.
    #[serde(with = "TimestampText")]
    pub created_at: OffsetDateTime,
}

/// The customer who opened a ticket.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
#[schemars(rename = "TicketRequester")]
pub struct RequesterView {
    /// The name.
    pub name: String,
    /// The e-mail address.
    pub email: String,
}

/// A comment that the customer may read.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct PublicComment {
    /// The comment's id.
    pub id: CommentId,
    /// The text.
    pub body: String,
    /// Which side wrote it.
    pub author: CommentSide,
    /// When it was written.
    #[serde(with = "TimestampText")]
    pub created_at: OffsetDateTime,
    /// When its text was last changed; null if it never was.
    #[serde(with = "OptionalTimestampText")]
    pub edited_at: Option<OffsetDateTime>,
}

/// One ticket.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
#[schemars(rename = "Ticket")]
pub struct TicketView {
    /// The members of a list row.
    #[serde(flatten)]
    pub summary: TicketSummary,
    /// What the customer wrote.
    pub description: Option<String>,
    /// The customer who opened it.
    pub requester: RequesterView,
    /// The newest public comments, oldest first.
    pub comments: Vec<PublicComment>,
    /// Whether there are older public comments that are not shown.
    pub has_earlier_comments: bool,
}

impl TicketSummary {
    /// The view of an issue that was opened from outside.
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
        let Comment { id, body, created_at, edited_at, .. } = comment;
        Self { id, body, author, created_at, edited_at }
    }
}

impl TicketView {
    /// `comments` are oldest first and may have one more than [`MAX_COMMENTS`].
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
