//! `serve`: starts everything, serves requests, and shuts down gracefully.

use std::io::{IsTerminal, Write};
use std::net::TcpListener;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use anyhow::Context;
use async_trait::async_trait;
use dispatcher::DispatcherOptions;
use domain::Error;
use domain::identity::access::PlainToken;
use domain::identity::set_up;
use domain::ports::{Directory, Ports};
use email::EmailFiles;
use event_feed::FeedLimits;
use http_core::{AppState, HttpSettings};
use storage_diesel::ACQUIRE_TIMEOUT_MS;
use telemetry::admin::{AdminListener, Exporter, Readiness};

use super::stop_signal::StopSignal;
use crate::compose::{Adapters, ReplicaOptions, ServiceOptions, compose};
use crate::config::{Config, DispatcherPlace};
use crate::database::{Database, Schema};
use crate::demo::Demo;
use crate::hand_over::{self, HandOver};
use crate::{SURFACES, adapters, demo, exposure, master_key, metrics, open_files};

const NO_SIGNALS: &str = "cannot listen for signals";

pub(super) fn run(config: &Config) -> anyhow::Result<()> {
    start_logging(config)?;
    // Quick checks first: a port in use is the most common failure and should not cost a database start.
    let listener = TcpListener::bind(&config.bind).with_context(|| format!("cannot listen on {}", config.bind))?;
    let admin = config.admin_bind.listen()?;
    let email_transport = adapters::email_transport(config)?;
    // With an external database, a signal while waiting for it may end the process at once.
    let stop_signal = config.database_url.is_none().then(StopSignal::listen).transpose().context(NO_SIGNALS)?;
    let schema = if config.migrate.is_on() { Schema::BringUpToDate } else { Schema::MustBeCurrent };
    let database = Database::open(config, schema, config.start_wait)?;
    let stop_signal = stop_signal.map_or_else(StopSignal::listen, Ok).context(NO_SIGNALS)?;
    if stop_signal.has_arrived() {
        log::info!("stopped before the service started listening");
        return database.close();
    }
    let metrics = metrics::install()?;
    let _traces = telemetry::traces::install("workspace-service", env!("CARGO_PKG_VERSION"))?;
    let result = actix_web::rt::System::new().block_on(async {
        let (limiter, shared_writes) = adapters::limiter(config).await?;
        let email_copies = Arc::new(EmailFiles::new(adapters::email_folder(config)));
        let adapters = Adapters { email_copies, ..Adapters::of_this_machine(limiter)? };
        let replicas =
            ReplicaOptions { urls: database.replica_urls.clone(), max_lag: config.replicas.max_lag, shared_writes };
        let dispatcher = DispatcherOptions { targets: config.targets, ..DispatcherOptions::default() };
        let options = ServiceOptions {
            database_url: database.url.clone(),
            sessions: database.sessions,
            // No other process uses the embedded cluster.
            is_embedded: database.is_embedded(),
            is_shared: !database.is_embedded(),
            listen_url: database.listen_url(),
            counts_alone: config.redis_url.is_none(),
            replicas,
            pool_size: config.db_pool_size,
            heavy_jobs: config.db_heavy_jobs,
            acquire_timeout_ms: ACQUIRE_TIMEOUT_MS,
            max_waiting_deliveries: config.webhook_max_waiting,
            event_retention: config.event_retention,
            audit_retention: config.audit_retention,
            master_keys: master_key::find(
                config,
                &*adapters.random,
                &storage_diesel::sealing_keys(database.session_url()).context("the database cannot be used")?,
            )?,
            settings: adapters::settings(config),
            email_transport,
            dispatcher: (config.dispatcher == DispatcherPlace::Inside).then_some(dispatcher),
            followers: FeedLimits::default(),
            refreshes_credentials: true,
        };
        let service = compose(adapters, options)?;
        let listeners = Listeners { public: listener, admin };
        let probe: Arc<dyn Directory> = service.probe.clone();
        let stores = (service.ports.clone(), probe);
        let result = serve(config, listeners, &database, stores, metrics, stop_signal).await;
        service.stop().await;
        log::info!("stopped");
        result
    });
    let closed = database.close();
    result.and(closed)
}

fn start_logging(config: &Config) -> anyhow::Result<()> {
    // actix logs every malformed request head as an error, so any client could fill the log. `http_core` logs a few of them.
    // The tasks of the MCP SDK do not know their request. `mcp_http` logs failures of tools with the id of the request.
    telemetry::log_context::logger("rmcp=off,actix_http=off", &config.log, config.log_format)
        .context("log (SERVICE_LOG) is not a valid filter")?
        .init();
    Ok(())
}

struct Listeners {
    public: TcpListener,
    admin: Option<TcpListener>,
}

/// Tells operators' probes whether this instance should receive traffic.
struct Ready {
    probe: Arc<dyn Directory>,
    settings: HttpSettings,
}

#[async_trait]
impl Readiness for Ready {
    async fn check(&self) -> Result<(), &'static str> {
        http_core::readiness(&*self.probe, &self.settings).await
    }
}

