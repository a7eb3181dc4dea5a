//! Contacts as event sources.

use time::OffsetDateTime;

use super::Contact;
use crate::crm::comments;
use crate::events::example::{self, ADA, COMPANY, CONTACT, MADE, MEMBER};
use crate::events::{DataType, EventSource, KindEvents, Module, event_source};

pub(crate) static EVENTS: KindEvents = KindEvents {
    module: Module::Crm,
    verbs: &[],
    cascade: None,
    data: DataType::of::<Contact>(),
    examples: || {
        let life = example::life::<Contact>(example, &[|it| it.job_title = Some("Managing Director".to_owned())]);
        [life, comments::events::examples(CONTACT)].concat()
    },
};

impl EventSource for Contact {
    event_source!(Contact);
}

fn example(version: i64, updated_at: OffsetDateTime) -> Contact {
    Contact {
        email: "mara@northwind.example".to_owned(),
        first_name: Some("Mara".to_owned()),
        last_name: Some("Lindholm".to_owned()),
        job_title: Some("Head of Operations".to_owned()),
        company_id: Some(COMPANY),
        assigned_to: Some(MEMBER),
        tags: vec!["newsletter".to_owned()],
        country: Some("Sweden".to_owned()),
        version,
        updated_at,
        ..Contact::blank(CONTACT, ADA, MADE)
    }
}
