//! Projects as event sources.

use super::Project;
use crate::events::{Event, EventBuilder, Module, event_source};

event_source!(Project, Module::Projects, "project", scope: |project| Some(project.id.0));

impl EventBuilder {
    /// The events of a change to a project.
    pub(crate) fn project_changed(&self, before: &Project, after: &Project) -> Vec<Event> {
        self.changed(before, after, |member, _| (member == "status").then_some("status_changed"))
    }
}
