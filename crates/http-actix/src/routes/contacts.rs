//! `/crm/contacts`.

use domain::crm::contacts::{self, Contact, ContactFields, ContactFilter, ContactStatus};
use domain::identity::access::{CreateContacts, ReadContacts};
use domain::kernel::paging::{ListName, PageRequest};
use http_core::query::{Query, QueryReader};
use http_core::{action, body, operation, responses};

pub(crate) struct ListQuery {
    filter: ContactFilter,
    page: PageRequest,
}

impl Query for ListQuery {
    fn read(query: &mut QueryReader<'_>) -> Self {
        let statuses = query.choices("status", ContactStatus::parse, ContactStatus::allowed_values);
        Self { filter: ContactFilter { statuses, search: query.search() }, page: query.page(ListName::Contacts) }
    }
}

operation! {
    List = "GET /api/v1/crm/contacts", access: ReadContacts, query: ListQuery
    => list(contacts::list(filter, page))
}

// The response is the contact itself, not wrapped in `data`, and without `Location`: no route reads one contact.
action! {
    Create = "POST /api/v1/crm/contacts", access: CreateContacts, body: body::Create<ContactFields>
    => contacts::create(body) -> Contact, |contact| responses::created_unwrapped(contact)
}
