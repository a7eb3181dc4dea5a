//! Tasks and tickets as event sources.

use std::collections::HashMap;

use uuid::Uuid;

use super::Issue;
use crate::IssueId;
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

/// Emits the events of all changed issues at once, unless the workspace has no subscription.
pub(crate) fn report_changes(
    tx: &mut dyn Tx,
    reporter: &EventBuilder,
    before: &HashMap<IssueId, Issue>,
    changed: &[Issue],
) {
    let listening: Vec<_> =
        [Module::Projects, Module::Support].into_iter().filter(|module| tx.has_listeners(*module)).collect();
    let listened = |issue: &&Issue| listening.contains(&issue.module());
    let events = changed.iter().filter(listened).filter_map(|after| Some((before.get(&after.id)?, after)));
    let events: Vec<_> = events.flat_map(|(before, after)| reporter.issue_changed(before, after)).collect();
    if !events.is_empty() {
        tx.emit(&events);
    }
}
