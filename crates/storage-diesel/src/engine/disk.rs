//! Whether the disk of the database is full.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use domain::ports::StoreError;

/// How long a failure counts where nothing can be tried.
const REMEMBERED: Duration = Duration::from_secs(10);

/// The last write of a process that failed for lack of room, shared by its stores. Cheap to clone.
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

    /// Remembers a failure for lack of room.
    pub(crate) fn note<T>(&self, done: &Result<T, StoreError>) {
        if let Err(StoreError::DiskFull(reason)) = done {
            *self.failure() = Some(Failure { at: Instant::now(), reason: reason.clone() });
        }
    }

    /// Whether a write failed since the last one that was tried with success.
    pub(crate) fn is_suspect(&self) -> bool {
        self.failure().is_some()
    }

    /// What a write that was tried says of the disk.
    pub(crate) fn judge(&self, tried: Result<(), StoreError>) -> Result<(), StoreError> {
        let mut failure = self.failure();
        match tried {
            Ok(()) => *failure = None,
            Err(error @ StoreError::DiskFull(_)) => return Err(error),
            // Such as a role that may make no temporary table.
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

/// Writes a megabyte, in a table that ends with its transaction. Not one of `sql!`, all of which can be prepared.
pub(crate) const TRIAL: &str = "CREATE TEMPORARY TABLE disk_trial ON COMMIT DROP AS
    SELECT repeat('0123456789', 100) FROM generate_series(1, 1000)";

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_write_that_succeeds_ends_the_suspicion() {
        let disk = DiskState::default();
        disk.note::<()>(&Err(StoreError::Busy));
        assert!(!disk.is_suspect());
        disk.note::<()>(&Err(StoreError::DiskFull("no space".to_owned())));
        assert!(disk.is_suspect());
        assert!(matches!(disk.judge(Err(StoreError::DiskFull("x".to_owned()))), Err(StoreError::DiskFull(_))));
        // Not tried: the failure is remembered for a while.
        let kept = disk.judge(Err(StoreError::Internal("permission denied".to_owned())));
        assert!(matches!(kept, Err(StoreError::DiskFull(reason)) if reason == "no space"));
        assert!(disk.judge(Ok(())).is_ok() && !disk.is_suspect());
    }
}
