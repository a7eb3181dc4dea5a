//! Companies as records that events tell of.

use uuid::Uuid;

use super::Company;
use crate::webhooks::{Module, Subject};

impl Subject for Company {
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
