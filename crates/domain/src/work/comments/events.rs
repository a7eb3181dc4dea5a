//! Comments as events of the issue that they are on.

use serde::Serialize;
use time::OffsetDateTime;
use uuid::Uuid;

use super::{Comment, Visibility};
use crate::CommentId;
use crate::events::example::{self, ADA, CHANGED, MADE};
use crate::events::{Event, EventBuilder, EventSource};
use crate::identity::access::RecordKind;
use crate::kernel::{IssueKind, later};
use crate::work::issues::Issue;

/// A comment as an event source: the event belongs to its issue.
#[derive(Serialize)]
struct CommentOn<'a> {
    #[serde(flatten)]
    comment: &'a Comment,
    #[serde(skip)]
    issue: &'a Issue,
}

impl EventSource for CommentOn<'_> {
    fn kind(&self) -> RecordKind {
        self.issue.kind()
    }

    fn record_id(&self) -> Uuid {
        self.issue.id.0
    }

    fn scope(&self) -> Option<Uuid> {
        self.issue.scope()
    }

    fn version(&self) -> Option<i64> {
        None
    }

    fn updated_at(&self) -> OffsetDateTime {
        self.comment.updated_at
    }

    fn verb_of(&self, _: &Self, _: &str) -> Option<&'static str> {
        Some("comment_updated")
    }

    /// Webhooks receive only the public comments of a ticket.
    fn is_internal(&self) -> bool {
        self.issue.kind == IssueKind::Ticket && self.comment.visibility == Visibility::Internal
    }
}

impl EventBuilder {
    pub(crate) fn commented(&self, comment: &Comment, issue: &Issue) -> Event {
        self.happened(&CommentOn { comment, issue }, "comment_added")
    }

    pub(crate) fn comment_updated(&self, before: &Comment, after: &Comment, issue: &Issue) -> Vec<Event> {
        let (before, after) = (CommentOn { comment: before, issue }, CommentOn { comment: after, issue });
        self.updated(&before, &after)
    }

    /// The event of a comment that was deleted at `now`.
    pub(crate) fn comment_deleted(&self, comment: &Comment, issue: &Issue, now: OffsetDateTime) -> Event {
        let updated_at = later(comment.updated_at, now);
        let deleted = Comment { version: comment.version + 1, updated_at, ..comment.clone() };
        self.happened(&CommentOn { comment: &deleted, issue }, "comment_deleted")
    }
}

/// An example of each event about a comment on the task, or about a public comment on the ticket.
pub(crate) fn examples(issue: &Issue) -> Vec<Event> {
    let (number, body, visibility) = match issue.kind {
        IssueKind::Task => (10, "The file is in the shared folder.", Visibility::Internal),
        IssueKind::Ticket => (11, "We found it, and are working on it.", Visibility::Public),
    };
    let blank = Comment::blank(CommentId(example::id(number)), issue.id, ADA, ADA, MADE);
    let comment = Comment { body: body.to_owned(), visibility, ..blank };
    let edited = Comment {
        body: format!("{body} Thank you!"),
        edited_at: Some(CHANGED),
        version: 2,
        updated_at: CHANGED,
        ..comment.clone()
    };
    let mut events = vec![example::at_creation().commented(&comment, issue)];
    events.extend(example::at_change().comment_updated(&comment, &edited, issue));
    events.push(example::at_change().comment_deleted(&edited, issue, CHANGED));
    events
}
