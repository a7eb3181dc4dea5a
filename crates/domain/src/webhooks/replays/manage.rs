//! Reading and cancelling replays (interface 16.43, 16.44).

use super::{Replay, ReplayState, ReplayView};
use crate::identity::access::{Permit, ReadWebhooks, UpdateWebhooks};
use crate::kernel::idempotency::{IdempotentRequest, IdempotentResult};
use crate::kernel::input::CreatedFilter;
use crate::kernel::paging::{Page, PageRequest};
use crate::ports::{Ports, read_only, transact_idempotent};
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
    let reach = WebhookReach::for_permit(permit);
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
    let reach = WebhookReach::for_permit(permit);
    read_only(ports, permit, move |tx| {
        reach.find_record(tx.subscriptions().get(id)?)?;
        let found = tx.replays().get(id, replay)?.ok_or(Error::NotFound("replay"))?;
        Ok(found.to_view())
    })
    .await
}

/// Cancels a replay: nothing more is queued, and deliveries that are queued already are still sent. Cancelling again has no effect.
///
/// # Errors
/// [`Error::NotFound`] for the subscription or the replay, [`Error::InvalidStateChange`] if it is completed.
pub async fn cancel_replay(
    ports: &Ports,
    permit: &Permit<UpdateWebhooks>,
    once: Option<IdempotentRequest<ReplayView>>,
    (id, replay): (SubscriptionId, ReplayId),
) -> Result<IdempotentResult<ReplayView>, Error> {
    let now = ports.clock.now();
    let reach = WebhookReach::for_permit(permit);
    transact_idempotent(ports, permit, once, move |tx| {
        reach.find_record(tx.subscriptions().get(id)?)?;
        let found = tx.replays().get_for_update(id, replay)?.ok_or(Error::NotFound("replay"))?;
        match found.state {
            ReplayState::Cancelled => Ok(found.to_view()),
            ReplayState::Completed => {
                let message = "the replay is completed: all matching events have been queued";
                Err(Error::InvalidStateChange(message.to_owned()))
            }
            ReplayState::Running => {
                tx.replays().cancel(replay, now)?;
                Ok(Replay { state: ReplayState::Cancelled, finished_at: Some(now), ..found }.to_view())
            }
        }
    })
    .await
}
