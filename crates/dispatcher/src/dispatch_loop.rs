//! The dispatcher's main loop: one task makes the decisions, and each request runs in its own task.

use std::future::pending;
use std::pin::Pin;
use std::sync::Arc;
use std::time::Duration;

use background::Backoff;
use domain::ports::{StoreError, Unrecorded};
use domain::webhooks::{AttemptRecord, ClaimRequest, Claims};
use domain::{SubscriptionId, WorkspaceId};
use time::OffsetDateTime;
use tokio::task::{Id, JoinError, JoinSet};
use tokio::time::Instant;

use crate::context::{Context, store_backoff};
use crate::in_flight::{CLAIM_PER_SUBSCRIPTION, InFlight};
use crate::metrics;
use crate::pace::Pace;
use crate::recorder::Recorder;
use crate::unclaimable::Unclaimable;

/// No more deliveries are claimed while this many attempts are unrecorded.
const MAX_UNRECORDED: usize = 1_024;
/// The maximum part of the shutdown time that is reserved for recording attempts and releasing leases.
const SHUTDOWN_RESERVE: Duration = Duration::from_secs(1);
/// How often idle subscriptions are evicted.
const EVICT_INTERVAL: Duration = Duration::from_mins(1);
/// A store call that takes longer counts as failed, so that it cannot block the loop forever.
const STORE_TIMEOUT: Duration = Duration::from_secs(30);

/// A store call in flight.
type StoreCall<T, E = StoreError> = Pin<Box<dyn Future<Output = Result<T, E>> + Send>>;

fn call<T, E: From<StoreError>>(call: impl Future<Output = Result<T, E>> + Send + 'static) -> StoreCall<T, E> {
    let bounded = tokio::time::timeout(STORE_TIMEOUT, call);
    Box::pin(async move {
        bounded.await.unwrap_or_else(|_| Err(StoreError::Unavailable("the call timed out".to_owned()).into()))
    })
}

/// The result of the call. Waits forever if there is no call.
async fn result_of<T, E>(call: &mut Option<StoreCall<T, E>>) -> Result<T, E> {
    let Some(running) = call else { return pending().await };
    let result = running.await;
    *call = None;
    result
}

pub(crate) enum LoopEvent {
    Woken,
    TimerElapsed,
    Attempted(Result<(Id, AttemptRecord), JoinError>),
    Claimed(Result<Claims, StoreError>),
    Recorded(Result<(), Unrecorded>),
    RecordedAside(Result<(), Unrecorded>),
    Due(Result<Option<OffsetDateTime>, StoreError>),
}

#[expect(clippy::struct_excessive_bools, reason = "the flags are independent of each other")]
pub(crate) struct DispatchLoop {
    context: Context,
    in_flight: InFlight,
    recorder: Recorder,
    requests: JoinSet<AttemptRecord>,
    claim: Option<StoreCall<Claims>>,
    record: Option<StoreCall<(), Unrecorded>>,
    /// Records attempts of a workspace that were set aside.
    record_aside: Option<StoreCall<(), Unrecorded>>,
    /// Query for when the next delivery is due.
    next_due: Option<StoreCall<Option<OffsetDateTime>>>,
    /// Whether the queue may hold claimable deliveries.
    may_claim: bool,
    /// Whether a lease may have expired since the last claim that released expired leases.
    may_release: bool,
    /// Subscriptions excluded from the claim in flight.
    excluded: Vec<SubscriptionId>,
    /// The limit of the claim in flight.
    claim_limit: usize,
    after: Option<(WorkspaceId, SubscriptionId)>,
    pace: Pace,
    /// When the last claim began.
    claim_began: Instant,
    /// When [`DispatchLoop::advance`] last ran.
    advanced_at: Instant,
    claiming: Backoff,
    unclaimable: Unclaimable,
    poll_at: Instant,
    wants_next_due: bool,
    due_at: Option<Instant>,
    evict_at: Instant,
    is_shutting_down: bool,
}

impl DispatchLoop {
    pub(crate) fn new(context: Context) -> Self {
        let now = Instant::now();
        Self {
            in_flight: InFlight::new(context.options.requests),
            recorder: Recorder::new(),
            requests: JoinSet::new(),
            claim: None,
            record: None,
            record_aside: None,
            next_due: None,
            may_claim: true,
            may_release: true,
            excluded: Vec::new(),
            claim_limit: 0,
            after: None,
            pace: Pace::new(now),
            claim_began: now,
            advanced_at: now,
            claiming: store_backoff("claiming webhook deliveries"),
            unclaimable: Unclaimable::default(),
            poll_at: now,
            wants_next_due: false,
            due_at: None,
            evict_at: now + EVICT_INTERVAL,
            is_shutting_down: false,
            context,
        }
    }

    /// Starts everything that can start now.
    pub(crate) fn advance(&mut self) {
        let now = Instant::now();
        self.advanced_at = now;
        self.run_timers(now);
        if !self.is_shutting_down {
            // While outcomes cannot be recorded, no new requests are sent.
            if !self.recorder.is_failing() {
                self.start_requests(now);
            }
            self.begin_claim(now);
            self.begin_next_due();
        }
        self.begin_record(now);
        metrics::record_load(self.in_flight.total(), self.in_flight.running(), self.recorder.len());
    }

