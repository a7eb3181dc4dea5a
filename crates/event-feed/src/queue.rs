//! Which workspace a job sees to next.

use std::collections::{HashSet, VecDeque};
use std::time::Duration;

use domain::WorkspaceId;
use tokio::time::Instant;

/// Marked workspaces, in the order in which they were marked. One job at a time sees to a workspace, and none for a pause
/// after events were found: what is committed in between is seen to together, in one transaction instead of many.
#[derive(Debug)]
pub(crate) struct Turns {
    pause: Duration,
    marked: HashSet<WorkspaceId>,
    /// The marked ones that a job may take now.
    ready: VecDeque<WorkspaceId>,
    /// Those that a job is seeing to.
    running: HashSet<WorkspaceId>,
    /// Those whose pause has not ended, with its end, in order.
    pausing: VecDeque<(Instant, WorkspaceId)>,
}

/// What a job does next.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Turn {
    /// See to it, and tell [`Turns::done`].
    Of(WorkspaceId),
    /// Nothing before the end of a pause.
    NotBefore(Instant),
    /// Nothing until a workspace is marked.
    Nothing,
}

impl Turns {
    pub(crate) fn new(pause: Duration) -> Self {
        let (marked, running) = (HashSet::new(), HashSet::new());
        Self { pause, marked, ready: VecDeque::new(), running, pausing: VecDeque::new() }
    }

    /// Marks a workspace. Returns whether a waiting job has to look.
    pub(crate) fn mark(&mut self, workspace: WorkspaceId) -> bool {
        // One that is being seen to is looked at again afterwards, so that no two jobs read the same.
        if !self.marked.insert(workspace) || self.running.contains(&workspace) {
            return false;
        }
        if !self.pausing.iter().any(|(_, pausing)| *pausing == workspace) {
            self.ready.push_back(workspace);
        }
        true
    }

    pub(crate) fn take(&mut self, now: Instant) -> Turn {
        while let Some((_, workspace)) = self.pausing.pop_front_if(|(end, _)| *end <= now) {
            if self.marked.contains(&workspace) {
                self.ready.push_back(workspace);
            }
        }
        match self.ready.pop_front() {
            Some(workspace) => {
                self.marked.remove(&workspace);
                self.running.insert(workspace);
                Turn::Of(workspace)
            }
            None => self.next_end().map_or(Turn::Nothing, Turn::NotBefore),
        }
    }

    /// The end of the first pause of a marked workspace.
    fn next_end(&self) -> Option<Instant> {
        self.pausing.iter().find(|(_, workspace)| self.marked.contains(workspace)).map(|(end, _)| *end)
    }

    /// Whether there is work for another job, now or at the end of a pause.
    pub(crate) fn has_more(&self) -> bool {
        !self.ready.is_empty() || self.next_end().is_some()
    }

    /// A job has seen to the workspace, which pauses if events were found.
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
    fn the_first_commit_is_seen_to_at_once_and_those_of_the_pause_together_at_its_end() {
        let (mut turns, start) = (Turns::new(PAUSE), Instant::now());
        assert_eq!(turns.take(start), Turn::Nothing);
        assert!(turns.mark(A));
        assert_eq!(turns.take(start), Turn::Of(A));
        turns.done(A, true, start);
        assert_eq!(turns.take(start), Turn::Nothing, "nothing was committed since");
        assert!(turns.mark(A), "a job learns when the pause ends");
        assert!(!turns.mark(A), "and is told once");
        assert_eq!(turns.take(start + PAUSE / 2), Turn::NotBefore(start + PAUSE));
        assert_eq!(turns.take(start + PAUSE), Turn::Of(A));
        turns.done(A, true, start + PAUSE);
        let later = start + PAUSE * 3;
        assert!(turns.mark(A));
        assert_eq!(turns.take(later), Turn::Of(A), "after a longer pause, at once again");
    }

    #[test]
    fn a_pause_holds_up_no_other_workspace_and_only_after_events() {
        let (mut turns, start) = (Turns::new(PAUSE), Instant::now());
        for workspace in [A, B] {
            assert!(turns.mark(workspace));
        }
        assert_eq!(turns.take(start), Turn::Of(A));
        assert!(turns.has_more());
        turns.done(A, true, start);
        assert!(turns.mark(A));
        assert_eq!(turns.take(start), Turn::Of(B));
        assert!(turns.has_more(), "another job waits for the end of the pause");
        turns.done(B, false, start);
        assert!(turns.mark(B));
        assert_eq!(turns.take(start), Turn::Of(B), "it had no events");
    }

    #[test]
    fn one_job_at_a_time_sees_to_a_workspace_and_what_comes_meanwhile_is_not_forgotten() {
        for found_events in [false, true] {
            let (mut turns, start) = (Turns::new(PAUSE), Instant::now());
            assert!(turns.mark(A));
            assert_eq!(turns.take(start), Turn::Of(A));
            assert!(!turns.mark(A));
            assert_eq!(turns.take(start + PAUSE), Turn::Nothing, "it is being seen to");
            turns.done(A, found_events, start);
            assert_eq!(turns.take(start + PAUSE), Turn::Of(A));
        }
    }
}
