//! What is done to the queue now and then.

use std::sync::Arc;
use std::time::Duration;

use domain::ports::{Clock, DeliveryQueue, StoreError};
use domain::webhooks::{DISABLE_AFTER, RETENTION};

/// How many deliveries are forgotten at a time, so that no statement holds many rows.
const PRUNE_BATCH: u32 = 1_000;

/// Disables failing subscriptions and forgets old deliveries, again and again.
pub(crate) async fn run_maintenance(queue: Arc<dyn DeliveryQueue>, clock: Arc<dyn Clock>, every: Duration) {
    let mut ticks = tokio::time::interval(every);
    ticks.set_missed_tick_behavior(tokio::time::MissedTickBehavior::Delay);
    loop {
        ticks.tick().await;
        if let Err(error) = once(queue.as_ref(), clock.as_ref()).await {
            log::warn!("failing webhooks are not disabled, and old deliveries not forgotten: {error}");
        }
    }
}

async fn once(queue: &dyn DeliveryQueue, clock: &dyn Clock) -> Result<(), StoreError> {
    let disabled = queue.disable_failing(DISABLE_AFTER, clock.now()).await?;
    if disabled > 0 {
        log::info!("disabled {disabled} webhooks that failed for days");
    }
    while queue.prune_deliveries(clock.now() - RETENTION, PRUNE_BATCH).await? >= u64::from(PRUNE_BATCH) {}
    Ok(())
}