    fn run_timers(&mut self, now: Instant) {
        self.in_flight.mark_slow(now);
        self.may_claim |= self.unclaimable.end_due(now);
        if self.due_at.is_some_and(|due_at| due_at <= now) {
            self.due_at = None;
            (self.may_claim, self.may_release) = (true, true);
        }
        if self.poll_at <= now {
            self.poll_at = now + self.context.options.poll_interval;
            (self.may_claim, self.may_release, self.wants_next_due) = (true, true, true);
        }
        if self.evict_at <= now {
            self.evict_at = now + EVICT_INTERVAL;
            self.in_flight.evict_idle(now);
        }
    }

    fn start_requests(&mut self, now: Instant) {
        let wall = self.context.clock.now();
        while let Some(claimed) = self.in_flight.next(wall) {
            let (subscription, bytes) = (claimed.subscription.id, claimed.delivery.body.len());
            let sender = Arc::clone(&self.context.sender);
            let request = self.requests.spawn(async move { sender.attempt(claimed).await });
            self.in_flight.started(request.id(), subscription, bytes, now);
        }
    }

    fn begin_claim(&mut self, now: Instant) {
        let may = self.claim.is_none() && self.next_claim_at() <= now && !self.recorder.is_failing();
        if !self.may_claim || !may || self.recorder.len() >= MAX_UNRECORDED {
            return;
        }
        if self.in_flight.room() == 0 {
            self.in_flight.shed();
        }
        self.claim_limit = self.in_flight.room();
        if self.claim_limit == 0 {
            return;
        }
        self.may_claim = false;
        self.claim_began = now;
        self.pace.began(now);
        self.excluded = self.in_flight.excluded();
        self.excluded.extend(self.recorder.set_aside());
        self.excluded.extend(self.unclaimable.iter());
        self.excluded.sort_unstable();
        self.excluded.dedup();
        let request = ClaimRequest {
            owner: self.context.owner(),
            limit: u32::try_from(self.claim_limit).unwrap_or(u32::MAX),
            limit_per_subscription: CLAIM_PER_SUBSCRIPTION,
            excluded: self.excluded.clone(),
            after: self.after,
            releases_expired: std::mem::take(&mut self.may_release),
            now: self.context.clock.now(),
        };
        let queue = Arc::clone(&self.context.queue);
        self.claim = Some(call(async move { queue.claim(&request).await }));
    }

    fn next_claim_at(&self) -> Instant {
        let paced = self.pace.next_at();
        self.claiming.until().map_or(paced, |until| until.max(paced))
    }

    /// Asks the store when the next delivery is due, if none is due now.
    fn begin_next_due(&mut self) {
        if self.wants_next_due && !self.may_claim && self.claim.is_none() && self.next_due.is_none() {
            self.wants_next_due = false;
            let queue = Arc::clone(&self.context.queue);
            self.next_due = Some(call(async move { queue.next_due().await }));
        }
    }

    /// Whether no more attempts will be made.
    fn is_ending(&self) -> bool {
        self.is_shutting_down && self.in_flight.running() == 0
    }

    fn begin_record(&mut self, now: Instant) {
        let record = |records: Vec<_>| {
            let queue = Arc::clone(&self.context.queue);
            call(async move { queue.record(&records).await })
        };
        let ending = self.is_ending();
        if let Some(records) = self.recorder.begin(ending, now) {
            self.record = Some(record(records));
        }
        if let Some(records) = self.recorder.begin_aside(ending, now) {
            self.record_aside = Some(record(records));
        }
    }

    /// When the loop must wake up even without an event.
    fn wake_at(&self) -> Instant {
        let now = Instant::now();
        let record_at = self.recorder.due_at(self.is_ending(), now);
        // A claim that was already due is waiting for something else.
        let is_ahead = |at: &Instant| self.may_claim && self.claim.is_none() && *at > self.advanced_at;
        let claim_at = Some(self.next_claim_at()).filter(is_ahead);
        let times = [self.due_at, self.in_flight.next_slow_at(), self.unclaimable.next_at(), record_at, claim_at];
        times.into_iter().flatten().fold(self.poll_at.min(self.evict_at), Instant::min)
    }

    /// Waits for the next event. Cancel-safe.
    pub(crate) async fn next_event(&mut self) -> LoopEvent {
        let wake_at = self.wake_at();
        tokio::select! {
            Some(attempted) = self.requests.join_next_with_id() => LoopEvent::Attempted(attempted),
            claims = result_of(&mut self.claim) => LoopEvent::Claimed(claims),
            recorded = result_of(&mut self.record) => LoopEvent::Recorded(recorded),
            recorded = result_of(&mut self.record_aside) => LoopEvent::RecordedAside(recorded),
            due = result_of(&mut self.next_due) => LoopEvent::Due(due),
            () = self.context.queued.notified() => LoopEvent::Woken,
            () = tokio::time::sleep_until(wake_at) => LoopEvent::TimerElapsed,
        }
    }

