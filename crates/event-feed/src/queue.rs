//! The workspaces that jobs process next.

use std::collections::{HashSet, VecDeque};
use std::time::Duration;

use domain::WorkspaceId;
use tokio::time::Instant;

/// Marked workspaces, in the order in which they were marked. Only one job at a time processes a workspace. After a workspace
/// had events, it pauses, so that everything committed during the pause is processed in one transaction instead of many.
#[derive(Debug)]
pub(crate) struct WorkspaceQueue {
    pause: Duration,
    marked: HashSet<WorkspaceId>,
    /// Marked workspaces that a job may take now.
    ready: VecDeque<WorkspaceId>,
    /// Workspaces that a job is processing.
    running: HashSet<WorkspaceId>,
    /// Workspaces that pause, with the end of each pause, in order.
    pausing: VecDeque<(Instant, WorkspaceId)>,
}

/// What a job should do next.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum NextWorkspace {
    /// Process this workspace, then call [`WorkspaceQueue::done`].
    Process(WorkspaceId),
    /// Wait until the end of a pause.
    WaitUntil(Instant),
    /// Wait until a workspace is marked.
    Idle,
}

impl WorkspaceQueue {
    pub(crate) fn new(pause: Duration) -> Self {
        let (marked, running) = (HashSet::new(), HashSet::new());
        Self { pause, marked, ready: VecDeque::new(), running, pausing: VecDeque::new() }
    }

    /// Marks a workspace. Returns whether a waiting job must wake up.
    pub(crate) fn mark(&mut self, workspace: WorkspaceId) -> bool {
        // A workspace in progress is queued again when it is done, so that no two jobs read the same events.
        if !self.marked.insert(workspace) || self.running.contains(&workspace) {
            return false;
        }
        if !self.pausing.iter().any(|(_, pausing)| *pausing == workspace) {
            self.ready.push_back(workspace);
        }
        true
    }

    pub(crate) fn take(&mut self, now: Instant) -> NextWorkspace {
        while let Some((_, workspace)) = self.pausing.pop_front_if(|(end, _)| *end <= now) {
            if self.marked.contains(&workspace) {
                self.ready.push_back(workspace);
            }
        }
        match self.ready.pop_front() {
            Some(workspace) => {
                self.marked.remove(&workspace);
                self.running.insert(workspace);
                NextWorkspace::Process(workspace)
            }
            None => self.next_end().map_or(NextWorkspace::Idle, NextWorkspace::WaitUntil),
        }
    }

    /// The end of the first pause of a marked workspace.
    fn next_end(&self) -> Option<Instant> {
        self.pausing.iter().find(|(_, workspace)| self.marked.contains(workspace)).map(|(end, _)| *end)
    }

    /// Whether there is work for another job, now or after a pause.
    pub(crate) fn has_more(&self) -> bool {
        !self.ready.is_empty() || self.next_end().is_some()
    }

    /// Called by a job when it has processed the workspace, which then pauses if events were found.
    pub(crate) fn done(&mut self, workspace: WorkspaceId, found_events: bool, now: Instant) {
        self.running.remove(&workspace);
        if found_events {
            self.pausing.push_back((now + self.pause, workspace));
        } else if self.marked.contains(&workspace) {
            self.ready.push_back(workspace);
        }
    }
}

#[cfg(test)]
mod tests {
    use uuid::Uuid;

    use super::*;

    const PAUSE: Duration = Duration::from_millis(20);
    const A: WorkspaceId = WorkspaceId(Uuid::from_u128(1));
    const B: WorkspaceId = WorkspaceId(Uuid::from_u128(2));

    #[test]
    fn the_first_commit_is_processed_at_once_and_those_during_the_pause_together() {
        let (mut queue, start) = (WorkspaceQueue::new(PAUSE), Instant::now());
        assert_eq!(queue.take(start), NextWorkspace::Idle);
        assert!(queue.mark(A));
        assert_eq!(queue.take(start), NextWorkspace::Process(A));
        queue.done(A, true, start);
        assert_eq!(queue.take(start), NextWorkspace::Idle, "nothing was committed since");
        assert!(queue.mark(A), "a job must wait for the end of the pause");
        assert!(!queue.mark(A), "a second mark wakes no job");
        assert_eq!(queue.take(start + PAUSE / 2), NextWorkspace::WaitUntil(start + PAUSE));
        assert_eq!(queue.take(start + PAUSE), NextWorkspace::Process(A));
        queue.done(A, true, start + PAUSE);
        let later = start + PAUSE * 3;
        assert!(queue.mark(A));
        assert_eq!(queue.take(later), NextWorkspace::Process(A), "at once after a longer pause");
    }

    #[test]
    fn a_workspace_pauses_only_after_events_and_delays_no_other() {
        let (mut queue, start) = (WorkspaceQueue::new(PAUSE), Instant::now());
        for workspace in [A, B] {
            assert!(queue.mark(workspace));
        }
        assert_eq!(queue.take(start), NextWorkspace::Process(A));
        assert!(queue.has_more());
        queue.done(A, true, start);
        assert!(queue.mark(A));
        assert_eq!(queue.take(start), NextWorkspace::Process(B));
        assert!(queue.has_more(), "another job waits for the end of the pause");
        queue.done(B, false, start);
        assert!(queue.mark(B));
        assert_eq!(queue.take(start), NextWorkspace::Process(B), "no pause without events");
    }

    #[test]
    fn one_job_at_a_time_processes_a_workspace_and_later_marks_are_kept() {
        for found_events in [false, true] {
            let (mut queue, start) = (WorkspaceQueue::new(PAUSE), Instant::now());
            assert!(queue.mark(A));
            assert_eq!(queue.take(start), NextWorkspace::Process(A));
            assert!(!queue.mark(A));
            assert_eq!(queue.take(start + PAUSE), NextWorkspace::Idle, "it is being processed");
            queue.done(A, found_events, start);
            assert_eq!(queue.take(start + PAUSE), NextWorkspace::Process(A));
        }
    }
}
