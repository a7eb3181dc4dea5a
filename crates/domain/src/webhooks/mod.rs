//! Webhooks: subscriptions, deliveries and their history (interface 16).
//!
//! The store queues one [`Delivery`] per event ([`crate::events`]) and matching subscription; the dispatcher
//! (`crates/dispatcher`) sends them and calls [`decide`] for the next step.

mod create;
mod custom_headers;
mod deliveries;
mod global_address;
mod maker;
mod notices;
mod reach;
mod redeliver;
mod replays;
mod report;
mod requests;
mod rotate_secret;
mod schedule;
mod secret;
mod signing_secrets;
mod stats;
mod subscription_fields;
mod subscriptions;
mod target;
mod update;

pub use create::{CreatedSubscription, MAX_SUBSCRIPTIONS, create, create_once};
pub use custom_headers::{MAX_HEADER_VALUE_BYTES, PlainHeaders, SealedHeaders};
pub use deliveries::{DeliveryCriteria, DeliveryFilter, DeliveryView, list_deliveries, read_delivery};
pub(crate) use deliveries::{TestSample, send_test};
pub use global_address::is_global;
pub use maker::{Maker, MakerAccess};
pub use notices::{NOTIFY_FAILING_AFTER, NoticeKind, WebhookNotice, send_notices};
pub use reach::WebhookReach;
pub use redeliver::{MAX_ATTEMPTS, redeliver};
pub use replays::{
    MAX_DUE_IN_REPLAY, MAX_REPLAY_EVENTS, MAX_RUNNING_REPLAYS, Replay, ReplayCount, ReplayFields, ReplaySelection,
    ReplayStarted, ReplayState, ReplayStep, ReplayView, cancel_replay, list_replays, read_replay, replay,
};
pub use report::{ReportAccepted, ReportFields, ReportPayload, Reporter, report};
pub use requests::{DeliveryHistory, SentRequest, WebhookOverview, read_history, read_overview, request_headers};
pub use rotate_secret::{RotateFields, rotate_secret, rotate_secret_once};
pub use schedule::{
    ATTEMPT_TIMEOUT, AttemptOutcome, BACKLOG_RETENTION, DEFAULT_MAX_WAITING, DISABLE_AFTER, DeliveryState,
    FailedReason, LEASE, LONGEST_WAIT, MAX_CONCURRENT_PER_SUBSCRIPTION, RETENTION, RETRY_WINDOW, Verdict, decide,
};
pub use secret::{PlainSecret, sign, sign_standard};
pub use signing_secrets::{FormerSecret, SigningSecrets};
pub use stats::{DeliverySample, MAX_SAMPLED_DELIVERIES, PeriodStats, StatsWindow, delivery_stats};
pub use subscription_fields::SubscriptionFields;
pub use subscriptions::{SubscriptionRecord, SubscriptionView, delete, delete_group, list, read};
pub use target::{InvalidTarget, TargetPolicy};
pub use update::{UpdatedSubscription, update};

use crate::events::{Event, Module};
use schemars::JsonSchema;
use serde::Serialize;
use time::OffsetDateTime;
use uuid::Uuid;

use crate::identity::access::Actor;
use crate::kernel::input::choices;
use crate::kernel::input::schema::TimestampText;
use crate::kernel::paging::paginated;
use crate::{DeliveryId, EventId, ReplayId, SubscriptionId, WorkspaceId};

choices! {
    /// Why a subscription was disabled by the service.
    pub enum DisabledReason {
        /// The receiver responded with 410.
        Gone = "gone",
        /// It failed for days without a success.
        Failing = "failing",
    }
}

