//! A webhook: its state, its deliveries and its replays.

use domain::SubscriptionId;
use domain::identity::access::{DeleteWebhooks, ReadWebhooks, UpdateWebhooks};
use domain::webhooks::{
    self, DeliveryCriteria, DeliveryState, DeliveryView, ReplayView, SubscriptionView, WebhookOverview,
};
use serde_json::Value as Json;

use super::path_of;
use super::view::{Badge, events_of};
use crate::lists::{ListQuery, ListView};
use crate::page::PageRequest as Request;
use crate::prelude::*;

pages! {
    Show = "GET /settings/webhooks/{webhook_id}",
    access: ReadWebhooks, path: SubscriptionId, query: ListQuery<DeliveryCriteria, DeliveryView> => show
}

#[derive(Template)]
#[template(path = "webhooks/show.html")]
struct ShowPage {
    shell: Shell,
    webhook: SubscriptionView,
    badge: Badge,
    module: String,
    scope: Option<(String, String)>,
    path: String,
    list: ListView,
    deliveries: Vec<Row>,
    replays: Vec<ReplayRow>,
    /// The events that a test can contain as samples.
    samples: Vec<String>,
    may_change: bool,
    may_delete: bool,
}

struct Row {
    delivery: DeliveryView,
    badge: Badge,
}

struct ReplayRow {
    replay: ReplayView,
    badge: Badge,
}

async fn show(request: Request<Show>) -> PageResult {
    let (id, browser) = (request.path, request.browser);
    let (filter, page) = (request.query.filter, request.query.page);
    let overview = webhooks::read_overview(&request.ports, &request.permit, id, filter, page).await?;
    let WebhookOverview { webhook, deliveries: page, replays } = overview;
    let mut list = ListView::new::<DeliveryCriteria, _>(&browser.address, &page, &browser.preferences.zone);
    list.filters = list.filters.with_choices("event", event_choices(&webhook)).without_help();
    let list = list.with_problems(&browser.wrong);
    let scope = webhook.scope.as_ref().and_then(|scope| scope.iter().next());
    let scope = scope.map(|(column, id)| (label("member", column), id.as_str().unwrap_or_default().to_owned()));
    let deliveries = page.items.into_iter().map(|delivery| Row { badge: Badge::of_delivery(delivery.state), delivery });
    let replays = replays.into_iter().map(|replay| ReplayRow { badge: Badge::of_replay(replay.state), replay });
    let page = ShowPage {
        shell: browser.shell(webhook.url.clone()),
        badge: Badge::of_webhook(&webhook),
        module: label("module", webhook.module.as_str()),
        scope,
        path: path_of(id),
        list,
        deliveries: deliveries.collect(),
        replays: replays.collect(),
        samples: sampled_events(&webhook),
        may_change: browser.may::<UpdateWebhooks>(),
        may_delete: browser.may::<DeleteWebhooks>(),
        webhook,
    };
    responses::page(&browser, page)
}

/// Events of other systems have no samples.
fn sampled_events(webhook: &SubscriptionView) -> Vec<String> {
    let is_own = |name: &&str| webhook.module.events().contains(name);
    events_of(webhook).into_iter().filter(is_own).map(str::to_owned).collect()
}

/// The events to filter deliveries by.
fn event_choices(webhook: &SubscriptionView) -> Vec<(String, String)> {
    let names = events_of(webhook).into_iter().chain([domain::events::TEST_EVENT]);
    names.map(|name| (name.to_owned(), name.to_owned())).collect()
}

impl Row {
    /// Whether another attempt follows, whose time is shown instead of the end.
    const fn is_waiting(&self) -> bool {
        matches!(self.delivery.state, DeliveryState::Pending | DeliveryState::Retrying)
    }
}

impl ShowPage {
    fn header_names(&self) -> Vec<&str> {
        self.webhook.headers.iter().map(|(name, _): (&String, &Json)| name.as_str()).collect()
    }
}
