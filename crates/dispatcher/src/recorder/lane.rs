//! Attempts that are written together.

use std::collections::VecDeque;
use std::time::Duration;

use background::Backoff;
use domain::ports::StoreError;
use domain::webhooks::AttemptRecord;
use domain::{SubscriptionId, WorkspaceId};
use tokio::time::Instant;

use crate::log_fields;
use crate::store_pauses::store_backoff;

/// Maximum records per batch.
const BATCH: usize = 128;
/// How long a record waits for others: writing one costs the database as much as writing twenty. Until then its delivery counts as
/// being sent.
const BATCH_DELAY: Duration = Duration::from_millis(25);
/// How often a record that the store rejects is tried alone before it is dropped.
const MAX_TRIES: u32 = 3;

/// Records that wait for one another: a batch begins with the oldest.
pub(super) struct Lane {
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

impl Lane {
    /// `what` names the work in logs.
    pub(super) fn new(what: &'static str) -> Self {
        let backoff = store_backoff(what);
        Self { waiting: VecDeque::new(), writing: 0, since: None, batch: BATCH, tries: 0, backoff }
    }

    pub(super) fn len(&self) -> usize {
        self.waiting.len()
    }

    /// Whether the last write failed, and what it was to write still waits: a record that was dropped holds up nothing.
    pub(super) fn is_failing(&self) -> bool {
        self.backoff.until().is_some() && !self.waiting.is_empty()
    }

    pub(super) fn add(&mut self, record: AttemptRecord, now: Instant) {
        self.waiting.push_back(record);
        self.since.get_or_insert(now);
    }

    /// When the next batch is due.
    pub(super) fn due_at(&self, is_ending: bool, now: Instant) -> Option<Instant> {
        let since = self.since.filter(|_| self.writing == 0)?;
        let at = if is_ending || self.waiting.len() >= BATCH { now } else { since + BATCH_DELAY };
        Some(self.backoff.until().map_or(at, |until| until.max(at)))
    }

    /// The next batch, which [`Lane::done`] must follow.
    pub(super) fn begin(&mut self) -> Vec<AttemptRecord> {
        self.writing = self.waiting.len().min(self.batch);
        self.waiting.iter().take(self.writing).cloned().collect()
    }

    /// Each as often as it has records.
    pub(super) fn subscriptions(&self) -> impl Iterator<Item = SubscriptionId> + '_ {
        self.waiting.iter().map(|record| record.subscription)
    }

    /// Instead of [`Lane::done`], if not all of the batch were written, and not for a reason that holds for the others: the batch.
    pub(super) fn take_written(&mut self, now: Instant) -> Vec<AttemptRecord> {
        let written = self.waiting.drain(..std::mem::take(&mut self.writing)).collect();
        self.wait_from(now);
        self.backoff.succeeded();
        written
    }

    /// Those of a workspace that wait.
    pub(super) fn take_of(&mut self, workspace: WorkspaceId, now: Instant) -> Vec<AttemptRecord> {
        let (taken, kept): (VecDeque<_>, _) = self.waiting.drain(..).partition(|record| record.workspace == workspace);
        self.waiting = kept;
        self.wait_from(now);
        Vec::from(taken)
    }

    /// Records that are written before those that wait.
    pub(super) fn put_back(&mut self, records: Vec<AttemptRecord>, now: Instant) {
        for record in records.into_iter().rev() {
            self.waiting.push_front(record);
        }
        self.wait_from(now);
    }

    /// Records that could not be written.
    pub(super) fn set_aside(&mut self, records: Vec<AttemptRecord>, error: &StoreError, now: Instant) {
        self.put_back(records, now);
        self.failed(error, now);
    }

    /// Handles the result of the batch.
    pub(super) fn done(&mut self, result: Result<(), StoreError>, now: Instant) {
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
                self.failed(&error, now);
                if is_refusal {
                    self.refused(&error, now);
                }
            }
        }
    }

    fn failed(&mut self, error: &StoreError, now: Instant) {
        let Some(first) = self.waiting.front() else { return };
        log_fields::of(first.workspace, first.subscription, first.delivery).enter(|| self.backoff.failed(error, now));
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
        self.wait_from(now);
    }

    /// What is left waits as if it had been added now.
    fn wait_from(&mut self, now: Instant) {
        self.since = (!self.waiting.is_empty()).then_some(now);
    }
}
