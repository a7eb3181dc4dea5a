//! Companies as event sources.

use uuid::Uuid;

use super::Company;
use crate::webhooks::{EventSource, Module};

impl EventSource for Company {
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
