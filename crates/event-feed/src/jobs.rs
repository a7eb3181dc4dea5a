//! Background jobs: they assign positions to events, read new events and wake the followers.

use std::sync::Arc;
use std::time::Duration;

use background::{Job, Next};
use domain::WorkspaceId;
use domain::events::{EventFilter, EventMatcher, EventReach, ShownEvent};
use domain::ports::{Clock, EventLogs, EventScan, StoreError};

use crate::queue::NextWorkspace;
use crate::state::Shared;
use crate::{Feed, metrics};

/// The number of jobs that process marked workspaces. Each takes one connection at a time.
const ASSIGNERS: usize = 2;
/// The maximum number of workspaces that one search for missed events returns.
const MAX_MISSED: u32 = 1_000;
/// The number of events per read, and the bytes of their payloads.
const READ_EVENTS: u32 = 500;
const READ_BYTES: u32 = 1024 * 1024;
/// Beyond this many events they are not loaded: they would not fit in memory, so followers read them from the database.
const MAX_BEHIND: i64 = 20_000;

impl Feed {
    /// The jobs that a process with followers runs.
    pub fn jobs(&self, logs: &Arc<dyn EventLogs>, clock: &Arc<dyn Clock>) -> Vec<Job> {
        let every = self.0.limits.poll_interval;
        let with = (Arc::clone(&self.0), Arc::clone(logs), Arc::clone(clock));
        let assigner = || {
            Job::with("assigning positions to events", with.clone(), |(shared, logs, clock)| async move {
                process_next(&shared, &*logs, &*clock).await
            })
            .every(every)
            .woken_by(&self.0.marked)
        };
        let finder = Job::with("finding events without positions", with.clone(), |(shared, logs, _)| async move {
            mark_missed(&shared, &*logs).await
        });
        std::iter::repeat_with(assigner).take(ASSIGNERS).chain([finder.every(every)]).collect()
    }
}

async fn process_next(shared: &Shared, logs: &dyn EventLogs, clock: &dyn Clock) -> Result<Next, StoreError> {
    let workspace = match shared.take() {
        NextWorkspace::Process(workspace) => workspace,
        NextWorkspace::WaitUntil(time) => return Ok(Next::At(time)),
        NextWorkspace::Idle => return Ok(Next::Wait),
    };
    let result = process(shared, logs, clock, workspace).await;
    if result.is_err() {
        shared.mark(workspace);
    }
    shared.done(workspace, !matches!(result, Ok(false)));
    result.map(|_| Next::AtOnce)
}

/// Returns whether there may have been new events. Without followers this is not known, and the result is true.
async fn process(
    shared: &Shared,
    logs: &dyn EventLogs,
    clock: &dyn Clock,
    workspace: WorkspaceId,
) -> Result<bool, StoreError> {
    let last = logs.number(workspace).await?;
    let Some(mut read_to) = shared.read_to(workspace, last) else { return Ok(true) };
    let is_new = last > read_to;
    if last - read_to > MAX_BEHIND {
        read_to = last;
    }
    while read_to < last {
        let scan = logs.scan(workspace, everything(read_to, last)).await?;
        let Some(end) = scan.events.last().map(|event| event.position) else { break };
        let now = clock.now();
        for event in &scan.events {
            metrics::delivered(Duration::try_from(now - event.created_at).unwrap_or_default());
        }
        let events = scan.events.into_iter().map(|event| Arc::new(ShownEvent::from(event))).collect();
        shared.keep(workspace, events);
        shared.announce(workspace, end);
        read_to = end;
    }
    shared.announce(workspace, last);
    Ok(is_new)
}

/// All events after a position, regardless of permissions: each follower gets only those that its caller may read.
fn everything(after: i64, upto: i64) -> EventScan {
    EventScan {
        after,
        upto,
        by_record: false,
        matcher: Arc::new(EventMatcher::new(&EventFilter::default(), None)),
        reach: Arc::new(EventReach::everything()),
        limit: READ_EVENTS,
        bytes: READ_BYTES,
    }
}

/// Marks workspaces with events that have no position yet, such as those of a process that was killed, and followed
/// workspaces in which another process has assigned positions.
async fn mark_missed(shared: &Shared, logs: &dyn EventLogs) -> Result<Next, StoreError> {
    for workspace in logs.unnumbered(MAX_MISSED).await? {
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
