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
    let name =
        "refreshing the credential cache (until it recovers, every request reads its credential from the database)";
    let refresh = |ports: Ports| async move {
        let result = tokio::time::timeout(REFRESH_TIMEOUT, refresh_credential_cache(&ports)).await;
        result.unwrap_or_else(|_| Err(StoreError::Unavailable("the refresh timed out".to_owned())))?;
        Ok::<_, StoreError>(Next::Wait)
    };
    Job::with(name, ports, refresh).every(REFRESH_INTERVAL)
}

/// Flushes the usage of credentials. What cannot be written is kept for the next flush.
pub(crate) fn writing_activity(ports: Ports) -> Job {
    let write = |ports: Ports| async move { flush_activity(&ports).await.map(|()| Next::Wait) };
    Job::with("flushing credential usage", ports, write).every(FLUSH_ACTIVITY_INTERVAL)
}

/// Writes how much was added to event logs, and learns which workspaces have used up their limits.
pub(crate) fn counting_event_bytes(ports: Ports) -> Job {
    let count = |ports: Ports| async move { flush_event_bytes(&ports).await.map(|()| Next::Wait) };
    Job::with("counting event log growth", ports, count).every(FLUSH_EVENT_BYTES_INTERVAL)
}

/// Writes the sampled refusals to the audit logs, and how many were left out in past hours.
pub(crate) fn writing_audit_logs(ports: &Ports) -> [Job; 2] {
    let next = |count: usize| Next::at_once_if(count > 0);
    let refusals = move |ports: Ports| async move { write_refusals(&ports).await.map(next) };
    let omissions = move |ports: Ports| async move { write_left_out(&ports).await.map(next) };
    [
        Job::with("writing refusals to audit logs", ports.clone(), refusals).every(FLUSH_ACTIVITY_INTERVAL),
        Job::with("recording hourly omissions in audit logs", ports.clone(), omissions).every(FLUSH_ACTIVITY_INTERVAL),
    ]
}

/// Notifies owners and admins of webhooks that fail, were disabled, or have lost their creator.
pub(crate) fn sending_webhook_notices(ports: Ports) -> Job {
    let send = |ports: Ports| async move { send_notices(&ports).await.map(|sent| Next::at_once_if(sent > 0)) };
    Job::with("sending notices of failing webhooks", ports, send).every(NOTICE_INTERVAL)
}

/// Prunes expired rows in small batches.
pub(crate) fn pruning(ports: &Ports, emails: Arc<dyn EmailQueue>) -> [Job; 8] {
    let queue = (Arc::clone(&ports.clock), emails);
    [
        in_batches("pruning idempotency keys", ports.clone(), |ports| async move {
            ports.directory.prune_idempotency(ports.clock.now() - RETENTION, PRUNE_BATCH).await
        }),
        in_batches("pruning credentials", ports.clone(), |ports| async move {
            ports.directory.prune_credentials(ports.clock.now(), PRUNE_BATCH).await
        }),
        in_batches("pruning record presence", ports.clone(), |ports| async move {
            ports.directory.prune_presences(ports.clock.now() - PRESENT_FOR, PRUNE_BATCH).await
        }),
        in_batches("pruning undos of the console", ports.clone(), |ports| async move {
            ports.directory.prune_undos(ports.clock.now(), PRUNE_BATCH).await
        }),
        in_batches("pruning counts of audit entries", ports.clone(), |ports| async move {
            prune_counts(&ports, PRUNE_BATCH).await
        }),
        in_batches(
            "rescheduling e-mails queued while the clock was ahead",
            queue.clone(),
            |(clock, emails)| async move { emails.bring_back_emails(clock.now(), PRUNE_BATCH).await },
        ),
        in_batches("pruning e-mails", queue.clone(), |(clock, emails)| async move {
            emails.prune_emails(clock.now() - email::RETENTION, PRUNE_BATCH).await
        }),
        in_batches("pruning counts of e-mails", queue, |(clock, emails)| async move {
            emails.prune_email_counts(clock.now() - email::COUNT_RETENTION, PRUNE_BATCH).await
        }),
    ]
}

/// A job that prunes, and continues at once after a full batch.
fn in_batches<T, F>(name: &'static str, with: T, prune: impl Fn(T) -> F + Send + Sync + 'static) -> Job
where
    T: Clone + Send + Sync + 'static,
    F: Future<Output = Result<u64, StoreError>> + Send + 'static,
{
    let step = move |with| {
        let pruned = prune(with);
        async move { pruned.await.map(|count| Next::at_once_if(count >= u64::from(PRUNE_BATCH))) }
    };
    Job::with(name, with, step).every(PRUNE_INTERVAL)
}

/// Reindexes articles in the language of their workspace.
pub(crate) fn reindexing(directory: Arc<dyn Directory>) -> Job {
    let reindex = |directory: Arc<dyn Directory>| async move {
        run_and_rest("reindexed", "articles", directory.reindex_articles(REINDEX_BATCH)).await
    };
    Job::with("reindexing articles", directory, reindex).every(REINDEX_INTERVAL)
}

