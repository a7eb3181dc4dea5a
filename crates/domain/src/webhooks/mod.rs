//! Webhooks: subscriptions, what is delivered to them, and its history (contract: webhooks).
//!
//! Use cases emit [`Event`]s in their transactions; the store queues one [`Delivery`] a matching subscription; a
//! dispatcher sends them (`crates/dispatcher`), and decides by [`decide`] what comes next.

use crate::kernel::sealing::SealedSecret;
mod catalogue;
mod deliveries;
mod event;
mod report;
mod rotate_secret;
mod schedule;
mod secret;
mod signature;
mod subscription_fields;
mod subscriptions;
mod target;

pub use catalogue::{ALL_EVENTS, MAX_NAME_LENGTH, Module, TEST_EVENT, is_event_name};
pub use deliveries::{DeliveryFilter, DeliveryView, list_deliveries, read_delivery, redeliver, send_test};
pub use event::Event;
pub(crate) use event::{EventBuilder, EventSource};
pub use report::{ReportAccepted, ReportFields, ReportPayload, report};
pub use rotate_secret::{RotateFields, rotate_secret};
pub use schedule::{
    ATTEMPT_TIMEOUT, AttemptOutcome, DISABLE_AFTER, DeliveryState, LEASE, MAX_CONCURRENT_PER_SUBSCRIPTION, RETENTION,
    Verdict, decide,
};
pub use secret::PlainSecret;

pub use signature::{sign, sign_standard};
pub use subscription_fields::SubscriptionFields;
pub use subscriptions::{CreatedSubscription, MAX_SUBSCRIPTIONS, SubscriptionView, create, delete, list, read, update};
pub use target::{InvalidTarget, TargetPolicy, is_global};

use schemars::JsonSchema;
use serde::Serialize;
use time::OffsetDateTime;
use uuid::Uuid;

use crate::identity::access::Actor;
use crate::kernel::input::schema::TimestampText;
use crate::kernel::input::{choices, timestamp_json};
use crate::kernel::paging::{ListName, Paginated};
use crate::{DeliveryId, SubscriptionId, WorkspaceId};

choices! {
    /// Why a subscription was disabled by the service.
    pub enum DisabledReason {
        /// The receiver answered 410.
        Gone = "gone",
        /// It failed for days without a success.
        Failing = "failing",
    }
}

/// A subscription as it is stored.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Subscription {
    /// Its id.
    pub id: SubscriptionId,
    /// The module that it belongs to.
    pub module: Module,
    /// Where deliveries go.
    pub url: String,
    /// What people say of it.
    pub description: Option<String>,
    /// Canonical names, or `*`.
    pub events: Vec<String>,
    /// The value of the module's scope column that it is narrowed to.
    pub scope: Option<Uuid>,
    /// Whether events are queued for it.
    pub enabled: bool,
    /// Why the service disabled it.
    pub disabled_reason: Option<DisabledReason>,
    /// The secret that signs.
    pub secret: SealedSecret,
    /// The secret that signs beside it until `overlap_ends_at`, and alone from then on.
    pub next_secret: Option<SealedSecret>,
    /// When the former secret stops signing.
    pub overlap_ends_at: Option<OffsetDateTime>,
    /// Since when it has failed without a success.
    pub failing_since: Option<OffsetDateTime>,
    /// Counts its changes, from 1.
    pub version: i64,
    /// When it was made.
    pub created_at: OffsetDateTime,
    /// When it was last changed.
    pub updated_at: OffsetDateTime,
    /// Who made it.
    pub created_by: Actor,
}

impl Subscription {
    /// The secrets that sign at `now`: the one in use, and the next one during an overlap.
    pub fn signing_secrets(&self, now: OffsetDateTime) -> (&SealedSecret, Option<&SealedSecret>) {
        match (&self.next_secret, self.overlap_ends_at) {
            (Some(next), Some(end)) if now < end => (&self.secret, Some(next)),
            (Some(next), _) => (next, None),
            (None, _) => (&self.secret, None),
        }
    }
}

impl Paginated for Subscription {
    const LIST: ListName = ListName::Subscriptions;

    fn cursor_key(&self) -> (OffsetDateTime, Uuid) {
        (self.created_at, self.id.0)
    }
}

