//! Contacts as event sources.

use uuid::Uuid;

use super::Contact;
use crate::webhooks::{EventSource, Module};

impl EventSource for Contact {
    fn module(&self) -> Module {
        Module::Crm
    }

    fn noun(&self) -> &'static str {
        "contact"
    }

    fn scope(&self) -> Option<Uuid> {
        None
    }
}
