//! Projects as records that events tell of.

use uuid::Uuid;

use super::Project;
use crate::webhooks::{Event, Module, Reporter, Subject};

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

impl Reporter {
    /// A project changed.
    pub(crate) fn project_changed(&self, before: &Project, after: &Project) -> Vec<Event> {
        self.changed(before, after, |member, _| (member == "status").then_some("status_changed"))
    }
}
