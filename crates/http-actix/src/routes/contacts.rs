//! `/crm/contacts`.

use domain::crm::contacts::{self, Contact, ContactFields, ContactFilter, ContactStatus};
use domain::identity::access::{CreateContacts, ReadContacts};
use domain::kernel::paging::{ListName, PageRequest};
use http_core::query::{Query, QueryReader};
use http_core::{action, body, operation, reply};

pub(crate) struct ListQuery {
    filter: ContactFilter,
    page: PageRequest,
}

impl Query for ListQuery {
    fn read(query: &mut QueryReader<'_>) -> Self {
        let statuses = query.words("status", ContactStatus::from_word, ContactStatus::words);
        Self { filter: ContactFilter { statuses, search: query.search() }, page: query.page(ListName::Contacts) }
    }
}

operation! {
    List = "GET /api/v1/crm/contacts", access: ReadContacts, query: ListQuery
    => list(contacts::list(filter, page))
}

// The answer is the contact itself, without `data`.
action! {
    Create = "POST /api/v1/crm/contacts", access: CreateContacts, body: body::Create<ContactFields>
    => contacts::create(body) -> Contact,
    |contact| reply::created_bare(contact, format!("/api/v1/crm/contacts/{}", contact.id))
}
