//! Answers the requests for links that wait in the database, whichever instance wrote them down.

use std::time::Duration;

use background::{Job, Next, Notifier};
use domain::email::link_requests::{self, LinkRequest, LinkRequestOutcome};
use domain::ports::{Ports, StoreError};
use log_context::Context;
use metrics::{counter, describe_counter};
use storage_diesel::LINK_REQUESTS_DROPPED;

/// For requests of other instances, and those whose answer failed.
const POLL_INTERVAL: Duration = Duration::from_secs(5);

/// Says what is counted.
pub(crate) fn describe_metrics() {
    describe_counter!(LINK_REQUESTS_DROPPED, "Requests for links that were dropped: too many waited, or for too long");
}

/// Answers requests, one after the other. Whatever ends this leaves requests that are due again.
pub(crate) fn job(ports: Ports, requested: &Notifier) -> Job {
    let answer = move || {
        let ports = ports.clone();
        async move { answer_next(&ports).await }
    };
    Job::new("answering requests for links", answer).every(POLL_INTERVAL).woken_by(requested)
}

async fn answer_next(ports: &Ports) -> Result<Next, StoreError> {
    let Some(request) = link_requests::take(ports).await? else { return Ok(Next::Wait) };
    let context = Context::new([("link_request_id", request.id.0.into())]);
    context.with_operation("answer_link_request").scope(answer(ports, &request)).await;
    Ok(Next::AtOnce)
}

/// One that fails, or panics, holds up no other: it is taken again later.
async fn answer(ports: &Ports, request: &LinkRequest) {
    let id = request.id;
    match domain::support::answer_link_request(ports, request).await {
        Ok(LinkRequestOutcome::Answered) => {}
        Ok(LinkRequestOutcome::TooLate) => {
            counter!(LINK_REQUESTS_DROPPED).increment(1);
            log::error!("the request {id} for a link was dropped: it had waited for too long");
        }
        Err(error) => log::error!("the request {id} for a link is answered later: {error}"),
    }
}
