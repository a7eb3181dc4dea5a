//! Contacts as event sources.

use super::Contact;
use crate::events::{Module, event_source};

event_source!(Contact, Module::Crm, "contact");
