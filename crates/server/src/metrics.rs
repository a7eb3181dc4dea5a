//! The metrics of the service.

use std::collections::BTreeSet;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use ::metrics::{counter, describe_counter};
use background::{Job, Next};
use domain::limits::{EventBytesUsed, day_of};
use domain::ports::{Clock, EventMonths, Ports, StoreError};
use metrics::{describe_gauge, gauge};
use storage_diesel::{EMAIL_DROP_REASONS, EMAILS_DROPPED, EMAILS_QUEUED, PgStore, QueueDepths};
use telemetry::admin::Exporter;
use time::OffsetDateTime;

use crate::link_requests;

/// Queues are counted on a timer, because a scrape must not query the database.
const QUEUE_INTERVAL: Duration = Duration::from_secs(15);

const DELIVERIES: &str = "service_webhook_deliveries";
const OLDEST_DELIVERY_SECONDS: &str = "service_webhook_oldest_due_age_seconds";
const BEHIND: &str = "service_webhook_events_behind";
const OLDEST_BEHIND_SECONDS: &str = "service_webhook_oldest_behind_age_seconds";
const EMAILS: &str = "service_emails_waiting";
const OLDEST_EMAIL_SECONDS: &str = "service_emails_oldest_age_seconds";

const WAL_ARCHIVE_FAILING: &str = "service_wal_archive_failing";

const EVENT_BYTES: &str = "service_event_log_bytes_today";
const EVENT_LIMIT_PERCENT: &str = "service_event_log_limit_used_percent";
/// The maximum number of workspaces that the metrics name.
const LARGEST_LOGS: u32 = 10;

const MONTHS_AHEAD: &str = "service_event_months_ahead";
const OLDEST_MONTH_SECONDS: &str = "service_event_oldest_month_age_seconds";

/// Installs the recorder, once per process.
pub(crate) fn install() -> anyhow::Result<Exporter> {
    let exporter = Exporter::install()?;
    for (gauge, meaning) in [
        (DELIVERIES, "Webhook deliveries in the queue, by state (due, retrying, in_flight), up to 10,000"),
        (OLDEST_DELIVERY_SECONDS, "Time since the oldest due webhook delivery became due, in seconds"),
        (BEHIND, "Events whose webhook deliveries are not queued yet, up to 10,000"),
        (OLDEST_BEHIND_SECONDS, "Age of the oldest event whose webhook deliveries are not queued yet, in seconds"),
        (EMAILS, "E-mails in the queue, up to 10,000"),
        (OLDEST_EMAIL_SECONDS, "Age of the oldest e-mail in the queue, in seconds"),
        (WAL_ARCHIVE_FAILING, "1 if the last attempt to archive the write-ahead log failed"),
        (MONTHS_AHEAD, "Future months for which the event log has partitions: three, unless they cannot be created"),
        (OLDEST_MONTH_SECONDS, "Time since the start of the oldest month of events kept, in seconds"),
        (EVENT_BYTES, "Bytes that changes added to the event log today (UTC), for the ten workspaces that added most"),
        (EVENT_LIMIT_PERCENT, "Percentage of event_bytes_per_day that each of these workspaces has used today"),
    ] {
        describe_gauge!(gauge, meaning);
    }
    storage_diesel::describe_metrics();
    limiter::describe_metrics();
    http_core::describe_metrics();
    dispatcher::describe_metrics();
    background::describe_metrics();
    email::describe_metrics();
    event_feed::describe_metrics();
    describe_counter!(EMAILS_QUEUED, "E-mails queued");
    describe_counter!(EMAILS_DROPPED, "E-mails dropped because a limit was reached or the queue was full");
    counter!(EMAILS_QUEUED).increment(0);
    for reason in EMAIL_DROP_REASONS {
        counter!(EMAILS_DROPPED, "reason" => reason).increment(0);
    }
    link_requests::describe_metrics();
    Ok(exporter)
}

/// Exports how far the event log reaches back, and for how many months ahead it has partitions.
pub(crate) fn show_event_months(months: &EventMonths, now: OffsetDateTime) {
    gauge!(MONTHS_AHEAD).set(months.ahead);
    gauge!(OLDEST_MONTH_SECONDS).set((now - months.oldest).as_seconds_f64().max(0.0));
}

/// Exports which workspaces add most to the event log.
pub(crate) fn exporting_largest_logs(ports: Ports) -> Job {
    let export = |(ports, exported): (Ports, Arc<Mutex<BTreeSet<String>>>)| async move {
        let today = day_of(ports.clock.now());
        let largest = ports.directory.largest_event_logs(today, LARGEST_LOGS).await?;
        show_largest_logs(&largest, &mut exported.lock().unwrap_or_else(PoisonError::into_inner));
        Ok::<_, StoreError>(Next::Wait)
    };
    let state = (ports, Arc::default());
    Job::with("finding the workspaces that add most to the event log", state, export).every(QUEUE_INTERVAL)
}

/// `exported` are the workspaces of earlier exports: a time series that is no longer set would keep its last value.
#[expect(clippy::cast_precision_loss, reason = "gauges are floats")]
fn show_largest_logs(largest: &[EventBytesUsed], exported: &mut BTreeSet<String>) {
    let show = |slug: &str, bytes: u64, percent: u64| {
        gauge!(EVENT_BYTES, "workspace" => slug.to_owned()).set(bytes as f64);
        gauge!(EVENT_LIMIT_PERCENT, "workspace" => slug.to_owned()).set(percent as f64);
    };
    exported.iter().filter(|slug| largest.iter().all(|usage| usage.slug != **slug)).for_each(|slug| show(slug, 0, 0));
    for usage in largest {
        show(&usage.slug, usage.added.bytes, usage.percent());
        exported.insert(usage.slug.clone());
    }
}

/// Exports queue depths and the state of the write-ahead log archive. All instances share these, and each one reports them.
pub(crate) fn counting_queues(store: Arc<PgStore>, clock: Arc<dyn Clock>) -> Job {
    let count = |(store, clock): (Arc<PgStore>, Arc<dyn Clock>)| async move {
        let now = clock.now();
        show_depths(&store.queue_depths(now).await?, now);
        gauge!(WAL_ARCHIVE_FAILING).set(u8::from(store.wal_archive_is_failing().await?));
        Ok::<_, StoreError>(Next::Wait)
    };
    Job::with("counting the queues", (store, clock), count).every(QUEUE_INTERVAL)
}

fn show_depths(depths: &QueueDepths, now: OffsetDateTime) {
    let age = |since: Option<OffsetDateTime>| since.map_or(0.0, |since| (now - since).as_seconds_f64().max(0.0));
    let deliveries = &depths.deliveries;
    gauge!(DELIVERIES, "state" => "due").set(deliveries.due);
    gauge!(DELIVERIES, "state" => "retrying").set(deliveries.retrying);
    gauge!(DELIVERIES, "state" => "in_flight").set(deliveries.in_flight);
    gauge!(OLDEST_DELIVERY_SECONDS).set(age(deliveries.oldest_due_at));
    gauge!(BEHIND).set(depths.behind.events);
    gauge!(OLDEST_BEHIND_SECONDS).set(age(depths.behind.oldest_created_at));
    gauge!(EMAILS).set(depths.emails.waiting);
    gauge!(OLDEST_EMAIL_SECONDS).set(age(depths.emails.oldest_created_at));
}
