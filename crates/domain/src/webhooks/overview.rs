//! A webhook with its deliveries and replays, for the page that shows all of them.

use super::deliveries::find_deliveries;
use super::{DeliveryFilter, DeliveryView, ReplayView, SubscriptionView, WebhookReach};
use crate::identity::access::{Permit, ReadWebhooks};
use crate::kernel::input::CreatedFilter;
use crate::kernel::paging::{Page, PageRequest};
use crate::ports::{Ports, read_only};
use crate::{Error, SubscriptionId};

/// The number of replays in an overview.
const REPLAYS: u32 = 5;

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
    let (reach, filter, latest) = (WebhookReach::of(permit), filter.into(), PageRequest::first(REPLAYS));
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
