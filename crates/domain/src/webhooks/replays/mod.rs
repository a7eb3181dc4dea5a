//! Replays: past events of the log, queued again for one subscription (interface 16.39 to 16.44).
//!
//! A use case counts the matching events and stores the request. Dispatchers queue its deliveries in steps, while the queue has
//! room ([`DeliveryQueue::queue_replays`](crate::ports::DeliveryQueue::queue_replays)).

mod manage;
mod start;

pub use manage::{cancel_replay, list_replays, read_replay};
pub use start::{ReplayFields, ReplayStarted, replay};

use schemars::JsonSchema;
use serde::Serialize;
use time::OffsetDateTime;
use uuid::Uuid;

use super::Subscription;
use crate::events::{ALL_EVENTS, Module};
use crate::identity::access::Actor;
use crate::kernel::input::choices;
use crate::kernel::input::schema::{OptionalTimestampText, TimestampText};
use crate::kernel::paging::paginated;
use crate::{EventId, ReplayId, SubscriptionId, WorkspaceId};

/// Maximum events of the log that a replay may scan. Counting them is one statement.
pub const MAX_REPLAY_EVENTS: u32 = 500_000;
/// Maximum running replays per workspace. A subscription has at most one.
pub const MAX_RUNNING_REPLAYS: usize = 5;
/// A replay waits while this many deliveries of its subscription are due. This bounds how many deliveries a new event waits behind.
pub const MAX_DUE_IN_REPLAY: u32 = 500;

choices! {
    /// The state of a replay.
    pub enum ReplayState {
        /// Deliveries are being queued, or wait for room.
        Running = "running",
        /// Everything is queued.
        Completed = "completed",
        /// Somebody ended it, or the webhook was deleted.
        Cancelled = "cancelled",
    }
}

/// A replay as it is stored.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Replay {
    pub id: ReplayId,
    pub subscription_id: SubscriptionId,
    pub since: OffsetDateTime,
    /// Exclusive; `None` for everything that was in the log at the request.
    pub until: Option<OffsetDateTime>,
    /// The event names that it is limited to.
    pub events: Option<Vec<String>>,
    pub only_failed: bool,
    pub state: ReplayState,
    /// How many events matched when it was requested.
    pub matched: u64,
    /// How many deliveries have been queued so far.
    pub queued: u64,
    /// The last event of the log that it examines; `None` if its range has none.
    pub last_event: Option<EventId>,
    pub created_by: Actor,
    pub created_at: OffsetDateTime,
    pub finished_at: Option<OffsetDateTime>,
}

paginated!(Replay: REPLAYS, ReplayView: REPLAYS);

/// A replay as shown in the API.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
#[schemars(rename = "Replay")]
pub struct ReplayView {
    pub id: ReplayId,
    pub webhook_id: SubscriptionId,
    pub state: ReplayState,
    #[serde(with = "TimestampText")]
    pub since: OffsetDateTime,
    #[serde(with = "OptionalTimestampText")]
    pub until: Option<OffsetDateTime>,
    pub events: Option<Vec<String>>,
    pub only_failed: bool,
    /// How many events matched when it was requested.
    pub matched: u64,
    /// How many deliveries have been queued so far.
    pub queued: u64,
    pub created_by: Actor,
    #[serde(with = "TimestampText")]
    pub created_at: OffsetDateTime,
    #[serde(with = "OptionalTimestampText")]
    pub finished_at: Option<OffsetDateTime>,
}

impl Replay {
    pub(super) fn to_view(&self) -> ReplayView {
        ReplayView {
            id: self.id,
            webhook_id: self.subscription_id,
            state: self.state,
            since: self.since,
            until: self.until,
            events: self.events.clone(),
            only_failed: self.only_failed,
            matched: self.matched,
            queued: self.queued,
            created_by: self.created_by,
            created_at: self.created_at,
            finished_at: self.finished_at,
        }
    }

    /// What the replay selects, given the current state of its subscription.
    pub fn selection(&self, subscription: &Subscription) -> ReplaySelection {
        ReplaySelection::new(subscription, self.since, self.until, self.events.clone(), self.only_failed)
    }
}

