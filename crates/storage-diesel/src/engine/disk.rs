//! Whether the disk of the database is full.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use domain::ports::StoreError;

/// How long the disk counts as full after a failed write, if no trial write is possible.
const REMEMBERED: Duration = Duration::from_secs(10);

/// The process's last write that failed because the disk was full, shared by its stores. Cheap to clone.
#[derive(Debug, Clone, Default)]
pub struct DiskState(Arc<Mutex<Option<Failure>>>);

#[derive(Debug, Clone)]
struct Failure {
    at: Instant,
    reason: String,
}

impl DiskState {
    fn failure(&self) -> MutexGuard<'_, Option<Failure>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Records a failure caused by a full disk.
    pub(crate) fn record<T>(&self, result: &Result<T, StoreError>) {
        if let Err(StoreError::DiskFull(reason)) = result {
            *self.failure() = Some(Failure { at: Instant::now(), reason: reason.clone() });
        }
    }

    /// Whether a write failed since the last successful trial.
    pub(crate) fn is_suspect(&self) -> bool {
        self.failure().is_some()
    }

    /// Whether the disk is full, from the result of a trial write.
    pub(crate) fn judge(&self, trial: Result<(), StoreError>) -> Result<(), StoreError> {
        let mut failure = self.failure();
        match trial {
            Ok(()) => *failure = None,
            Err(error @ StoreError::DiskFull(_)) => return Err(error),
            // For example, the role may not create temporary tables.
            Err(_) => {
                failure.take_if(|failure| failure.at.elapsed() > REMEMBERED);
                if let Some(failure) = &*failure {
                    return Err(StoreError::DiskFull(failure.reason.clone()));
                }
            }
        }
        Ok(())
    }
}

/// Writes a megabyte to a table that is dropped with its transaction. Not an `sql!` literal, because a test prepares all of those.
pub(crate) const TRIAL: &str = "CREATE TEMPORARY TABLE disk_trial ON COMMIT DROP AS
    SELECT repeat('0123456789', 100) FROM generate_series(1, 1000)";

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_write_that_succeeds_ends_the_suspicion() {
        let disk = DiskState::default();
        disk.record::<()>(&Err(StoreError::Busy));
        assert!(!disk.is_suspect());
        disk.record::<()>(&Err(StoreError::DiskFull("no space".to_owned())));
        assert!(disk.is_suspect());
        assert!(matches!(disk.judge(Err(StoreError::DiskFull("x".to_owned()))), Err(StoreError::DiskFull(_))));
        // No trial was possible: the failure counts for a while.
        let result = disk.judge(Err(StoreError::Internal("permission denied".to_owned())));
        assert!(matches!(result, Err(StoreError::DiskFull(reason)) if reason == "no space"));
        assert!(disk.judge(Ok(())).is_ok() && !disk.is_suspect());
    }
}
