//! State that the jobs and the followers of a process share.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use background::Notifier;
use domain::events::ShownEvent;
use domain::{Error, WorkspaceId};
use tokio::sync::{Semaphore, watch};
use tokio::time::Instant;
use uuid::Uuid;

use crate::limits::FeedLimits;
use crate::metrics;
use crate::queue::{NextWorkspace, WorkspaceQueue};
use crate::ring::Ring;

#[derive(Debug)]
pub(crate) struct Shared {
    pub(crate) limits: FeedLimits,
    pub(crate) numbers_all: bool,
    state: Mutex<State>,
    /// Wakes a job that waits for marked workspaces.
    pub(crate) marked: Notifier,
    /// True when the process is about to stop.
    pub(crate) closed: watch::Sender<bool>,
}

#[derive(Debug)]
struct State {
    followed: HashMap<WorkspaceId, FollowedWorkspace>,
    by_credential: HashMap<Uuid, usize>,
    followers: usize,
    bytes: usize,
    queue: WorkspaceQueue,
}

/// A workspace with followers.
#[derive(Debug)]
struct FollowedWorkspace {
    followers: usize,
    ring: Ring,
    /// The position up to which events were read; `None` before the first read.
    read_to: Option<i64>,
    announced: watch::Sender<i64>,
    readers: Arc<Semaphore>,
}

/// What a follower uses of its workspace.
pub(crate) struct Subscription {
    pub(crate) announced: watch::Receiver<i64>,
    pub(crate) closed: watch::Receiver<bool>,
    pub(crate) readers: Arc<Semaphore>,
}

impl Shared {
    pub(crate) fn new(limits: FeedLimits, numbers_all: bool) -> Self {
        let state = State {
            followed: HashMap::new(),
            by_credential: HashMap::new(),
            followers: 0,
            bytes: 0,
            queue: WorkspaceQueue::new(limits.pause),
        };
        let (marked, closed) = (Notifier::default(), watch::Sender::new(false));
        Self { limits, numbers_all, state: Mutex::new(state), marked, closed }
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// # Errors
    /// [`Error::TooManyFollowers`].
    pub(crate) fn join(&self, workspace: WorkspaceId, credential: Uuid) -> Result<Subscription, Error> {
        let mut state = self.lock();
        let of_credential = state.by_credential.get(&credential).copied().unwrap_or_default();
        let of_workspace = state.followed.get(&workspace).map_or(0, |followed| followed.followers);
        self.limits.check(of_credential, of_workspace, state.followers)?;
        *state.by_credential.entry(credential).or_default() += 1;
        state.followers += 1;
        let followed = state.followed.entry(workspace).or_insert_with(|| FollowedWorkspace {
            followers: 0,
            ring: Ring::default(),
            read_to: None,
            announced: watch::Sender::new(0),
            readers: Arc::new(Semaphore::new(self.limits.readers)),
        });
        followed.followers += 1;
        let subscription = Subscription {
            announced: followed.announced.subscribe(),
            closed: self.closed.subscribe(),
            readers: Arc::clone(&followed.readers),
        };
        let is_first = followed.followers == 1;
        drop(state);
        metrics::joined();
        if is_first {
            self.mark(workspace);
        }
        Ok(subscription)
    }

    pub(crate) fn leave(&self, workspace: WorkspaceId, credential: Uuid) {
        let mut state = self.lock();
        state.followers -= 1;
        if let Some(count) = state.by_credential.get_mut(&credential) {
            *count -= 1;
            if *count == 0 {
                state.by_credential.remove(&credential);
            }
        }
        if let Some(followed) = state.followed.get_mut(&workspace) {
            followed.followers -= 1;
            if followed.followers == 0 {
                let bytes = followed.ring.bytes();
                state.followed.remove(&workspace);
                state.bytes -= bytes;
                metrics::kept(state.bytes);
            }
        }
        drop(state);
        metrics::left();
    }

    /// All events after a position, if they are in memory.
    pub(crate) fn recent(&self, workspace: WorkspaceId, position: i64) -> Option<Vec<Arc<ShownEvent>>> {
        self.lock().followed.get(&workspace)?.ring.after(position)
    }

    pub(crate) fn mark_followed(&self, workspace: WorkspaceId) {
        let is_followed = self.lock().followed.contains_key(&workspace);
        if is_followed {
            self.mark(workspace);
        }
    }

    /// Queues the workspace for a job.
    pub(crate) fn mark(&self, workspace: WorkspaceId) {
        let must_wake = self.lock().queue.mark(workspace);
        if must_wake {
            self.marked.notify();
        }
    }

    /// What a job should do next.
    pub(crate) fn take(&self) -> NextWorkspace {
        let mut state = self.lock();
        let next = state.queue.take(Instant::now());
        let has_more = state.queue.has_more();
        drop(state);
        // This job is now busy, and no other job may know of the remaining workspaces.
        if has_more && matches!(next, NextWorkspace::Process(_)) {
            self.marked.notify();
        }
        next
    }

    /// Called by a job when it has processed the workspace.
    pub(crate) fn done(&self, workspace: WorkspaceId, found_events: bool) {
        self.lock().queue.done(workspace, found_events, Instant::now());
    }

    /// The position up to which the workspace's events were read; `None` without followers. A workspace with its first follower
    /// starts at `last`: it needs no older events.
    pub(crate) fn read_to(&self, workspace: WorkspaceId, last: i64) -> Option<i64> {
        let mut state = self.lock();
        let followed = state.followed.get_mut(&workspace)?;
        let read_to = *followed.read_to.get_or_insert(last);
        drop(state);
        Some(read_to)
    }

    /// Keeps events for the followers of the workspace.
    pub(crate) fn keep(&self, workspace: WorkspaceId, events: Vec<Arc<ShownEvent>>) {
        let mut state = self.lock();
        let State { followed, bytes, .. } = &mut *state;
        let Some(FollowedWorkspace { ring, .. }) = followed.get_mut(&workspace) else { return };
        let others = *bytes - ring.bytes();
        let max_bytes = self.limits.workspace_bytes.min(self.limits.total_bytes.saturating_sub(others));
        for event in events {
            ring.push(event, max_bytes);
        }
        *bytes = others + ring.bytes();
        metrics::kept(*bytes);
    }

    /// Announces to the followers of the workspace that there are events up to a position.
    pub(crate) fn announce(&self, workspace: WorkspaceId, position: i64) {
        if let Some(followed) = self.lock().followed.get_mut(&workspace) {
            followed.read_to = Some(position);
            followed.announced.send_if_modified(|announced| {
                let is_later = position > *announced;
                *announced = position.max(*announced);
                is_later
            });
        }
    }

    /// The workspaces with followers, each with the position up to which its events were read.
    pub(crate) fn followed(&self) -> HashMap<WorkspaceId, Option<i64>> {
        self.lock().followed.iter().map(|(id, followed)| (*id, followed.read_to)).collect()
    }
}
