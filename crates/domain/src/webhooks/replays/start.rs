//! Starting a replay (interface 16.39, 16.40).

use schemars::JsonSchema;
use serde::Serialize;
use serde_json::json;
use time::OffsetDateTime;

use super::{MAX_REPLAY_EVENTS, MAX_RUNNING_REPLAYS, Replay, ReplayCount, ReplaySelection, ReplayState};
use crate::events::ALL_EVENTS;
use crate::identity::access::{Permit, UpdateWebhooks};
use crate::identity::audit::{AuditAction, AuditEntry, AuditSubject};
use crate::kernel::Weight;
use crate::kernel::idempotency::{IdempotentRequest, IdempotentResult};
use crate::kernel::input::{InputMode, Items, Problems, fields, format_timestamp};
use crate::ports::{Ports, Tx, weighed_transact_idempotent};
use crate::webhooks::{Subscription, WebhookReach};
use crate::{Error, ReplayId, SubscriptionId};

const MAX_EVENTS: usize = 50;

fields! {
    /// What a replay sends again.
    pub struct ReplayFields {
        /// Events from this time on are sent again.
        since: OffsetDateTime = required,
        /// Events before this time are sent again.
        /// Default: now.
        until: OffsetDateTime,
        /// Names of events that the webhook subscribes to.
        /// Default: all of them.
        events: Items<MAX_EVENTS, 100>,
        /// Only events whose latest delivery to the webhook failed.
        /// Default: false.
        only_failed: bool,
        /// Only count.
        /// Default: false.
        dry_run: bool,
    }
    together check_fields;
}

fn check_fields(fields: &ReplayFields, _: InputMode, problems: &mut Problems) {
    if fields.events.set().is_some_and(|events| events.as_slice().is_empty()) {
        problems.rule("events", "required", "must have at least one event; omit it for all of them");
    }
    if let (Some(since), Some(until)) = (fields.since.set(), fields.until.set())
        && since >= until
    {
        problems.rule("until", "before_start", "must be later than since");
    }
}

/// The response to a request for a replay.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, JsonSchema)]
pub struct ReplayStarted {
    /// Null for a dry run, which stores nothing.
    pub id: Option<ReplayId>,
    /// How many events match.
    pub matched: u64,
    pub state: Option<ReplayState>,
}

/// Counts the matching events of the log, and starts a replay that queues them again for the subscription, in steps in the
/// background.
///
/// # Errors
/// [`Error::NotFound`], [`Error::Invalid`] for events that the subscription does not include, for a range in the future and for one
/// with more than [`MAX_REPLAY_EVENTS`], [`Error::InvalidStateChange`] if the subscription is disabled or its maker is no longer
/// active, [`Error::Conflict`] above the limit of running replays.
pub async fn replay(
    ports: &Ports,
    permit: &Permit<UpdateWebhooks>,
    once: Option<IdempotentRequest<ReplayStarted>>,
    id: SubscriptionId,
    fields: ReplayFields,
) -> Result<IdempotentResult<ReplayStarted>, Error> {
    let request = Request { ports: ports.clone(), permit: permit.clone(), id, fields, now: ports.clock.now() };
    weighed_transact_idempotent(ports, permit, Weight::Heavy, once, move |tx| request.run(tx)).await
}

/// One request; its transaction may run more than once.
struct Request {
    ports: Ports,
    permit: Permit<UpdateWebhooks>,
    id: SubscriptionId,
    fields: ReplayFields,
    now: OffsetDateTime,
}

