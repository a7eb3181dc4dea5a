//! Deals as records that events tell of.

use uuid::Uuid;

use super::{Deal, DealStatus};
use crate::webhooks::{Event, EventBuilder, EventSource, Module};

impl EventSource for Deal {
    fn module(&self) -> Module {
        Module::Crm
    }

    fn noun(&self) -> &'static str {
        "deal"
    }

    fn scope(&self) -> Option<Uuid> {
        None
    }
}

impl EventBuilder {
    /// A deal changed. What closing or reopening brings with it is part of the same event.
    pub(crate) fn deal_changed(&self, before: &Deal, after: &Deal) -> Vec<Event> {
        let moved = before.status != after.status;
        let verb = match after.status {
            DealStatus::ClosedWon if moved => "won",
            DealStatus::ClosedLost if moved => "lost",
            _ => "stage_changed",
        };
        self.changed(before, after, |member, _| match member {
            "status" | "stage" => Some(verb),
            "actual_close_date" | "lost_reason" if moved => Some(verb),
            _ => None,
        })
    }
}
