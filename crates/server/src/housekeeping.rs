//! Background jobs that run as long as the service.

use std::sync::Arc;
use std::time::{Duration, Instant};

use background::{Job, Next};
use domain::Error;
use domain::email;
use domain::events::EventRetention;
use domain::identity::access::{REFRESH_INTERVAL, refresh_credential_cache};
use domain::identity::audit::{AuditRetention, prune_counts, write_left_out, write_refusals};
use domain::identity::usage::flush_activity;
use domain::kernel::Stepped;
use domain::kernel::idempotency::RETENTION;
use domain::limits::flush_event_bytes;
use domain::ports::{Clock, Directory, EmailQueue, EventLogs, Ports, StoreError};
use domain::records::restorable_since;
use domain::support::erasure::continue_erasures;
use domain::webhooks::send_notices;
use domain::work::cascades::announce_cascades;
use domain::work::presence::PRESENT_FOR;
use domain::work::time_entries::stop_forgotten_timers;

use crate::metrics;

const FLUSH_ACTIVITY_INTERVAL: Duration = Duration::from_secs(5);
/// A workspace that has used up its limit can make changes for at most this long.
const FLUSH_EVENT_BYTES_INTERVAL: Duration = Duration::from_secs(2);
/// How often to look for notices about webhooks that are due.
const NOTICE_INTERVAL: Duration = Duration::from_secs(2);
/// How often expired rows are pruned.
const PRUNE_INTERVAL: Duration = Duration::from_mins(10);
/// Rows per statement, so that no statement locks many rows.
const PRUNE_BATCH: u32 = 1_000;
/// How often to look for articles that are indexed in another language than their workspace's, or by an older version.
const REINDEX_INTERVAL: Duration = Duration::from_secs(5);
/// How often to look for records whose words are not indexed, which happens only after an upgrade.
const REINDEX_RECORDS_INTERVAL: Duration = Duration::from_secs(30);
/// The number of articles, or of records of a kind, per batch.
const REINDEX_BATCH: u32 = 100;
/// How often the totals of deals are folded.
const FOLD_INTERVAL: Duration = Duration::from_secs(1);
/// Changes per statement.
const FOLD_BATCH: u32 = 5_000;
/// How often to look for deleted workspaces whose data is due to be erased.
const ERASE_INTERVAL: Duration = Duration::from_secs(5);
/// How often to look for deleted records that are due to be erased.
const ERASE_RECORDS_INTERVAL: Duration = Duration::from_mins(1);
/// Rows per transaction of an erasure, so that no transaction locks many rows for long.
pub(crate) const ERASE_BATCH: u32 = 500;
/// How often to look for monthly partitions of events and audit logs that must be created or dropped.
const MONTHS_INTERVAL: Duration = Duration::from_mins(10);
/// The pause after an attempt that was blocked by others.
const MONTHS_RETRY: Duration = Duration::from_secs(2);
/// How often to look for erasures of people's data that requests left to this job.
const ERASE_PEOPLE_INTERVAL: Duration = Duration::from_secs(2);
/// How often to look for records that were deleted or restored with their project and not announced yet.
const ANNOUNCE_INTERVAL: Duration = Duration::from_secs(1);
/// How often to look for forgotten timers.
const STOP_TIMERS_INTERVAL: Duration = Duration::from_secs(30);
/// A refresh that takes longer counts as failed, and the next one starts.
const REFRESH_TIMEOUT: Duration = Duration::from_secs(1);

/// Polls for revoked credentials. While it fails, cached credentials expire.
pub(crate) fn refreshing_credentials(ports: Ports) -> Job {
    let refresh = move || {
        let ports = ports.clone();
        async move {
            let refreshed = tokio::time::timeout(REFRESH_TIMEOUT, refresh_credential_cache(&ports)).await;
            refreshed.unwrap_or_else(|_| Err(StoreError::Unavailable("the refresh timed out".to_owned())))?;
            Ok::<_, StoreError>(Next::Wait)
        }
    };
    Job::new(
        "refreshing the credential cache (until it recovers, every request reads its credential from the database)",
        refresh,
    )
    .every(REFRESH_INTERVAL)
}

