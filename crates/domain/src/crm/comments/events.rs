//! Comments as events of their record.

use time::OffsetDateTime;
use uuid::Uuid;

use super::RecordComment;
use crate::events::{EventSource, Module};

impl EventSource for RecordComment {
    fn module(&self) -> Module {
        Module::Crm
    }

    fn noun(&self) -> &'static str {
        self.record.noun()
    }

    fn record_id(&self) -> Uuid {
        self.record.id()
    }

    fn scope(&self) -> Option<Uuid> {
        None
    }

    fn version(&self) -> Option<i64> {
        None
    }

    fn updated_at(&self) -> OffsetDateTime {
        self.updated_at
    }
}
