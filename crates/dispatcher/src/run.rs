//! The dispatcher.

use std::future::Future;
use std::pin::pin;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use domain::kernel::sealing::MasterKeys;
use domain::ports::{Clock, DeliveryQueue, Ids, Random};
use domain::webhooks::ATTEMPT_WITHIN;
use rustls::ClientConfig;
use tokio::task::JoinSet;
use uuid::Uuid;

use crate::bell::Bell;
use crate::error::DispatcherError;
use crate::names::SystemNames;
use crate::options::DispatcherOptions;
use crate::send::Sender;
use crate::work::Work;
use crate::{chores, connect};

/// Delivers what is queued. Several may work on one queue, in one process or many.
pub struct Dispatcher {
    pub(crate) queue: Arc<dyn DeliveryQueue>,
    pub(crate) clock: Arc<dyn Clock>,
    pub(crate) sender: Arc<Sender>,
    pub(crate) bell: Bell,
    pub(crate) options: DispatcherOptions,
}

impl std::fmt::Debug for Dispatcher {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.debug_struct("Dispatcher").field("owner", &self.sender.owner).finish_non_exhaustive()
    }
}

impl Dispatcher {
    /// Makes a dispatcher with an owner's id of its own. To be called on the Tokio runtime that it is to run on, after
    /// a recorder of metrics was installed.
    pub fn new(
        queue: Arc<dyn DeliveryQueue>,
        clock: Arc<dyn Clock>,
        random: Arc<dyn Random>,
        ids: &dyn Ids,
        master_keys: Arc<MasterKeys>,
        options: DispatcherOptions,
    ) -> Result<Self, DispatcherError> {
        let tls = tls::client_config().map_err(|error| DispatcherError::Tls(error.to_string()))?;
        Self::trusting(tls, queue, clock, random, ids, master_keys, options)
    }

    /// The same with certificates of a test's own.
    pub(crate) fn trusting(
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
            None => Arc::new(SystemNames::new()?),
        };
        let within = options.attempt_within.min(ATTEMPT_WITHIN.unsigned_abs());
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
        Ok(Self { queue, clock, sender: Arc::new(sender), bell: Bell::default(), options })
    }

    /// What wakes it.
    pub fn bell(&self) -> Bell {
        self.bell.clone()
    }

    /// What its leases are under.
    pub fn owner(&self) -> Uuid {
        self.sender.owner
    }

    /// Delivers until `stop` is ready; then claims nothing more, ends what is under way within
    /// [`DispatcherOptions::stop_within`], writes down what came of it, and gives the rest back. Where the future is
    /// dropped instead, what is under way ends with it, and its leases run out.
    pub async fn run(self, stop: impl Future<Output = ()> + Send) {
        let mut chores = JoinSet::new();
        let chore = chores::keep_at_it(Arc::clone(&self.queue), Arc::clone(&self.clock), self.options.chores_every);
        chores.spawn(chore);
        let mut work = Work::new(self);
        let mut stop = pin!(stop);
        loop {
            work.advance();
            tokio::select! {
                () = &mut stop => break,
                event = work.next_event() => work.handle(event),
            }
        }
        drop(chores);
        work.leave().await;
    }
}
