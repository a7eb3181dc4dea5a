//! Cycles as event sources.

use uuid::Uuid;

use super::CycleView;
use crate::webhooks::{EventSource, Module};

impl EventSource for CycleView {
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
