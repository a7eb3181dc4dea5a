//! Tasks and tickets as event sources.

use time::OffsetDateTime;
use uuid::Uuid;

use super::Issue;
use crate::events::{Event, EventBuilder, EventSource, Module};
use crate::kernel::IssueKind;
use crate::ports::{StoreError, Tx};

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

    fn record_id(&self) -> Uuid {
        self.id.0
    }

    fn version(&self) -> Option<i64> {
        Some(self.version)
    }

    fn updated_at(&self) -> OffsetDateTime {
        self.updated_at
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

/// Emits the events of issues that changed, each given before and after the change, at once.
pub(crate) fn report_changes(
    tx: &mut dyn Tx,
    reporter: &EventBuilder,
    changes: &[(&Issue, &Issue)],
) -> Result<(), StoreError> {
    let events: Vec<_> = changes.iter().flat_map(|(before, after)| reporter.issue_changed(before, after)).collect();
    tx.emit(&events)
}