async fn serve(
    config: &Config,
    listeners: Listeners,
    database: &Database,
    (ports, probe): (Ports, Arc<dyn Directory>),
    metrics: Exporter,
    stop_signal: StopSignal,
) -> anyhow::Result<()> {
    let address = listeners.public.local_addr()?;
    let first_start = FirstStart::prepare(config, database, &ports).await.map_err(|error| super::explain(&error))?;
    let draining = Arc::new(AtomicBool::new(false));
    let settings = http_settings(config, Arc::clone(&draining));
    let workers = std::thread::available_parallelism().map_or(2, std::num::NonZero::get);
    let ports = Arc::new(ports);
    let ready = Arc::new(Ready { probe: Arc::clone(&probe), settings: settings.clone() });
    let admin = listeners.admin.map(|listener| AdminListener::start(listener, ready, metrics.page()));
    let admin = admin.transpose().context("the listener for probes and metrics did not start")?;
    let feed = Arc::clone(&ports.event_feed);
    let state = AppState::new(ports, probe, settings, metrics.page());
    let server =
        http_core::serve(listeners.public, state, SURFACES, workers).context("the HTTP server did not start")?;
    let handle = server.handle();
    actix_web::rt::spawn(metrics.run_upkeep());
    let drain = Duration::from_secs(config.drain_seconds);
    actix_web::rt::spawn(async move {
        stop_signal.wait().await;
        draining.store(true, Ordering::Relaxed);
        log::info!(
            "shutting down: /readyz returns 503 for {} s, then requests in flight are finished",
            drain.as_secs()
        );
        tokio::time::sleep(drain).await;
        // Otherwise streams would stay open for as long as the server waits for them.
        feed.close();
        handle.stop(true).await;
    });
    announce(config, database, &address.to_string(), admin.as_ref());
    if exposure::is_exposed(&address.to_string(), &config.public_url) {
        log::warn!("{}", exposure::warning(&address.to_string(), matches!(first_start, FirstStart::Demo(_))));
    }
    hand_over::record_address(&config.data_dir, &address.to_string());
    first_start.announce(config, &address.to_string());
    server.await.context("the HTTP server failed")
}

/// What a person needs who starts the service for the first time.
enum FirstStart {
    /// The demo workspace, until someone has made it their own.
    Demo(Demo),
    /// There is no workspace. Whoever has the code creates the first one.
    SetUp(PlainToken),
    Nothing,
}

impl FirstStart {
    async fn prepare(config: &Config, database: &Database, ports: &Ports) -> Result<Self, Error> {
        let operator = super::operator();
        if config.demo && database.is_embedded() {
            return Ok(demo::prepare(ports, &operator, &config.data_dir).await?.map_or(Self::Nothing, Self::Demo));
        }
        let code = set_up::issue_code(ports, &operator, &instance(config)).await?;
        Ok(code.map_or(Self::Nothing, Self::SetUp))
    }

    fn announce(&self, config: &Config, address: &str) {
        let mut output = std::io::stdout();
        let to = HandOver { data_dir: &config.data_dir, address, is_terminal: output.is_terminal() };
        let text = match self {
            Self::Demo(demo) => to.demo(demo),
            Self::SetUp(code) => to.set_up(code),
            Self::Nothing => return,
        };
        // The reader may have closed the output after the first line.
        let _ = output.write_all(text.as_bytes());
    }
}

/// Identifies this instance among those on its database. It is the same after a restart.
fn instance(config: &Config) -> String {
    let host = std::fs::read_to_string("/proc/sys/kernel/hostname").unwrap_or_default();
    let folder = std::path::absolute(&config.data_dir).unwrap_or_else(|_| config.data_dir.clone());
    let name = format!("{} {} {}", host.trim(), config.bind, folder.display());
    name.chars().take(200).collect()
}

fn http_settings(config: &Config, draining: Arc<AtomicBool>) -> HttpSettings {
    let capacity = config.capacity;
    HttpSettings {
        draining,
        trusted_proxies: config.trusted_proxies.clone(),
        has_public_metrics: capacity.has_public_metrics,
        max_connections: open_files::connection_capacity(capacity.max_connections),
        connections_per_address: capacity.connections_per_address,
        connections_per_credential: capacity.connections_per_credential,
        answers: capacity.answers,
        ..HttpSettings::default()
    }
}

fn announce(config: &Config, database: &Database, address: &str, admin: Option<&AdminListener>) {
    let database_name = if database.is_embedded() {
        format!("embedded Postgres in {}", config.data_dir.display())
    } else {
        "database of DATABASE_URL".to_owned()
    };
    let admin = admin.map_or_else(String::new, |admin| format!("\nprobes and metrics on http://{}", admin.address));
    // At once: a program that starts the service may read only the first line.
    println!("workspace-service listens on http://{address} ({database_name}){admin}");
    if config.smtp_url.is_none() {
        log::warn!("no mail server is configured: e-mails are written to {}", config.data_dir.join("mails").display());
    }
}