/// What a replay selects from the log.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ReplaySelection {
    pub subscription: SubscriptionId,
    pub module: Module,
    pub scope: Option<Uuid>,
    /// The event names; `None` for all events of the module.
    pub names: Option<Vec<String>>,
    pub since: OffsetDateTime,
    /// Exclusive.
    pub until: Option<OffsetDateTime>,
    /// Only events whose latest delivery to the subscription failed.
    pub only_failed: bool,
}

impl ReplaySelection {
    /// The events of the subscription, limited to a time range and, if given, to these of its event names.
    pub fn new(
        subscription: &Subscription,
        since: OffsetDateTime,
        until: Option<OffsetDateTime>,
        events: Option<Vec<String>>,
        only_failed: bool,
    ) -> Self {
        let has_all_events = subscription.events.iter().any(|name| name == ALL_EVENTS);
        let names = match events {
            Some(events) => {
                Some(events.into_iter().filter(|name| has_all_events || subscription.events.contains(name)).collect())
            }
            None => (!has_all_events).then(|| subscription.events.clone()),
        };
        let (module, scope) = (subscription.module, subscription.scope);
        Self { subscription: subscription.id, module, scope, names, since, until, only_failed }
    }
}

/// The result of counting what a replay would queue.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct ReplayCount {
    /// Scanned events; more than [`MAX_REPLAY_EVENTS`] if the count ended early.
    pub examined: u64,
    pub matched: u64,
    /// The last event of the range.
    pub last: Option<EventId>,
}

/// The result of queueing for the replays of some subscriptions.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct ReplayStep {
    /// How many deliveries were queued.
    pub deliveries: u64,
    /// Whether any replay made progress.
    pub has_advanced: bool,
    /// The subscription to continue after; `None` to start from the beginning.
    pub next_after: Option<(WorkspaceId, SubscriptionId)>,
}

#[cfg(test)]
mod tests {
    use time::Duration;
    use time::macros::datetime;

    use super::*;
    use crate::identity::access::Actor;
    use crate::kernel::sealing::SealedSecret;
    use crate::webhooks::{Maker, SigningSecrets};

    const NOON: OffsetDateTime = datetime!(2030-01-01 12:00 UTC);

    fn selection(own: &[&str], narrowed: Option<&[&str]>) -> ReplaySelection {
        let to_strings = |names: &[&str]| names.iter().map(|name| (*name).to_owned()).collect();
        let subscription = Subscription {
            id: SubscriptionId(Uuid::nil()),
            group: None,
            module: Module::Crm,
            url: String::new(),
            description: None,
            events: to_strings(own),
            scope: None,
            enabled: true,
            disabled_reason: None,
            secrets: SigningSecrets::new(SealedSecret { key_id: String::new(), sealed: Vec::new() }),
            headers: None,
            failing_since: None,
            version: 1,
            created_at: NOON,
            updated_at: NOON,
            created_by: Actor::SYSTEM,
            maker: Maker { actor: Actor::SYSTEM, notice_at: None },
        };
        ReplaySelection::new(&subscription, NOON, Some(NOON + Duration::HOUR), narrowed.map(to_strings), false)
    }

    #[test]
    fn a_selection_has_at_most_the_names_of_its_subscription() {
        for (own, narrowed, names) in [
            (&["*"][..], None, None),
            (&["*"], Some(&["deal.won"][..]), Some(&["deal.won"][..])),
            (&["deal.won"], None, Some(&["deal.won"])),
            (&["deal.won", "deal.lost"], Some(&["deal.lost"]), Some(&["deal.lost"])),
            // The subscription no longer includes the event that the replay was limited to.
            (&["deal.won"], Some(&["deal.lost"]), Some(&[])),
        ] {
            let expected = names.map(|names| names.iter().map(ToString::to_string).collect());
            assert_eq!(selection(own, narrowed).names, expected, "{own:?} {narrowed:?}");
        }
    }
}
