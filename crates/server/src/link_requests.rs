//! Answers link requests queued in the database by any instance.

use std::time::Duration;

use background::{Job, Next, Notifier};
use domain::email::link_requests::{LinkRequest, LinkRequestOutcome};
use domain::ports::{Ports, StoreError};
use metrics::{counter, describe_counter};
use storage_diesel::LINK_REQUESTS_DROPPED;
use telemetry::log_context::Context;

/// For requests of other instances, and for retries.
const POLL_INTERVAL: Duration = Duration::from_secs(5);

pub(crate) fn describe_metrics() {
    describe_counter!(
        LINK_REQUESTS_DROPPED,
        "Link requests dropped because too many were queued or they were queued for too long"
    );
    counter!(LINK_REQUESTS_DROPPED).increment(0);
}

/// Answers requests in batches. A request interrupted by a crash becomes due again.
pub(crate) fn job(ports: Ports, requested: &Notifier) -> Job {
    let answer = |ports: Ports| async move { answer_batch(&ports).await };
    Job::with("answering link requests", ports, answer).every(POLL_INTERVAL).woken_by(requested)
}

async fn answer_batch(ports: &Ports) -> Result<Next, StoreError> {
    let Some(requests) = domain::support::take_link_requests(ports).await? else { return Ok(Next::Wait) };
    for request in requests {
        let context = Context::new([("link_request_id", request.id.0.into())]);
        context.with_operation("answer_link_request").scope(answer(ports, &request)).await;
    }
    Ok(Next::AtOnce)
}

/// A request that fails or panics does not block others: it is retried later.
async fn answer(ports: &Ports, request: &LinkRequest) {
    let id = request.id;
    match domain::support::answer_link_request(ports, request).await {
        Ok(LinkRequestOutcome::Answered) => {}
        Ok(LinkRequestOutcome::TooLate) => {
            counter!(LINK_REQUESTS_DROPPED).increment(1);
            log::error!("dropped link request {id}: it was queued for too long");
        }
        Err(error) => log::error!("link request {id} failed: {error}; retrying later"),
    }
}
