//! `/crm/deals`.

use domain::DealId;
use domain::crm::deals::{Deal, DealFields, DealFilter};
use domain::identity::access::{CreateDeals, DeleteDeals, ReadDeals, UpdateDeals};
use domain::kernel::versions::ExpectedVersion;
use domain::records::{self, HistoryEvent, Listed};
use http_core::body::{self, Patch};
use http_core::conditions::NoneMatch;
use http_core::query::{Paged, Records};
use http_core::{action, operation};

operation! {
    /// List deals.
    List = "GET /api/v1/crm/deals", access: ReadDeals, query: Records<DealFilter, Deal>
    => records(records::list_or_deleted(filter, page)) -> Listed<Deal>
}

action! {
    /// Create a deal.
    Create = "POST /api/v1/crm/deals", access: CreateDeals, body: body::Create<DealFields>, errors: [Duplicate]
    => records::create(body) -> Deal, created(|deal| format!("/api/v1/crm/deals/{}", deal.id))
}

operation! {
    /// Read a deal.
    Read = "GET /api/v1/crm/deals/{deal_id}", access: ReadDeals, path: DealId, headers: NoneMatch
    => one(records::read(path)) -> Deal
}

operation! {
    /// Change a deal.
    Update = "PATCH /api/v1/crm/deals/{deal_id}",
    access: UpdateDeals, path: DealId, headers: ExpectedVersion, body: Patch<DealFields>,
    errors: [Duplicate, InvalidStateChange]
    => changed(records::update(path, headers, body)) -> Deal
}

operation! {
    /// Delete a deal.
    Delete = "DELETE /api/v1/crm/deals/{deal_id}", access: DeleteDeals, path: DealId, headers: ExpectedVersion
    => deleted(records::delete::<Deal>(path, headers))
}

operation! {
    /// List the history of a deal.
    History = "GET /api/v1/crm/deals/{deal_id}/history", contract: additional, access: ReadDeals, path: DealId, query: Paged<HistoryEvent>
    => list(records::read_history(path, page)) -> HistoryEvent
}

action! {
    /// Restore a deleted deal.
    Restore = "POST /api/v1/crm/deals/{deal_id}/restore", contract: additional, access: DeleteDeals, path: DealId, body: body::Empty,
    errors: [Duplicate, InvalidStateChange]
    => records::restore(path) -> Deal, shown
}
