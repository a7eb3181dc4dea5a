//! Tasks and tickets as event sources.

use uuid::Uuid;

use super::Issue;
use crate::kernel::IssueKind;
use crate::ports::Tx;
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

/// Emits the events of issues that changed, each given before and after the change, at once; none unless somebody
/// subscribes to them.
pub(crate) fn report_changes(tx: &mut dyn Tx, reporter: &EventBuilder, changes: &[(&Issue, &Issue)]) {
    let listening: Vec<_> =
        [Module::Projects, Module::Support].into_iter().filter(|module| tx.has_listeners(*module)).collect();
    let listened = changes.iter().filter(|(_, after)| listening.contains(&after.module()));
    let events: Vec<_> = listened.flat_map(|(before, after)| reporter.issue_changed(before, after)).collect();
    if !events.is_empty() {
        tx.emit(&events);
    }
}
