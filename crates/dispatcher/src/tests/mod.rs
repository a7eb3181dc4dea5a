//! The dispatcher against receivers on loopback, with an in-memory queue and a manual clock.

mod claims;
mod fairness;
mod guard;
mod in_flight;
mod metrics;
mod queue;
mod receiver;
mod responses;
mod secure;
mod shutdown;
mod signatures;
mod store_failures;

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use background::Notifier;
use domain::events::Module;
use domain::identity::access::Actor;
use domain::kernel::sealing::MasterKeys;
use domain::ports::{Clock, Ids, Random};
use domain::webhooks::{
    Delivery, DeliveryState, Maker, PlainSecret, SigningSecrets, Subscription, TargetPolicy, compose_body,
};
use domain::{DeliveryId, SubscriptionId, WorkspaceId};
use rustls::ClientConfig;
use time::OffsetDateTime;
use time::macros::datetime;
use tokio::sync::{Semaphore, oneshot};
use tokio::task::JoinHandle;
use uuid::Uuid;

use self::queue::FakeQueue;
use self::receiver::{Receiver, ScriptedResponse};
use crate::{Dispatcher, DispatcherOptions};

/// Start time of the manual clock.
const START: OffsetDateTime = datetime!(2030-01-01 00:00 UTC);
const WORKSPACE: WorkspaceId = WorkspaceId(Uuid::from_u128(7));
/// Timeout of every wait.
const WAIT_TIMEOUT: Duration = Duration::from_secs(30);

/// A manual clock.
#[derive(Default)]
struct ManualClock(Mutex<Duration>);

impl ManualClock {
    fn advance(&self, by: Duration) {
        *self.0.lock().unwrap() += by;
    }
}

impl Clock for ManualClock {
    fn now(&self) -> OffsetDateTime {
        START + self.elapsed()
    }

    fn elapsed(&self) -> Duration {
        *self.0.lock().unwrap()
    }
}

/// Sequential numbers, used as ids and as randomness.
#[derive(Default)]
struct Counter(AtomicU64);

impl Counter {
    fn next(&self) -> u64 {
        self.0.fetch_add(1, Ordering::Relaxed) + 1
    }
}

impl Ids for Counter {
    fn new_id(&self) -> Uuid {
        Uuid::from_u128(self.next().into())
    }
}

impl Random for Counter {
    fn fill(&self, bytes: &mut [u8]) {
        bytes.fill_with(|| self.next().to_le_bytes()[0]);
    }
}

/// The dependencies of a dispatcher.
struct Rig {
    queue: Arc<FakeQueue>,
    clock: Arc<ManualClock>,
    counter: Arc<Counter>,
    keys: Arc<MasterKeys>,
}

impl Rig {
    fn new() -> Self {
        let counter = Arc::new(Counter::default());
        let keys = Arc::new(MasterKeys::parse(&MasterKeys::generate(counter.as_ref())).unwrap());
        Self { queue: Arc::default(), clock: Arc::default(), counter, keys }
    }

    /// With a subscription to a receiver that always reacts in the same way.
    async fn with_receiver(response: ScriptedResponse) -> (Self, Receiver, SubscriptionId) {
        let (rig, receiver) = (Self::new(), Receiver::always(response).await);
        let (subscription, _) = rig.subscribe(&receiver.url());
        (rig, receiver, subscription)
    }

    /// With a subscription to a receiver that answers when the test adds permits.
    async fn with_gated_receiver() -> (Self, Receiver, SubscriptionId, Arc<Semaphore>) {
        let gate = Arc::new(Semaphore::new(0));
        let (rig, receiver, subscription) = Self::with_receiver(ScriptedResponse::Gated(Arc::clone(&gate))).await;
        (rig, receiver, subscription, gate)
    }

    /// Creates a subscription to a target; returns its secret too.
    fn subscribe(&self, url: &str) -> (SubscriptionId, PlainSecret) {
        self.subscribe_in(WORKSPACE, url)
    }

    fn subscribe_in(&self, workspace: WorkspaceId, url: &str) -> (SubscriptionId, PlainSecret) {
        let secret = PlainSecret::generate(self.counter.as_ref());
        let id = SubscriptionId(self.counter.new_id());
        let subscription = Subscription {
            id,
            group: None,
            module: Module::Projects,
            url: url.to_owned(),
            description: None,
            events: vec!["*".to_owned()],
            scope: None,
            enabled: true,
            disabled_reason: None,
            secrets: SigningSecrets::new(secret.seal(&self.keys, (workspace, id), self.counter.as_ref()).unwrap()),
            headers: None,
            failing_since: None,
            version: 1,
            created_at: START,
            updated_at: START,
            created_by: Actor::SYSTEM,
            maker: Maker { actor: Actor::SYSTEM, notice_at: None },
        };
        self.queue.subscribe(workspace, subscription);
        (id, secret)
    }

