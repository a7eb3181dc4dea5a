//! `/crm/deals`.

use domain::DealId;
use domain::crm::deals::{self, Deal, DealFields, DealFilter};
use domain::identity::access::{CreateDeals, DeleteDeals, ReadDeals, UpdateDeals};
use domain::kernel::versions::ExpectedVersion;
use domain::records::{self, HistoryEvent};
use http_core::body::{self, Patch};
use http_core::conditions::NoneMatch;
use http_core::query::{Filtered, Paged};
use http_core::{action, operation, responses};

operation! {
    List = "GET /api/v1/crm/deals", access: ReadDeals, query: Filtered<DealFilter, Deal>
    => list(deals::list_or_deleted(filter, page))
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

operation! {
    History = "GET /api/v1/crm/deals/{deal_id}/history", access: ReadDeals, path: DealId, query: Paged<HistoryEvent>
    => list(records::read_history(path, page))
}

action! {
    Restore = "POST /api/v1/crm/deals/{deal_id}/restore", access: DeleteDeals, path: DealId, body: body::Empty
    => deals::restore(path) -> Deal, |deal| responses::ok_response(deal)
}
