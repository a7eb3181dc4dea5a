//! The queue of webhook deliveries across workspaces, for the dispatchers of all instances.
//!
//! A subscription belongs to a dispatcher for as long as that dispatcher holds leases on its deliveries. The lock on the
//! subscription's row decides between concurrent claims; no lock is held while requests are sent.
//!
//! Lock order: a subscription, then its deliveries; several subscriptions in the order of their ids. Claims and releases
//! never wait for a lock.

mod backlog;
mod change;
mod claim;
mod maintenance;
mod record;
mod replays;
mod scan;
mod take;

pub(crate) use maintenance::expired_query;

#[cfg(test)]
pub(crate) use backlog::{expire_query, workspaces_query};
#[cfg(test)]
pub(crate) use maintenance::{bring_back_query, next_due_query, overlong_query, prune_query};
#[cfg(test)]
pub(crate) use replays::{
    prune_query as prune_replays_query, queue_query as queue_replay_query, running_query as running_replays_query,
};
#[cfg(test)]
pub(crate) use scan::{Candidate, scan_query};
#[cfg(test)]
pub(crate) use take::take_query;

use async_trait::async_trait;
use domain::ports::{DeliveryQueue, StoreError, Unrecorded};
use domain::webhooks::{AttemptRecord, BacklogStep, ClaimRequest, Claims, ReplayStep};
use domain::{SubscriptionId, WorkspaceId};
use time::{Duration, OffsetDateTime};
use uuid::Uuid;

use self::change::Change;
use crate::engine::store::PgStore;

/// Failures of consecutive workspaces, whose total time must stay below a dispatcher's timeout.
#[derive(Default)]
struct Failures {
    slow: usize,
}

impl Failures {
    fn record(&mut self, error: &StoreError) {
        let is_refused_at_once = matches!(error, StoreError::Internal(_) | StoreError::Duplicate { .. });
        self.slow += usize::from(!is_refused_at_once);
    }

    const fn are_too_slow(&self) -> bool {
        self.slow >= 2
    }
}

/// Whether the work was attempted before it failed: without a free connection it was not, and the workspace is not the cause.
const fn was_attempted(error: &StoreError) -> bool {
    !matches!(error, StoreError::Busy)
}

#[async_trait]
impl DeliveryQueue for PgStore {
    async fn claim(&self, request: &ClaimRequest) -> Result<Claims, StoreError> {
        let mut failures = Failures::default();
        if request.releases_expired {
            let now = request.now;
            let released = self.change(Change::new("claim", move || expired_query(now)), &mut failures).await;
            // The deliveries of one workspace may be the cause, and all others would wait.
            if let Err(error) = released {
                log::error!("could not requeue webhook deliveries with expired leases: {error}");
            }
        }
        if self.is_cluster() {
            self.claim_by_workspace(request, failures).await
        } else {
            self.claim_together(request).await
        }
    }

    async fn record(&self, records: &[AttemptRecord]) -> Result<(), Unrecorded> {
        if records.is_empty() {
            return Ok(());
        }
        let (mut unrecorded, mut failures) = (Vec::new(), Failures::default());
        for (workspace, records) in record::group_by_transaction(self.is_cluster(), records) {
            if let Some(workspace) = workspace.filter(|_| failures.are_too_slow()) {
                unrecorded.push((workspace, None));
                continue;
            }
            let result = self.run_transaction(move |tx| record::write(tx, &records)).await;
            match (result, workspace) {
                (Ok(()), _) => {}
                (Err(error), Some(workspace)) => {
                    failures.record(&error);
                    unrecorded.push((workspace, Some(error).filter(was_attempted)));
                }
                (Err(error), None) => return Err(error.into()),
            }
        }
        if unrecorded.is_empty() { Ok(()) } else { Err(Unrecorded::Workspaces(unrecorded)) }
    }

    async fn release(&self, owner: Uuid, _: OffsetDateTime) -> Result<(), StoreError> {
        let change = Change::new("release", move || maintenance::owned_query(owner));
        self.change(change, &mut Failures::default()).await.map(drop)
    }

    async fn queue_backlogs(
        &self,
        after: Option<WorkspaceId>,
        now: OffsetDateTime,
        since: OffsetDateTime,
    ) -> Result<BacklogStep, StoreError> {
        let workspaces = self.run_autocommit(move |tx| backlog::workspaces(tx, after)).await?;
        let mut step = BacklogStep { next_after: backlog::continuation(&workspaces), ..BacklogStep::default() };
        for workspace in workspaces {
            match self.run_autocommit(move |tx| backlog::queue(tx, workspace, now, since)).await {
                Ok((deliveries, events)) => {
                    step.deliveries += deliveries;
                    step.events += events;
                }
                Err(error) => log::error!("could not queue the webhook backlog of workspace {}: {error}", workspace.0),
            }
        }
        Ok(step)
    }

    async fn queue_replays(
        &self,
        after: Option<(WorkspaceId, SubscriptionId)>,
        now: OffsetDateTime,
    ) -> Result<ReplayStep, StoreError> {
        let running = self.run_autocommit(move |tx| replays::running(tx, after)).await?;
        let mut step = ReplayStep { next_after: replays::continuation(&running), ..ReplayStep::default() };
        for (workspace, id) in running {
            match self.run_autocommit(move |tx| replays::queue(tx, workspace, id, now)).await {
                Ok((deliveries, examined)) => {
                    step.deliveries += deliveries;
                    step.has_advanced |= examined > 0;
                }
                Err(error) => {
                    log::error!("could not queue the replay of webhook {} of {}: {error}", id.0, workspace.0);
                }
            }
        }
        Ok(step)
    }

    async fn prune_replays(&self, before: OffsetDateTime, limit: u32) -> Result<u64, StoreError> {
        let change = Change::new("prune_replays", move || replays::prune_query(before, limit)).at_most(limit);
        self.change(change, &mut Failures::default()).await
    }

    async fn bring_back(&self, now: OffsetDateTime, limit: u32) -> Result<u64, StoreError> {
        let leases = Change::new("end_overlong_leases", move || maintenance::overlong_query(now));
        self.change(leases, &mut Failures::default()).await?;
        let change = Change::new("bring_back_deliveries", move || maintenance::bring_back_query(now, limit));
        self.change(change.at_most(limit), &mut Failures::default()).await
    }

    async fn expire_deliveries(
        &self,
        before: OffsetDateTime,
        now: OffsetDateTime,
        limit: u32,
    ) -> Result<u64, StoreError> {
        let change = Change::new("expire_deliveries", move || backlog::expire_query(before, now, limit));
        self.change(change.at_most(limit), &mut Failures::default()).await
    }

    async fn next_due(&self) -> Result<Option<OffsetDateTime>, StoreError> {
        self.run_autocommit(maintenance::next_due).await
    }

    async fn disable_failing(&self, failing_for: Duration, now: OffsetDateTime) -> Result<u64, StoreError> {
        let change = Change::new("disable_failing", move || maintenance::failing_query(failing_for, now));
        self.change(change, &mut Failures::default()).await
    }

    async fn prune_deliveries(&self, before: OffsetDateTime, limit: u32) -> Result<u64, StoreError> {
        let change = Change::new("prune_deliveries", move || maintenance::prune_query(before, limit));
        self.change(change.at_most(limit), &mut Failures::default()).await
    }
}
