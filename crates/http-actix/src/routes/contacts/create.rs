//! `POST /crm/contacts`.

use actix_web::HttpResponse;
use domain::crm::contacts::{self, Contact, ContactFields};
use domain::identity::access::CreateContacts;
use domain::kernel::idempotency::Answer;
use http_core::endpoint::{Action, Call, Endpoint};
use http_core::errors::Failure;
use http_core::idempotency::IdempotencyKey;
use http_core::{body, reply};

pub(crate) struct Create;

impl Endpoint for Create {
    const ROUTE: &'static str = "POST /api/v1/crm/contacts";
    type Access = CreateContacts;
    type Path = ();
    type Query = ();
    type Headers = IdempotencyKey;
    type Body = body::Create<ContactFields>;

    async fn handle(call: Call<Self>) -> Result<HttpResponse, Failure> {
        let once = call.once();
        let outcome = contacts::create(&call.ports, &call.permit, once, call.body.0).await?;
        Ok(reply::outcome::<Self>(outcome))
    }
}

impl Action for Create {
    type Made = Contact;

    /// The contact itself, without `data`.
    fn answer(contact: &Contact) -> Answer {
        reply::created_bare(contact, format!("/api/v1/crm/contacts/{}", contact.id))
    }
}
