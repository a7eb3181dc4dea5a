//! Comments as events of their issue.

use uuid::Uuid;

use serde::Serialize;

use super::{Comment, Visibility};
use crate::kernel::IssueKind;
use crate::webhooks::{Event, EventBuilder, EventSource, Module};
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

    fn scope(&self) -> Option<Uuid> {
        self.issue.scope()
    }
}

impl EventBuilder {
    /// The event of a new comment. Internal comments of tickets emit none.
    pub(crate) fn commented(&self, comment: &Comment, issue: &Issue) -> Vec<Event> {
        if issue.kind == IssueKind::Ticket && comment.visibility == Visibility::Internal {
            return Vec::new();
        }
        vec![self.happened(&CommentOn { comment, issue }, "comment_added")]
    }
}
