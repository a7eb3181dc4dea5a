//! The service in the test process, on its own port.

mod browser;
mod client;
mod clock;
mod contract;
mod detail_codes;
mod inbox;
mod queue;
mod samples;
mod simple_kinds;
mod start;
mod tenant;

use std::net::TcpListener;
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::Duration;

use dispatcher::DispatcherOptions;
use domain::email::{AbuseContact, AnswerDelay};
use domain::events::EventRetention;
use domain::identity::audit::AuditRetention;
use domain::identity::workspaces::{self, NewWorkspace, Workspace};
use domain::kernel::idempotency::ResponseBudget;
use domain::kernel::sealing::MasterKeys;
use domain::limits::{FixedLimits, Plan};
use domain::ports::{Limiter, Ports, Settings};
use domain::testing;
use domain::webhooks::{DEFAULT_MAX_WAITING, TargetPolicy};
use event_feed::FeedLimits;
use http_core::{AnswerLimits, AppState, HttpSettings};
use limiter::MemoryLimiter;
use serde_json::json;
use server::{Adapters, ReplicaOptions, SURFACES, Service, ServiceOptions, compose};
use storage_diesel::Sessions;

use crate::TestDatabase;

pub use browser::{Browser, Screen};
pub use client::{ApiResponse, Client, assert_members};
pub use clock::ShiftedClock;
pub use contract::{compare_example, is_match, pattern_of};
pub use inbox::TestInbox;
pub use samples::Samples;
pub use simple_kinds::{SimpleKind, simple_kinds};
pub use tenant::{Tenant, TestUser};

/// Connections per service: enough for concurrent requests.
const POOL_SIZE: u32 = 8;
/// Fixed, so that it does not depend on the machine.
const HEAVY_JOBS: u32 = 2;
/// Shared by all instances, so that each can decrypt data of the others.
pub const MASTER_KEY: &str = "a2tra2tra2tra2tra2tra2tra2tra2tra2tra2tra2s=";
/// Start of links in e-mails, unless a browser has to follow them.
const PUBLIC_URL: &str = "https://work.example.com";
/// A limit that no test reaches by accident.
pub(crate) const PLENTY: u32 = 1_000_000;
/// The slug of the demo workspace.
const DEMO: &str = "demo";

/// Options of a test's service.
#[derive(Clone)]
#[expect(clippy::struct_excessive_bools, reason = "independent switches of a test")]
pub struct AppOptions {
    /// Bounds of the surface.
    pub settings: HttpSettings,
    /// Limits that are independent of the plan; unreachable by default.
    pub limits: FixedLimits,
    /// Whether a mail server counts as configured. Then customers get e-mails when their tickets are received and
    /// resolved.
    pub has_mail_server: bool,
    /// How long e-mails to customers and members are delayed to be combined; by default they are not.
    pub answer_delay: Duration,
    /// Maximum bytes of stored responses per workspace.
    pub response_budget: ResponseBudget,
    pub limiter: Arc<dyn Limiter>,
    /// Limits of followers of the event log.
    pub followers: FeedLimits,
    /// Whether other instances share the database, so that each listens for notifications by the others.
    pub is_shared: bool,
    /// Connections for requests.
    pub pool_size: u32,
    /// Whether the service polls for revoked credentials.
    pub looks: bool,
    /// Whether it delivers webhooks.
    pub delivers: bool,
    /// Maximum number of pending webhook deliveries per workspace.
    pub max_waiting_deliveries: u32,
    /// How long the event log keeps events.
    pub event_retention: EventRetention,
    /// The plan of new workspaces if none is given.
    pub default_plan: Plan,
    pub operators_need_second_factor: bool,
    /// Whether the public URL is its own address, so that a browser can follow its links.
    pub is_public_at_its_address: bool,
    /// The pooler through which it connects to the database; `None` connects directly.
    pub pooled: Option<Pooled>,
}

/// A database behind a pooler.
#[derive(Debug, Clone)]
pub struct Pooled {
    pub url: String,
    /// Whether prepared statements are reused.
    pub prepares: bool,
    /// The address without the pooler, if it is known.
    pub direct_url: Option<String>,
}

