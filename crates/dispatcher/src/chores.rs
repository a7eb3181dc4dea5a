//! What is done to the queue now and then.

use std::sync::Arc;

use background::{Job, Next};
use domain::ports::{Clock, DeliveryQueue, StoreError};
use domain::webhooks::{FAILING_FOR, KEPT_FOR};

use crate::context::Context;

/// How many deliveries are forgotten at a time, so that no statement holds many rows.
const PRUNE_AT_ONCE: u32 = 1_000;

/// Disables failing subscriptions and forgets old deliveries.
pub(crate) fn job(context: &Context) -> Job {
    let (queue, clock) = (Arc::clone(&context.queue), Arc::clone(&context.clock));
    let chores = move || {
        let (queue, clock) = (Arc::clone(&queue), Arc::clone(&clock));
        async move { once(queue.as_ref(), clock.as_ref()).await }
    };
    Job::new("disabling failing webhooks and pruning deliveries", chores).every(context.options.chores_every)
}

async fn once(queue: &dyn DeliveryQueue, clock: &dyn Clock) -> Result<Next, StoreError> {
    let disabled = queue.disable_failing(FAILING_FOR, clock.now()).await?;
    if disabled > 0 {
        log::info!("disabled {disabled} webhooks that failed for days");
    }
    while queue.prune_deliveries(clock.now() - KEPT_FOR, PRUNE_AT_ONCE).await? >= u64::from(PRUNE_AT_ONCE) {}
    Ok(Next::Wait)
}
