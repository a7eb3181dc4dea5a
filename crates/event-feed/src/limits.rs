//! How many may follow, and how much is kept for them.

use std::time::Duration;

use domain::Error;

/// Bounds of one process.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct FeedLimits {
    /// Followers of one key or session.
    pub per_credential: usize,
    /// Followers of one workspace.
    pub per_workspace: usize,
    /// All followers.
    pub total: usize,
    /// Bytes of the newest events of a workspace.
    pub workspace_bytes: usize,
    /// Bytes of the newest events of all workspaces.
    pub total_bytes: usize,
    /// How many followers of a workspace read from the database at a time.
    pub readers: usize,
    /// After events of a workspace got positions, the next ones of that workspace wait for so long, to get them together.
    pub pause: Duration,
    /// How often events are looked for that nobody told this process of.
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

/// Seconds after which another try is worth it: a follower who has gone is noticed by then.
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
