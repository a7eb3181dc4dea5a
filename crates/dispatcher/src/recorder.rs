//! Attempts that are not yet recorded in the database.

use std::collections::VecDeque;
use std::time::Duration;

use background::Backoff;
use domain::ports::StoreError;
use domain::webhooks::AttemptRecord;
use tokio::time::Instant;

use crate::log_fields;
use crate::store_pauses::store_backoff;

/// Maximum records per batch.
const BATCH: usize = 128;
/// How long a record waits for others while requests are in flight.
const BATCH_DELAY: Duration = Duration::from_millis(10);
/// How often a record that the store rejects is tried alone before it is dropped.
const MAX_TRIES: u32 = 3;

/// Collects records, and schedules the batches in which they are written.
pub(crate) struct Recorder {
    /// In order; the first `writing` of them are being written.
    waiting: VecDeque<AttemptRecord>,
    writing: usize,
    /// When the oldest record that is not being written was added.
    since: Option<Instant>,
    /// Halved when the store rejects a batch, until the rejected record is alone.
    batch: usize,
    tries: u32,
    backoff: Backoff,
}

impl Recorder {
    pub(crate) fn new() -> Self {
        let backoff = store_backoff("recording webhook attempts");
        Self { waiting: VecDeque::new(), writing: 0, since: None, batch: BATCH, tries: 0, backoff }
    }

    pub(crate) fn len(&self) -> usize {
        self.waiting.len()
    }

    /// Whether the last write failed.
    pub(crate) fn is_failing(&self) -> bool {
        self.backoff.until().is_some()
    }

    pub(crate) fn add(&mut self, record: AttemptRecord, now: Instant) {
        self.waiting.push_back(record);
        self.since.get_or_insert(now);
    }

    /// When the next batch is due; `None` while one is being written or there is nothing to write. `is_idle`: no
    /// request is in flight, so there is nothing to wait for.
    pub(crate) fn due_at(&self, is_idle: bool, now: Instant) -> Option<Instant> {
        let since = self.since.filter(|_| self.writing == 0)?;
        let at = if is_idle || self.waiting.len() >= BATCH { now } else { since + BATCH_DELAY };
        Some(self.backoff.until().map_or(at, |until| until.max(at)))
    }

    /// The next batch, which [`Recorder::done`] must follow.
    pub(crate) fn begin(&mut self) -> Vec<AttemptRecord> {
        self.writing = self.waiting.len().min(self.batch);
        self.waiting.iter().take(self.writing).cloned().collect()
    }

    /// Handles the result of the batch.
    pub(crate) fn done(&mut self, result: Result<(), StoreError>, now: Instant) {
        let written = std::mem::take(&mut self.writing);
        match result {
            Ok(()) => {
                self.forget(written, now);
                (self.batch, self.tries) = ((self.batch * 2).min(BATCH), 0);
                self.backoff.succeeded();
            }
            Err(error) => {
                let is_refusal = matches!(error, StoreError::Internal(_) | StoreError::Duplicate { .. });
                if is_refusal && written > 1 {
                    // One bad record must not block the others: halve the batch and retry at once.
                    self.batch = written / 2;
                    return;
                }
                self.backoff.failed(&error, now);
                if is_refusal {
                    self.refused(&error, now);
                }
            }
        }
    }

    /// The store is available but rejects the first record.
    fn refused(&mut self, error: &StoreError, now: Instant) {
        self.tries += 1;
        if self.tries < MAX_TRIES {
            return;
        }
        self.tries = 0;
        if let Some(record) = self.waiting.front() {
            let number = record.attempted().map_or(0, |(attempt, _)| attempt.number);
            log_fields::of(record.workspace, record.subscription, record.delivery)
                .enter(|| log::error!("dropped the record of attempt {number} of the delivery: {error}"));
        }
        // Its lease expires, and it is sent again.
        self.forget(1, now);
    }

    fn forget(&mut self, count: usize, now: Instant) {
        self.waiting.drain(..count);
        // The rest arrived during the write; the oldest has waited at most that long.
        self.since = (!self.waiting.is_empty()).then_some(now);
    }
}
