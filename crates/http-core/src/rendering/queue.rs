//! Work that waits for a thread. Workspaces take turns, and callers take turns within their workspace.

use std::collections::VecDeque;

use domain::WorkspaceId;

use crate::answers::Owner;

/// Maximum number of waiting jobs per caller. A browser that restores its tabs sends this many requests at once.
const MAX_PER_CALLER: usize = 8;
/// Maximum per workspace; all callers without a workspace share one such limit.
const MAX_PER_WORKSPACE: usize = 32;
/// Maximum for the process.
const MAX_WAITING: usize = 256;

/// Whether work may be refused.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Admission {
    /// Work is refused if the queue is full.
    Bounded,
    /// Work is always queued; its amount is bounded elsewhere.
    Always,
}

/// The queue is full.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Full;

#[derive(Debug)]
pub(super) struct FairQueue<J> {
    workspaces: VecDeque<Workspace<J>>,
}

#[derive(Debug)]
struct Workspace<J> {
    /// `None` for callers without a credential.
    id: Option<WorkspaceId>,
    callers: VecDeque<Caller<J>>,
}

#[derive(Debug)]
struct Caller<J> {
    owner: Owner,
    jobs: VecDeque<J>,
}

impl<J> Default for FairQueue<J> {
    fn default() -> Self {
        Self { workspaces: VecDeque::new() }
    }
}

impl<J> Workspace<J> {
    fn len(&self) -> usize {
        self.callers.iter().map(|caller| caller.jobs.len()).sum()
    }
}

impl<J> FairQueue<J> {
    pub(super) fn len(&self) -> usize {
        self.workspaces.iter().map(Workspace::len).sum()
    }

    /// Adds a job behind the others of its caller. Fails with [`Full`] if the caller, its workspace or the process has
    /// too many.
    pub(super) fn push(&mut self, owner: Owner, admission: Admission, job: J) -> Result<(), Full> {
        let is_bounded = admission == Admission::Bounded;
        if is_bounded && self.len() >= MAX_WAITING {
            return Err(Full);
        }
        let id = owner.workspace();
        let Some(workspace) = self.workspaces.iter_mut().find(|workspace| workspace.id == id) else {
            let callers = VecDeque::from([Caller { owner, jobs: VecDeque::from([job]) }]);
            self.workspaces.push_back(Workspace { id, callers });
            return Ok(());
        };
        if is_bounded && workspace.len() >= MAX_PER_WORKSPACE {
            return Err(Full);
        }
        match workspace.callers.iter_mut().find(|caller| caller.owner == owner) {
            Some(caller) if is_bounded && caller.jobs.len() >= MAX_PER_CALLER => return Err(Full),
            Some(caller) => caller.jobs.push_back(job),
            None => workspace.callers.push_back(Caller { owner, jobs: VecDeque::from([job]) }),
        }
        Ok(())
    }

    /// The next job. Its workspace, and its caller within the workspace, go to the back of the queue.
    pub(super) fn pop(&mut self) -> Option<J> {
        let mut workspace = self.workspaces.pop_front()?;
        let mut caller = workspace.callers.pop_front()?;
        let job = caller.jobs.pop_front();
        if !caller.jobs.is_empty() {
            workspace.callers.push_back(caller);
        }
        if !workspace.callers.is_empty() {
            self.workspaces.push_back(workspace);
        }
        job
    }
}

#[cfg(test)]
mod tests {
    use uuid::Uuid;

    use super::*;

    fn caller(workspace: u128, credential: u128) -> Owner {
        Owner::Credential {
            credential: Uuid::from_u128(credential),
            workspace: WorkspaceId(Uuid::from_u128(workspace)),
        }
    }

    #[test]
    fn workspaces_take_turns_and_their_callers_do_too() {
        let mut queue = FairQueue::default();
        for (workspace, credential, job) in
            [(1, 10, "a1"), (1, 10, "a2"), (1, 10, "a3"), (1, 11, "b1"), (2, 20, "c1"), (2, 20, "c2")]
        {
            queue.push(caller(workspace, credential), Admission::Bounded, job).unwrap();
        }
        let order: Vec<_> = std::iter::from_fn(|| queue.pop()).collect();
        assert_eq!(order, ["a1", "c1", "b1", "c2", "a2", "a3"]);
        assert_eq!(queue.len(), 0);
    }

    #[test]
    fn callers_workspaces_and_the_process_have_limits() {
        let mut queue = FairQueue::default();
        let mut add = |workspace, credential| queue.push(caller(workspace, credential), Admission::Bounded, ());
        for _ in 0..MAX_PER_CALLER {
            add(1, 10).unwrap();
        }
        assert_eq!(add(1, 10), Err(Full), "the caller");
        for number in MAX_PER_CALLER..MAX_PER_WORKSPACE {
            add(1, 100 + number as u128).unwrap();
        }
        assert_eq!(add(1, 11), Err(Full), "the workspace");
        for number in MAX_PER_WORKSPACE..MAX_WAITING {
            add(1_000 + number as u128, 1).unwrap();
        }
        assert_eq!(add(3, 1), Err(Full), "the process");
        assert_eq!(queue.push(caller(1, 10), Admission::Always, ()), Ok(()), "work that has started is always queued");
        queue.pop().unwrap();
        queue.pop().unwrap();
        assert_eq!(queue.push(caller(3, 1), Admission::Bounded, ()), Ok(()));
    }
}