/// A subscription as it is stored.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Subscription {
    pub id: SubscriptionId,
    /// The group of subscriptions that one request created for several modules. They share URL, headers and secret. The group has
    /// the id of its first subscription.
    pub group: Option<SubscriptionId>,
    pub module: Module,
    pub url: String,
    pub description: Option<String>,
    /// Canonical names, or `*`.
    pub events: Vec<String>,
    /// The value of the module's scope column; only events with this value are received.
    pub scope: Option<Uuid>,
    /// Whether events are queued for it.
    pub enabled: bool,
    /// Set if the service, rather than a user, disabled it.
    pub disabled_reason: Option<DisabledReason>,
    pub secrets: SigningSecrets,
    /// Headers that its requests have in addition to the service's own.
    pub headers: Option<SealedHeaders>,
    /// The start of the current run of failures without a success.
    pub failing_since: Option<OffsetDateTime>,
    /// Counts changes, from 1.
    pub version: i64,
    pub created_at: OffsetDateTime,
    pub updated_at: OffsetDateTime,
    pub created_by: Actor,
    /// Who saved it last.
    pub maker: Maker,
}

paginated!(Subscription: SUBSCRIPTIONS, Delivery: DELIVERIES);

/// One event for one subscription.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Delivery {
    /// Receivers deduplicate by it.
    pub id: DeliveryId,
    pub subscription_id: SubscriptionId,
    pub event: String,
    /// The stored event that the body is composed of; `None` if the body itself is stored.
    pub event_id: Option<EventId>,
    /// The exact body that is sent. Empty in lists, and once the body is no longer stored.
    pub body: String,
    pub state: DeliveryState,
    /// The number of attempts, including those before a redelivery.
    pub attempts: u32,
    /// How many of the attempts came before the last redelivery.
    pub attempts_before: u32,
    /// When the next attempt is due.
    pub next_attempt_at: Option<OffsetDateTime>,
    /// When a redelivery was last requested.
    pub redelivered_at: Option<OffsetDateTime>,
    /// The replay that queued it.
    pub replay_id: Option<ReplayId>,
    /// Why it failed without a further attempt, if it did.
    pub failed_reason: Option<FailedReason>,
    pub created_at: OffsetDateTime,
    /// When it reached a final state.
    pub finished_at: Option<OffsetDateTime>,
}

impl Delivery {
    /// The number of attempts since the delivery was queued or last redelivered, which determines the retry schedule.
    pub const fn attempts_now(&self) -> u32 {
        self.attempts.saturating_sub(self.attempts_before)
    }
}

/// One HTTP request to a receiver.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Attempt {
    /// Counts the delivery's attempts, from 1.
    pub number: u32,
    /// When it started.
    #[serde(with = "TimestampText")]
    pub started_at: OffsetDateTime,
    /// The duration in milliseconds.
    pub duration_ms: u32,
    /// The response status; null if there was no response.
    pub status: Option<u16>,
    /// The failure, unless it was an error response.
    pub error: Option<String>,
    /// The beginning of the response body.
    pub response: Option<String>,
    /// Whether it belongs to a requested redelivery.
    pub manual: bool,
}

/// How much of a response body is stored, in bytes.
pub const MAX_STORED_RESPONSE_BYTES: usize = 1_024;

/// The body of a delivery of an event, with the event's id if it is in the log.
pub fn body_of(id: DeliveryId, workspace: WorkspaceId, event_id: Option<EventId>, event: &Event) -> String {
    compose_body(id, workspace, (&event.name, event_id), event.at, &event.payload)
}

/// Composes the body of a delivery from its stored event: the same bytes for every attempt. The id comes first because it
/// is the only part that differs between subscriptions. Tests have no event in the log, and so no `event_id`.
pub fn compose_body(
    id: DeliveryId,
    workspace: WorkspaceId,
    (name, event_id): (&str, Option<EventId>),
    at: OffsetDateTime,
    payload: &str,
) -> String {
    let (event_id, at) = (event_id_member(event_id), crate::kernel::input::format_timestamp(at));
    // Names have a fixed syntax and ids are UUIDs, so neither can break out of the JSON strings.
    format!(
        "{{\"id\":\"{id}\",\"event\":\"{name}\",{event_id}\"workspace_id\":\"{workspace}\",\"created_at\":\"{at}\",\"payload\":{payload}}}"
    )
}

