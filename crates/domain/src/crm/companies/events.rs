//! Companies as event sources.

use time::OffsetDateTime;

use super::Company;
use crate::crm::comments;
use crate::events::example::{self, ADA, COMPANY, MADE, MEMBER};
use crate::events::{DataType, EventSource, KindEvents, Module, event_source};

pub(crate) static EVENTS: KindEvents = KindEvents {
    module: Module::Crm,
    verbs: &[],
    cascade: None,
    data: DataType::of::<Company>(),
    examples: || {
        let life = example::life::<Company>(example, &[|it| it.phone = Some("+46 8 123 456".to_owned())]);
        [life, comments::events::examples(COMPANY)].concat()
    },
};

impl EventSource for Company {
    event_source!(Company);
}

fn example(version: i64, updated_at: OffsetDateTime) -> Company {
    Company {
        name: "Northwind AB".to_owned(),
        domain: Some("northwind.example".to_owned()),
        industry: Some("Logistics".to_owned()),
        website: Some("https://northwind.example/".to_owned()),
        assigned_to: Some(MEMBER),
        version,
        updated_at,
        ..Company::blank(COMPANY, ADA, MADE)
    }
}