    pub(crate) fn handle(&mut self, event: LoopEvent) {
        let now = Instant::now();
        match event {
            LoopEvent::Woken => self.may_claim = true,
            LoopEvent::TimerElapsed => {}
            LoopEvent::Attempted(attempted) => {
                self.attempted(attempted, now);
                // Handle requests that finished in the meantime, too.
                while let Some(attempted) = self.requests.try_join_next_with_id() {
                    self.attempted(attempted, now);
                }
            }
            LoopEvent::Claimed(claims) => self.claimed(claims, now),
            LoopEvent::Recorded(result) => self.recorder.done(result, now),
            LoopEvent::RecordedAside(result) => self.may_claim |= self.recorder.done_aside(result, now),
            LoopEvent::Due(Ok(due)) => self.due(due, now),
            // Failed claims already log a failing store.
            LoopEvent::Due(Err(error)) => log::debug!("could not read when the next delivery is due: {error}"),
        }
    }

    fn attempted(&mut self, attempted: Result<(Id, AttemptRecord), JoinError>, now: Instant) {
        let request = match attempted {
            Ok((request, record)) => {
                self.recorder.add(record, now);
                request
            }
            // A panic was logged where it happened, with the delivery's ids.
            Err(error) => error.id(),
        };
        self.may_claim |= self.in_flight.finished(request, now);
    }

    fn claimed(&mut self, claims: Result<Claims, StoreError>, now: Instant) {
        let excluded = std::mem::take(&mut self.excluded);
        match claims {
            Ok(claims) => {
                let is_failing = !claims.failed.is_empty() && claims.deliveries.is_empty();
                // Subscriptions whose exclusion ended during the claim make room for new ones.
                self.may_claim |= self.unclaimable.end_due(now);
                self.unclaimable.add(claims.failed, now - self.claim_began, now);
                if is_failing && self.unclaimable.is_full() {
                    self.claiming.failed(&"the deliveries of many webhooks cannot be claimed", now);
                } else {
                    self.claiming.succeeded();
                }
                // If the claim did not cover all subscriptions, claim from the rest: those after it and those before its start.
                let began_in_the_middle = self.after.is_some();
                let may_be_more = claims.next_after.is_some() || claims.deliveries.len() >= self.claim_limit;
                self.may_claim |= may_be_more || began_in_the_middle;
                self.after = claims.next_after;
                self.pace.found(claims.deliveries.len(), now);
                self.in_flight.take(claims.deliveries, &excluded, now);
            }
            Err(error) => {
                self.claiming.failed(&error, now);
                (self.may_claim, self.may_release) = (true, true);
                // Do not start the next claim where this one failed.
                self.after = None;
            }
        }
    }

    /// Sets the timer if the delivery is due before the next poll, which asks again.
    fn due(&mut self, due: Option<OffsetDateTime>, now: Instant) {
        let wait = due.map(|due| due - self.context.clock.now());
        // A delivery that is already due was not claimed because another dispatcher holds its lease or because it waits for a slot.
        let wait = wait.filter(|wait| wait.is_positive()).map(time::Duration::unsigned_abs);
        self.due_at = wait.map(|wait| now + wait).filter(|due_at| *due_at < self.poll_at);
    }

    /// Finishes requests in flight, records them, and releases the rest.
    pub(crate) async fn shut_down(mut self) {
        self.is_shutting_down = true;
        self.in_flight.drop_queued();
        let (start, timeout) = (Instant::now(), self.context.options.stop_timeout);
        let (reserve, end) = (SHUTDOWN_RESERVE.min(timeout / 4), start + timeout);
        let finish_by = start + timeout.saturating_sub(reserve);
        if tokio::time::timeout_at(finish_by, self.finish()).await.is_err() {
            log::warn!("shutdown timed out, aborting {} webhook requests", self.in_flight.running());
            self.requests.abort_all();
            if tokio::time::timeout_at(finish_by + reserve / 2, self.finish()).await.is_err() {
                log::warn!("could not record {} webhook attempts; they will be repeated", self.recorder.len());
            }
        }
        let (owner, now) = (self.context.owner(), self.context.clock.now());
        match tokio::time::timeout_at(end, self.context.queue.release(owner, now)).await {
            Ok(Ok(())) => {}
            Ok(Err(error)) => log::warn!("could not release deliveries: {error}; their leases will expire"),
            Err(_) => log::warn!("releasing deliveries timed out; their leases will expire"),
        }
    }

    fn is_busy(&self) -> bool {
        let is_recording = self.record.is_some() || self.record_aside.is_some() || self.recorder.len() > 0;
        is_recording || self.claim.is_some() || !self.requests.is_empty()
    }

    /// Runs until no request and no store call is in flight.
    async fn finish(&mut self) {
        while self.is_busy() {
            self.advance();
            let event = self.next_event().await;
            self.handle(event);
            self.in_flight.drop_queued();
        }
    }
}
