//! Tasks and tickets as event sources.

use uuid::Uuid;

use super::Issue;
use crate::kernel::IssueKind;
use crate::webhooks::{Event, EventBuilder, EventSource, Module};

impl EventSource for Issue {
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

impl EventBuilder {
    /// The events of a change to a task or a ticket.
    pub(crate) fn issue_changed(&self, before: &Issue, after: &Issue) -> Vec<Event> {
        self.changed(before, after, |member, _| match member {
            "status" | "completed_at" | "resolved_at" => Some("status_changed"),
            "assignee_id" => Some("assigned"),
            _ => None,
        })
    }
}
