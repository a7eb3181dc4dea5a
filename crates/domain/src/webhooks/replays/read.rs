//! Reading replays (interface 16.43).

use super::ReplayView;
use crate::identity::access::{Permit, ReadWebhooks};
use crate::kernel::input::CreatedFilter;
use crate::kernel::paging::{Page, PageRequest};
use crate::ports::{Ports, read_only};
use crate::webhooks::WebhookReach;
use crate::{Error, ReplayId, SubscriptionId};

/// Lists the replays of a subscription that match a filter, newest first.
///
/// # Errors
/// [`Error::NotFound`] for the subscription.
pub async fn list_replays(
    ports: &Ports,
    permit: &Permit<ReadWebhooks>,
    id: SubscriptionId,
    filter: CreatedFilter,
    page: PageRequest,
) -> Result<Page<ReplayView>, Error> {
    let reach = WebhookReach::of(permit);
    let rows = read_only(ports, permit, move |tx| {
        reach.find_record(tx.subscriptions().get(id)?)?;
        Ok(tx.replays().list(id, &filter, &page)?)
    })
    .await?;
    Ok(Page::from_rows(rows, &page).map(|replay| replay.to_view()))
}

/// Reads a replay.
///
/// # Errors
/// [`Error::NotFound`] for the subscription or the replay.
pub async fn read_replay(
    ports: &Ports,
    permit: &Permit<ReadWebhooks>,
    (id, replay): (SubscriptionId, ReplayId),
) -> Result<ReplayView, Error> {
    let reach = WebhookReach::of(permit);
    read_only(ports, permit, move |tx| {
        reach.find_record(tx.subscriptions().get(id)?)?;
        let found = tx.replays().get(id, replay)?.ok_or(Error::NotFound("replay"))?;
        Ok(found.to_view())
    })
    .await
}
