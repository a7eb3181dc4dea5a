//! The requests sent for a delivery, and the overview of a webhook (interface 16.13, 16.18).

use super::deliveries::find_deliveries;
use super::{
    Attempt, Delivery, DeliveryFilter, DeliveryView, PlainSecret, ReplayView, SubscriptionView, WebhookReach, sign,
    sign_standard,
};
use crate::events::Module;
use crate::identity::access::{Permit, ReadWebhooks};
use crate::kernel::input::CreatedFilter;
use crate::kernel::paging::{Page, PageRequest};
use crate::ports::{Ports, read_only};
use crate::{DeliveryId, Error, SubscriptionId};

/// The headers that the service sets on a request, in the order in which they are sent. `secrets` are the signing secrets, oldest
/// first.
pub fn request_headers(
    delivery: &Delivery,
    module: Module,
    secrets: &[PlainSecret],
    timestamp: i64,
) -> Vec<(&'static str, String)> {
    let (id, body) = (delivery.id.to_string(), delivery.body.as_bytes());
    let standard_signatures: Vec<_> =
        secrets.iter().map(|secret| sign_standard(secret, &id, timestamp, body)).collect();
    let signatures: Vec<_> = secrets.iter().map(|secret| sign(secret, timestamp, body)).collect();
    let mut headers = vec![
        ("content-type", "application/json".to_owned()),
        ("x-service-event", delivery.event.clone()),
        ("x-service-delivery-id", id.clone()),
        ("x-service-timestamp", timestamp.to_string()),
        ("x-service-module", module.to_string()),
        ("webhook-id", id),
        ("webhook-timestamp", timestamp.to_string()),
        ("webhook-signature", standard_signatures.join(" ")),
    ];
    headers.extend(delivery.event_id.map(|id| ("x-service-event-id", id.to_string())));
    if let Some((oldest, newer)) = signatures.split_first() {
        headers.push(("x-service-signature", oldest.clone()));
        if !newer.is_empty() {
            headers.push(("x-service-signature-next", newer.join(",")));
        }
    }
    headers
}

/// A delivery with the requests that were sent for it.
#[derive(Debug)]
pub struct DeliveryHistory {
    pub webhook: SubscriptionView,
    pub delivery: DeliveryView,
    /// The exact body of every request; empty if it is no longer stored.
    pub body: String,
    /// Oldest first.
    pub requests: Vec<SentRequest>,
}

