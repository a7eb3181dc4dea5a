//! Deals as event sources.

use rust_decimal::Decimal;
use serde_json::Map;
use time::OffsetDateTime;
use time::macros::date;

use super::{Deal, DealStage, DealStatus};
use crate::crm::comments;
use crate::events::example::{self, ADA, COMPANY, CONTACT, DEAL, MADE, MEMBER};
use crate::events::{DataType, EventSource, KindEvents, Module, event_source};

pub(crate) static EVENTS: KindEvents = KindEvents {
    module: Module::Crm,
    verbs: &[
        ("updated", "Fields of a deal other than status and stage changed."),
        ("stage_changed", "The stage or status of a deal changed, but it was neither won nor lost."),
        ("won", "A deal was won, from the start or by a change, which also sets the day it closed."),
        ("lost", "A deal was lost, from the start or by a change, which also sets the day it closed and why."),
    ],
    cascade: None,
    data: DataType::of::<Deal>(),
    examples: || [example::life(example, EXAMPLE_CHANGES), comments::events::examples(DEAL)].concat(),
};

impl EventSource for Deal {
    event_source!(Deal);

    /// A deal that is created as closed is also won or lost.
    fn creation_verbs(&self) -> &'static [&'static str] {
        match self.status {
            DealStatus::ClosedWon => &["created", "won"],
            DealStatus::ClosedLost => &["created", "lost"],
            DealStatus::Open | DealStatus::OnHold => &["created"],
        }
    }

    /// The fields that closing or reopening sets are part of the same event.
    fn verb_of(&self, before: &Self, member: &str) -> Option<&'static str> {
        let moved = before.status != self.status;
        let verb = match self.status {
            DealStatus::ClosedWon if moved => "won",
            DealStatus::ClosedLost if moved => "lost",
            _ => "stage_changed",
        };
        match member {
            "status" | "stage" => Some(verb),
            "actual_close_date" | "lost_reason" if moved => Some(verb),
            _ => None,
        }
    }
}

fn example(version: i64, updated_at: OffsetDateTime) -> Deal {
    Deal {
        title: "Northwind: 40 seats".to_owned(),
        contact_id: Some(CONTACT),
        company_id: Some(COMPANY),
        assigned_to: Some(MEMBER),
        value: Some(Decimal::new(1_250_050, 2)),
        probability: Some(40),
        expected_close_date: Some(date!(2030 - 04 - 30)),
        custom_fields: Map::from_iter([("region".to_owned(), "north".into())]),
        version,
        updated_at,
        ..Deal::blank(DEAL, "EUR", ADA, MADE)
    }
}

const EXAMPLE_CHANGES: &[fn(&mut Deal)] = &[
    |it| {
        it.probability = Some(60);
        it.custom_fields.insert("region".to_owned(), "south".into());
    },
    |it| it.stage = DealStage::Proposal,
    |it| {
        (it.status, it.stage) = (DealStatus::ClosedWon, DealStage::ClosedWon);
        it.actual_close_date = Some(date!(2030 - 03 - 06));
    },
    |it| {
        (it.status, it.stage) = (DealStatus::ClosedLost, DealStage::ClosedLost);
        it.actual_close_date = Some(date!(2030 - 03 - 06));
        it.lost_reason = Some("They build it themselves.".to_owned());
    },
];

#[cfg(test)]
mod tests {
    use super::*;
    use crate::DealId;
    use crate::events::EventBuilder;
    use crate::identity::access::{Actor, Principal};
    use uuid::Uuid;

    #[test]
    fn a_deal_created_as_closed_is_won_or_lost_at_version_one() {
        let builder = EventBuilder::new(&Principal::named(Actor::SYSTEM, "x", None), OffsetDateTime::UNIX_EPOCH);
        for (status, names) in [
            (DealStatus::Open, vec!["deal.created"]),
            (DealStatus::ClosedWon, vec!["deal.created", "deal.won"]),
            (DealStatus::ClosedLost, vec!["deal.created", "deal.lost"]),
        ] {
            let blank = Deal::blank(DealId(Uuid::nil()), "EUR", Actor::SYSTEM, OffsetDateTime::UNIX_EPOCH);
            let events = builder.created(&Deal { status, ..blank });
            assert_eq!(events.iter().map(|event| event.name.as_str()).collect::<Vec<_>>(), names);
            assert!(events.iter().all(|event| event.version == Some(1) && event.payload.contains(r#""changes":{}"#)));
        }
    }
}