/// One event for one subscription.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Delivery {
    /// Its id, which receivers deduplicate by.
    pub id: DeliveryId,
    /// Whose.
    pub subscription_id: SubscriptionId,
    /// The event's name.
    pub event: String,
    /// The body to the byte.
    pub body: String,
    /// Where it stands.
    pub state: DeliveryState,
    /// How many attempts were made.
    pub attempts: u32,
    /// When the next attempt is due.
    pub next_attempt_at: Option<OffsetDateTime>,
    /// The delivery that it repeats.
    pub redelivery_of: Option<DeliveryId>,
    /// When it was queued.
    pub created_at: OffsetDateTime,
    /// When it was over.
    pub finished_at: Option<OffsetDateTime>,
}

impl Paginated for Delivery {
    const LIST: ListName = ListName::Deliveries;

    fn cursor_key(&self) -> (OffsetDateTime, Uuid) {
        (self.created_at, self.id.0)
    }
}

/// One request to a receiver.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Attempt {
    /// Counts a delivery's attempts, from 1.
    pub number: u32,
    /// When it began.
    #[serde(with = "timestamp_json")]
    #[schemars(with = "TimestampText")]
    pub started_at: OffsetDateTime,
    /// How long it took, in milliseconds.
    pub duration_ms: u32,
    /// The status of the answer; none when there was none.
    pub status: Option<u16>,
    /// What went wrong, where it was not the answer that did.
    pub error: Option<String>,
    /// The beginning of the answer.
    pub response: Option<String>,
}

/// The most of an answer that is kept, in bytes.
pub const MAX_STORED_RESPONSE_BYTES: usize = 1_024;

/// The body of a delivery: the id first, since it is the only part that differs between subscriptions.
pub fn body_of(id: DeliveryId, workspace: WorkspaceId, event: &Event) -> String {
    format!("{{\"id\":\"{id}\"{}", body_suffix(workspace, event))
}

/// What follows the id in the body of each of an event's deliveries.
pub fn body_suffix(workspace: WorkspaceId, event: &Event) -> String {
    // Names are of a closed form and ids are ids: none of them can end the text early.
    format!(
        ",\"event\":\"{}\",\"workspace_id\":\"{workspace}\",\"created_at\":\"{}\",\"payload\":{}}}",
        event.name,
        crate::kernel::input::format_timestamp(event.at),
        event.payload
    )
}

/// A delivery that a dispatcher has in hand, with all that sending it takes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ClaimedDelivery {
    /// The workspace.
    pub workspace: WorkspaceId,
    /// The delivery, as it was before this claim.
    pub delivery: Delivery,
    /// When its first attempt began, unless this is it.
    pub first_attempt_at: Option<OffsetDateTime>,
    /// Its subscription.
    pub subscription: Subscription,
    /// Until when it is this dispatcher's.
    pub leased_until: OffsetDateTime,
}

/// What came of a claimed delivery.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AttemptRecord {
    /// The workspace.
    pub workspace: WorkspaceId,
    /// The delivery.
    pub delivery: DeliveryId,
    /// Its subscription.
    pub subscription: SubscriptionId,
    /// Who had it in hand: what another took over meanwhile is not touched.
    pub owner: Uuid,
    /// The request.
    pub attempt: Attempt,
    /// What follows.
    pub verdict: Verdict,
    /// When it was over.
    pub now: OffsetDateTime,
}

/// What a dispatcher asks for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ClaimRequest {
    /// Who asks.
    pub owner: Uuid,
    /// How many in all, at the most.
    pub limit: u32,
    /// How many of one subscription, at the most.
    pub limit_per_subscription: u32,
    /// Subscriptions of which it has enough in hand.
    pub excluded: Vec<SubscriptionId>,
    /// Where the last claim ended: subscriptions are asked in turn.
    pub after: Option<(WorkspaceId, SubscriptionId)>,
    /// Now.
    pub now: OffsetDateTime,
}

/// What a claim came to.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Claims {
    /// The deliveries.
    pub deliveries: Vec<ClaimedDelivery>,
    /// Where the next claim goes on; none when it begins anew.
    pub next_after: Option<(WorkspaceId, SubscriptionId)>,
}
