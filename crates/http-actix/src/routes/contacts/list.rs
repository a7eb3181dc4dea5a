//! `GET /crm/contacts`.

use actix_web::HttpResponse;
use domain::crm::contacts::{self, ContactFilter, ContactStatus};
use domain::identity::access::ReadContacts;
use domain::kernel::paging::{ListName, PageRequest};
use http_core::endpoint::{Call, Endpoint};
use http_core::errors::Failure;
use http_core::query::{Query, QueryReader};
use http_core::reply;

pub(crate) struct List;

pub(crate) struct Parameters {
    filter: ContactFilter,
    page: PageRequest,
}

impl Query for Parameters {
    fn read(query: &mut QueryReader<'_>) -> Self {
        let statuses = query.words("status", ContactStatus::from_word, ContactStatus::words);
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

    async fn handle(call: Call<Self>) -> Result<HttpResponse, Failure> {
        let page = contacts::list(&call.ports, &call.permit, call.query.filter, call.query.page).await?;
        Ok(reply::list(&page))
    }
}