fn event_id_member(event_id: Option<EventId>) -> String {
    event_id.map(|id| format!("\"event_id\":\"{id}\",")).unwrap_or_default()
}

/// How far a workspace's deliveries are behind. Each count is capped at `max_waiting`.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Backlog {
    /// Deliveries that wait for an attempt or are being sent, except those of disabled subscriptions.
    pub waiting: u64,
    /// Events whose deliveries are not queued yet.
    pub behind: u64,
    /// When the first of these events happened.
    pub oldest_behind_at: Option<OffsetDateTime>,
    /// Maximum number of waiting deliveries.
    pub max_waiting: u64,
}

/// The result of queueing from the backlogs of some workspaces.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct BacklogStep {
    /// How many deliveries were queued.
    pub deliveries: u64,
    /// How many events left the backlog.
    pub events: u64,
    /// The workspace to continue after; `None` to start from the beginning.
    pub next_after: Option<WorkspaceId>,
}

/// A delivery claimed by a dispatcher, with all data needed to send it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ClaimedDelivery {
    pub workspace: WorkspaceId,
    /// The delivery as it was before this claim.
    pub delivery: Delivery,
    /// When the first attempt started, since the last redelivery; `None` before it.
    pub first_attempt_at: Option<OffsetDateTime>,
    pub subscription: Subscription,
    /// When this dispatcher's lease expires.
    pub leased_until: OffsetDateTime,
}

impl ClaimedDelivery {
    /// No attempt starts after this time: 24 hours after the first attempt, counted from the last redelivery. `None` before the
    /// first attempt, which is always made.
    pub fn last_start(&self) -> Option<OffsetDateTime> {
        self.first_attempt_at.map(|first| first + RETRY_WINDOW)
    }
}

/// The outcome of a claimed delivery.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AttemptRecord {
    pub workspace: WorkspaceId,
    pub delivery: DeliveryId,
    pub subscription: SubscriptionId,
    /// The dispatcher that claimed it. A delivery that another dispatcher has claimed since is not changed.
    pub owner: Uuid,
    pub outcome: ClaimOutcome,
    /// When the attempt ended.
    pub now: OffsetDateTime,
}

/// What the dispatcher did with a delivery.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ClaimOutcome {
    /// It made an attempt.
    Attempted { attempt: Attempt, verdict: Verdict },
    /// It is too late for an attempt. The delivery fails without another attempt, which does not count as a failure of its receiver.
    Expired,
}

impl AttemptRecord {
    /// The attempt and the next step, if there was one.
    pub const fn attempted(&self) -> Option<(&Attempt, Verdict)> {
        match &self.outcome {
            ClaimOutcome::Attempted { attempt, verdict } => Some((attempt, *verdict)),
            ClaimOutcome::Expired => None,
        }
    }
}

/// A dispatcher's request for due deliveries.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ClaimRequest {
    /// The claiming dispatcher.
    pub owner: Uuid,
    /// Maximum number of deliveries.
    pub limit: u32,
    /// Maximum number per subscription.
    pub limit_per_subscription: u32,
    /// Subscriptions to leave out, such as those at their limit of deliveries in flight.
    pub excluded: Vec<SubscriptionId>,
    /// Where the last claim ended: subscriptions are served round-robin.
    pub after: Option<(WorkspaceId, SubscriptionId)>,
    /// Whether deliveries whose lease has expired are made due first.
    pub releases_expired: bool,
    pub now: OffsetDateTime,
}

/// The result of a claim.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Claims {
    pub deliveries: Vec<ClaimedDelivery>,
    /// Where the next claim continues; `None` to start from the beginning.
    pub next_after: Option<(WorkspaceId, SubscriptionId)>,
    /// Subscriptions whose due deliveries could not be claimed because their workspaces failed.
    pub failed: Vec<SubscriptionId>,
}
