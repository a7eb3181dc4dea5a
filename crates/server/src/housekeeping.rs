//! What goes on beside the requests, for as long as the service runs.

use std::sync::Arc;
use std::time::{Duration, Instant};

use background::{Job, Next};
use domain::email;
use domain::identity::access::{REFRESH_INTERVAL, refresh_credential_cache};
use domain::identity::usage::flush_activity;
use domain::kernel::idempotency::RETENTION;
use domain::ports::{Directory, EmailQueue, Ports, StoreError};

/// How often it is written what credentials did.
const FLUSH_ACTIVITY_INTERVAL: Duration = Duration::from_secs(5);
/// How often what nobody may ask for any more is removed.
const PRUNE_INTERVAL: Duration = Duration::from_mins(10);
/// How much of it at a time, so that no statement holds many rows.
const PRUNE_BATCH: u32 = 1_000;
/// How often articles are indexed anew whose words are of another language than their workspace's, or of former making.
const REINDEX_INTERVAL: Duration = Duration::from_secs(5);
/// How many of them at a time.
const REINDEX_BATCH: u32 = 100;
/// A refresh that takes longer has failed: the next one begins.
const REFRESH_WITHIN: Duration = Duration::from_secs(1);

/// Finds out which credentials were revoked. Known ones stop counting by themselves while it fails.
pub(crate) fn refreshing_credentials(ports: Ports) -> Job {
    let refresh = move || {
        let ports = ports.clone();
        async move {
            let refreshed = tokio::time::timeout(REFRESH_WITHIN, refresh_credential_cache(&ports)).await;
            refreshed.unwrap_or_else(|_| Err(StoreError::Unavailable("no answer in time".to_owned())))?;
            Ok::<_, StoreError>(Next::Wait)
        }
    };
    Job::new("refreshing known credentials (without it, every request looks its own up)", refresh)
        .every(REFRESH_INTERVAL)
}

/// Writes what credentials did. What could not be written is kept for the next time.
pub(crate) fn writing_activity(ports: Ports) -> Job {
    let write = move || {
        let ports = ports.clone();
        async move { flush_activity(&ports).await.map(|()| Next::Wait) }
    };
    Job::new("writing the usage of credentials", write).every(FLUSH_ACTIVITY_INTERVAL)
}

/// Removes what is too old, in small steps.
pub(crate) fn pruning(ports: &Ports, emails: Arc<dyn EmailQueue>) -> [Job; 3] {
    let of = |ports: &Ports| (Arc::clone(&ports.directory), Arc::clone(&ports.clock));
    let (directory, clock) = of(ports);
    let keys = move || {
        let (directory, before) = (Arc::clone(&directory), clock.now() - RETENTION);
        async move { directory.prune_idempotency(before, PRUNE_BATCH).await.map(after_pruning) }
    };
    let (directory, clock) = of(ports);
    let credentials = move || {
        let (directory, now) = (Arc::clone(&directory), clock.now());
        async move { directory.prune_credentials(now, PRUNE_BATCH).await.map(after_pruning) }
    };
    let clock = Arc::clone(&ports.clock);
    let emails = move || {
        let (emails, before) = (Arc::clone(&emails), clock.now() - email::RETENTION);
        async move { emails.prune_emails(before, PRUNE_BATCH).await.map(after_pruning) }
    };
    [
        Job::new("pruning idempotency keys", keys).every(PRUNE_INTERVAL),
        Job::new("pruning credentials", credentials).every(PRUNE_INTERVAL),
        Job::new("pruning e-mails", emails).every(PRUNE_INTERVAL),
    ]
}

const fn after_pruning(count: u64) -> Next {
    if count >= PRUNE_BATCH as u64 { Next::AtOnce } else { Next::Wait }
}

/// Brings articles to the language of their workspace. Half of the time is left to others.
pub(crate) fn reindexing(directory: Arc<dyn Directory>) -> Job {
    let reindex = move || {
        let directory = Arc::clone(&directory);
        async move {
            let start = Instant::now();
            let count = directory.reindex_articles(REINDEX_BATCH).await?;
            if count == 0 {
                return Ok::<_, StoreError>(Next::Wait);
            }
            log::info!("indexed {count} articles anew");
            tokio::time::sleep(start.elapsed()).await;
            Ok(Next::AtOnce)
        }
    };
    Job::new("indexing articles anew", reindex).every(REINDEX_INTERVAL)
}
