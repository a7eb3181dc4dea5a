//! Companies as event sources.

use super::Company;
use crate::events::{Module, event_source};

event_source!(Company, Module::Crm, "company");
