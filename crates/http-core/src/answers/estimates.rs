//! Estimates the size of a response before it is built.

use domain::WorkspaceId;
use quick_cache::sync::Cache;

/// For a route that the workspace has not called recently.
const DEFAULT_ESTIMATE: usize = 256 * 1024;
/// Even an empty response needs memory for rows and buffers.
const MIN_ESTIMATE: usize = 16 * 1024;
/// While a response is built, its rows are in memory as well.
const BUILD_FACTOR: usize = 2;
/// Maximum number of workspace and route pairs that are remembered.
const MAX_REMEMBERED: usize = 16_384;

/// The recent sizes of responses, per workspace and route.
#[derive(Debug)]
pub(crate) struct Estimates(Cache<(Option<WorkspaceId>, &'static str), usize>);

impl Default for Estimates {
    fn default() -> Self {
        Self(Cache::new(MAX_REMEMBERED))
    }
}

impl Estimates {
    /// The bytes to reserve for a response before it is built. Only reads have large responses.
    pub(crate) fn bytes_for(&self, workspace: Option<WorkspaceId>, route: &'static str, is_read: bool) -> usize {
        if !is_read {
            return MIN_ESTIMATE;
        }
        self.0.get(&(workspace, route)).map_or(DEFAULT_ESTIMATE, |size| (size * BUILD_FACTOR).max(MIN_ESTIMATE))
    }

    /// Records the size of a response: a larger one raises the estimate at once, a smaller one lowers it gradually.
    pub(crate) fn learn(&self, workspace: Option<WorkspaceId>, route: &'static str, size: usize) {
        let current = self.0.get(&(workspace, route)).unwrap_or_default();
        let next = size.max(current - current / 8);
        if next != current {
            self.0.insert((workspace, route), next);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_estimate_rises_at_once_and_falls_slowly() {
        let estimates = Estimates::default();
        let (workspace, route) = (Some(WorkspaceId(uuid::Uuid::nil())), "/lists");
        assert_eq!(estimates.bytes_for(workspace, route, true), DEFAULT_ESTIMATE);
        assert_eq!(estimates.bytes_for(workspace, route, false), MIN_ESTIMATE);
        estimates.learn(workspace, route, 8_000_000);
        assert_eq!(estimates.bytes_for(workspace, route, true), 16_000_000);
        assert_eq!(
            (estimates.bytes_for(None, route, true), estimates.bytes_for(workspace, "/other", true)),
            (DEFAULT_ESTIMATE, DEFAULT_ESTIMATE)
        );
        estimates.learn(workspace, route, 1_000);
        assert_eq!(estimates.bytes_for(workspace, route, true), 14_000_000);
        for _ in 0..100 {
            estimates.learn(workspace, route, 1_000);
        }
        assert_eq!(estimates.bytes_for(workspace, route, true), MIN_ESTIMATE);
    }
}