/// Flushes the usage of credentials. What cannot be written is kept for the next flush.
pub(crate) fn writing_activity(ports: Ports) -> Job {
    let write = move || {
        let ports = ports.clone();
        async move { flush_activity(&ports).await.map(|()| Next::Wait) }
    };
    Job::new("flushing credential usage", write).every(FLUSH_ACTIVITY_INTERVAL)
}

/// Writes how much was added to event logs, and learns which workspaces have used up their limits.
pub(crate) fn counting_event_bytes(ports: Ports) -> Job {
    let count = move || {
        let ports = ports.clone();
        async move { flush_event_bytes(&ports).await.map(|()| Next::Wait) }
    };
    Job::new("counting event log growth", count).every(FLUSH_EVENT_BYTES_INTERVAL)
}

/// Writes the sampled refusals to the audit logs, and how many were left out in past hours.
pub(crate) fn writing_audit_logs(ports: &Ports) -> [Job; 2] {
    let next = |count: usize| if count > 0 { Next::AtOnce } else { Next::Wait };
    let outside = ports.clone();
    let refusals = move || {
        let ports = outside.clone();
        async move { write_refusals(&ports).await.map(next) }
    };
    let outside = ports.clone();
    let left_out = move || {
        let ports = outside.clone();
        async move { write_left_out(&ports).await.map(next) }
    };
    [
        Job::new("writing refusals to audit logs", refusals).every(FLUSH_ACTIVITY_INTERVAL),
        Job::new("recording hourly omissions in audit logs", left_out).every(FLUSH_ACTIVITY_INTERVAL),
    ]
}

/// Notifies owners and admins of webhooks that fail, were disabled, or have lost their creator.
pub(crate) fn sending_webhook_notices(ports: Ports) -> Job {
    let send = move || {
        let ports = ports.clone();
        async move { send_notices(&ports).await.map(|sent| if sent > 0 { Next::AtOnce } else { Next::Wait }) }
    };
    Job::new("sending notices of failing webhooks", send).every(NOTICE_INTERVAL)
}

/// Prunes expired rows in small batches.
pub(crate) fn pruning(ports: &Ports, emails: Arc<dyn EmailQueue>) -> [Job; 8] {
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
    let (directory, clock) = of(ports);
    let presences = move || {
        let (directory, before) = (Arc::clone(&directory), clock.now() - PRESENT_FOR);
        async move { directory.prune_presences(before, PRUNE_BATCH).await.map(after_pruning) }
    };
    let (directory, clock) = of(ports);
    let undos = move || {
        let (directory, now) = (Arc::clone(&directory), clock.now());
        async move { directory.prune_undos(now, PRUNE_BATCH).await.map(after_pruning) }
    };
    let outside = ports.clone();
    let audit_counts = move || {
        let ports = outside.clone();
        async move { prune_counts(&ports, PRUNE_BATCH).await.map(after_pruning) }
    };
    let (clock, queue) = (Arc::clone(&ports.clock), Arc::clone(&emails));
    let late_emails = move || {
        let (queue, now) = (Arc::clone(&queue), clock.now());
        async move { queue.bring_back_emails(now, PRUNE_BATCH).await.map(after_pruning) }
    };
    let (clock, queue) = (Arc::clone(&ports.clock), Arc::clone(&emails));
    let emails = move || {
        let (emails, before) = (Arc::clone(&emails), clock.now() - email::RETENTION);
        async move { emails.prune_emails(before, PRUNE_BATCH).await.map(after_pruning) }
    };
    let clock = Arc::clone(&ports.clock);
    let counts = move || {
        let (queue, before) = (Arc::clone(&queue), clock.now() - email::COUNT_RETENTION);
        async move { queue.prune_email_counts(before, PRUNE_BATCH).await.map(after_pruning) }
    };
    [
        Job::new("pruning idempotency keys", keys).every(PRUNE_INTERVAL),
        Job::new("pruning credentials", credentials).every(PRUNE_INTERVAL),
        Job::new("pruning record presence", presences).every(PRUNE_INTERVAL),
        Job::new("pruning undos of the console", undos).every(PRUNE_INTERVAL),
        Job::new("pruning counts of audit entries", audit_counts).every(PRUNE_INTERVAL),
        Job::new("rescheduling e-mails queued while the clock was ahead", late_emails).every(PRUNE_INTERVAL),
        Job::new("pruning e-mails", emails).every(PRUNE_INTERVAL),
        Job::new("pruning counts of e-mails", counts).every(PRUNE_INTERVAL),
    ]
}

