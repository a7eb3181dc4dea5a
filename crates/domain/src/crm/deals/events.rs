//! Deals as event sources.

use super::{Deal, DealStatus};
use crate::events::{Event, EventBuilder, Module, event_source};

event_source!(Deal, Module::Crm, "deal");

impl EventBuilder {
    /// The events of a change to a deal. What closing or reopening sets is part of the same event.
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
