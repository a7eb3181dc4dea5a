//! Comments as events of their issue.

use serde::Serialize;
use time::OffsetDateTime;
use uuid::Uuid;

use super::{Comment, Visibility};
use crate::events::{Event, EventBuilder, EventSource, Module};
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
    fn module(&self) -> Module {
        self.issue.module()
    }

    fn noun(&self) -> &'static str {
        self.issue.noun()
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

    /// Webhooks learn of a ticket's public comments alone.
    fn is_internal(&self) -> bool {
        self.issue.kind == IssueKind::Ticket && self.comment.visibility == Visibility::Internal
    }
}

impl EventBuilder {
    /// The event of a new comment.
    pub(crate) fn commented(&self, comment: &Comment, issue: &Issue) -> Event {
        self.happened(&CommentOn { comment, issue }, "comment_added")
    }

    /// The event of a changed comment.
    pub(crate) fn comment_updated(&self, before: &Comment, after: &Comment, issue: &Issue) -> Vec<Event> {
        let (before, after) = (CommentOn { comment: before, issue }, CommentOn { comment: after, issue });
        self.changed(&before, &after, |_, _| Some("comment_updated"))
    }

    /// The event of a comment that was deleted at `now`.
    pub(crate) fn comment_deleted(&self, comment: &Comment, issue: &Issue, now: OffsetDateTime) -> Event {
        let updated_at = later(comment.updated_at, now);
        let gone = Comment { version: comment.version + 1, updated_at, ..comment.clone() };
        self.happened(&CommentOn { comment: &gone, issue }, "comment_deleted")
    }
}
