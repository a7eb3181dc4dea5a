//! The background work: giving positions, reading what is new, telling followers.

use std::sync::Arc;
use std::time::Duration;

use background::{Job, Next};
use domain::WorkspaceId;
use domain::events::{EventFilter, EventMatcher, EventReach, ShownEvent};
use domain::ports::{Clock, EventLogs, EventScan, StoreError};

use crate::state::Shared;
use crate::turns::Turn;
use crate::{Feed, metrics};

/// Jobs that see to marked workspaces, each with a connection at a time.
const NUMBERERS: usize = 2;
/// How many workspaces a look finds at most.
const LOOKS_AT: u32 = 1_000;
/// How many events are read at once, and how many bytes of payloads.
const READ_AT_ONCE: u32 = 500;
const READ_BYTES: u32 = 1024 * 1024;
/// Whoever is further behind reads from the database: so much would not stay in memory.
const LEFT_OUT: i64 = 20_000;

impl Feed {
    /// The jobs that a process with followers runs.
    pub fn jobs(&self, logs: &Arc<dyn EventLogs>, clock: &Arc<dyn Clock>) -> Vec<Job> {
        let every = self.0.limits.poll_interval;
        let numberer = || {
            let (shared, logs, clock) = (Arc::clone(&self.0), Arc::clone(logs), Arc::clone(clock));
            let step = move || {
                let (shared, logs, clock) = (Arc::clone(&shared), Arc::clone(&logs), Arc::clone(&clock));
                async move { see_to_next(&shared, &*logs, &*clock).await }
            };
            Job::new("assigning positions to events", step).every(every).woken_by(&self.0.marked)
        };
        let (shared, logs) = (Arc::clone(&self.0), Arc::clone(logs));
        let look = move || {
            let (shared, logs) = (Arc::clone(&shared), Arc::clone(&logs));
            async move { look_for_missed(&shared, &*logs).await }
        };
        let looking = Job::new("finding events without positions", look).every(every);
        std::iter::repeat_with(numberer).take(NUMBERERS).chain([looking]).collect()
    }
}

async fn see_to_next(shared: &Shared, logs: &dyn EventLogs, clock: &dyn Clock) -> Result<Next, StoreError> {
    let workspace = match shared.take() {
        Turn::Of(workspace) => workspace,
        Turn::NotBefore(time) => return Ok(Next::At(time)),
        Turn::Nothing => return Ok(Next::Wait),
    };
    let done = see_to(shared, logs, clock, workspace).await;
    if done.is_err() {
        shared.mark(workspace);
    }
    shared.done(workspace, !matches!(done, Ok(false)));
    done.map(|_| Next::AtOnce)
}

/// Returns whether there may have been new events: of a workspace that nobody follows, it is not known.
async fn see_to(
    shared: &Shared,
    logs: &dyn EventLogs,
    clock: &dyn Clock,
    workspace: WorkspaceId,
) -> Result<bool, StoreError> {
    let last = logs.number(workspace).await?;
    let Some(mut read_to) = shared.read_to(workspace, last) else { return Ok(true) };
    let is_new = last > read_to;
    if last - read_to > LEFT_OUT {
        read_to = last;
    }
    while read_to < last {
        let found = logs.scan(workspace, everything(read_to, last)).await?;
        let Some(end) = found.events.last().map(|event| event.position) else { break };
        let now = clock.now();
        for event in &found.events {
            metrics::told(Duration::try_from(now - event.created_at).unwrap_or_default());
        }
        let shown = found.events.into_iter().map(|event| Arc::new(ShownEvent::from(event))).collect();
        shared.keep(workspace, shown);
        shared.tell(workspace, end);
        read_to = end;
    }
    shared.tell(workspace, last);
    Ok(is_new)
}

/// All events behind a position, whoever may read them: each follower sees those that its caller may.
fn everything(after: i64, upto: i64) -> EventScan {
    EventScan {
        after,
        upto,
        by_record: false,
        matcher: Arc::new(EventMatcher::of(&EventFilter::default(), None)),
        reach: Arc::new(EventReach::everything()),
        limit: READ_AT_ONCE,
        bytes: READ_BYTES,
    }
}

/// Marks the workspaces with events that got no position, as those of a process that was killed, and the followed ones in
/// which another process has given positions.
async fn look_for_missed(shared: &Shared, logs: &dyn EventLogs) -> Result<Next, StoreError> {
    for workspace in logs.unnumbered(LOOKS_AT).await? {
        shared.mark(workspace);
    }
    let followed = shared.followed();
    if !followed.is_empty() {
        for (workspace, last) in logs.last_positions(followed.keys().copied().collect()).await? {
            let is_read =
                followed.get(&workspace).is_some_and(|read_to| read_to.is_some_and(|read_to| read_to >= last));
            if !is_read {
                shared.mark(workspace);
            }
        }
    }
    Ok(Next::Wait)
}
