//! `/crm/deals`.

use domain::DealId;
use domain::crm::deals::{self, Deal, DealFields, DealFilter, DealStage, DealStatus, MAX_ASSIGNEES};
use domain::identity::access::{CreateDeals, DeleteDeals, ReadDeals, UpdateDeals};
use domain::kernel::paging::{ListName, PageRequest};
use domain::kernel::versions::ExpectedVersion;
use http_core::body::{self, Patch};
use http_core::conditions::NoneMatch;
use http_core::query::{Query, QueryReader};
use http_core::{action, operation, responses};

pub(crate) struct ListQuery {
    filter: DealFilter,
    page: PageRequest,
}

impl Query for ListQuery {
    fn read(query: &mut QueryReader<'_>) -> Self {
        let filter = DealFilter {
            statuses: query.choices("status", DealStatus::parse, DealStatus::allowed_values),
            stages: query.choices("stage", DealStage::parse, DealStage::allowed_values),
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

operation! {
    List = "GET /api/v1/crm/deals", access: ReadDeals, query: ListQuery
    => list(deals::list(filter, page))
}

action! {
    Create = "POST /api/v1/crm/deals", access: CreateDeals, body: body::Create<DealFields>
    => deals::create(body) -> Deal, |deal| responses::created(deal, format!("/api/v1/crm/deals/{}", deal.id))
}

operation! {
    Read = "GET /api/v1/crm/deals/{deal_id}", access: ReadDeals, path: DealId, headers: NoneMatch
    => one(deals::read(path))
}

operation! {
    Update = "PATCH /api/v1/crm/deals/{deal_id}",
    access: UpdateDeals, path: DealId, headers: ExpectedVersion, body: Patch<DealFields>
    => changed(deals::update(path, headers, body))
}

operation! {
    Delete = "DELETE /api/v1/crm/deals/{deal_id}", access: DeleteDeals, path: DealId, headers: ExpectedVersion
    => deleted(deals::delete(path, headers))
}