impl Default for AppOptions {
    fn default() -> Self {
        let plenty = u64::from(PLENTY);
        Self {
            // Tests use one key in parallel where production clients use several.
            settings: HttpSettings {
                connections_per_address: PLENTY as usize,
                connections_per_credential: PLENTY as usize,
                answers: AnswerLimits::for_process(1 << 30),
                ..HttpSettings::default()
            },
            limits: FixedLimits { anonymous: plenty, critical: plenty, bulk: plenty, account: plenty, console: plenty },
            has_mail_server: false,
            answer_delay: Duration::ZERO,
            response_budget: ResponseBudget::default(),
            limiter: Arc::new(MemoryLimiter::default()),
            followers: FeedLimits::default(),
            is_shared: false,
            pool_size: POOL_SIZE,
            looks: true,
            delivers: false,
            max_waiting_deliveries: DEFAULT_MAX_WAITING,
            event_retention: EventRetention::default(),
            default_plan: Plan::default(),
            operators_need_second_factor: false,
            is_public_at_its_address: false,
            pooled: None,
        }
    }
}

/// A running service with its own database.
#[derive(Debug)]
pub struct App {
    pub base_url: String,
    pub ports: Ports,
    pub clock: Arc<ShiftedClock>,
    /// The e-mails it sent.
    pub inbox: Arc<TestInbox>,
    handle: actix_web::dev::ServerHandle,
    service: Service,
    next: Arc<AtomicU32>,
    database: Arc<TestDatabase>,
}

impl App {
    /// Starts the service.
    ///
    /// # Panics
    /// If it does not start.
    pub async fn start() -> Self {
        Self::start_as(AppOptions::default()).await
    }

    /// Starts the service with the given settings.
    ///
    /// # Panics
    /// If it does not start.
    pub async fn start_with(settings: HttpSettings) -> Self {
        Self::start_as(AppOptions { settings, ..AppOptions::default() }).await
    }

    /// Starts the service with the given options.
    ///
    /// # Panics
    /// If it does not start.
    pub async fn start_as(options: AppOptions) -> Self {
        Self::over(Arc::new(TestDatabase::new()), Arc::default(), Arc::new(AtomicU32::new(1)), options).await
    }

    /// Starts another instance of the service over the same database and clock.
    ///
    /// # Panics
    /// If it does not start.
    pub async fn another(&self, options: AppOptions) -> Self {
        Self::over(Arc::clone(&self.database), Arc::clone(&self.clock), Arc::clone(&self.next), options).await
    }

    async fn over(
        database: Arc<TestDatabase>,
        clock: Arc<ShiftedClock>,
        next: Arc<AtomicU32>,
        options: AppOptions,
    ) -> Self {
        let inbox = Arc::new(TestInbox::default());
        let listener = TcpListener::bind("127.0.0.1:0").unwrap_or_else(|error| panic!("no port: {error}"));
        let address = listener.local_addr().unwrap_or_else(|error| panic!("no address: {error}"));
        let base_url = format!("http://{address}");
        let public_url = if options.is_public_at_its_address { &base_url } else { PUBLIC_URL };
        let service = compose_for(&database, clock.clone(), inbox.clone(), &options, public_url)
            .unwrap_or_else(|error| panic!("the service did not start: {error:#}"));
        let ports = service.ports.clone();
        let state =
            AppState::new(Arc::new(ports.clone()), service.probe.clone(), options.settings, Arc::new(String::new));
        let (started, start) = tokio::sync::oneshot::channel();
        std::thread::spawn(move || {
            actix_web::rt::System::new().block_on(async move {
                let server = http_core::serve(listener, state, SURFACES, 2).unwrap_or_else(|error| panic!("{error}"));
                let _ = started.send(server.handle());
                let _ = server.await;
            });
        });
        let handle = start.await.unwrap_or_else(|_| panic!("the service did not start"));
        Self { base_url, ports, clock, inbox, handle, service, next, database }
    }

    /// Creates a workspace whose limits no test reaches.
    ///
    /// # Panics
    /// If it is rejected.
    pub async fn workspace(&self) -> Tenant {
        self.workspace_of(Plan::Starter).await.without_limits().await
    }

    /// Creates the demo workspace of a first start, with limits that no test reaches. Also returns a client with its key.
    ///
    /// # Panics
    /// If it cannot be created.
    pub async fn demo(&self) -> (Tenant, Client) {
        let key = server::make_demo(&self.ports, &testing::operator()).await;
        let key = key.unwrap_or_else(|error| panic!("{error}"));
        let stored = self.ports.directory.find_workspace(DEMO).await.unwrap_or_else(|error| panic!("{error}"));
        let workspace = stored.unwrap_or_else(|| panic!("there is no workspace {DEMO}"));
        (Tenant::new(self, workspace).without_limits().await, self.with_key(key.reveal()))
    }

