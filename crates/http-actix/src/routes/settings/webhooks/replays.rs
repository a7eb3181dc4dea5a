//! `/api/settings/webhooks/{webhook_id}/replay` and `/api/settings/webhooks/{webhook_id}/replays`.

use domain::identity::access::{ReadWebhooks, UpdateWebhooks};
use domain::webhooks::{self, Replay, ReplayFields, ReplayStarted, ReplayView};
use domain::{ReplayId, SubscriptionId};
use http_core::body::{Create, Empty};
use http_core::query::Paged;
use http_core::{action, operation, responses};

action! {
    Start = "POST /api/settings/webhooks/{webhook_id}/replay",
    access: UpdateWebhooks, path: SubscriptionId, body: Create<ReplayFields>
    => webhooks::replay(path, body) -> ReplayStarted, |started| match started.id {
        Some(_) => responses::accepted_response(started),
        None => responses::ok_response(started),
    }
}

operation! {
    List = "GET /api/settings/webhooks/{webhook_id}/replays", access: ReadWebhooks, path: SubscriptionId, query: Paged<Replay>
    => list(webhooks::list_replays(path, page))
}

operation! {
    Read = "GET /api/settings/webhooks/{webhook_id}/replays/{replay_id}",
    access: ReadWebhooks, path: (SubscriptionId, ReplayId)
    => shown(webhooks::read_replay(path))
}

action! {
    Cancel = "POST /api/settings/webhooks/{webhook_id}/replays/{replay_id}/cancel",
    access: UpdateWebhooks, path: (SubscriptionId, ReplayId), body: Empty
    => webhooks::cancel_replay(path) -> ReplayView, |replay| responses::ok_response(replay)
}
