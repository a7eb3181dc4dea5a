//! The product's own records as subjects of events: their modules, nouns and scopes, and which changes are special.

use serde::Serialize;
use uuid::Uuid;

use super::{Event, Module, Reporter, Subject};
use crate::companies::Company;
use crate::contacts::Contact;
use crate::deals::{Deal, DealStatus};
use crate::issues::{Comment, Issue, IssueKind, Visibility};
use crate::projects::{CycleView, Project};

impl Subject for Company {
    fn module(&self) -> Module {
        Module::Crm
    }

    fn noun(&self) -> &'static str {
        "company"
    }

    fn scope(&self) -> Option<Uuid> {
        None
    }
}

impl Subject for Contact {
    fn module(&self) -> Module {
        Module::Crm
    }

    fn noun(&self) -> &'static str {
        "contact"
    }

    fn scope(&self) -> Option<Uuid> {
        None
    }
}

impl Subject for Deal {
    fn module(&self) -> Module {
        Module::Crm
    }

    fn noun(&self) -> &'static str {
        "deal"
    }

    fn scope(&self) -> Option<Uuid> {
        None
    }
}

impl Subject for Project {
    fn module(&self) -> Module {
        Module::Projects
    }

    fn noun(&self) -> &'static str {
        "project"
    }

    fn scope(&self) -> Option<Uuid> {
        Some(self.id.0)
    }
}

impl Subject for CycleView {
    fn module(&self) -> Module {
        Module::Projects
    }

    fn noun(&self) -> &'static str {
        "cycle"
    }

    fn scope(&self) -> Option<Uuid> {
        Some(self.project_id.0)
    }
}

impl Subject for Issue {
    fn module(&self) -> Module {
        match self.kind {
            IssueKind::Task => Module::Projects,
            IssueKind::Ticket => Module::Support,
        }
    }

    fn noun(&self) -> &'static str {
        match self.kind {
            IssueKind::Task => "task",
            IssueKind::Ticket => "ticket",
        }
    }

    fn scope(&self) -> Option<Uuid> {
        match self.kind {
            IssueKind::Task => self.project_id.map(|id| id.0),
            IssueKind::Ticket => None,
        }
    }
}

/// A comment is reported as something that happened to its issue.
#[derive(Serialize)]
struct CommentOn<'a> {
    #[serde(flatten)]
    comment: &'a Comment,
    #[serde(skip)]
    issue: &'a Issue,
}

impl Subject for CommentOn<'_> {
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

impl Reporter {
    /// A record changed that has no special members.
    pub(crate) fn updated<R: Subject>(&self, before: &R, after: &R) -> Vec<Event> {
        self.changed(before, after, |_, _| None)
    }

    /// A comment was added. Of a ticket, the internal ones are nobody else's business.
    pub(crate) fn commented(&self, comment: &Comment, issue: &Issue) -> Vec<Event> {
        if issue.kind == IssueKind::Ticket && comment.visibility == Visibility::Internal {
            return Vec::new();
        }
        vec![self.happened(&CommentOn { comment, issue }, "comment_added")]
    }

    /// A deal changed. What closing or reopening brings with it is part of the same event.
    pub(crate) fn deal_changed(&self, before: &Deal, after: &Deal) -> Vec<Event> {
        let moved = before.status != after.status;
        let verb = match after.status {
            DealStatus::ClosedWon if moved => "won",
            DealStatus::ClosedLost if moved => "lost",
            _ => "stage_changed",
        };
        self.changed(before, after, |member, _| match member {
            "status" | "stage" => Some(verb),
            "actual_close_date" | "lost_reason" if moved => Some(verb),
            _ => None,
        })
    }

    /// A project changed.
    pub(crate) fn project_changed(&self, before: &Project, after: &Project) -> Vec<Event> {
        self.changed(before, after, |member, _| (member == "status").then_some("status_changed"))
    }

    /// A task or a ticket changed.
    pub(crate) fn issue_changed(&self, before: &Issue, after: &Issue) -> Vec<Event> {
        self.changed(before, after, |member, _| match member {
            "status" | "completed_at" => Some("status_changed"),
            "assignee_id" => Some("assigned"),
            _ => None,
        })
    }
}
