//! Redelivery: the same delivery again, with the same id and body (interface 16.22).

use super::deliveries::check_reach;
use super::{Backlog, Delivery, DeliveryState, DeliveryView, WebhookReach};
use crate::identity::access::{Permit, UpdateWebhooks};
use crate::kernel::idempotency::{IdempotentRequest, IdempotentResult};
use crate::ports::{Ports, StoreError, Tx, transact_idempotent};
use crate::{DeliveryId, Error};

/// Maximum attempts of one delivery, including all redeliveries.
pub const MAX_ATTEMPTS: u32 = 50;
/// How many attempts one redelivery may add.
const ATTEMPTS_PER_REDELIVERY: u32 = 9;

/// Makes a delivery that has ended, or waits for a later attempt, due now. Its id and body stay the same, so that receivers can
/// deduplicate; its retry schedule starts again. At least one attempt follows an accepted request. A delivery that is already due
/// stays unchanged, so two requests may cause one attempt. A delivery in flight is sent again afterwards.
///
/// # Errors
/// [`Error::NotFound`] for the delivery or its subscription, [`Error::InvalidStateChange`] if its subscription is disabled, its
/// content is no longer stored, or it has had [`MAX_ATTEMPTS`], [`Error::Conflict`] while the queue of the workspace is full.
pub async fn redeliver(
    ports: &Ports,
    permit: &Permit<UpdateWebhooks>,
    once: Option<IdempotentRequest<DeliveryView>>,
    id: DeliveryId,
) -> Result<IdempotentResult<DeliveryView>, Error> {
    let now = ports.clock.now();
    let reach = WebhookReach::for_permit(permit);
    transact_idempotent(ports, permit, once, move |tx| {
        let delivery = tx.deliveries().get(id)?.ok_or(Error::NotFound("delivery"))?;
        check_reach(&reach, tx, &delivery)?;
        check_state(tx, &delivery)?;
        if delivery.state == DeliveryState::Pending || tx.deliveries().redeliver(id, now)? {
            let updated = tx.deliveries().get(id)?.ok_or(Error::NotFound("delivery"))?;
            return Ok(updated.to_view());
        }
        // The delivery has changed since it was read, so the transaction is run again.
        Err(StoreError::Contended.into())
    })
    .await
}

fn check_state(tx: &mut dyn Tx, delivery: &Delivery) -> Result<(), Error> {
    let record = tx.subscriptions().get(delivery.subscription_id)?.ok_or(Error::NotFound("webhook"))?;
    if !record.subscription.enabled {
        return Err(Error::InvalidStateChange("the webhook is disabled: enable it first".to_owned()));
    }
    if delivery.state == DeliveryState::Pending {
        return Ok(());
    }
    if delivery.body.is_empty() {
        return Err(Error::InvalidStateChange("the content of the delivery is no longer kept".to_owned()));
    }
    // An attempt in flight is not counted yet.
    let in_flight = u32::from(delivery.state == DeliveryState::Delivering);
    if delivery.attempts + in_flight + ATTEMPTS_PER_REDELIVERY > MAX_ATTEMPTS {
        let message = format!(
            "this delivery has had {} attempts: the {ATTEMPTS_PER_REDELIVERY} of another redelivery would exceed the \
             limit of {MAX_ATTEMPTS}",
            delivery.attempts
        );
        return Err(Error::InvalidStateChange(message));
    }
    if delivery.finished_at.is_some() { check_queue(&tx.deliveries().backlog()?) } else { Ok(()) }
}

fn check_queue(backlog: &Backlog) -> Result<(), Error> {
    if backlog.waiting < backlog.max_waiting {
        return Ok(());
    }
    let message =
        format!("{} deliveries are already waiting: try again when some of them have been sent", backlog.waiting);
    Err(Error::Conflict(message))
}
