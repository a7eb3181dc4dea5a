//! The service in this process, on a port of its own.

use std::net::TcpListener;
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};

use domain::api_keys::{self, NewKey};
use domain::ports::{Directory, Operator, Ports};
use domain::workspaces::{self, NewUser, NewWorkspace, PasswordHash, Plan, Role, Workspace};
use domain::{ApiKeyId, UserId};
use http_actix::{AppState, HttpSettings};
use server::{SecureRandom, VersionSevenIds};
use storage_diesel::{PgOptions, PgStore};
use time::Duration;

use crate::{Client, ShiftedClock, TestDatabase};

/// Connections of one test's service: enough to run requests side by side.
const POOL_SIZE: u32 = 8;

/// A running service with a database of its own.
#[derive(Debug)]
pub struct App {
    /// Where it listens.
    pub base_url: String,
    /// Its ports.
    pub ports: Ports,
    /// Its clock.
    pub clock: Arc<ShiftedClock>,
    handle: actix_web::dev::ServerHandle,
    next: AtomicU32,
    database: TestDatabase,
}

/// A workspace of an [`App`].
#[derive(Debug)]
pub struct Tenant<'a> {
    app: &'a App,
    /// The workspace.
    pub workspace: Workspace,
}

impl App {
    /// Starts the service.
    ///
    /// # Panics
    /// When it does not start.
    pub async fn start() -> Self {
        Self::start_with(HttpSettings::default()).await
    }

    /// Starts the service with settings of the test's own.
    ///
    /// # Panics
    /// When it does not start.
    pub async fn start_with(settings: HttpSettings) -> Self {
        let database = TestDatabase::new();
        let clock = Arc::new(ShiftedClock::default());
        let ports = ports_over(&database, clock.clone());
        let listener = TcpListener::bind("127.0.0.1:0").unwrap_or_else(|error| panic!("no port: {error}"));
        let address = listener.local_addr().unwrap_or_else(|error| panic!("no address: {error}"));
        let state = AppState { ports: ports.clone(), settings };
        let (started, start) = tokio::sync::oneshot::channel();
        std::thread::spawn(move || {
            actix_web::rt::System::new().block_on(async move {
                let server = http_actix::serve(listener, state, 2).unwrap_or_else(|error| panic!("{error}"));
                let _ = started.send(server.handle());
                let _ = server.await;
            });
        });
        let handle = start.await.unwrap_or_else(|_| panic!("the service did not start"));
        Self { base_url: format!("http://{address}"), ports, clock, handle, next: AtomicU32::new(1), database }
    }

    /// Makes a workspace.
    ///
    /// # Panics
    /// When it is refused.
    pub async fn workspace(&self) -> Tenant<'_> {
        let number = self.next.fetch_add(1, Ordering::Relaxed);
        let new = NewWorkspace { name: format!("W{number}"), slug: format!("w{number}"), plan: Plan::Starter };
        let workspace = workspaces::create(&self.ports, &Operator::of_this_process(), &new).await;
        Tenant { app: self, workspace: workspace.unwrap_or_else(|error| panic!("{error}")) }
    }

    /// A client without a credential.
    pub fn anonymous(&self) -> Client {
        Client::new(&self.base_url, None)
    }

    /// A client that shows this text as its key.
    pub fn with_key(&self, key: &str) -> Client {
        Client::new(&self.base_url, Some(key))
    }

    /// The address of its database, for a test that looks behind the service.
    pub fn database_url(&self) -> String {
        self.database.url()
    }
}

impl Drop for App {
    fn drop(&mut self) {
        // Told to stop and not waited for: the thread ends by itself.
        drop(self.handle.stop(false));
    }
}

/// Real ports over a test's database, with the test's clock.
fn ports_over(database: &TestDatabase, clock: Arc<ShiftedClock>) -> Ports {
    let options = PgOptions { pool_size: POOL_SIZE, ..PgOptions::new(database.url()) };
    let store = Arc::new(PgStore::connect(&options).unwrap_or_else(|error| panic!("{error}")));
    let directory: Arc<dyn Directory> = store.clone();
    Ports { store, directory, clock, ids: Arc::new(VersionSevenIds), random: Arc::new(SecureRandom::default()) }
}

impl Tenant<'_> {
    /// A client that may do everything.
    pub async fn full_access(&self) -> Client {
        self.client(NewKey { preset: Some("full_access".to_owned()), ..NewKey::default() }).await.0
    }

    /// A client with exactly these scopes.
    pub async fn with_scopes(&self, scopes: &[&str]) -> Client {
        self.client(NewKey { scopes: scopes.iter().map(ToString::to_string).collect(), ..NewKey::default() }).await.0
    }

    /// A client whose key ends after a time, and the key's id.
    pub async fn expiring(&self, after: Duration) -> (Client, ApiKeyId) {
        let preset = Some("full_access".to_owned());
        self.client(NewKey { preset, expires_in: Some(after), ..NewKey::default() }).await
    }

    /// Revokes a key.
    ///
    /// # Panics
    /// When it is refused.
    pub async fn revoke(&self, id: ApiKeyId) {
        let done = api_keys::revoke(&self.app.ports, &Operator::of_this_process(), self.workspace.id, id).await;
        done.unwrap_or_else(|error| panic!("{error}"));
    }

    /// Makes a member.
    ///
    /// # Panics
    /// When it is refused.
    pub async fn member(&self, email: &str) -> UserId {
        let new = NewUser {
            email: email.to_owned(),
            name: "A member".to_owned(),
            role: Role::Member,
            password: PasswordHash("not a hash".to_owned()),
        };
        let made = workspaces::create_user(&self.app.ports, &Operator::of_this_process(), self.workspace.id, new).await;
        made.unwrap_or_else(|error| panic!("{error}")).id
    }

    async fn client(&self, new: NewKey) -> (Client, ApiKeyId) {
        let new = NewKey { name: "test".to_owned(), ..new };
        let made = api_keys::create(&self.app.ports, &Operator::of_this_process(), self.workspace.id, &new).await;
        let made = made.unwrap_or_else(|error| panic!("{error}"));
        (Client::new(&self.app.base_url, Some(made.plain.reveal())), made.key.id)
    }
}
