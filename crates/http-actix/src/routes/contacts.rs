//! `/crm/contacts`.

use domain::crm::contacts::{self, Contact, ContactFilter, NewContactFields};
use domain::identity::access::{CreateContacts, ReadContacts};
use domain::records::{self, Listed};
use http_core::query::Records;
use http_core::{action, body, operation};

operation! {
    /// List contacts.
    List = "GET /api/v1/crm/contacts", access: ReadContacts, query: Records<ContactFilter, Contact>
    => records(records::list_or_deleted(filter, page)) -> Listed<Contact>
}

// The response is the contact itself, not wrapped in `data`, and without `Location`: no route reads one contact.
action! {
    /// Create a contact.
    Create = "POST /api/v1/crm/contacts", access: CreateContacts, body: body::Create<NewContactFields>,
    errors: [Duplicate]
    => contacts::create_over_rest(body) -> Contact, created_unwrapped
}
