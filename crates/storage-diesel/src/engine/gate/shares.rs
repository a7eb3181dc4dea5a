//! How a pool is shared.

/// How many connections whom may use, and how many jobs may wait.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Shares {
    /// All connections.
    pub(super) connections: usize,
    /// Those that only look-ups across workspaces may use: credentials must be checked however busy workspaces are.
    pub(super) directory: usize,
    /// The most that one workspace uses while others are active: a third.
    pub(super) workspace: usize,
    /// The most that heavy jobs use together.
    pub(super) heavy: usize,
    /// The most that one workspace's heavy jobs use while others are active.
    pub(super) workspace_heavy: usize,
    /// The most jobs of one workspace that wait.
    pub(super) waiting_of_one: usize,
    /// The most jobs that wait, beside the first of each workspace and look-ups.
    pub(super) waiting: usize,
}

/// Pools from this size keep a connection for look-ups across workspaces.
const WORTH_A_RESERVE: usize = 4;
/// The most jobs of one workspace that wait. Each may hold a request's body.
const WAITING_OF_ONE: usize = 256;
/// From so many waiting jobs on, a workspace has one.
const WAITING: usize = 2_048;

impl Shares {
    /// The shares of a pool with this many connections, of which heavy jobs together use at most `heavy`.
    pub(crate) fn of(connections: usize, heavy: usize) -> Self {
        let connections = connections.max(1);
        let directory = usize::from(connections >= WORTH_A_RESERVE);
        let heavy = heavy.clamp(1, connections - directory);
        Self {
            connections,
            directory,
            workspace: (connections / 3).max(1),
            heavy,
            workspace_heavy: (heavy / 3).max(1),
            waiting_of_one: WAITING_OF_ONE,
            waiting: WAITING,
        }
    }

    /// The most that one workspace uses while it is alone: the next one that comes finds its share free.
    pub(super) fn alone(&self) -> usize {
        (self.connections - self.directory).saturating_sub(self.workspace).max(self.workspace)
    }
}
