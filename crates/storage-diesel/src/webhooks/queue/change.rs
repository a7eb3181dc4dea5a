//! Changes of rows of all workspaces.

use std::sync::Arc;

use domain::ports::StoreError;

use super::Failures;
use crate::distribution::Locking;
use crate::store::PgStore;

impl PgStore {
    /// Changes the rows, and returns how many. In a cluster, those of each workspace in a job of its own, so that those that cannot be
    /// changed stop no others; at most about `limit`, as those of the last workspace may be more.
    ///
    /// # Errors
    /// Those of the last workspace that could not be changed, if none could.
    pub(super) async fn change_all(
        &self,
        query: Arc<dyn Fn() -> Locking<()> + Send + Sync>,
        limit: usize,
    ) -> Result<usize, StoreError> {
        if !self.is_cluster() {
            return self.run_autocommit(move |tx| tx.execute(query().all)).await;
        }
        let wanted = Arc::clone(&query);
        let workspaces = self.run_autocommit(move |tx| wanted().workspaces(tx)).await?;
        let (mut changed, mut failed, mut failures) = (0, None, Failures::default());
        for workspace in workspaces {
            if changed >= limit || failures.are_too_slow() {
                break;
            }
            let query = Arc::clone(&query);
            match self.run_autocommit(move |tx| tx.execute(query().of(workspace))).await {
                Ok(rows) => changed += rows,
                Err(error) => {
                    log::error!("could not change webhooks or deliveries of workspace {workspace}: {error}");
                    failures.note(&error);
                    failed = Some(error);
                }
            }
        }
        match failed {
            Some(error) if changed == 0 => Err(error),
            _ => Ok(changed),
        }
    }
}