    /// Creates a workspace with the limits of a plan.
    ///
    /// # Panics
    /// If it is rejected.
    pub async fn workspace_of(&self, plan: Plan) -> Tenant {
        let number = self.next.fetch_add(1, Ordering::Relaxed);
        let new = NewWorkspace { name: format!("W{number}"), slug: format!("w{number}"), plan };
        let workspace = workspaces::create(&self.ports, &testing::operator(), &new).await;
        Tenant::new(self, workspace.unwrap_or_else(|error| panic!("{error}")))
    }

    /// An existing workspace, perhaps created by another instance.
    pub fn tenant(&self, workspace: Workspace) -> Tenant {
        Tenant::new(self, workspace)
    }

    /// A client without a credential.
    pub fn anonymous(&self) -> Client {
        Client::new(&self.base_url, None)
    }

    /// A browser without scripts that is not signed in.
    pub fn browser(&self) -> Browser {
        Browser::new(&self.base_url)
    }

    /// A browser in which a user is signed in to their workspace.
    pub async fn browser_of(&self, user: &TestUser) -> Browser {
        let browser = self.browser();
        let _ = browser.sign_in(&user.email, user.password, &user.workspace).await;
        browser
    }

    /// A client with another session of a user, who may be a member of several workspaces.
    ///
    /// # Panics
    /// If it is refused.
    pub async fn log_in(&self, user: &TestUser, workspace: &str) -> Client {
        let body = json!({"email": user.email, "password": user.password, "workspace": workspace});
        let login = self.anonymous().post("/api/auth/login", body).await.expect(200);
        self.with_key(login.data()["access_token"].as_str().unwrap_or_else(|| panic!("no token in {}", login.text)))
    }

    /// A client that presents this text as its key.
    pub fn with_key(&self, key: &str) -> Client {
        Client::new(&self.base_url, Some(key))
    }

    /// The URL of its database, for tests that query it directly.
    pub fn database_url(&self) -> String {
        self.database.url()
    }
}

impl App {
    /// Stops its dispatcher like a crash: nothing is finished, recorded or released.
    pub fn crash_dispatcher(&mut self) {
        self.service.crash_dispatcher();
    }
}

impl Drop for App {
    fn drop(&mut self) {
        // Asked to stop but not awaited: the thread ends on its own.
        drop(self.handle.stop(false));
    }
}

/// Allows webhook targets on loopback.
const ANYWHERE: TargetPolicy = TargetPolicy { allows_http: true, allows_private_networks: true };

/// Composes the service over a test's database, with the test's clock and inbox.
fn compose_for(
    database: &TestDatabase,
    clock: Arc<ShiftedClock>,
    inbox: Arc<TestInbox>,
    options: &AppOptions,
    public_url: &str,
) -> anyhow::Result<Service> {
    let adapters = Adapters { clock, ..Adapters::of_this_machine(Arc::clone(&options.limiter))? };
    let poll_often = Duration::from_millis(50);
    let dispatcher = DispatcherOptions { targets: ANYWHERE, poll_interval: poll_often, ..DispatcherOptions::default() };
    let (database_url, sessions, listen_url) = match &options.pooled {
        Some(pooled) => (pooled.url.clone(), Sessions::check(&pooled.url, pooled.prepares)?, pooled.direct_url.clone()),
        None => (database.url(), Sessions::DIRECT, Some(database.url())),
    };
    let options = ServiceOptions {
        sessions,
        listen_url,
        database_url,
        is_embedded: false,
        is_shared: options.is_shared,
        counts_alone: false,
        replicas: ReplicaOptions::default(),
        pool_size: options.pool_size,
        heavy_jobs: HEAVY_JOBS,
        // Longer than many concurrent requests take on a busy machine.
        acquire_timeout_ms: 30_000,
        max_waiting_deliveries: options.max_waiting_deliveries,
        event_retention: options.event_retention,
        audit_retention: AuditRetention::FOREVER,
        master_keys: MasterKeys::parse(MASTER_KEY)?,
        settings: Settings {
            limits: options.limits,
            public_url: public_url.to_owned(),
            targets: ANYWHERE,
            has_mail_server: options.has_mail_server,
            answer_delay: AnswerDelay(options.answer_delay),
            abuse_contact: AbuseContact::parse("abuse@example.com"),
            response_budget: options.response_budget,
            default_plan: options.default_plan,
            operators_need_second_factor: options.operators_need_second_factor,
            ..Settings::default()
        },
        email_transport: inbox,
        dispatcher: options.delivers.then_some(dispatcher),
        followers: options.followers,
        refreshes_credentials: options.looks,
    };
    compose(adapters, options)
}