/// An attempt with the headers of its request.
#[derive(Debug)]
pub struct SentRequest {
    pub attempt: Attempt,
    /// The headers that the service set. Signatures are not stored, so they are computed again with the current secrets. Empty if
    /// the body or the secrets cannot be read.
    pub headers: Vec<(&'static str, String)>,
}

/// Reads a delivery of a webhook with its attempts and the request of each.
///
/// # Errors
/// [`Error::NotFound`].
pub async fn read_history(
    ports: &Ports,
    permit: &Permit<ReadWebhooks>,
    (webhook, id): (SubscriptionId, DeliveryId),
) -> Result<DeliveryHistory, Error> {
    let (reach, now) = (WebhookReach::for_permit(permit), ports.clock.now());
    let (record, delivery, attempts) = read_only(ports, permit, move |tx| {
        let record = reach.find_record(tx.subscriptions().get(webhook)?)?;
        let delivery = tx.deliveries().get(id)?.filter(|it| it.subscription_id == webhook);
        let covered = delivery.filter(|it| reach.covers_event(record.subscription.module, &it.event));
        let delivery = covered.ok_or(Error::NotFound("delivery"))?;
        let attempts = tx.deliveries().attempts(id)?;
        Ok((record, delivery, attempts))
    })
    .await?;
    let ids = (permit.workspace_id(), webhook);
    let secrets = record.subscription.secrets.at(now).map(|sealed| PlainSecret::open(&ports.master_keys, ids, sealed));
    // Without the master key the rest of the history is still readable.
    let secrets = secrets.collect::<Result<Vec<_>, _>>().ok().filter(|_| !delivery.body.is_empty());
    let module = record.subscription.module;
    let headers = |attempt: &Attempt| {
        let timestamp = attempt.started_at.unix_timestamp();
        secrets.as_ref().map(|secrets| request_headers(&delivery, module, secrets, timestamp)).unwrap_or_default()
    };
    let requests = attempts.into_iter().map(|attempt| SentRequest { headers: headers(&attempt), attempt }).collect();
    Ok(DeliveryHistory { webhook: record.to_view(now), delivery: delivery.to_view(), body: delivery.body, requests })
}

const MAX_REPLAYS: u32 = 5;

/// A webhook with a page of its deliveries and its latest replays.
#[derive(Debug)]
pub struct WebhookOverview {
    pub webhook: SubscriptionView,
    pub deliveries: Page<DeliveryView>,
    /// Newest first.
    pub replays: Vec<ReplayView>,
}

/// Reads a webhook with a page of its deliveries, as [`list_deliveries`](super::list_deliveries) lists them, and its latest
/// replays.
///
/// # Errors
/// [`Error::NotFound`].
pub async fn read_overview(
    ports: &Ports,
    permit: &Permit<ReadWebhooks>,
    id: SubscriptionId,
    filter: impl Into<DeliveryFilter>,
    page: PageRequest,
) -> Result<WebhookOverview, Error> {
    let (reach, filter, latest) = (WebhookReach::for_permit(permit), filter.into(), PageRequest::first(MAX_REPLAYS));
    let (record, deliveries, replays) = read_only(ports, permit, move |tx| {
        let record = reach.find_record(tx.subscriptions().get(id)?)?;
        let deliveries = find_deliveries(tx, &record.subscription, &filter, &page)?;
        let replays = tx.replays().list(id, &CreatedFilter::default(), &latest)?;
        Ok((record, deliveries, replays))
    })
    .await?;
    Ok(WebhookOverview {
        webhook: record.to_view(ports.clock.now()),
        deliveries: Page::from_rows(deliveries, &page).map(|delivery| delivery.to_view()),
        replays: Page::from_rows(replays, &latest).items.iter().map(super::replays::Replay::to_view).collect(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::EventId;
    use time::macros::datetime;
    use uuid::Uuid;

    #[test]
    fn every_secret_signs_and_only_the_oldest_in_the_first_header() {
        let ids = (DeliveryId(Uuid::from_u128(1)), SubscriptionId(Uuid::from_u128(2)));
        let queued_at = datetime!(2030-01-01 00:00 UTC);
        let delivery = Delivery::new(ids.0, ids.1, "deal.won".to_owned(), "{}".to_owned(), queued_at);
        let secrets: Vec<_> =
            ["whsec_AAAA", "whsec_BBBB", "whsec_CCCC"].into_iter().filter_map(PlainSecret::parse).collect();
        let headers = request_headers(&delivery, Module::Crm, &secrets, 7);
        let value = |name| headers.iter().find(|(header, _)| *header == name).map(|(_, value)| value.as_str());
        assert_eq!(value("x-service-signature"), Some(sign(&secrets[0], 7, b"{}").as_str()));
        assert_eq!(value("x-service-signature-next").unwrap().split(',').count(), 2);
        assert_eq!(value("webhook-signature").unwrap().split(' ').count(), 3);
        assert_eq!((value("x-service-timestamp"), value("x-service-module")), (Some("7"), Some("crm")));
        assert_eq!(value("x-service-event-id"), None, "a test has no event in the log");
        let event_id = EventId(Uuid::from_u128(3));
        let with_event =
            request_headers(&Delivery { event_id: Some(event_id), ..delivery.clone() }, Module::Crm, &secrets, 7);
        assert!(with_event.contains(&("x-service-event-id", event_id.to_string())));
        let with_one_secret = request_headers(&delivery, Module::Crm, &secrets[..1], 7);
        assert!(with_one_secret.iter().all(|(name, _)| *name != "x-service-signature-next"));
    }
}
