//! The domain's ports over a test database.

use std::pin::pin;
use std::sync::{Arc, LazyLock};
use std::task::{Context, Poll, Wake, Waker};
use std::thread::{self, Thread};

use diesel::connection::SimpleConnection;
use diesel::{Connection, PgConnection};
use domain::WorkspaceId;
use domain::email::EmailMessage;
use domain::identity::workspaces::{self, NewWorkspace};
use domain::limits::Plan;
use domain::ports::{Ports, Store};
use domain::testing::{self, ManualClock, SequenceIds, SequenceRandom, answer_link_requests, ports_over, sent_emails};
use storage_diesel::{PgOptions, PgStore};
use tokio::runtime::{Builder, Runtime};

use crate::TestDatabase;

/// Enough for the concurrency of one test.
const POOL_SIZE: u32 = 4;

/// Drives the timers of the store.
static RUNTIME: LazyLock<Runtime> = LazyLock::new(|| {
    let runtime = Builder::new_multi_thread().worker_threads(1).enable_time().build();
    runtime.unwrap_or_else(|error| panic!("no runtime: {error}"))
});

/// Ports over an empty database, with access to the clock and the store. Ids and random bytes are deterministic.
#[derive(Debug)]
pub struct TestPorts {
    pub ports: Ports,
    pub clock: Arc<ManualClock>,
    /// Also the queue of deliveries and e-mails.
    pub store: Arc<PgStore>,
    /// Declared last, so that the database is dropped last.
    pub database: TestDatabase,
}

impl Default for TestPorts {
    fn default() -> Self {
        Self::new()
    }
}

impl TestPorts {
    /// Ports with a new database.
    ///
    /// # Panics
    /// If there is no Postgres, or a statement fails.
    pub fn new() -> Self {
        let database = TestDatabase::new();
        let setup = PgConnection::establish(&database.url()).map(|mut it| it.batch_execute(include_str!("setup.sql")));
        assert!(matches!(setup, Ok(Ok(()))), "{setup:?}");
        let store = connect(database.url());
        let clock = Arc::<ManualClock>::default();
        let (ids, random) = (Arc::new(SequenceIds::default()), Arc::new(SequenceRandom::default()));
        let ports = ports_over(Arc::clone(&store), clock.clone(), ids, random);
        Self { ports, clock, store, database }
    }

    /// A store over the same database whose transactions fail if they write a record without an event.
    ///
    /// # Panics
    /// If it cannot connect.
    pub fn checked_store(&self) -> Arc<dyn Store> {
        let url = self.database.url();
        let joint = if url.contains('?') { '&' } else { '?' };
        connect(format!("{url}{joint}options=-c%20tests.check_events%3Don"))
    }

    /// The e-mails queued since the last call, oldest first.
    pub fn emails(&self) -> Vec<EmailMessage> {
        self.block_on(sent_emails(&self.ports, &*self.store))
    }

    /// Handles the link requests that are due.
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

    /// Runs a future on this thread, even inside a runtime: the store works on its own threads.
    pub fn block_on<F: Future>(&self, future: F) -> F::Output {
        let _timers = RUNTIME.enter();
        let waker = Waker::from(Arc::new(Unpark(thread::current())));
        let mut future = pin!(future);
        loop {
            match future.as_mut().poll(&mut Context::from_waker(&waker)) {
                Poll::Ready(value) => return value,
                Poll::Pending => thread::park(),
            }
        }
    }
}

/// Wakes the thread that waits for a future.
struct Unpark(Thread);

impl Wake for Unpark {
    fn wake(self: Arc<Self>) {
        self.0.unpark();
    }
}

fn connect(url: String) -> Arc<PgStore> {
    let options = PgOptions { pool_size: POOL_SIZE, ..PgOptions::new(url) };
    Arc::new(PgStore::connect(&options).unwrap_or_else(|error| panic!("{error}")))
}
