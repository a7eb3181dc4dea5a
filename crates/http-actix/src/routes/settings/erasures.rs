//! `/api/settings/erasures`.

use domain::ErasureId;
use domain::identity::access::EraseContacts;
use domain::support::erasure::{self, ErasureFields, ErasureView};
use http_core::description::Created;
use http_core::endpoint::{EndpointRequest, HandlerResult};
use http_core::{body, operation, responses};

// No idempotency key: a repeated erasure erases the data that was added since, or reports that there is none.
operation! {
    /// Erase a person's data.
    Create = "POST /api/settings/erasures", contract: additional, access: EraseContacts,
    body: body::Create<ErasureFields>, errors: [NotFound, Conflict]
    => create -> Created<ErasureView>
}

async fn create(call: EndpointRequest<Create>) -> HandlerResult {
    let erasure = erasure::erase(&call.ports, &call.permit, call.body.0).await?;
    Ok(responses::created_without_replay(&erasure, format!("/api/settings/erasures/{}", erasure.id)))
}

operation! {
    /// Read the report of an erasure.
    Read = "GET /api/settings/erasures/{erasure_id}", contract: additional, access: EraseContacts, path: ErasureId
    => shown(erasure::read(path)) -> ErasureView
}
