//! The running service: its ports and background workers.

use std::sync::Arc;
use std::time::Duration;

use anyhow::Context;
use background::Worker;
use domain::identity::usage::flush_activity;
use domain::limits::flush_event_bytes;
use domain::ports::{EventLogs, Ports};
use email::{EmailSender, EmailSenderOptions};
use storage_diesel::{Listening, NotifyListener, PgStore};

use crate::compose::{Notifiers, ServiceOptions, Stores, with_store};
use crate::{housekeeping, link_requests, metrics, webhook_dispatcher};

/// How long jobs may take to finish their current step.
const JOBS_STOP_TIMEOUT: Duration = Duration::from_secs(2);
const FINAL_FLUSH_TIMEOUT: Duration = Duration::from_secs(2);

/// Dropping it stops the workers abruptly, as in a crash.
#[derive(Debug)]
pub struct Service {
    pub ports: Ports,
    /// The store for readiness checks, with its own connection.
    pub probe: Arc<PgStore>,
    /// The ports of background jobs.
    housekeeping: Ports,
    jobs: Worker,
    emails: EmailSender,
    deliveries: Option<Worker>,
    /// Assigns positions to events and notifies followers.
    events: Worker,
    /// Receives notifications from other processes.
    notify_listener: Option<NotifyListener>,
}

impl Service {
    pub(crate) fn start(
        ports: Ports,
        stores: &Stores,
        notifiers: &Notifiers,
        options: ServiceOptions,
    ) -> anyhow::Result<Self> {
        let (queues, delivery_notifier) = (&stores.queues, &notifiers.deliveries);
        let housekeeping = with_store(&stores.housekeeping, &ports);
        let mut jobs = vec![
            housekeeping::reindexing(queues.clone()),
            housekeeping::reindexing_records(queues.clone()),
            housekeeping::renewing_email_keys(queues.clone()),
            housekeeping::folding_deal_totals(queues.clone()),
            metrics::counting_queues(queues.clone(), ports.clock.clone()),
            metrics::exporting_largest_logs(with_store(queues, &ports)),
            housekeeping::writing_activity(housekeeping.clone()),
            housekeeping::counting_event_bytes(housekeeping.clone()),
            // Not on the connection of the other jobs, because a large workspace takes a while.
            housekeeping::erasing_workspaces(with_store(queues, &ports)),
            housekeeping::erasing_people(with_store(queues, &ports)),
            housekeeping::announcing_cascades(with_store(queues, &ports)),
            housekeeping::stopping_timers(with_store(queues, &ports)),
            housekeeping::erasing_records(with_store(queues, &ports)),
            housekeeping::sending_webhook_notices(housekeeping.clone()),
            housekeeping::maintaining_event_months(queues.clone(), ports.clock.clone(), options.event_retention),
            housekeeping::maintaining_audit_months(housekeeping.clone(), options.audit_retention),
            link_requests::job(with_store(&stores.link_requests, &ports), &notifiers.link_requests),
        ];
        jobs.extend(housekeeping::writing_audit_logs(&housekeeping));
        jobs.extend(housekeeping::pruning(&housekeeping, stores.housekeeping.clone()));
        if options.refreshes_credentials {
            jobs.push(housekeeping::refreshing_credentials(housekeeping.clone()));
        }
        if options.is_shared {
            jobs.push(delivery_notifier.announcements(queues));
        }
        let listening = Listening {
            on_queued: options.dispatcher.is_some().then(|| delivery_notifier.local.callback()),
            on_numbered: Some({
                let feed = notifiers.feed.clone();
                Arc::new(move |workspace| feed.numbered(workspace))
            }),
            counts_alone: options.counts_alone,
        };
        let logs: Arc<dyn EventLogs> = stores.events.clone();
        let deliveries = options
            .dispatcher
            .map(|options| webhook_dispatcher::start(&ports, queues.clone(), delivery_notifier, options));
        Ok(Self {
            notify_listener: options.listen_url.map(|url| NotifyListener::listen(&url, listening)),
            events: Worker::of_jobs("events", notifiers.feed.jobs(&logs, &ports.clock))
                .context("cannot start the jobs of the event log")?,
            deliveries: deliveries.transpose().context("cannot start the webhook dispatcher")?,
            emails: EmailSender::start(
                &ports,
                queues.clone(),
                options.email_transport,
                &notifiers.emails,
                EmailSenderOptions::default(),
            )?,
            jobs: Worker::of_jobs("jobs", jobs).context("cannot start the background jobs")?,
            housekeeping,
            probe: stores.probe.clone(),
            ports,
        })
    }

    /// Shuts down gracefully: workers finish what is in flight and release the rest. The HTTP server must already have stopped.
    pub async fn stop(self) {
        self.jobs.stop(JOBS_STOP_TIMEOUT).await;
        let flush = tokio::time::timeout(FINAL_FLUSH_TIMEOUT, async {
            flush_activity(&self.housekeeping).await?;
            flush_event_bytes(&self.housekeeping).await
        });
        if !matches!(flush.await, Ok(Ok(()))) {
            log::warn!("could not save the usage counted since the last flush");
        }
        drop(self.notify_listener);
        self.events.stop(JOBS_STOP_TIMEOUT).await;
        self.emails.stop().await;
        if let Some(deliveries) = self.deliveries {
            deliveries.stop(webhook_dispatcher::STOP_TIMEOUT).await;
        }
    }

    /// Stops only the dispatcher, as in a crash: nothing is finished, recorded or released.
    pub fn crash_dispatcher(&mut self) {
        if let Some(deliveries) = self.deliveries.take() {
            deliveries.crash();
        }
    }
}
