//! How a pool is shared.

/// Limits on connections and on waiting jobs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Shares {
    /// The size of the pool.
    pub(super) connections: usize,
    /// Connections reserved for look-ups across workspaces: credentials must be checked however busy workspaces are.
    pub(super) directory: usize,
    /// Maximum for one workspace while others are active: a third.
    pub(super) workspace: usize,
    /// Maximum for all heavy jobs together.
    pub(super) heavy: usize,
    /// Maximum for one workspace's heavy jobs while others are active.
    pub(super) workspace_heavy: usize,
    /// Maximum number of waiting jobs of one workspace.
    pub(super) waiting_of_one: usize,
    /// Maximum number of waiting jobs, not counting the first job of each workspace and look-ups.
    pub(super) waiting: usize,
}

/// Pools of at least this size reserve a connection for look-ups across workspaces.
const MIN_POOL_WITH_RESERVE: usize = 4;
/// Maximum number of waiting jobs of one workspace. Each may hold a request's body.
const MAX_WAITING_PER_WORKSPACE: usize = 256;
/// When this many jobs are waiting, a workspace may have only one waiting job.
const MAX_WAITING: usize = 2_048;

impl Shares {
    /// The shares of a pool with this many connections, of which heavy jobs may use at most `heavy`.
    pub(crate) fn of(connections: usize, heavy: usize) -> Self {
        let connections = connections.max(1);
        let directory = usize::from(connections >= MIN_POOL_WITH_RESERVE);
        let heavy = heavy.clamp(1, connections - directory);
        Self {
            connections,
            directory,
            workspace: (connections / 3).max(1),
            heavy,
            workspace_heavy: (heavy / 3).max(1),
            waiting_of_one: MAX_WAITING_PER_WORKSPACE,
            waiting: MAX_WAITING,
        }
    }

    /// Maximum for a workspace while no other is active: the next active workspace finds its share free.
    pub(super) fn lone_workspace(&self) -> usize {
        (self.connections - self.directory).saturating_sub(self.workspace).max(self.workspace)
    }
}
