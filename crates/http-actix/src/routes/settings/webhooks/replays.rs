//! `/api/settings/webhooks/{webhook_id}/replay` and `/api/settings/webhooks/{webhook_id}/replays`.

use domain::identity::access::{ReadWebhooks, UpdateWebhooks};
use domain::kernel::input::CreatedFilter;
use domain::webhooks::{self, Replay, ReplayFields, ReplayStarted, ReplayView};
use domain::{ReplayId, SubscriptionId};
use http_core::body::{Create, Empty};
use http_core::description::{Accepted, Shown};
use http_core::endpoint::{Action, EndpointRequest, HandlerResult, StoredResponse};
use http_core::idempotency::IdempotencyKey;
use http_core::query::Filtered;
use http_core::{action, operation, responses};

operation! {
    /// Replay past events to a webhook.
    Start = "POST /api/settings/webhooks/{webhook_id}/replay", contract: additional,
    access: UpdateWebhooks, path: SubscriptionId, headers: IdempotencyKey, body: Create<ReplayFields>,
    errors: [Conflict, InvalidStateChange]
    => start -> (Shown<ReplayStarted>, Accepted<ReplayStarted>)
}

async fn start(call: EndpointRequest<Start>) -> HandlerResult {
    let idempotency = call.idempotency();
    let outcome = webhooks::replay(&call.ports, &call.permit, idempotency, call.path, call.body.0).await?;
    Ok(responses::idempotent::<Start>(outcome))
}

impl Action for Start {
    type Output = ReplayStarted;

    fn response(started: &ReplayStarted) -> StoredResponse {
        match started.id {
            Some(_) => responses::accepted_response(started),
            None => responses::ok_response(started),
        }
    }
}

operation! {
    /// List the replays of a webhook.
    List = "GET /api/settings/webhooks/{webhook_id}/replays", contract: additional,
    access: ReadWebhooks, path: SubscriptionId, query: Filtered<CreatedFilter, Replay>
    => list(webhooks::list_replays(path, filter, page)) -> ReplayView
}

operation! {
    /// Read a replay.
    Read = "GET /api/settings/webhooks/{webhook_id}/replays/{replay_id}", contract: additional,
    access: ReadWebhooks, path: (SubscriptionId, ReplayId)
    => shown(webhooks::read_replay(path)) -> ReplayView
}

action! {
    /// Cancel a replay.
    Cancel = "POST /api/settings/webhooks/{webhook_id}/replays/{replay_id}/cancel", contract: additional,
    access: UpdateWebhooks, path: (SubscriptionId, ReplayId), body: Empty, errors: [InvalidStateChange]
    => webhooks::cancel_replay(path) -> ReplayView, shown
}