impl Request {
    fn run(&self, tx: &mut dyn Tx) -> Result<ReplayStarted, Error> {
        let reach = WebhookReach::for_permit(&self.permit);
        let record = reach.find_record(tx.subscriptions().get(self.id)?)?;
        let since =
            *self.fields.since.set().ok_or_else(|| Error::malformed("since", "required", "since is required"))?;
        if since > self.now {
            return Err(Error::invalid("since", "out_of_range", "must not be in the future"));
        }
        let events = self.events(&record.subscription)?;
        let until = self.fields.until.set().copied();
        let only_failed = self.fields.only_failed.set().is_some_and(|value| *value);
        let selection = ReplaySelection::new(&record.subscription, since, until, events.clone(), only_failed);
        let count = tx.replays().count(&selection, MAX_REPLAY_EVENTS)?;
        check_size(&count)?;
        if self.fields.dry_run.set().is_some_and(|value| *value) {
            return Ok(ReplayStarted { id: None, matched: count.matched, state: None });
        }
        // Locks in the same order as other changes: the key, the workspace, the subscription. No lock is held while events are
        // counted.
        self.permit.confirm_alive(tx, self.now)?;
        let running = tx.replays().running_for_update()?;
        // The subscription may have changed since it was read above.
        let subscription = reach.find(tx.subscriptions().get_for_update(self.id)?)?;
        if !subscription.enabled {
            return Err(Error::InvalidStateChange("the webhook is disabled: enable it first".to_owned()));
        }
        if record.maker_has_ended(self.now) {
            let message = "the creator of this webhook can no longer read its events: save the webhook first to become \
                           its creator";
            return Err(Error::InvalidStateChange(message.to_owned()));
        }
        check_running(&running, self.id)?;
        let replay = self.build(&selection, events, count);
        tx.replays().insert(&replay)?;
        tx.audit().append(&self.audit(&replay))?;
        Ok(ReplayStarted { id: Some(replay.id), matched: replay.matched, state: Some(replay.state) })
    }

    /// The canonical event names that the replay is limited to, without duplicates.
    fn events(&self, subscription: &Subscription) -> Result<Option<Vec<String>>, Error> {
        let Some(sent) = self.fields.events.set() else { return Ok(None) };
        let mut problems = Problems::default();
        let mut names = Vec::new();
        for (index, name) in sent.as_slice().iter().enumerate() {
            let is_subscribed =
                |canonical: &String| subscription.events.iter().any(|own| own == canonical || own == ALL_EVENTS);
            if let Some(canonical) = subscription.module.canonical(name).filter(is_subscribed) {
                names.push(canonical);
            } else {
                let own = subscription.events.join(", ");
                let message = format!("must be an event that the webhook subscribes to: {own}");
                problems.rule(format!("events[{index}]"), "unknown_event", message);
            }
        }
        problems.into_result()?;
        names.sort();
        names.dedup();
        // `*` means all events of the subscription.
        Ok(Some(names).filter(|names| names.iter().all(|name| name != ALL_EVENTS)))
    }

    fn build(&self, selection: &ReplaySelection, events: Option<Vec<String>>, count: ReplayCount) -> Replay {
        let is_empty = count.matched == 0;
        Replay {
            id: ReplayId(self.ports.ids.new_id()),
            subscription_id: self.id,
            since: selection.since,
            until: selection.until,
            events,
            only_failed: selection.only_failed,
            state: if is_empty { ReplayState::Completed } else { ReplayState::Running },
            matched: count.matched,
            queued: 0,
            last_event: count.last,
            created_by: self.permit.actor(),
            created_at: self.now,
            finished_at: is_empty.then_some(self.now),
        }
    }

    fn audit(&self, replay: &Replay) -> AuditEntry {
        let details = json!({
            "replay_id": replay.id, "since": format_timestamp(replay.since), "until": replay.until.map(format_timestamp),
            "events": replay.events, "only_failed": replay.only_failed, "matched": replay.matched,
        });
        let subject = AuditSubject::subscription(self.id);
        AuditEntry::new(&self.ports, &self.permit.principal(), AuditAction::WebhookReplayed, subject, details)
    }
}

fn check_size(count: &ReplayCount) -> Result<(), Error> {
    if count.examined <= u64::from(MAX_REPLAY_EVENTS) {
        return Ok(());
    }
    let message =
        format!("the workspace has more than {MAX_REPLAY_EVENTS} events in this period: replay it in shorter periods");
    Err(Error::invalid("since", "too_many", message))
}

fn check_running(running: &[SubscriptionId], id: SubscriptionId) -> Result<(), Error> {
    if running.contains(&id) {
        let message = "a replay of this webhook is already running: wait until it ends, or cancel it";
        return Err(Error::Conflict(message.to_owned()));
    }
    if running.len() >= MAX_RUNNING_REPLAYS {
        let message = format!(
            "this workspace has reached its limit of {MAX_RUNNING_REPLAYS} running replays: wait until one ends, or \
             cancel one"
        );
        return Err(Error::Conflict(message));
    }
    Ok(())
}
