//! Deals as event sources.

use super::{Deal, DealStatus};
use crate::events::{Event, EventBuilder, Module, event_source};

event_source!(Deal, Module::Crm, "deal");

impl EventBuilder {
    /// The events of a new deal. One that is closed from the start is won or lost too, at the same version; nothing of it
    /// changed.
    pub(crate) fn deal_created(&self, deal: &Deal) -> Vec<Event> {
        let closed = match deal.status {
            DealStatus::ClosedWon => Some("won"),
            DealStatus::ClosedLost => Some("lost"),
            DealStatus::Open | DealStatus::OnHold => None,
        };
        std::iter::once("created").chain(closed).map(|verb| self.happened(deal, verb)).collect()
    }

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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::DealId;
    use crate::identity::access::{Actor, Principal};
    use time::OffsetDateTime;
    use uuid::Uuid;

    #[test]
    fn a_deal_that_is_closed_from_the_start_is_won_or_lost_at_its_first_version() {
        let builder = EventBuilder::new(&Principal::named(Actor::SYSTEM, "x", None), OffsetDateTime::UNIX_EPOCH);
        for (status, names) in [
            (DealStatus::Open, vec!["deal.created"]),
            (DealStatus::ClosedWon, vec!["deal.created", "deal.won"]),
            (DealStatus::ClosedLost, vec!["deal.created", "deal.lost"]),
        ] {
            let blank = Deal::blank(DealId(Uuid::nil()), "EUR", Actor::SYSTEM, OffsetDateTime::UNIX_EPOCH);
            let events = builder.deal_created(&Deal { status, ..blank });
            assert_eq!(events.iter().map(|event| event.name.as_str()).collect::<Vec<_>>(), names);
            assert!(events.iter().all(|event| event.version == Some(1) && event.payload.contains(r#""changes":{}"#)));
        }
    }
}