const fn after_pruning(count: u64) -> Next {
    if count >= PRUNE_BATCH as u64 { Next::AtOnce } else { Next::Wait }
}

/// Reindexes articles in the language of their workspace.
pub(crate) fn reindexing(directory: Arc<dyn Directory>) -> Job {
    let reindex = move || {
        let directory = Arc::clone(&directory);
        run_and_rest("reindexed", "articles", async move { directory.reindex_articles(REINDEX_BATCH).await })
    };
    Job::new("reindexing articles", reindex).every(REINDEX_INTERVAL)
}

/// Reindexes records that an earlier release indexed. The store logs how many there were.
pub(crate) fn reindexing_records(directory: Arc<dyn Directory>) -> Job {
    let reindex = move || {
        let directory = Arc::clone(&directory);
        async move { run_then_sleep(async move { directory.reindex_records(REINDEX_BATCH).await }).await.map(next_of) }
    };
    Job::new("reindexing records", reindex).every(REINDEX_RECORDS_INTERVAL)
}

/// Renews keys of e-mail addresses that an earlier release wrote.
pub(crate) fn renewing_email_keys(directory: Arc<dyn Directory>) -> Job {
    let renew = move || {
        let directory = Arc::clone(&directory);
        run_and_rest("renewed", "e-mail addresses", async move { directory.renew_email_keys(REINDEX_BATCH).await })
    };
    Job::new("renewing keys of e-mail addresses", renew).every(REINDEX_RECORDS_INTERVAL)
}

/// Runs a batch, then sleeps for as long as it took, to leave the database to others. Logs the result.
async fn run_and_rest(
    verb: &str,
    what: &str,
    batch: impl Future<Output = Result<u64, StoreError>>,
) -> Result<Next, StoreError> {
    let count = run_then_sleep(batch).await?;
    if count > 0 {
        log::info!("{verb} {count} {what}");
    }
    Ok(next_of(count))
}

/// Runs a batch, then sleeps for as long as it took if it did anything.
async fn run_then_sleep(batch: impl Future<Output = Result<u64, StoreError>>) -> Result<u64, StoreError> {
    let start = Instant::now();
    let count = batch.await?;
    if count > 0 {
        tokio::time::sleep(start.elapsed()).await;
    }
    Ok(count)
}

const fn next_of(count: u64) -> Next {
    if count > 0 { Next::AtOnce } else { Next::Wait }
}

/// Adds recorded changes of deals to the totals that the board shows. The board is exact even before that, but it must add up
/// fewer changes afterwards.
pub(crate) fn folding_deal_totals(directory: Arc<dyn Directory>) -> Job {
    let fold = move || {
        let directory = Arc::clone(&directory);
        async move {
            let count = directory.fold_deal_totals(FOLD_BATCH).await?;
            Ok::<_, StoreError>(if count >= u64::from(FOLD_BATCH) { Next::AtOnce } else { Next::Wait })
        }
    };
    Job::new("folding the totals of deals", fold).every(FOLD_INTERVAL)
}

/// Erases the data of deleted workspaces when it is due. Sleeps half of the time to leave the database to others.
pub(crate) fn erasing_workspaces(ports: &Ports) -> Job {
    let (directory, clock) = (Arc::clone(&ports.directory), Arc::clone(&ports.clock));
    let erase = move || {
        let (directory, now) = (Arc::clone(&directory), clock.now());
        async move {
            let start = Instant::now();
            let step = directory.erase_workspaces(now, ERASE_BATCH).await?;
            if let Some(workspace) = step.erased {
                log::info!("erased the deleted workspace {workspace}");
            }
            if step.rows == 0 {
                return Ok::<_, StoreError>(Next::Wait);
            }
            tokio::time::sleep(start.elapsed()).await;
            Ok(Next::AtOnce)
        }
    };
    Job::new("erasing deleted workspaces", erase).every(ERASE_INTERVAL)
}

