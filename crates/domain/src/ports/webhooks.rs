//! Storage of webhooks: subscriptions and history in a workspace, and the queue across workspaces.

use async_trait::async_trait;
use time::{Duration, OffsetDateTime};
use uuid::Uuid;

use super::StoreError;
use crate::kernel::paging::PageRequest;
use crate::webhooks::{Attempt, AttemptRecord, ClaimRequest, Claims, Delivery, DeliveryFilter, Subscription};
use crate::{DeliveryId, SubscriptionId};

/// Subscriptions of the workspace.
pub trait SubscriptionRepo {
    /// How many there are; others who count for an insert wait until the transaction ends.
    fn count_for_update(&mut self) -> Result<u64, StoreError>;
    /// Adds a subscription.
    fn insert(&mut self, subscription: &Subscription) -> Result<(), StoreError>;
    /// Live subscriptions, newest first, one more than the limit. One statement.
    fn list(&mut self, page: &PageRequest) -> Result<Vec<Subscription>, StoreError>;
    /// A live subscription.
    fn get(&mut self, id: SubscriptionId) -> Result<Option<Subscription>, StoreError>;
    /// A live subscription, locked until the transaction ends.
    fn get_for_update(&mut self, id: SubscriptionId) -> Result<Option<Subscription>, StoreError>;
    /// Writes all members of a subscription that was locked before; id, module and creation never change.
    fn save(&mut self, subscription: &Subscription) -> Result<(), StoreError>;
    /// Marks a live subscription as deleted, and cancels its deliveries that are not over.
    fn delete(&mut self, id: SubscriptionId, now: OffsetDateTime) -> Result<(), StoreError>;
}

/// Deliveries of the workspace.
pub trait DeliveryRepo {
    /// Adds a delivery that is due; [`StoreError::Contended`] when its subscription is not live, so that whoever runs
    /// again finds that out.
    fn insert(&mut self, delivery: &Delivery) -> Result<(), StoreError>;
    /// Deliveries of a subscription without their bodies, newest first, one more than the limit. One statement.
    fn list(
        &mut self,
        subscription: SubscriptionId,
        filter: &DeliveryFilter,
        page: &PageRequest,
    ) -> Result<Vec<Delivery>, StoreError>;
    /// A delivery.
    fn get(&mut self, id: DeliveryId) -> Result<Option<Delivery>, StoreError>;
    /// A delivery's attempts, oldest first; there are ten at the most.
    fn attempts(&mut self, id: DeliveryId) -> Result<Vec<Attempt>, StoreError>;
}

/// What a dispatcher needs of the store, across workspaces.
#[async_trait]
pub trait DeliveryQueue: Send + Sync {
    /// Takes deliveries that are due for a dispatcher: `delivering` from now on, and its own for
    /// [`LEASE`](crate::webhooks::LEASE). Of one subscription, only one dispatcher holds deliveries at a time.
    /// Deliveries whose lease is over are due again. A disabled subscription gets its tests alone; what else is queued
    /// for it waits. Costs as much with a million deliveries queued as with ten.
    async fn claim(&self, request: &ClaimRequest) -> Result<Claims, StoreError>;
    /// Writes down attempts and what follows from them, all in one transaction; attempts at what another dispatcher took
    /// over, or what was cancelled meanwhile, are kept in the history, and decide nothing.
    async fn record(&self, records: &[AttemptRecord]) -> Result<(), StoreError>;
    /// Gives all that a dispatcher holds back, due at once.
    async fn release(&self, owner: Uuid, now: OffsetDateTime) -> Result<(), StoreError>;
    /// When a claim can next find something, if ever. Of a subscription that somebody holds deliveries of, that is when
    /// the leases are over: its holder asks again after what it has in hand.
    async fn next_due(&self) -> Result<Option<OffsetDateTime>, StoreError>;
    /// Disables subscriptions that have failed for `failing_for` without a success; says how many.
    async fn disable_failing(&self, failing_for: Duration, now: OffsetDateTime) -> Result<u64, StoreError>;
    /// Forgets at most `limit` deliveries that were queued before `before`, with their attempts; says how many. Only
    /// what is over.
    async fn prune_deliveries(&self, before: OffsetDateTime, limit: u32) -> Result<u64, StoreError>;
}