    /// Queues `count` deliveries.
    fn enqueue(&self, subscription: SubscriptionId, count: usize) -> Vec<DeliveryId> {
        let one = |_| {
            let id = DeliveryId(self.counter.new_id());
            let now = self.clock.now();
            self.queue.enqueue(Delivery {
                id,
                subscription_id: subscription,
                event: "task.created".to_owned(),
                event_id: None,
                body: compose_body(id, WORKSPACE, ("task.created", None), now, "{\"text\":\"Grüße\"}"),
                state: DeliveryState::Pending,
                attempts: 0,
                attempts_before: 0,
                next_attempt_at: Some(now),
                redelivered_at: None,
                replay_id: None,
                failed_reason: None,
                created_at: now,
                finished_at: None,
            });
            id
        };
        (0..count).map(one).collect()
    }

    fn start(&self, options: DispatcherOptions) -> RunningDispatcher {
        self.start_trusting(tls::client_config().unwrap(), options)
    }

    /// Starts a dispatcher that trusts the test's certificates.
    fn start_trusting(&self, tls: ClientConfig, options: DispatcherOptions) -> RunningDispatcher {
        let dispatcher = Dispatcher::with_roots(
            tls,
            Arc::clone(&self.queue) as _,
            Arc::clone(&self.clock) as _,
            Arc::clone(&self.counter) as _,
            self.counter.as_ref(),
            Arc::clone(&self.keys),
            options,
        )
        .unwrap();
        let (queued, owner) = (dispatcher.notifier(), dispatcher.owner());
        let (stop, stopped) = oneshot::channel::<()>();
        let task = tokio::spawn(dispatcher.run(async {
            // A test that ends without stopping the dispatcher drops everything.
            if stopped.await.is_err() {
                std::future::pending::<()>().await;
            }
        }));
        RunningDispatcher { queued, owner, stop: Some(stop), task }
    }

    /// Queues one delivery, and waits for its first attempt.
    async fn attempt(&self, url: &str, options: DispatcherOptions) -> queue::Row {
        self.attempt_trusting(tls::client_config().unwrap(), url, options).await
    }

    async fn attempt_trusting(&self, tls: ClientConfig, url: &str, options: DispatcherOptions) -> queue::Row {
        let (subscription, _) = self.subscribe(url);
        let delivery = self.enqueue(subscription, 1)[0];
        let started = self.start_trusting(tls, options);
        self.queue.until(|rows| !rows[&delivery].attempts.is_empty()).await;
        started.stop().await;
        self.queue.row(delivery)
    }
}

/// A dispatcher that runs until it is stopped or dropped.
struct RunningDispatcher {
    queued: Notifier,
    owner: Uuid,
    stop: Option<oneshot::Sender<()>>,
    task: JoinHandle<()>,
}

impl RunningDispatcher {
    async fn stop(mut self) {
        self.stop.take().unwrap().send(()).unwrap();
        tokio::time::timeout(WAIT_TIMEOUT, &mut self.task).await.unwrap().unwrap();
    }

    /// Queues deliveries again and again, and waits for each batch.
    async fn deliver_batches(&self, rig: &Rig, subscription: SubscriptionId) {
        for _ in 0..20 {
            let ids = rig.enqueue(subscription, 16);
            self.queued.notify();
            rig.queue.until(|rows| ids.iter().all(|id| rows[id].delivery.state == DeliveryState::Succeeded)).await;
        }
    }

    /// Ends the dispatcher as in a crash: the store is not informed.
    async fn crash(mut self) {
        self.task.abort();
        assert!((&mut self.task).await.unwrap_err().is_cancelled());
    }
}

impl Drop for RunningDispatcher {
    fn drop(&mut self) {
        self.task.abort();
    }
}

/// Options that allow requests to loopback.
fn open() -> DispatcherOptions {
    DispatcherOptions {
        targets: TargetPolicy { allows_http: true, allows_private_networks: true },
        ..DispatcherOptions::default()
    }
}

/// Waits until the condition holds. It is checked after each notification of `changes`.
async fn until(changes: &tokio::sync::watch::Sender<u64>, holds: impl Fn() -> bool) {
    let mut changes = changes.subscribe();
    let waiting = async {
        while !holds() {
            changes.changed().await.unwrap();
        }
    };
    tokio::time::timeout(WAIT_TIMEOUT, waiting).await.expect("the condition never held");
}
