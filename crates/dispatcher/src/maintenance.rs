//! Periodic maintenance of the queue, and queueing of deliveries from backlogs and replays.

use std::sync::{Arc, Mutex, PoisonError};

use background::{Job, Next};
use domain::ports::{Clock, DeliveryQueue, StoreError};
use domain::webhooks::{BACKLOG_RETENTION, DISABLE_AFTER, RETENTION};

use crate::context::Context;
use crate::metrics;

/// Deliveries per statement, so that no statement locks many rows.
const BATCH: u32 = 1_000;

/// Disables failing subscriptions, expires and prunes old deliveries, and corrects due times set by a clock that was ahead.
pub(crate) fn job(context: &Context) -> Job {
    let (queue, clock) = (Arc::clone(&context.queue), Arc::clone(&context.clock));
    let queued = context.queued.clone();
    let maintenance = move || {
        let (queue, clock, queued) = (Arc::clone(&queue), Arc::clone(&clock), queued.clone());
        async move {
            let brought_back = bring_back(queue.as_ref(), clock.as_ref()).await;
            if brought_back.as_ref().is_ok_and(|count| *count > 0) {
                queued.notify();
            }
            once(queue.as_ref(), clock.as_ref()).await.and_then(|next| brought_back.map(|_| next))
        }
    };
    Job::new("disabling failing webhooks and pruning deliveries", maintenance)
        .every(context.options.maintenance_interval)
}

async fn once(queue: &dyn DeliveryQueue, clock: &dyn Clock) -> Result<Next, StoreError> {
    let before = clock.now() - RETENTION;
    // A failing task does not hold up the others.
    let results = [
        disable(queue, clock).await,
        in_batches(|| queue.expire_deliveries(before, clock.now(), BATCH)).await,
        in_batches(|| queue.prune_deliveries(before, BATCH)).await,
        in_batches(|| queue.prune_replays(before, BATCH)).await,
    ];
    results.into_iter().collect::<Result<Vec<_>, _>>()?;
    Ok(Next::Wait)
}

/// Makes deliveries due that a clock that was ahead has postponed; returns their number.
async fn bring_back(queue: &dyn DeliveryQueue, clock: &dyn Clock) -> Result<u64, StoreError> {
    let total = in_batches(|| queue.bring_back(clock.now(), BATCH)).await?;
    if total > 0 {
        log::warn!(
            "rescheduled {total} webhook deliveries to now: they were due later than any retry, because the clock had been ahead"
        );
    }
    Ok(total)
}

async fn disable(queue: &dyn DeliveryQueue, clock: &dyn Clock) -> Result<u64, StoreError> {
    let disabled = queue.disable_failing(DISABLE_AFTER, clock.now()).await?;
    if disabled > 0 {
        log::info!("disabled {disabled} webhooks that had been failing for days");
    }
    Ok(disabled)
}

/// Repeats a change until a batch is not full; returns the total number of changed rows.
async fn in_batches<F: Future<Output = Result<u64, StoreError>>>(change: impl Fn() -> F) -> Result<u64, StoreError> {
    let mut total = 0;
    loop {
        let count = change().await?;
        total += count;
        if count < u64::from(BATCH) {
            return Ok(total);
        }
    }
}

/// The result of a step: where the next one continues, the number of deliveries queued, and whether nothing is left to do.
type Step<P> = (Option<P>, u64, bool);

/// A job that queues deliveries when there is room, and continues where its last step ended.
fn queueing_job<P, F>(
    context: &Context,
    what: &'static str,
    step: impl Fn(Arc<dyn DeliveryQueue>, Arc<dyn Clock>, Option<P>) -> F + Send + Sync + 'static,
) -> Job
where
    P: Copy + Send + 'static,
    F: Future<Output = Result<Step<P>, StoreError>> + Send + 'static,
{
    let (queue, clock) = (Arc::clone(&context.queue), Arc::clone(&context.clock));
    let queued = context.queued.clone();
    let after = Arc::new(Mutex::new(None));
    let work = move || {
        let from = *after.lock().unwrap_or_else(PoisonError::into_inner);
        let step = step(Arc::clone(&queue), Arc::clone(&clock), from);
        let (after, queued) = (Arc::clone(&after), queued.clone());
        async move {
            let (next_after, deliveries, is_over) = step.await?;
            *after.lock().unwrap_or_else(PoisonError::into_inner) = next_after;
            if deliveries > 0 {
                queued.notify();
            }
            Ok::<_, StoreError>(if is_over { Next::Wait } else { Next::AtOnce })
        }
    };
    Job::new(what, work).every(context.options.poll_interval)
}

/// Queues deliveries that wait in backlogs.
pub(crate) fn backlog_job(context: &Context) -> Job {
    queueing_job(context, "queueing webhook backlogs", |queue, clock, from| async move {
        let now = clock.now();
        let step = queue.queue_backlogs(from, now, now - BACKLOG_RETENTION).await?;
        Ok((step.next_after, step.deliveries, step.events == 0 && step.next_after.is_none()))
    })
}

/// Queues deliveries of replays.
pub(crate) fn replay_job(context: &Context) -> Job {
    queueing_job(context, "queueing webhook replays", |queue, clock, from| async move {
        let step = queue.queue_replays(from, clock.now()).await?;
        metrics::record_replayed(step.deliveries);
        Ok((step.next_after, step.deliveries, !step.has_advanced && step.next_after.is_none()))
    })
}
