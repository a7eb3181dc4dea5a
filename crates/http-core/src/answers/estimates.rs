//! Estimates the size of an answer before it is made.

use domain::WorkspaceId;
use quick_cache::sync::Cache;

/// For a list that its workspace has not read lately.
const UNKNOWN: usize = 256 * 1024;
/// Even an empty answer needs memory for rows and buffers.
const MIN_ESTIMATE: usize = 16 * 1024;
/// While an answer is built, its rows are in memory as well.
const BUILD_FACTOR: usize = 2;
/// Maximum number of workspace and route pairs that are remembered.
const MAX_REMEMBERED: usize = 16_384;

/// The recent sizes of answers, per workspace and route.
#[derive(Debug)]
pub(crate) struct Estimates(Cache<(Option<WorkspaceId>, &'static str), usize>);

impl Default for Estimates {
    fn default() -> Self {
        Self(Cache::new(MAX_REMEMBERED))
    }
}

impl Estimates {
    /// The bytes to reserve for an answer before it is made. Only reads have large answers.
    pub(crate) fn of(&self, workspace: Option<WorkspaceId>, route: &'static str, is_read: bool) -> usize {
        if !is_read {
            return MIN_ESTIMATE;
        }
        self.0.get(&(workspace, route)).map_or(UNKNOWN, |size| (size * BUILD_FACTOR).max(MIN_ESTIMATE))
    }

    /// Records the size of an answer: a larger one raises the estimate at once, a smaller one lowers it gradually.
    pub(crate) fn learn(&self, workspace: Option<WorkspaceId>, route: &'static str, size: usize) {
        let known = self.0.get(&(workspace, route)).unwrap_or_default();
        let next = size.max(known - known / 8);
        if next != known {
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
        let (here, route) = (Some(WorkspaceId(uuid::Uuid::nil())), "/lists");
        assert_eq!(estimates.of(here, route, true), UNKNOWN);
        assert_eq!(estimates.of(here, route, false), MIN_ESTIMATE);
        estimates.learn(here, route, 8_000_000);
        assert_eq!(estimates.of(here, route, true), 16_000_000);
        assert_eq!((estimates.of(None, route, true), estimates.of(here, "/other", true)), (UNKNOWN, UNKNOWN));
        estimates.learn(here, route, 1_000);
        assert_eq!(estimates.of(here, route, true), 14_000_000);
        for _ in 0..100 {
            estimates.learn(here, route, 1_000);
        }
        assert_eq!(estimates.of(here, route, true), MIN_ESTIMATE);
    }
}
