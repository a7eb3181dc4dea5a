//! Answers the requests for links that wait in the database, whichever instance wrote them down.

use std::sync::Arc;
use std::time::Duration;

use domain::email::link_requests::{self, LinkRequest, RequestEnd};
use domain::ports::Ports;
use log_context::Context;
use metrics::{counter, describe_counter};
use storage_diesel::{LINK_REQUESTS_DROPPED, OnQueued};
use tokio::sync::Notify;
use tokio::time::timeout;

/// How often it is looked without a ring: for those of other instances, and those whose answer failed.
const LOOK_EVERY: Duration = Duration::from_secs(5);

/// Says what is counted.
pub(crate) fn describe_metrics() {
    describe_counter!(LINK_REQUESTS_DROPPED, "Requests for links that were dropped: too many waited, or for too long");
}

/// What the store rings when it has written a request down.
#[derive(Debug, Clone, Default)]
pub struct LinkBell(Arc<Notify>);

impl LinkBell {
    /// What the store is to call.
    pub fn pull(&self) -> OnQueued {
        let bell = Arc::clone(&self.0);
        Arc::new(move || bell.notify_one())
    }
}

/// Answers requests, one after the other, again and again. Whatever ends this leaves requests that are due again.
pub async fn keep_answering(ports: Ports, bell: LinkBell) {
    let mut was_good = true;
    loop {
        match link_requests::take(&ports).await {
            Ok(taken) => {
                if !was_good {
                    log::info!("requests for links are taken again");
                }
                was_good = true;
                if let Some(request) = taken {
                    let context = Context::new([("link_request_id", request.id.0.into())]);
                    context.with_operation("answer_link_request").scope(answer(&ports, request)).await;
                    continue;
                }
            }
            // Once is enough: the look goes on.
            Err(error) if was_good => {
                log::warn!("no requests for links can be taken for now: {error}");
                was_good = false;
            }
            Err(_) => {}
        }
        let _ = timeout(LOOK_EVERY, bell.0.notified()).await;
    }
}

/// On a task of its own: one that panics stops no other.
async fn answer(ports: &Ports, request: LinkRequest) {
    let (ports, id) = (ports.clone(), request.id);
    let answering = async move { domain::support::answer_link_request(&ports, &request).await };
    let done = tokio::spawn(log_context::inherit(answering)).await;
    match done {
        Ok(Ok(RequestEnd::Answered)) => {}
        Ok(Ok(RequestEnd::TooLate)) => {
            counter!(LINK_REQUESTS_DROPPED).increment(1);
            log::error!("the request {id} for a link was dropped: it had waited for too long");
        }
        Ok(Err(error)) => log::error!("the request {id} for a link is answered later: {error}"),
        Err(error) => log::error!("the request {id} for a link is answered later: its task ended: {error}"),
    }
}
