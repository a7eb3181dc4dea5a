//! How many exports run at a time.

use std::collections::HashMap;
use std::sync::{LazyLock, Mutex, MutexGuard, PoisonError};

use domain::transfer::MAX_RUNNING_EXPORTS;
use domain::{Error, WorkspaceId};

/// When to try again, in seconds: an export of some thousand records takes about as long.
const RETRY_AFTER: i64 = 5;

/// The exports of this process that are running, by workspace.
static RUNNING: LazyLock<Mutex<HashMap<WorkspaceId, usize>>> = LazyLock::new(Mutex::default);

/// One running export; it ends when this is dropped.
#[derive(Debug)]
pub(crate) struct RunningExport(WorkspaceId);

impl RunningExport {
    /// # Errors
    /// [`Error::TooManyExports`] if as many of the workspace are running as may at a time.
    pub(crate) fn begin(workspace: WorkspaceId) -> Result<Self, Error> {
        let mut running = running();
        let count = running.entry(workspace).or_default();
        if *count >= MAX_RUNNING_EXPORTS {
            return Err(Error::TooManyExports { limit: MAX_RUNNING_EXPORTS, retry_after: RETRY_AFTER });
        }
        *count += 1;
        Ok(Self(workspace))
    }
}

impl Drop for RunningExport {
    fn drop(&mut self) {
        let mut running = running();
        if let Some(count) = running.get_mut(&self.0) {
            *count -= 1;
            if *count == 0 {
                running.remove(&self.0);
            }
        }
    }
}

fn running() -> MutexGuard<'static, HashMap<WorkspaceId, usize>> {
    RUNNING.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests {
    use uuid::Uuid;

    use super::*;

    #[test]
    fn a_workspace_has_two_at_a_time_and_keeps_no_place_afterwards() {
        let (own, other) = (WorkspaceId(Uuid::from_u128(1)), WorkspaceId(Uuid::from_u128(2)));
        let first = RunningExport::begin(own).unwrap();
        let _second = RunningExport::begin(own).unwrap();
        assert!(matches!(RunningExport::begin(own), Err(Error::TooManyExports { limit: 2, retry_after: 5 })));
        assert!(RunningExport::begin(other).is_ok(), "others have their own");
        drop(first);
        assert!(RunningExport::begin(own).is_ok());
        assert_eq!(running().get(&other), None);
    }
}
