//! `GET /crm/deals`.

use actix_web::HttpResponse;
use domain::crm::deals::{self, DealFilter, DealStage, DealStatus, MAX_ASSIGNEES};
use domain::identity::access::ReadDeals;
use domain::kernel::paging::{ListName, PageRequest};
use http_core::endpoint::{Call, Endpoint};
use http_core::errors::Failure;
use http_core::query::{Query, QueryReader};
use http_core::reply;

pub(crate) struct List;

pub(crate) struct Parameters {
    filter: DealFilter,
    page: PageRequest,
}

impl Query for Parameters {
    fn read(query: &mut QueryReader<'_>) -> Self {
        let filter = DealFilter {
            statuses: query.words("status", DealStatus::from_word, DealStatus::words),
            stages: query.words("stage", DealStage::from_word, DealStage::words),
            assignees: query.ids("assignee", MAX_ASSIGNEES),
            contact_id: query.id("contact_id"),
            company_id: query.id("company_id"),
            value_min: query.number("value_min"),
            value_max: query.number("value_max"),
        };
        if let (Some(min), Some(max)) = (filter.value_min, filter.value_max)
            && min > max
        {
            query.refuse("value_max", "must not be less than value_min");
        }
        Self { filter, page: query.page(ListName::Deals) }
    }
}

impl Endpoint for List {
    const ROUTE: &'static str = "GET /api/v1/crm/deals";
    type Access = ReadDeals;
    type Path = ();
    type Query = Parameters;
    type Headers = ();
    type Body = ();

    async fn handle(call: Call<Self>) -> Result<HttpResponse, Failure> {
        let page = deals::list(&call.ports, &call.permit, call.query.filter, call.query.page).await?;
        Ok(reply::list(&page))
    }
}
