//! How many followers there may be, and how many events are kept for them.

use std::time::Duration;

use domain::Error;

/// Limits of one process.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct FeedLimits {
    /// Followers of one key or session.
    pub per_credential: usize,
    /// Followers of one workspace.
    pub per_workspace: usize,
    /// All followers.
    pub total: usize,
    /// Bytes kept of the newest events of one workspace.
    pub workspace_bytes: usize,
    /// Bytes kept of the newest events of all workspaces.
    pub total_bytes: usize,
    /// How many followers of one workspace may read from the database at the same time.
    pub readers: usize,
    /// How long a workspace waits after its events got positions, so that the next ones are handled together.
    pub pause: Duration,
    /// How often to check for events that this process was not notified of.
    pub poll_interval: Duration,
}

impl Default for FeedLimits {
    fn default() -> Self {
        Self {
            per_credential: 16,
            per_workspace: 200,
            total: 2_000,
            workspace_bytes: 2 * 1024 * 1024,
            total_bytes: 32 * 1024 * 1024,
            readers: 2,
            pause: Duration::from_millis(20),
            poll_interval: Duration::from_secs(1),
        }
    }
}

/// Seconds to wait before another attempt. By then the service has noticed followers that disconnected.
const RETRY_AFTER: i64 = 5;

impl FeedLimits {
    /// # Errors
    /// The bound that one more follower would exceed.
    pub(crate) fn check(&self, of_credential: usize, of_workspace: usize, all: usize) -> Result<(), Error> {
        let bounds = [
            ("this key or session", of_credential, self.per_credential),
            ("this workspace", of_workspace, self.per_workspace),
            ("the service", all, self.total),
        ];
        match bounds.into_iter().find(|(_, has, limit)| has >= limit) {
            Some((of, _, limit)) => Err(Error::TooManyFollowers { of, limit, retry_after: RETRY_AFTER }),
            None => Ok(()),
        }
    }
}
