//! Counts the records that still refer to a deleted company or contact (interface 25.13).

use schemars::JsonSchema;
use serde::Serialize;
use uuid::Uuid;

use crate::identity::access::{Permit, RecordKind};

/// Referring records are counted up to this number.
pub const MAX_REFERRING: u32 = 1_000;

/// How many live records refer to a record, as the store counts them.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct ReferringCounts {
    pub deals: u32,
    pub tasks: u32,
    /// Tickets that it requested.
    pub tickets: u32,
    pub contacts: u32,
}

/// How many live records refer to a deleted record, each count up to 1,000; null for kinds that the caller may not read.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, JsonSchema)]
pub struct Referring {
    pub deals: Option<u32>,
    pub tasks: Option<u32>,
    /// Tickets that a deleted contact requested.
    pub tickets: Option<u32>,
    pub contacts: Option<u32>,
}

impl Referring {
    pub(super) fn of<P>(counts: ReferringCounts, reader: &Permit<P>) -> Self {
        let shown = |count, kind: RecordKind| reader.may_read_here(kind.reads()).then_some(count);
        Self {
            deals: shown(counts.deals, RecordKind::Deal),
            tasks: shown(counts.tasks, RecordKind::Task),
            tickets: shown(counts.tickets, RecordKind::Ticket),
            contacts: shown(counts.contacts, RecordKind::Contact),
        }
    }
}

/// A record that was deleted, with what still refers to it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, JsonSchema)]
pub struct DeletedRecord {
    pub id: Uuid,
    /// Always true.
    pub deleted: bool,
    /// The live records that still refer to it. Their references stay.
    #[schemars(extend("x-contract" = "additional"))]
    pub referring: Referring,
}
