//! What a transaction left for background workers.

use time::Date;

use crate::engine::store_metrics::ENQUEUE_FAILURES;
use crate::engine::tx::PgTx;

/// What a job queued for background workers.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Queued {
    pub(crate) events: bool,
    pub(crate) deliveries: bool,
    /// Events were left in the backlog of webhooks.
    pub(crate) behind: bool,
    pub(crate) emails: u64,
    /// The bytes by which the event log grew, and the day that they count for.
    pub(crate) log_bytes: Option<(Date, u64)>,
}

/// What appending events returned: how many deliveries were queued, how many events were left for later, and the error message.
pub(crate) type QueuedRow = (i64, i64, Option<String>);

impl PgTx<'_> {
    /// Remembers what became of appended events. A failure is logged without the events, which hold personal data.
    pub(crate) fn note_queued(&mut self, (queued, behind, failure): QueuedRow) {
        self.queued |= queued > 0;
        self.behind |= behind > 0;
        if let Some(failure) = failure {
            log::error!("could not queue events for webhooks: {failure}; {behind} events wait for later");
            metrics::counter!(ENQUEUE_FAILURES).increment(1);
        }
    }
}
