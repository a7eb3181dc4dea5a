//! The queue of webhook deliveries across workspaces, as the dispatchers of all instances see it.
//!
//! A subscription belongs to the dispatcher that holds leases on its deliveries, as long as it holds any. The lock on
//! its row decides between concurrent claims; no lock is held while requests are sent.
//!
//! Locks: a subscription comes before its deliveries, everywhere, and several are locked in the order of their ids.
//! Claims and releases never wait for a lock.

mod backlog;
mod claim;
mod maintenance;
mod record;
mod replays;

#[cfg(test)]
pub(crate) use backlog::{expire_query, workspaces_query};
#[cfg(test)]
pub(crate) use claim::{Candidate, scan_query, take_query};
#[cfg(test)]
pub(crate) use maintenance::{expired_query, next_due_query, prune_query};
#[cfg(test)]
pub(crate) use replays::{
    prune_query as prune_replays_query, queue_query as queue_replay_query, running_query as running_replays_query,
};

use async_trait::async_trait;
use domain::ports::{Abort, DeliveryQueue, StoreError};
use domain::webhooks::{AttemptRecord, BacklogStep, ClaimRequest, Claims, ReplayStep};
use domain::{SubscriptionId, WorkspaceId};
use time::{Duration, OffsetDateTime};
use uuid::Uuid;

use crate::store::{NO_WORKSPACE, PgStore};

#[async_trait]
impl DeliveryQueue for PgStore {
    async fn claim(&self, request: &ClaimRequest) -> Result<Claims, StoreError> {
        let wanted = request.clone();
        let scan = self.run_autocommit(move |tx| {
            maintenance::release_expired(tx, wanted.now)?;
            claim::scan(tx, &wanted)
        });
        let scan = scan.await?;
        if scan.candidates.is_empty() {
            return Ok(Claims { deliveries: Vec::new(), next_after: scan.next_after });
        }
        let (request, candidates) = (request.clone(), scan.candidates);
        let taken =
            self.transact(NO_WORKSPACE, move |tx| claim::take(tx, &request, &candidates).map_err(Abort::Store)).await?;
        Ok(Claims { deliveries: taken.unwrap_or_default(), next_after: scan.next_after })
    }

    async fn record(&self, records: &[AttemptRecord]) -> Result<(), StoreError> {
        if records.is_empty() {
            return Ok(());
        }
        let records = records.to_vec();
        self.transact(NO_WORKSPACE, move |tx| record::write(tx, &records).map_err(Abort::Store)).await.map(drop)
    }

    async fn release(&self, owner: Uuid, _: OffsetDateTime) -> Result<(), StoreError> {
        self.run_autocommit(move |tx| maintenance::release_owned(tx, owner)).await
    }

    async fn queue_backlogs(
        &self,
        after: Option<WorkspaceId>,
        now: OffsetDateTime,
        since: OffsetDateTime,
    ) -> Result<BacklogStep, StoreError> {
        self.run_autocommit(move |tx| backlog::queue(tx, after, now, since)).await
    }

    async fn queue_replays(
        &self,
        after: Option<(WorkspaceId, SubscriptionId)>,
        now: OffsetDateTime,
    ) -> Result<ReplayStep, StoreError> {
        self.run_autocommit(move |tx| replays::queue(tx, after, now)).await
    }

    async fn prune_replays(&self, before: OffsetDateTime, limit: u32) -> Result<u64, StoreError> {
        self.run_autocommit(move |tx| replays::prune(tx, before, limit)).await
    }

    async fn expire_deliveries(
        &self,
        before: OffsetDateTime,
        now: OffsetDateTime,
        limit: u32,
    ) -> Result<u64, StoreError> {
        self.run_autocommit(move |tx| backlog::expire(tx, before, now, limit)).await
    }

    async fn next_due(&self) -> Result<Option<OffsetDateTime>, StoreError> {
        self.run_autocommit(maintenance::next_due).await
    }

    async fn disable_failing(&self, failing_for: Duration, now: OffsetDateTime) -> Result<u64, StoreError> {
        self.run_autocommit(move |tx| maintenance::disable_failing(tx, failing_for, now)).await
    }

    async fn prune_deliveries(&self, before: OffsetDateTime, limit: u32) -> Result<u64, StoreError> {
        self.run_autocommit(move |tx| maintenance::prune(tx, before, limit)).await
    }
}
