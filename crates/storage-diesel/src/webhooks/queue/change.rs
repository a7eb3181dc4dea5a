//! Changes to rows of all workspaces.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use domain::ports::StoreError;
use uuid::Uuid;

use super::Failures;
use crate::distribution::Locking;
use crate::engine::store::{NO_WORKSPACE, PgStore};

/// The rows to change, and about how many at most; those of the last workspace may exceed it.
pub(super) struct Change {
    /// The method of the port, for metrics.
    operation: &'static str,
    query: Arc<dyn Fn() -> Locking<()> + Send + Sync>,
    limit: usize,
}

impl Change {
    pub(super) fn new(operation: &'static str, query: impl Fn() -> Locking<()> + Send + Sync + 'static) -> Self {
        Self { operation, query: Arc::new(query), limit: usize::MAX }
    }

    pub(super) fn at_most(self, limit: u32) -> Self {
        Self { limit: limit as usize, ..self }
    }
}

impl PgStore {
    /// Changes rows and returns how many. In a cluster, each workspace is a separate job, so that a failing one does not block the
    /// others.
    ///
    /// # Errors
    /// If no workspace could be changed, the error of the last one.
    pub(super) async fn change(&self, change: Change, failures: &mut Failures) -> Result<u64, StoreError> {
        let Change { operation, query, limit } = change;
        if !self.is_cluster() {
            return Ok(self.run_autocommit_as(operation, NO_WORKSPACE, move |tx| tx.execute(query().all)).await? as u64);
        }
        let scan = Arc::clone(&query);
        let workspaces = self.run_autocommit_as(operation, NO_WORKSPACE, move |tx| scan().workspaces(tx)).await?;
        let (mut changed, mut failed) = (0, None);
        for workspace in rotated(workspaces.into_iter().collect()) {
            if changed >= limit || failures.are_too_slow() {
                break;
            }
            let query = Arc::clone(&query);
            match self.run_autocommit_as(operation, NO_WORKSPACE, move |tx| tx.execute(query().of(workspace))).await {
                Ok(rows) => changed += rows,
                Err(error) => {
                    log::error!("{operation} failed for workspace {workspace}: {error}");
                    failures.record(&error);
                    failed = Some(error);
                }
            }
        }
        match failed {
            Some(error) if changed == 0 => Err(error),
            _ => Ok(changed as u64),
        }
    }
}

/// Rotates the order, so that workspaces that keep failing slowly do not hold up those after them.
fn rotated(mut workspaces: Vec<Uuid>) -> Vec<Uuid> {
    static ROTATION: AtomicUsize = AtomicUsize::new(0);
    let turn = ROTATION.fetch_add(1, Ordering::Relaxed).checked_rem(workspaces.len()).unwrap_or_default();
    workspaces.rotate_left(turn);
    workspaces
}