/// Reindexes records that an earlier release indexed. The store logs how many there were.
pub(crate) fn reindexing_records(directory: Arc<dyn Directory>) -> Job {
    let reindex = |directory: Arc<dyn Directory>| async move {
        let count = run_then_sleep(directory.reindex_records(REINDEX_BATCH)).await?;
        Ok::<_, StoreError>(Next::at_once_if(count > 0))
    };
    Job::with("reindexing records", directory, reindex).every(REINDEX_RECORDS_INTERVAL)
}

/// Renews keys of e-mail addresses that an earlier release wrote.
pub(crate) fn renewing_email_keys(directory: Arc<dyn Directory>) -> Job {
    let renew = |directory: Arc<dyn Directory>| async move {
        run_and_rest("renewed", "e-mail addresses", directory.renew_email_keys(REINDEX_BATCH)).await
    };
    Job::with("renewing keys of e-mail addresses", directory, renew).every(REINDEX_RECORDS_INTERVAL)
}

/// Runs a batch, then sleeps for as long as it took, to leave the database to others. Logs the result.
async fn run_and_rest(
    verb: &str,
    noun: &str,
    batch: impl Future<Output = Result<u64, StoreError>>,
) -> Result<Next, StoreError> {
    let count = run_then_sleep(batch).await?;
    if count > 0 {
        log::info!("{verb} {count} {noun}");
    }
    Ok(Next::at_once_if(count > 0))
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

/// Adds recorded changes of deals to the totals that the board shows. The board is exact even before that, but it must add up
/// fewer changes afterwards.
pub(crate) fn folding_deal_totals(directory: Arc<dyn Directory>) -> Job {
    let fold = |directory: Arc<dyn Directory>| async move {
        let count = directory.fold_deal_totals(FOLD_BATCH).await?;
        Ok::<_, StoreError>(Next::at_once_if(count >= u64::from(FOLD_BATCH)))
    };
    Job::with("folding the totals of deals", directory, fold).every(FOLD_INTERVAL)
}

/// Erases the data of deleted workspaces when it is due. Sleeps half of the time to leave the database to others.
pub(crate) fn erasing_workspaces(ports: Ports) -> Job {
    let erase = |ports: Ports| async move {
        let batch = async {
            let step = ports.directory.erase_workspaces(ports.clock.now(), ERASE_BATCH).await?;
            if let Some(workspace) = step.erased {
                log::info!("erased the deleted workspace {workspace}");
            }
            Ok::<_, StoreError>(step.rows)
        };
        run_then_sleep(batch).await.map(|rows| Next::at_once_if(rows > 0))
    };
    Job::with("erasing deleted workspaces", ports, erase).every(ERASE_INTERVAL)
}

/// Creates future monthly partitions of events and drops expired ones. Every instance runs this, but only one at a time does it.
pub(crate) fn maintaining_event_months(
    logs: Arc<dyn EventLogs>,
    clock: Arc<dyn Clock>,
    retention: EventRetention,
) -> Job {
    let maintain = move |(logs, clock): (Arc<dyn EventLogs>, Arc<dyn Clock>)| async move {
        let now = clock.now();
        if let Some(months) = logs.maintain_months(now, retention).await? {
            metrics::show_event_months(&months, now);
            return Ok::<_, StoreError>(Next::Wait);
        }
        log::info!("the monthly partitions of events are in use: retrying their maintenance later");
        tokio::time::sleep(MONTHS_RETRY).await;
        Ok(Next::AtOnce)
    };
    Job::with("maintaining the monthly partitions of events", (logs, clock), maintain).every(MONTHS_INTERVAL)
}

/// Creates future monthly partitions of the audit log and drops expired ones. Every instance runs this, but only one at a time does it.
pub(crate) fn maintaining_audit_months(ports: Ports, retention: AuditRetention) -> Job {
    let maintain = move |ports: Ports| async move {
        if ports.directory.maintain_audit_months(ports.clock.now(), retention).await? {
            return Ok::<_, StoreError>(Next::Wait);
        }
        tokio::time::sleep(MONTHS_RETRY).await;
        Ok(Next::AtOnce)
    };
    Job::with("maintaining the monthly partitions of the audit log", ports, maintain).every(MONTHS_INTERVAL)
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
    Job::with(name, ports, move |ports| {
        let outcome = step(ports);
        async move {
            let start = Instant::now();
            let outcome = outcome.await?;
            for (workspace, error) in &outcome.failed {
                log::error!("a step of {name} failed in workspace {workspace}; retrying: {error}");
            }
            if outcome.any {
                tokio::time::sleep(start.elapsed()).await;
            }
            Ok::<_, Error>(Next::at_once_if(outcome.any))
        }
    })
}

/// Erases records that were deleted 30 days ago. Sleeps half of the time to leave the database to others.
pub(crate) fn erasing_records(ports: Ports) -> Job {
    let erase = |ports: Ports| async move {
        let now = ports.clock.now();
        let batch = ports.directory.erase_deleted_records(restorable_since(now), now, ERASE_BATCH);
        run_and_rest("erased", "rows of deleted records", batch).await
    };
    Job::with("erasing deleted records", ports, erase).every(ERASE_RECORDS_INTERVAL)
}
