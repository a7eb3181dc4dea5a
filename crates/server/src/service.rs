//! The running service: its ports, and the workers beside the requests.

use std::time::Duration;

use anyhow::Context;
use background::Worker;
use domain::identity::usage::flush_activity;
use domain::ports::Ports;
use email::{EmailSender, EmailSenderOptions};
use storage_diesel::NotifyListener;

use crate::compose::{Notifiers, StartOptions, Stores, over};
use crate::{housekeeping, link_requests, metrics, webhook_dispatcher};

/// How long jobs may take to finish the step that they are at.
const JOBS_STOP_WITHIN: Duration = Duration::from_secs(2);
/// How long the last writing of what credentials did may take.
const FINAL_FLUSH_TIMEOUT: Duration = Duration::from_secs(2);

/// Where it is dropped, its workers end as a crash would end them.
#[derive(Debug)]
pub struct Service {
    pub ports: Ports,
    /// The ports of what goes on beside the requests.
    housekeeping: Ports,
    jobs: Worker,
    emails: EmailSender,
    deliveries: Option<Worker>,
    /// What other processes tell of the queue.
    notify_listener: Option<NotifyListener>,
}

impl Service {
    pub(crate) fn start(
        ports: Ports,
        stores: &Stores,
        notifiers: &Notifiers,
        options: StartOptions,
    ) -> anyhow::Result<Self> {
        let (queues, delivery_notifier) = (&stores.queues, &notifiers.deliveries);
        let housekeeping = over(&stores.housekeeping, &ports);
        let mut jobs = vec![
            housekeeping::reindexing(queues.clone()),
            metrics::counting_queues(queues.clone(), ports.clock.clone()),
            housekeeping::writing_activity(housekeeping.clone()),
            link_requests::job(over(&stores.link_requests, &ports), &notifiers.link_requests),
        ];
        jobs.extend(housekeeping::pruning(&housekeeping, stores.housekeeping.clone()));
        if options.refreshes_credentials {
            jobs.push(housekeeping::refreshing_credentials(housekeeping.clone()));
        }
        if options.shared_database.is_some() {
            jobs.push(delivery_notifier.announcements(queues));
        }
        let notify_listener = options.shared_database.filter(|_| options.dispatcher.is_some());
        let deliveries = options
            .dispatcher
            .map(|options| webhook_dispatcher::start(&ports, queues.clone(), delivery_notifier, options));
        Ok(Self {
            notify_listener: notify_listener.map(|url| NotifyListener::listen(&url, delivery_notifier.own.callback())),
            deliveries: deliveries.transpose().context("webhooks cannot be delivered")?,
            emails: EmailSender::start(
                &ports,
                queues.clone(),
                options.email_transport,
                &notifiers.emails,
                EmailSenderOptions::default(),
            )?,
            jobs: Worker::of_jobs("jobs", jobs).context("no runtime for housekeeping")?,
            housekeeping,
            ports,
        })
    }

    /// Has the workers end what is under way, and give the rest back. To be called when no more requests are answered.
    pub async fn stop(self) {
        self.jobs.stop(JOBS_STOP_WITHIN).await;
        let last = tokio::time::timeout(FINAL_FLUSH_TIMEOUT, flush_activity(&self.housekeeping)).await;
        if !matches!(last, Ok(Ok(()))) {
            log::warn!("what credentials did in the last seconds could not be written");
        }
        drop(self.notify_listener);
        self.emails.stop().await;
        if let Some(deliveries) = self.deliveries {
            deliveries.stop(webhook_dispatcher::STOP_TIMEOUT).await;
        }
    }

    /// Ends the dispatcher alone, as a crash would: nothing is finished, recorded or given back.
    pub fn crash_dispatcher(&mut self) {
        if let Some(deliveries) = self.deliveries.take() {
            deliveries.crash();
        }
    }
}
