//! Answers the requests for links that wait in the database, whichever instance wrote them down.

use std::sync::Arc;
use std::time::Duration;

use domain::email::link_requests::{self, LinkRequest, LinkRequestOutcome};
use domain::ports::Ports;
use metrics::{counter, describe_counter};
use storage_diesel::{LINK_REQUESTS_DROPPED, OnQueued};
use tokio::sync::Notify;
use tokio::time::timeout;

/// How often it is looked without a ring: for those of other instances, and those whose answer failed.
const POLL_INTERVAL: Duration = Duration::from_secs(5);

/// Says what is counted.
pub(crate) fn describe_metrics() {
    describe_counter!(LINK_REQUESTS_DROPPED, "Requests for links that were dropped: too many waited, or for too long");
}

/// What the store rings when it has written a request down.
#[derive(Debug, Clone, Default)]
pub struct LinkRequestNotifier(Arc<Notify>);

impl LinkRequestNotifier {
    /// What the store is to call.
    pub fn on_queued(&self) -> OnQueued {
        let notifier = Arc::clone(&self.0);
        Arc::new(move || notifier.notify_one())
    }
}

/// Answers requests, one after the other, again and again. Whatever ends this leaves requests that are due again.
pub async fn run_link_requests(ports: Ports, notifier: LinkRequestNotifier) {
    let mut was_good = true;
    loop {
        match link_requests::take(&ports).await {
            Ok(taken) => {
                if !was_good {
                    log::info!("requests for links are taken again");
                }
                was_good = true;
                if let Some(request) = taken {
                    answer(&ports, request).await;
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
        let _ = timeout(POLL_INTERVAL, notifier.0.notified()).await;
    }
}

/// On a task of its own: one that panics stops no other.
async fn answer(ports: &Ports, request: LinkRequest) {
    let (ports, id) = (ports.clone(), request.id);
    let done = tokio::spawn(async move { domain::support::answer_link_request(&ports, &request).await }).await;
    match done {
        Ok(Ok(LinkRequestOutcome::Answered)) => {}
        Ok(Ok(LinkRequestOutcome::TooLate)) => {
            counter!(LINK_REQUESTS_DROPPED).increment(1);
            log::error!("the request {id} for a link was dropped: it had waited for too long");
        }
        Ok(Err(error)) => log::error!("the request {id} for a link is answered later: {error}"),
        Err(error) => log::error!("the request {id} for a link is answered later: its task ended: {error}"),
    }
}
