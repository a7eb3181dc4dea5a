//! Projects as event sources.

use uuid::Uuid;

use super::Project;
use crate::webhooks::{Event, EventBuilder, EventSource, Module};

impl EventSource for Project {
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

impl EventBuilder {
    /// The events of a change to a project.
    pub(crate) fn project_changed(&self, before: &Project, after: &Project) -> Vec<Event> {
        self.changed(before, after, |member, _| (member == "status").then_some("status_changed"))
    }
}
