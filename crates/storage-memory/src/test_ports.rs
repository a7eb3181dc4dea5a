//! Ports over the in-memory store.

use std::future::Future;
use std::pin::pin;
use std::sync::Arc;
use std::task::{Context, Poll, Waker};

use domain::WorkspaceId;
use domain::email::EmailMessage;
use domain::identity::workspaces::{self, NewWorkspace};
use domain::limits::Plan;
use domain::ports::Ports;
use domain::testing::{self, ManualClock, SequenceIds, SequenceRandom, answer_link_requests, ports_over, sent_emails};

use crate::MemoryStore;

/// Ports over the in-memory store, with the clock and the store at hand.
#[derive(Debug)]
pub struct TestPorts {
    /// The ports.
    pub ports: Ports,
    /// Their clock.
    pub clock: Arc<ManualClock>,
    /// Their store, which is the queue of deliveries and letters too.
    pub store: Arc<MemoryStore>,
}

impl Default for TestPorts {
    fn default() -> Self {
        Self::new()
    }
}

impl TestPorts {
    /// Fresh ports over an empty store.
    pub fn new() -> Self {
        let clock = Arc::<ManualClock>::default();
        let store = Arc::new(MemoryStore::new(clock.clone()));
        let (ids, random) = (Arc::new(SequenceIds::default()), Arc::new(SequenceRandom::default()));
        let ports = ports_over(store.clone(), clock.clone(), ids, random);
        Self { ports, clock, store }
    }

    /// The letters queued since the last look, oldest first.
    pub fn emails(&self) -> Vec<EmailMessage> {
        self.block_on(sent_emails(&self.ports, &*self.store))
    }

    /// Answers the requests for links that are due.
    ///
    /// # Panics
    /// When one fails.
    pub fn answer_link_requests(&self) {
        assert_eq!(self.block_on(answer_link_requests(&self.ports)), Vec::<String>::new());
    }

    /// Makes a workspace.
    ///
    /// # Panics
    /// When the store refuses it.
    pub fn workspace(&self) -> WorkspaceId {
        let new = NewWorkspace { name: "Test".to_owned(), slug: "test".to_owned(), plan: Plan::Starter };
        match self.block_on(workspaces::create(&self.ports, &testing::operator(), &new)) {
            Ok(workspace) => workspace.id,
            Err(error) => panic!("{error}"),
        }
    }

    /// Runs a future that never waits, as all of the in-memory store's do.
    ///
    /// # Panics
    /// When the future waits.
    pub fn block_on<F: Future>(&self, future: F) -> F::Output {
        match pin!(future).poll(&mut Context::from_waker(Waker::noop())) {
            Poll::Ready(value) => value,
            Poll::Pending => panic!("a future over the in-memory store waited"),
        }
    }
}
