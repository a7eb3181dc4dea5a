//! The work that a transaction queued for background workers.

use time::Date;

use crate::engine::store_metrics::ENQUEUE_FAILURES;
use crate::engine::tx::PgTx;

/// The work that a job queued for background workers.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Queued {
    pub(crate) events: bool,
    pub(crate) deliveries: bool,
    /// Events were left in the webhook backlog.
    pub(crate) backlog: bool,
    pub(crate) emails: u64,
    /// The bytes added to the event log, and the day they count for.
    pub(crate) log_bytes: Option<(Date, u64)>,
}

/// The result of appending events: the number of queued deliveries, the number of events left for later, and an error message.
pub(crate) type QueuedRow = (i64, i64, Option<String>);

impl PgTx<'_> {
    /// Records the result of appending events. A failure is logged without the events, which contain personal data.
    pub(crate) fn record_queued(&mut self, (queued, backlog, failure): QueuedRow) {
        self.has_deliveries |= queued > 0;
        self.has_backlog |= backlog > 0;
        if let Some(failure) = failure {
            log::error!("could not queue events for webhooks: {failure}; {backlog} events wait for later");
            metrics::counter!(ENQUEUE_FAILURES).increment(1);
        }
    }
}
