//! Storage of webhooks: subscriptions and history of a workspace, and the queue across workspaces.

use async_trait::async_trait;
use time::{Duration, OffsetDateTime};
use uuid::Uuid;

use super::StoreError;
use crate::identity::access::Actor;
use crate::kernel::input::CreatedFilter;
use crate::kernel::paging::PageRequest;
use crate::webhooks::{
    Attempt, AttemptRecord, Backlog, BacklogStep, ClaimRequest, Claims, Delivery, DeliveryFilter, DeliverySample,
    Replay, ReplayCount, ReplaySelection, ReplayStep, Subscription, SubscriptionRecord, WebhookNotice, WebhookReach,
};
use crate::{DeliveryId, ReplayId, SubscriptionId, WorkspaceId};

/// Subscriptions of the workspace.
pub trait SubscriptionRepo {
    /// The number of subscriptions. Concurrent callers wait until the transaction ends.
    fn count_for_update(&mut self) -> Result<u64, StoreError>;
    fn insert(&mut self, subscription: &Subscription) -> Result<(), StoreError>;
    /// Live subscriptions within reach, newest first, one more than the limit. One statement.
    fn list(
        &mut self,
        reach: &WebhookReach,
        filter: &CreatedFilter,
        page: &PageRequest,
    ) -> Result<Vec<SubscriptionRecord>, StoreError>;
    /// A live subscription.
    fn get(&mut self, id: SubscriptionId) -> Result<Option<SubscriptionRecord>, StoreError>;
    /// A live subscription, locked until the transaction ends.
    fn get_for_update(&mut self, id: SubscriptionId) -> Result<Option<Subscription>, StoreError>;
    /// A live subscription and the live ones of its group, by id, locked until the transaction ends; empty if it is not live.
    /// One statement.
    fn group_for_update(&mut self, id: SubscriptionId) -> Result<Vec<Subscription>, StoreError>;
    /// Writes all members of a subscription that was locked before; id, module and creation never change.
    fn save(&mut self, subscription: &Subscription) -> Result<(), StoreError>;
    /// Marks a live subscription as deleted and cancels its unfinished deliveries and its running replay.
    fn delete(&mut self, id: SubscriptionId, now: OffsetDateTime) -> Result<(), StoreError>;
    /// Makes a notice due for each live subscription of these makers, who are no longer active. One statement.
    fn maker_ended(&mut self, makers: &[Actor], now: OffsetDateTime) -> Result<(), StoreError>;
    /// Takes the due notices about live subscriptions, each once, even by concurrent callers; subscriptions that another
    /// transaction has locked may be left for later. A notice is due for an enabled subscription that has failed since
    /// `failing_before` or earlier, once per run of failures; for one that the service has disabled; and for one whose maker is no
    /// longer active at `now`. One statement.
    fn take_notices(
        &mut self,
        now: OffsetDateTime,
        failing_before: OffsetDateTime,
    ) -> Result<Vec<WebhookNotice>, StoreError>;
}

/// Deliveries of the workspace.
pub trait DeliveryRepo {
    /// Adds a due delivery, with its event or else its body; [`StoreError::Contended`] if its subscription is no longer live, so
    /// that the rerun finds that out.
    fn insert(&mut self, delivery: &Delivery) -> Result<(), StoreError>;
    /// Deliveries of a subscription without their bodies, newest first, one more than the limit. One statement.
    fn list(
        &mut self,
        subscription: SubscriptionId,
        filter: &DeliveryFilter,
        page: &PageRequest,
    ) -> Result<Vec<Delivery>, StoreError>;
    fn get(&mut self, id: DeliveryId) -> Result<Option<Delivery>, StoreError>;
    /// Makes a delivery due now that has ended or waits for another attempt, if its subscription is live; its attempts so far no
    /// longer count for the schedule. One that is in flight becomes due as soon as its attempt is recorded or abandoned, whatever
    /// the outcome. Returns false for a delivery that is due already, and for one without a live subscription.
    fn redeliver(&mut self, id: DeliveryId, now: OffsetDateTime) -> Result<bool, StoreError>;
    /// Statistics over the newest deliveries of a subscription that were queued in each of the periods that begin at `starts` and
    /// are `length` long, at most `most` per period, in the order of the periods. One statement, which reads no other deliveries.
    fn samples(
        &mut self,
        subscription: SubscriptionId,
        starts: &[OffsetDateTime],
        length: Duration,
        most: u32,
    ) -> Result<Vec<DeliverySample>, StoreError>;
    /// How far the workspace's deliveries are behind. Reads at most as many rows as may wait. One statement.
    fn backlog(&mut self) -> Result<Backlog, StoreError>;
    /// A delivery's attempts, oldest first; at most a few more than [`MAX_ATTEMPTS`](crate::webhooks::MAX_ATTEMPTS).
    fn attempts(&mut self, id: DeliveryId) -> Result<Vec<Attempt>, StoreError>;
}

