//! Cancelling a replay (interface 16.44).

use super::{Replay, ReplayState, ReplayView};
use crate::identity::access::{Permit, UpdateWebhooks};
use crate::kernel::idempotency::{IdempotentRequest, IdempotentResult};
use crate::ports::{Ports, transact_idempotent};
use crate::webhooks::WebhookReach;
use crate::{Error, ReplayId, SubscriptionId};

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
    let reach = WebhookReach::of(permit);
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
