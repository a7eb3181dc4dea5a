//! `GET /crm/contacts`.

use actix_web::HttpResponse;
use domain::crm::contacts::{self, ContactFilter, ContactStatus};
use domain::identity::access::ReadContacts;
use domain::kernel::paging::{ListName, PageRequest};
use http_core::endpoint::Endpoint;
use http_core::endpoint_request::EndpointRequest;
use http_core::errors::HttpError;
use http_core::query::{Query, QueryReader};
use http_core::responses;

pub(crate) struct List;

pub(crate) struct Parameters {
    filter: ContactFilter,
    page: PageRequest,
}

impl Query for Parameters {
    fn read(query: &mut QueryReader<'_>) -> Self {
        let statuses = query.choices("status", ContactStatus::parse, ContactStatus::allowed_values);
        Self { filter: ContactFilter { statuses, search: query.search() }, page: query.page(ListName::Contacts) }
    }
}

impl Endpoint for List {
    const ROUTE: &'static str = "GET /api/v1/crm/contacts";
    type Access = ReadContacts;
    type Path = ();
    type Query = Parameters;
    type Headers = ();
    type Body = ();

    async fn handle(call: EndpointRequest<Self>) -> Result<HttpResponse, HttpError> {
        let page = contacts::list(&call.ports, &call.permit, call.query.filter, call.query.page).await?;
        Ok(responses::list(&page))
    }
}
