//! A queue of attempts that are written in the same batches.

use std::collections::VecDeque;
use std::time::Duration;

use background::Backoff;
use domain::ports::StoreError;
use domain::webhooks::AttemptRecord;
use domain::{SubscriptionId, WorkspaceId};
use tokio::time::Instant;

use crate::context::store_backoff;
use crate::log_fields;

/// Maximum records per batch.
const BATCH: usize = 128;
/// How long a record waits for others, because writing one costs the database as much as writing twenty. Until it is written, its
/// delivery counts as being sent.
const BATCH_DELAY: Duration = Duration::from_millis(25);
/// How many times a record that the store rejects is tried alone before it is dropped.
const MAX_TRIES: u32 = 3;

/// Records waiting to be written, oldest first.
pub(super) struct Lane {
    /// The first `writing` records are being written.
    waiting: VecDeque<AttemptRecord>,
    writing: usize,
    /// When the oldest record that is not being written was added.
    since: Option<Instant>,
    /// Halved whenever the store rejects a batch, until the rejected record is alone.
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

    /// Whether the last write failed and its records still wait. A record that was dropped does not count.
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

    /// The subscriptions of all records, with repetitions.
    pub(super) fn subscriptions(&self) -> impl Iterator<Item = SubscriptionId> + '_ {
        self.waiting.iter().map(|record| record.subscription)
    }

    /// Ends the batch in place of [`Lane::done`] if the write failed only for some workspaces. Returns the records of the batch.
    pub(super) fn take_written(&mut self, now: Instant) -> Vec<AttemptRecord> {
        let written = self.waiting.drain(..std::mem::take(&mut self.writing)).collect();
        self.wait_from(now);
        self.backoff.succeeded();
        written
    }

    /// Removes and returns the waiting records of a workspace.
    pub(super) fn take_of(&mut self, workspace: WorkspaceId, now: Instant) -> Vec<AttemptRecord> {
        let (taken, kept): (VecDeque<_>, _) = self.waiting.drain(..).partition(|record| record.workspace == workspace);
        self.waiting = kept;
        self.wait_from(now);
        Vec::from(taken)
    }

    /// Puts records in front of those that wait.
    pub(super) fn put_back(&mut self, records: Vec<AttemptRecord>, now: Instant) {
        for record in records.into_iter().rev() {
            self.waiting.push_front(record);
        }
        self.wait_from(now);
    }

    /// Takes over records that could not be written.
    pub(super) fn set_aside(&mut self, records: Vec<AttemptRecord>, error: &StoreError, now: Instant) {
        self.put_back(records, now);
        self.failed(error, now);
    }

    /// Handles the result of the batch.
    pub(super) fn done(&mut self, result: Result<(), StoreError>, now: Instant) {
        let written = std::mem::take(&mut self.writing);
        match result {
            Ok(()) => {
                self.remove_first(written, now);
                (self.batch, self.tries) = ((self.batch * 2).min(BATCH), 0);
                self.backoff.succeeded();
            }
            Err(error) => {
                let is_refusal = matches!(error, StoreError::Internal(_) | StoreError::Duplicate { .. });
                if is_refusal && written > 1 {
                    // One bad record must not block the others, so halve the batch and retry at once.
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

    /// Handles a first record that the store rejects although the store is available.
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
        // Its lease expires, and the delivery is sent again.
        self.remove_first(1, now);
    }

    fn remove_first(&mut self, count: usize, now: Instant) {
        self.waiting.drain(..count);
        // The remaining records arrived during the write, so the oldest has waited at most that long.
        self.wait_from(now);
    }

    /// Counts the waiting time of the remaining records from now.
    fn wait_from(&mut self, now: Instant) {
        self.since = (!self.waiting.is_empty()).then_some(now);
    }
}
