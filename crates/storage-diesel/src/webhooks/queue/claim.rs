//! Claims due deliveries, subscription by subscription.

use std::collections::HashMap;

use diesel::sql_types::{BigInt, Uuid as SqlUuid};
use domain::WorkspaceId;
use domain::ports::StoreError;
use domain::webhooks::{ClaimRequest, Claims};
use uuid::Uuid;

use super::scan::{Candidate, ClaimScan, scan};
use super::take::take;
use super::{Failures, was_attempted};
use crate::engine::statement::sql;
use crate::engine::store::PgStore;
use crate::engine::tx::PgTx;

impl PgStore {
    /// Claims due deliveries in two statements, each a transaction.
    pub(super) async fn claim_together(&self, request: &ClaimRequest) -> Result<Claims, StoreError> {
        let request = request.clone();
        self.run_autocommit(move |tx| {
            let ClaimScan { candidates, next_after } = scan(tx, &request)?;
            Ok(Claims { deliveries: take(tx, &request, &candidates)?, next_after, failed: Vec::new() })
        })
        .await
    }

    /// Claims due deliveries in a cluster, in a separate transaction per workspace, because those of one workspace are on one node. A
    /// failing workspace does not block the others.
    pub(super) async fn claim_by_workspace(
        &self,
        request: &ClaimRequest,
        mut failures: Failures,
    ) -> Result<Claims, StoreError> {
        let scan_request = request.clone();
        let ClaimScan { candidates, next_after } = self.run_autocommit(move |tx| scan(tx, &scan_request)).await?;
        let mut claims = Claims { next_after, ..Claims::default() };
        for candidates in candidates.chunk_by(|one, next| one.workspace == next.workspace).map(<[_]>::to_vec) {
            let end = candidates.last().map(|it| (WorkspaceId(it.workspace), it.subscription.id));
            let subscriptions: Vec<_> = candidates.iter().map(|it| it.subscription.id).collect();
            let request = request.clone();
            let take = move |tx: &mut PgTx<'_>| lock(tx, &candidates).and_then(|locked| take(tx, &request, &locked));
            match self.run_transaction(take).await {
                Ok(deliveries) => claims.deliveries.extend(deliveries),
                // Claims of other workspaces are kept; the deliveries of this one stay due.
                Err(error) => {
                    if let Some((workspace, _)) = end {
                        log::error!("could not claim webhook deliveries of workspace {}: {error}", workspace.0);
                    }
                    failures.record(&error);
                    if was_attempted(&error) {
                        claims.failed.extend(subscriptions);
                    }
                }
            }
            if failures.are_too_slow() {
                claims.next_after = end;
                break;
            }
        }
        Ok(claims)
    }
}

/// In a cluster, locks the candidates' subscriptions without waiting, and returns those that it could lock. The next statement sees
/// the leases of previous lock holders.
///
/// It also makes the claim commit asynchronously, which outside a cluster the next statement does.
fn lock(tx: &mut PgTx<'_>, candidates: &[Candidate]) -> Result<Vec<Candidate>, StoreError> {
    let Some(workspace) = candidates.first().map(|it| it.workspace) else { return Ok(Vec::new()) };
    let sql = sql!(
        "WITH fast AS MATERIALIZED (SELECT set_config('synchronous_commit', 'off', true) AS setting)
         SELECT id, version
         FROM webhook_subscriptions CROSS JOIN fast
         WHERE deleted_at IS NULL AND fast.setting = 'off' AND workspace_id = $1 AND id = ANY ($2)
         FOR NO KEY UPDATE OF webhook_subscriptions SKIP LOCKED"
    );
    let sql = sql.returns::<(SqlUuid, BigInt)>().bind(workspace);
    let sql = sql.bind_each(candidates, |it| it.subscription.id.0);
    let locked: HashMap<Uuid, i64> = tx.load(sql)?.into_iter().collect();
    let is_locked = |it: &&Candidate| locked.get(&it.subscription.id.0) == Some(&it.subscription.version);
    Ok(candidates.iter().filter(is_locked).cloned().collect())
}
