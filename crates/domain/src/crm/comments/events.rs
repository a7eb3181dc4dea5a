//! Comments as events of their record.

use uuid::Uuid;

use super::RecordComment;
use crate::webhooks::{EventSource, Module};

impl EventSource for RecordComment {
    fn module(&self) -> Module {
        Module::Crm
    }

    fn noun(&self) -> &'static str {
        self.record.noun()
    }

    fn scope(&self) -> Option<Uuid> {
        None
    }
}
