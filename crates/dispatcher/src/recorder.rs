//! Attempts that are not yet recorded in the database.

mod lane;

use std::collections::BTreeMap;

use domain::ports::{StoreError, Unrecorded};
use domain::webhooks::AttemptRecord;
use domain::{SubscriptionId, WorkspaceId};
use tokio::time::Instant;

use lane::Lane;

/// If this many workspaces are set aside, the store itself counts as failing.
const MAX_ASIDE: usize = 16;

/// Collects records and schedules the batches in which they are written. One batch is written at a time. In
/// parallel with it, one batch of a workspace that was set aside may be written, because that may take long.
pub(crate) struct Recorder {
    main: Lane,
    /// Workspaces whose records the store could not write, while it may be able to write others. Each has its own batches.
    aside: BTreeMap<WorkspaceId, Lane>,
    /// The workspace set aside whose batch is being written.
    writing_aside: Option<WorkspaceId>,
}

impl Recorder {
    pub(crate) fn new() -> Self {
        Self { main: Lane::new("recording webhook attempts"), aside: BTreeMap::new(), writing_aside: None }
    }

    pub(crate) fn len(&self) -> usize {
        self.main.len() + self.aside.values().map(Lane::len).sum::<usize>()
    }

    /// Whether the last write failed for all workspaces, or for too many.
    pub(crate) fn is_failing(&self) -> bool {
        self.main.is_failing() || self.aside.len() >= MAX_ASIDE
    }

    /// Subscriptions of workspaces that are set aside. Further attempts for them would only have to wait, too.
    pub(crate) fn set_aside(&self) -> impl Iterator<Item = SubscriptionId> + '_ {
        self.aside.values().flat_map(Lane::subscriptions)
    }

    pub(crate) fn add(&mut self, record: AttemptRecord, now: Instant) {
        self.aside.get_mut(&record.workspace).unwrap_or(&mut self.main).add(record, now);
    }

    /// When the next batch is due; `None` if nothing waits to be written. `is_ending` means that no more records will follow, so that
    /// the batch need not wait for them.
    pub(crate) fn due_at(&self, is_ending: bool, now: Instant) -> Option<Instant> {
        let main_due = self.main.due_at(is_ending, now);
        main_due.into_iter().chain(self.next_aside(is_ending, now).map(|(at, _)| at)).min()
    }

    fn next_aside(&self, is_ending: bool, now: Instant) -> Option<(Instant, WorkspaceId)> {
        let due = self.aside.iter().filter_map(|(id, lane)| Some((lane.due_at(is_ending, now)?, *id)));
        due.filter(|_| self.writing_aside.is_none()).min_by_key(|(at, _)| *at)
    }

    /// Starts the next batch if it is due. [`Recorder::done`] must follow.
    pub(crate) fn begin(&mut self, is_ending: bool, now: Instant) -> Option<Vec<AttemptRecord>> {
        self.main.due_at(is_ending, now).filter(|at| *at <= now).map(|_| self.main.begin())
    }

    /// Starts a batch of a workspace that was set aside, if one is due. [`Recorder::done_aside`] must follow.
    pub(crate) fn begin_aside(&mut self, is_ending: bool, now: Instant) -> Option<Vec<AttemptRecord>> {
        let (_, id) = self.next_aside(is_ending, now).filter(|(at, _)| *at <= now)?;
        self.writing_aside = Some(id);
        self.aside.get_mut(&id).map(Lane::begin)
    }

    /// Handles the result of the batch of a workspace that was set aside. Returns whether the workspace is no longer set aside.
    pub(crate) fn done_aside(&mut self, result: Result<(), Unrecorded>, now: Instant) -> bool {
        let Some(id) = self.writing_aside.take() else { return false };
        let Some(lane) = self.aside.get_mut(&id) else { return false };
        lane.done(result.map_err(single_error), now);
        let is_empty = lane.len() == 0;
        if is_empty {
            self.aside.remove(&id);
        }
        is_empty
    }

    /// Handles the result of the batch that [`Recorder::begin`] started.
    pub(crate) fn done(&mut self, result: Result<(), Unrecorded>, now: Instant) {
        let unrecorded = match result {
            Ok(()) => return self.main.done(Ok(()), now),
            Err(Unrecorded::All(error)) => return self.main.done(Err(error), now),
            Err(Unrecorded::Workspaces(unrecorded)) => unrecorded,
        };
        let mut batch = BTreeMap::<_, Vec<_>>::new();
        for record in self.main.take_written(now) {
            batch.entry(record.workspace).or_default().push(record);
        }
        for (id, error) in unrecorded {
            let mut records = batch.remove(&id).unwrap_or_default();
            match error {
                None => self.main.put_back(records, now),
                Some(error) => {
                    records.extend(self.main.take_of(id, now));
                    let lane = self.aside.entry(id).or_insert_with(|| Lane::new(ASIDE));
                    lane.set_aside(records, &error, now);
                }
            }
        }
    }
}

const ASIDE: &str = "recording the webhook attempts of a workspace";

/// The error of a batch with a single workspace.
fn single_error(error: Unrecorded) -> StoreError {
    match error {
        Unrecorded::All(error) => error,
        Unrecorded::Workspaces(unrecorded) => {
            unrecorded.into_iter().find_map(|(_, error)| error).unwrap_or(StoreError::Contended)
        }
    }
}
