use std::pin::pin;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use background::{CancellationToken, Notifier};
use domain::kernel::sealing::MasterKeys;
use domain::ports::{Clock, DeliveryQueue, Ids, Random};
use domain::webhooks::ATTEMPT_TIMEOUT;
use rustls::ClientConfig;
use tokio::task::JoinSet;
use uuid::Uuid;

use crate::context::Context;
use crate::dispatch_loop::DispatchLoop;
use crate::error::DispatcherError;
use crate::options::DispatcherOptions;
use crate::resolver::SystemResolver;
use crate::send::Sender;
use crate::{connect, maintenance};

/// Delivers queued webhooks. Several dispatchers, in one process or many, may share a queue.
///
/// A clone is the same dispatcher, with the same owner id and notifier. Only one clone may run at a time.
#[derive(Clone)]
pub struct Dispatcher(Context);

impl std::fmt::Debug for Dispatcher {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.debug_struct("Dispatcher").field("owner", &self.owner()).finish_non_exhaustive()
    }
}

impl Dispatcher {
    /// Creates a dispatcher with a new owner id. Call this on the Tokio runtime that the dispatcher will run on, after installing the
    /// metrics recorder.
    pub fn new(
        queue: Arc<dyn DeliveryQueue>,
        clock: Arc<dyn Clock>,
        random: Arc<dyn Random>,
        ids: &dyn Ids,
        master_keys: Arc<MasterKeys>,
        options: DispatcherOptions,
    ) -> Result<Self, DispatcherError> {
        let tls = tls::client_config().map_err(|error| DispatcherError::Tls(error.to_string()))?;
        Self::with_roots(tls, queue, clock, random, ids, master_keys, options)
    }

    /// Like [`Dispatcher::new`], with TLS roots for tests.
    pub(crate) fn with_roots(
        tls: ClientConfig,
        queue: Arc<dyn DeliveryQueue>,
        clock: Arc<dyn Clock>,
        random: Arc<dyn Random>,
        ids: &dyn Ids,
        master_keys: Arc<MasterKeys>,
        options: DispatcherOptions,
    ) -> Result<Self, DispatcherError> {
        let names = match &options.names {
            Some(names) => Arc::clone(names),
            None => Arc::new(SystemResolver::new()?),
        };
        let within = options.attempt_timeout.min(ATTEMPT_TIMEOUT.unsigned_abs());
        let sender = Sender {
            client: connect::client(names, options.targets, tls, within),
            targets: options.targets,
            master_keys,
            clock: Arc::clone(&clock),
            random,
            owner: ids.new_id(),
            within,
            has_warned: AtomicBool::new(false),
        };
        Ok(Self(Context { queue, clock, sender: Arc::new(sender), queued: Notifier::default(), options }))
    }

    /// Wakes the dispatcher when a delivery is queued.
    pub fn notifier(&self) -> Notifier {
        self.0.queued.clone()
    }

    /// Uses an existing notifier.
    #[must_use]
    pub fn woken_by(self, queued: &Notifier) -> Self {
        Self(Context { queued: queued.clone(), ..self.0 })
    }

    /// The owner id of its leases.
    pub fn owner(&self) -> Uuid {
        self.0.owner()
    }

    /// Delivers until `stop` completes. Then it stops claiming, finishes requests in flight within
    /// [`DispatcherOptions::stop_timeout`], records their outcomes and releases the rest. If the future is dropped
    /// instead, requests in flight are aborted and their leases expire.
    pub async fn run(self, stop: impl Future<Output = ()> + Send) {
        let mut maintenance = JoinSet::new();
        maintenance.spawn(maintenance::job(&self.0).run(CancellationToken::new()));
        maintenance.spawn(maintenance::backlog_job(&self.0).run(CancellationToken::new()));
        maintenance.spawn(maintenance::replay_job(&self.0).run(CancellationToken::new()));
        let mut work = DispatchLoop::new(self.0);
        let mut stop = pin!(stop);
        loop {
            work.advance();
            tokio::select! {
                () = &mut stop => break,
                event = work.next_event() => work.handle(event),
            }
        }
        drop(maintenance);
        work.shut_down().await;
    }
}