/// Creates future monthly partitions of events and drops expired ones. Every instance runs this, but only one at a time does it.
pub(crate) fn maintaining_event_months(logs: Arc<dyn EventLogs>, clock: Arc<dyn Clock>, keep: EventRetention) -> Job {
    let maintain = move || {
        let (logs, now) = (Arc::clone(&logs), clock.now());
        async move {
            if let Some(months) = logs.maintain_months(now, keep).await? {
                metrics::show_event_months(&months, now);
                return Ok::<_, StoreError>(Next::Wait);
            }
            log::info!("the monthly partitions of events are in use: retrying their maintenance later");
            tokio::time::sleep(MONTHS_RETRY).await;
            Ok(Next::AtOnce)
        }
    };
    Job::new("maintaining the monthly partitions of events", maintain).every(MONTHS_INTERVAL)
}

/// Creates future monthly partitions of the audit log and drops expired ones. Every instance runs this, but only one at a time does it.
pub(crate) fn maintaining_audit_months(ports: &Ports, keep: AuditRetention) -> Job {
    let (directory, clock) = (Arc::clone(&ports.directory), Arc::clone(&ports.clock));
    let maintain = move || {
        let (directory, now) = (Arc::clone(&directory), clock.now());
        async move {
            if directory.maintain_audit_months(now, keep).await? {
                return Ok::<_, StoreError>(Next::Wait);
            }
            tokio::time::sleep(MONTHS_RETRY).await;
            Ok(Next::AtOnce)
        }
    };
    Job::new("maintaining the monthly partitions of the audit log", maintain).every(MONTHS_INTERVAL)
}

/// Continues erasures of people's data.
pub(crate) fn erasing_people(ports: Ports) -> Job {
    let erase = |ports: Ports| async move { continue_erasures(&ports).await };
    in_steps("erasing people's data", ports, erase).every(ERASE_PEOPLE_INTERVAL)
}

/// Appends the events of records that were deleted or restored with their project.
pub(crate) fn announcing_cascades(ports: Ports) -> Job {
    let announce = |ports: Ports| async move { announce_cascades(&ports).await };
    in_steps("announcing what deleted and restored projects took along", ports, announce).every(ANNOUNCE_INTERVAL)
}

/// Stops timers that have run for too long.
pub(crate) fn stopping_timers(ports: Ports) -> Job {
    let stop = |ports: Ports| async move { stop_forgotten_timers(&ports).await };
    in_steps("stopping forgotten timers", ports, stop).every(STOP_TIMERS_INTERVAL)
}

/// Does one step in each of several workspaces, then sleeps for as long, to leave the database to others.
fn in_steps<F>(name: &'static str, ports: Ports, step: impl Fn(Ports) -> F + Send + Sync + 'static) -> Job
where
    F: Future<Output = Result<Stepped, Error>> + Send + 'static,
{
    Job::new(name, move || {
        let stepped = step(ports.clone());
        async move {
            let start = Instant::now();
            let stepped = stepped.await?;
            for (workspace, error) in &stepped.failed {
                log::error!("a step of {name} failed in workspace {workspace}; retrying: {error}");
            }
            if !stepped.any {
                return Ok::<_, Error>(Next::Wait);
            }
            tokio::time::sleep(start.elapsed()).await;
            Ok(Next::AtOnce)
        }
    })
}

/// Erases records that were deleted 30 days ago. Sleeps half of the time to leave the database to others.
pub(crate) fn erasing_records(ports: &Ports) -> Job {
    let (directory, clock) = (Arc::clone(&ports.directory), Arc::clone(&ports.clock));
    let erase = move || {
        let (directory, now) = (Arc::clone(&directory), clock.now());
        run_and_rest("erased", "rows of deleted records", async move {
            directory.erase_deleted_records(restorable_since(now), now, ERASE_BATCH).await
        })
    };
    Job::new("erasing deleted records", erase).every(ERASE_RECORDS_INTERVAL)
}
