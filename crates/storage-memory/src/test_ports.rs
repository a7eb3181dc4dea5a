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

/// Ports over the in-memory store, with access to the clock and the store.
#[derive(Debug)]
pub struct TestPorts {
    pub ports: Ports,
    pub clock: Arc<ManualClock>,
    /// Also the queue of e-mails.
    pub store: Arc<MemoryStore>,
}

impl Default for TestPorts {
    fn default() -> Self {
        Self::new()
    }
}

impl TestPorts {
    /// Ports over an empty store.
    pub fn new() -> Self {
        let clock = Arc::<ManualClock>::default();
        let store = Arc::new(MemoryStore::new(clock.clone()));
        let (ids, random) = (Arc::new(SequenceIds::default()), Arc::new(SequenceRandom::default()));
        let ports = ports_over(store.clone(), clock.clone(), ids, random);
        Self { ports, clock, store }
    }

    /// The e-mails queued since the last call, oldest first.
    pub fn emails(&self) -> Vec<EmailMessage> {
        self.block_on(sent_emails(&self.ports, &*self.store))
    }

    /// Handles due link requests.
    ///
    /// # Panics
    /// If one fails.
    pub fn answer_link_requests(&self) {
        assert_eq!(self.block_on(answer_link_requests(&self.ports)), Vec::<String>::new());
    }

    /// Creates a workspace.
    ///
    /// # Panics
    /// If the store rejects it.
    pub fn workspace(&self) -> WorkspaceId {
        let new = NewWorkspace { name: "Test".to_owned(), slug: "test".to_owned(), plan: Plan::Starter };
        match self.block_on(workspaces::create(&self.ports, &testing::operator(), &new)) {
            Ok(workspace) => workspace.id,
            Err(error) => panic!("{error}"),
        }
    }

    /// Runs a future that never waits, like those of the in-memory store.
    ///
    /// # Panics
    /// If the future waits.
    pub fn block_on<F: Future>(&self, future: F) -> F::Output {
        match pin!(future).poll(&mut Context::from_waker(Waker::noop())) {
            Poll::Ready(value) => value,
            Poll::Pending => panic!("a future over the in-memory store waited"),
        }
    }
}
