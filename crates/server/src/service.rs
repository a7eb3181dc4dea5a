//! The running service: its ports, and the workers beside the requests.

use std::time::Duration;

use anyhow::Context;
use background::Worker;
use domain::identity::usage::write_activity;
use domain::ports::Ports;
use email::{MailSender, MailSenderOptions};
use storage_diesel::QueueNews;

use crate::compose::{Notifiers, StartOptions, Stores, over};
use crate::{deliveries, housekeeping, link_requests, metrics};

/// How long jobs may take to finish the step that they are at.
const JOBS_STOP_WITHIN: Duration = Duration::from_secs(2);
/// How long the last writing of what credentials did may take.
const LAST_WRITING_WITHIN: Duration = Duration::from_secs(2);

/// Where it is dropped, its workers end as a crash would end them.
#[derive(Debug)]
pub struct Service {
    pub ports: Ports,
    /// The ports of what goes on beside the requests.
    housekeeping: Ports,
    jobs: Worker,
    emails: MailSender,
    deliveries: Option<Worker>,
    /// What other processes tell of the queue.
    news: Option<QueueNews>,
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
        let news = options.shared_database.filter(|_| options.dispatcher.is_some());
        let deliveries =
            options.dispatcher.map(|options| deliveries::start(&ports, queues.clone(), delivery_notifier, options));
        Ok(Self {
            news: news.map(|url| QueueNews::listen(&url, delivery_notifier.own.callback())),
            deliveries: deliveries.transpose().context("webhooks cannot be delivered")?,
            emails: MailSender::start(
                &ports,
                queues.clone(),
                options.mail_transport,
                &notifiers.emails,
                MailSenderOptions::default(),
            )?,
            jobs: Worker::of_jobs("jobs", jobs).context("no runtime for housekeeping")?,
            housekeeping,
            ports,
        })
    }

    /// Has the workers end what is under way, and give the rest back. To be called when no more requests are answered.
    pub async fn stop(self) {
        self.jobs.stop(JOBS_STOP_WITHIN).await;
        let last = tokio::time::timeout(LAST_WRITING_WITHIN, write_activity(&self.housekeeping)).await;
        if !matches!(last, Ok(Ok(()))) {
            log::warn!("what credentials did in the last seconds could not be written");
        }
        drop(self.news);
        self.emails.stop().await;
        if let Some(deliveries) = self.deliveries {
            deliveries.stop(deliveries::STOP_WITHIN).await;
        }
    }

    /// Ends the dispatcher alone, as a crash would: nothing is finished, recorded or given back.
    pub fn crash_dispatcher(&mut self) {
        if let Some(deliveries) = self.deliveries.take() {
            deliveries.crash();
        }
    }
}
