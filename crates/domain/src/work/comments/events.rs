//! Comments as something that happens to their issue.

use uuid::Uuid;

use serde::Serialize;

use super::{Comment, Visibility};
use crate::kernel::IssueKind;
use crate::webhooks::{Event, EventBuilder, EventSource, Module};
use crate::work::issues::Issue;

/// A comment is reported as something that happened to its issue.
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
    /// A comment was added. Of a ticket, the internal ones are nobody else's business.
    pub(crate) fn commented(&self, comment: &Comment, issue: &Issue) -> Vec<Event> {
        if issue.kind == IssueKind::Ticket && comment.visibility == Visibility::Internal {
            return Vec::new();
        }
        vec![self.happened(&CommentOn { comment, issue }, "comment_added")]
    }
}
