//! A delivery with all its attempts: requests and responses.

use actix_web::http::header::{HeaderName, HeaderValue};
use domain::identity::access::{ReadWebhooks, UpdateWebhooks};
use domain::webhooks::{self, DeliveryHistory, DeliveryState, DeliveryView, SentRequest, SubscriptionView};
use domain::{DeliveryId, SubscriptionId};

use super::path_of;
use super::view::{Badge, header_lines, pretty_text};
use crate::prelude::*;

pages! {
    Show = "GET /settings/webhooks/{webhook_id}/deliveries/{delivery_id}",
    access: ReadWebhooks, path: (SubscriptionId, DeliveryId) => show;
    Redeliver = "POST /settings/webhooks/{webhook_id}/deliveries/{delivery_id}/redeliver",
    access: UpdateWebhooks, path: (SubscriptionId, DeliveryId) => redeliver;
}

#[derive(Template)]
#[template(path = "webhooks/delivery.html")]
struct DeliveryPage {
    shell: Shell,
    webhook: SubscriptionView,
    delivery: DeliveryView,
    badge: Badge,
    /// The body as it was sent, indented if it is JSON.
    body: String,
    pretty_body: String,
    /// Newest first.
    attempts: Vec<AttemptView>,
    path: String,
    /// Why a requested redelivery was rejected.
    refusal: Option<String>,
    may_redeliver: bool,
}

struct AttemptView {
    sent: SentRequest,
    badge: Badge,
    headers: String,
    response: Option<String>,
}

/// Tells scripts that nothing more happens to the delivery for now, so that they update the webhook's page around it.
const ENDED: (HeaderName, HeaderValue) =
    (HeaderName::from_static("hx-trigger"), HeaderValue::from_static("delivery-ended"));

pub(super) fn answer(browser: &Browser, history: DeliveryHistory) -> PageResult {
    let page = delivery_page(browser, history, None);
    let has_ended = browser.is_htmx && !page.is_under_way();
    let mut response = responses::page(browser, page)?;
    if has_ended {
        let (name, value) = ENDED;
        response.headers_mut().insert(name, value);
    }
    Ok(response)
}

fn delivery_page(browser: &Browser, history: DeliveryHistory, refusal: Option<String>) -> DeliveryPage {
    let DeliveryHistory { webhook, delivery, body, requests } = history;
    let custom: Vec<_> = webhook.headers.keys().map(|name| (name.clone(), text("webhook-header-hidden"))).collect();
    let attempts = requests.into_iter().rev().map(|sent| {
        let own = sent.headers.iter().map(|(name, value)| (*name, value.as_str()));
        let custom = custom.iter().map(|(name, value)| (name.as_str(), value.as_str()));
        AttemptView {
            badge: Badge::of_attempt(&sent.attempt),
            headers: if sent.headers.is_empty() { String::new() } else { header_lines(own.chain(custom)) },
            response: sent.attempt.response.as_deref().map(pretty_text),
            sent,
        }
    });
    DeliveryPage {
        shell: browser.shell(delivery.event.clone()),
        badge: Badge::of_delivery(delivery.state),
        pretty_body: pretty_text(&body),
        body,
        attempts: attempts.collect(),
        path: format!("{}/deliveries/{}", path_of(webhook.id), delivery.id),
        refusal,
        may_redeliver: browser.may::<UpdateWebhooks>(),
        webhook,
        delivery,
    }
}

impl DeliveryPage {
    /// Whether the next attempt is running or due, so that the page will change in a moment.
    const fn is_under_way(&self) -> bool {
        matches!(self.delivery.state, DeliveryState::Pending | DeliveryState::Delivering)
    }

    fn webhook_path(&self) -> String {
        path_of(self.webhook.id)
    }

    fn failed_reason(&self) -> Option<String> {
        self.delivery.failed_reason.map(|reason| {
            text(match reason {
                webhooks::FailedReason::Expired => "delivery-expired",
                webhooks::FailedReason::ContentLost => "delivery-content-lost",
            })
        })
    }
}

async fn show(request: PageRequest<Show>) -> PageResult {
    let history = webhooks::read_history(&request.ports, &request.permit, request.path).await?;
    answer(&request.browser, history)
}

async fn redeliver(request: PageRequest<Redeliver>) -> PageResult {
    let (webhook, id) = request.path;
    let path = format!("{}/deliveries/{id}", path_of(webhook));
    match webhooks::redeliver(&request.ports, &request.permit, None, id).await {
        Ok(_) => responses::success(&request.browser, &path, text("delivery-again")),
        Err(error @ (Error::InvalidStateChange(_) | Error::Conflict(_))) => {
            let permit = request.browser.permit::<ReadWebhooks>().ok_or(Error::NotFound("delivery"))?;
            let history = webhooks::read_history(&request.ports, &permit, request.path).await?;
            let refusal = Some(crate::errors::message_of(&error));
            responses::unprocessable(&request.browser, delivery_page(&request.browser, history, refusal))
        }
        Err(error) => Err(error.into()),
    }
}