/// Replays of the workspace.
pub trait ReplayRepo {
    /// Counts the matching events among at most `most` events in the selection's time range, or among its failed deliveries if it
    /// selects only those. Reads one more, so that the caller sees whether there are more. Few statements.
    fn count(&mut self, selection: &ReplaySelection, most: u32) -> Result<ReplayCount, StoreError>;
    /// The subscriptions with a running replay. Concurrent callers wait until the transaction ends.
    fn running_for_update(&mut self) -> Result<Vec<SubscriptionId>, StoreError>;
    fn insert(&mut self, replay: &Replay) -> Result<(), StoreError>;
    /// Replays of a subscription, newest first, one more than the limit. One statement.
    fn list(
        &mut self,
        subscription: SubscriptionId,
        filter: &CreatedFilter,
        page: &PageRequest,
    ) -> Result<Vec<Replay>, StoreError>;
    /// A replay of a subscription.
    fn get(&mut self, subscription: SubscriptionId, id: ReplayId) -> Result<Option<Replay>, StoreError>;
    /// A replay of a subscription, locked until the transaction ends. Until then, nothing is queued for it.
    fn get_for_update(&mut self, subscription: SubscriptionId, id: ReplayId) -> Result<Option<Replay>, StoreError>;
    fn cancel(&mut self, id: ReplayId, now: OffsetDateTime) -> Result<(), StoreError>;
}

/// Attempts that were not recorded.
#[derive(Debug, thiserror::Error)]
pub enum Unrecorded {
    /// No attempt was recorded, for a reason that is not specific to a workspace.
    #[error("{0}")]
    All(#[from] StoreError),
    /// The attempts of these workspaces were not recorded, each with the reason, or `None` if it was not tried. All others were
    /// recorded.
    #[error("the attempts of {} workspaces were not recorded", .0.len())]
    Workspaces(Vec<(WorkspaceId, Option<StoreError>)>),
}

/// The store operations of a dispatcher, across workspaces.
#[async_trait]
pub trait DeliveryQueue: Send + Sync {
    /// Claims due deliveries for a dispatcher: they become `delivering`, leased for [`LEASE`](crate::webhooks::LEASE). Only one
    /// dispatcher at a time holds deliveries of a subscription. Only requests with `releases_expired` make deliveries with an
    /// expired lease due again, because that costs a statement and dispatchers claim hundreds of times a second;
    /// [`next_due`](Self::next_due) returns when a lease ends. A disabled subscription gets only its tests; its other deliveries
    /// wait. The cost does not depend on the length of the queue. Does not fail if only some workspaces do: see [`Claims::failed`].
    async fn claim(&self, request: &ClaimRequest) -> Result<Claims, StoreError>;
    /// Records attempts and their next steps, in one transaction per workspace. Attempts of deliveries that another dispatcher has
    /// claimed since, or that were cancelled, are added to the history and change nothing else. An expired delivery fails without
    /// an attempt, which does not count as a failure of its subscription.
    async fn record(&self, records: &[AttemptRecord]) -> Result<(), Unrecorded>;
    /// Releases all deliveries that a dispatcher has claimed; they are due immediately.
    async fn release(&self, owner: Uuid, now: OffsetDateTime) -> Result<(), StoreError>;
    /// Queues the deliveries of events in backlogs, for a few workspaces after the given one, in order, while the queue has room.
    /// An event is queued for the subscriptions that matched when it happened, or, if these are unknown, for those that match now
    /// and existed then. Each event is queued once, even with concurrent callers and across crashes. Events from before `since`, or
    /// that the log no longer has, are dropped.
    async fn queue_backlogs(
        &self,
        after: Option<WorkspaceId>,
        now: OffsetDateTime,
        since: OffsetDateTime,
    ) -> Result<BacklogStep, StoreError>;
    /// Queues the next deliveries of running replays, for a few subscriptions after the given one, in the order of the log and due
    /// now. A replay continues only while the workspace's backlog is empty, its queue is at most half full, and fewer than
    /// [`MAX_DUE_IN_REPLAY`](crate::webhooks::MAX_DUE_IN_REPLAY) deliveries of the subscription are due. Each event is queued once
    /// per replay, even with concurrent callers and across crashes. The replay of a disabled subscription waits. Events that the
    /// subscription no longer includes are left out.
    async fn queue_replays(
        &self,
        after: Option<(WorkspaceId, SubscriptionId)>,
        now: OffsetDateTime,
    ) -> Result<ReplayStep, StoreError>;
    /// Deletes at most `limit` replays that have ended and were requested before `before`; returns how many.
    async fn prune_replays(&self, before: OffsetDateTime, limit: u32) -> Result<u64, StoreError>;
    /// Makes at most `limit` deliveries due now that are due later than the longest wait
    /// ([`LONGEST_WAIT`](crate::webhooks::LONGEST_WAIT)) or claimed for much longer than a lease, because the clock was ahead when
    /// they were written. Returns how many.
    async fn bring_back(&self, now: OffsetDateTime, limit: u32) -> Result<u64, StoreError>;
    /// Ends as expired at most `limit` waiting deliveries that were queued before `before` for a disabled subscription, except
    /// tests, which are sent anyway; returns how many.
    async fn expire_deliveries(
        &self,
        before: OffsetDateTime,
        now: OffsetDateTime,
        limit: u32,
    ) -> Result<u64, StoreError>;
    /// When a claim can next find a delivery, if ever. For a subscription whose deliveries are claimed, that is when the leases
    /// expire, because the dispatcher that holds them claims again once it has finished them.
    async fn next_due(&self) -> Result<Option<OffsetDateTime>, StoreError>;
    /// Disables subscriptions that have failed for `failing_for` without a success; returns how many.
    async fn disable_failing(&self, failing_for: Duration, now: OffsetDateTime) -> Result<u64, StoreError>;
    /// Deletes at most `limit` finished deliveries queued before `before`, with their attempts; returns how many.
    async fn prune_deliveries(&self, before: OffsetDateTime, limit: u32) -> Result<u64, StoreError>;
}
