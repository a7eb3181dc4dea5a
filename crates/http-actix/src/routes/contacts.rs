//! `/crm/contacts`.

use domain::crm::contacts::{self, Contact, ContactFields, ContactFilter};
use domain::identity::access::{CreateContacts, ReadContacts};
use http_core::query::Filtered;
use http_core::{action, body, operation, responses};

operation! {
    List = "GET /api/v1/crm/contacts", access: ReadContacts, query: Filtered<ContactFilter, Contact>
    => list(contacts::list_or_deleted(filter, page))
}

// The response is the contact itself, not wrapped in `data`, and without `Location`: no route reads one contact.
action! {
    Create = "POST /api/v1/crm/contacts", access: CreateContacts, body: body::Create<ContactFields>
    => contacts::create(body) -> Contact, |contact| responses::created_unwrapped(contact)
}
