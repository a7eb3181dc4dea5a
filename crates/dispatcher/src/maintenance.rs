//! Periodic maintenance of the queue.

use std::sync::Arc;

use background::{Job, Next};
use domain::ports::{Clock, DeliveryQueue, StoreError};
use domain::webhooks::{DISABLE_AFTER, RETENTION};

use crate::context::Context;

/// Deliveries per statement, so that no statement locks many rows.
const PRUNE_BATCH: u32 = 1_000;

/// Disables failing subscriptions and prunes old deliveries.
pub(crate) fn job(context: &Context) -> Job {
    let (queue, clock) = (Arc::clone(&context.queue), Arc::clone(&context.clock));
    let maintenance = move || {
        let (queue, clock) = (Arc::clone(&queue), Arc::clone(&clock));
        async move { once(queue.as_ref(), clock.as_ref()).await }
    };
    Job::new("disabling failing webhooks and pruning deliveries", maintenance)
        .every(context.options.maintenance_interval)
}

async fn once(queue: &dyn DeliveryQueue, clock: &dyn Clock) -> Result<Next, StoreError> {
    let disabled = queue.disable_failing(DISABLE_AFTER, clock.now()).await?;
    if disabled > 0 {
        log::info!("disabled {disabled} webhooks that have failed for days");
    }
    while queue.prune_deliveries(clock.now() - RETENTION, PRUNE_BATCH).await? >= u64::from(PRUNE_BATCH) {}
    Ok(Next::Wait)
}
