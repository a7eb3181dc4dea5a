//! `POST /crm/contacts`.

use actix_web::HttpResponse;
use domain::crm::contacts::{self, Contact, ContactFields};
use domain::identity::access::CreateContacts;
use domain::kernel::idempotency::StoredResponse;
use http_core::endpoint::{Action, Endpoint};
use http_core::endpoint_request::EndpointRequest;
use http_core::errors::HttpError;
use http_core::idempotency::IdempotencyKey;
use http_core::{body, responses};

pub(crate) struct Create;

impl Endpoint for Create {
    const ROUTE: &'static str = "POST /api/v1/crm/contacts";
    type Access = CreateContacts;
    type Path = ();
    type Query = ();
    type Headers = IdempotencyKey;
    type Body = body::Create<ContactFields>;

    async fn handle(call: EndpointRequest<Self>) -> Result<HttpResponse, HttpError> {
        let once = call.once();
        let outcome = contacts::create(&call.ports, &call.permit, once, call.body.0).await?;
        Ok(responses::idempotent::<Self>(outcome))
    }
}

impl Action for Create {
    type Output = Contact;

    /// The contact itself, without `data`.
    fn response(contact: &Contact) -> StoredResponse {
        responses::created_unwrapped(contact, format!("/api/v1/crm/contacts/{}", contact.id))
    }
}
