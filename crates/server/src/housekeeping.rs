//! What goes on beside the requests, for as long as the service runs.

use std::sync::Arc;
use std::time::{Duration, Instant};

use domain::email;
use domain::identity::access::{REFRESH_INTERVAL, refresh_credential_cache};
use domain::identity::usage::flush_activity;
use domain::kernel::idempotency::RETENTION;
use domain::ports::{Directory, EmailQueue, Ports, StoreError};

/// How often it is written what credentials did.
const FLUSH_ACTIVITY_INTERVAL: Duration = Duration::from_secs(5);
/// How often it is forgotten what nobody may ask for any more.
const PRUNE_INTERVAL: Duration = Duration::from_mins(10);
/// How much of it at a time, so that no statement holds many rows.
const PRUNE_BATCH: u32 = 1_000;
/// How often it is looked for articles whose words are of another language than their workspace's, or of former making.
const REINDEX_INTERVAL: Duration = Duration::from_secs(5);
/// How many of them at a time.
const REINDEX_BATCH: u32 = 100;
/// A look that takes longer has failed: the next one begins.
const REFRESH_TIMEOUT: Duration = Duration::from_secs(1);

/// Looks for revoked credentials, again and again. Known ones stop counting by themselves when the looks fail.
pub async fn run_credential_refresh(ports: Ports) {
    let mut ticks = tokio::time::interval(REFRESH_INTERVAL);
    ticks.set_missed_tick_behavior(tokio::time::MissedTickBehavior::Delay);
    let mut was_good = true;
    loop {
        ticks.tick().await;
        let refresh = tokio::time::timeout(REFRESH_TIMEOUT, refresh_credential_cache(&ports)).await;
        let refreshed = refresh.unwrap_or_else(|_| Err(StoreError::Unavailable("no answer in time".to_owned())));
        match &refreshed {
            Ok(()) if !was_good => log::info!("credentials are known again"),
            Err(error) if was_good => log::warn!("every request's credential is looked up for now: {error}"),
            _ => {}
        }
        was_good = refreshed.is_ok();
    }
}

/// Writes what credentials did, again and again.
pub async fn run_activity_flush(ports: Ports) {
    let mut ticks = tokio::time::interval(FLUSH_ACTIVITY_INTERVAL);
    loop {
        ticks.tick().await;
        if let Err(error) = flush_activity(&ports).await {
            log::warn!("usage could not be written: {error}; it is kept for the next time");
        }
    }
}

/// Forgets what is too old, in small steps, again and again.
pub(crate) async fn run_pruning(ports: Ports, email_queue: Arc<dyn EmailQueue>) {
    let mut ticks = tokio::time::interval(PRUNE_INTERVAL);
    loop {
        ticks.tick().await;
        let now = ports.clock.now();
        let directory = &ports.directory;
        in_steps("idempotency keys", async || directory.prune_idempotency(now - RETENTION, PRUNE_BATCH).await).await;
        in_steps("credentials", async || directory.prune_credentials(now, PRUNE_BATCH).await).await;
        in_steps("letters", async || email_queue.prune_emails(now - email::RETENTION, PRUNE_BATCH).await).await;
    }
}

/// Brings articles to the language of their workspace, again and again. Half of the time is left to others.
pub async fn run_reindexing(directory: Arc<dyn Directory>) {
    let mut ticks = tokio::time::interval(REINDEX_INTERVAL);
    ticks.set_missed_tick_behavior(tokio::time::MissedTickBehavior::Delay);
    loop {
        ticks.tick().await;
        let mut all = 0;
        loop {
            let start = Instant::now();
            match directory.reindex_articles(REINDEX_BATCH).await {
                Ok(0) => break,
                Ok(count) => all += count,
                Err(error) => {
                    log::warn!("articles could not be indexed anew: {error}; it is tried again");
                    break;
                }
            }
            tokio::time::sleep(start.elapsed()).await;
        }
        if all > 0 {
            log::info!("{all} articles are indexed anew");
        }
    }
}

async fn in_steps(what: &str, step: impl AsyncFn() -> Result<u64, StoreError>) {
    loop {
        match step().await {
            Ok(count) if count >= u64::from(PRUNE_BATCH) => {}
            Ok(_) => return,
            Err(error) => return log::warn!("old {what} could not be forgotten: {error}"),
        }
    }
}
