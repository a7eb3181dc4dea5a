//! The dispatcher as a separate binary. Instances of the service deliver webhooks as well, unless `SERVICE_DISPATCHER=off`.

use std::sync::Arc;
use std::time::Duration;

use anyhow::Context;
use async_trait::async_trait;
use dispatcher::{Cli, Dispatcher, DispatcherOptions, POLL_INTERVAL_WITHOUT_NOTIFY};
use domain::kernel::sealing::MasterKeys;
use domain::ports::{DeliveryQueue, Directory};
use domain::webhooks::TargetPolicy;
use postgres_address::Address;
use storage_diesel::{LIBPQ_HAS_TLS, Listening, NotifyListener, PgOptions, PgStore, Sessions};
use system::{SecureRandom, SystemClock, UuidV7Ids, secret_variable};
use telemetry::admin::{AdminBind, AdminListener, Exporter, Readiness};
use telemetry::log_context::LogFormat;
use tokio::signal::unix::{SignalKind, signal};

/// The dispatcher claims with one connection and records with another. A third records attempts that could not be recorded before
/// and may wait for a lock.
const POOL_SIZE: u32 = 4;
const DEFAULT_ADMIN_BIND: &str = "127.0.0.1:9465";
const READY_TIMEOUT: Duration = Duration::from_secs(1);

fn main() -> anyhow::Result<()> {
    let cli = Cli::read(std::env::args_os()).unwrap_or_else(|error| error.exit());
    let format = cli.log_format.parse::<LogFormat>();
    let format = format.with_context(|| format!("SERVICE_LOG_FORMAT is invalid: {:?}", cli.log_format))?;
    telemetry::log_context::logger("", &cli.log, format)
        .context("SERVICE_LOG is not a valid filter, e.g. info")?
        .init();
    // These are not flags, because the process list would show them.
    let address = open("DATABASE_URL", &secret("DATABASE_URL", "the database of the service")?)?;
    let database_url = address.for_libpq();
    let master_keys = MasterKeys::parse(&secret("SERVICE_MASTER_KEY", "the master key of the service")?)
        .context("SERVICE_MASTER_KEY is invalid")?;
    let targets = TargetPolicy {
        allows_http: cli.webhook_allow_http,
        allows_private_networks: cli.webhook_allow_private_networks,
    };
    let admin = AdminBind::parse(cli.admin_bind.as_deref(), DEFAULT_ADMIN_BIND).listen()?;
    let metrics = Exporter::install()?;
    let _traces = telemetry::traces::install("dispatcher", env!("CARGO_PKG_VERSION"))?;
    dispatcher::describe_metrics();
    storage_diesel::describe_metrics();
    let options = PgOptions {
        pool_size: POOL_SIZE,
        max_waiting_deliveries: cli.webhook_max_waiting,
        ..PgOptions::new(database_url)
    };
    let sessions =
        Sessions::check(database_url, !cli.db_prepared_off()).context("the address in DATABASE_URL cannot be used")?;
    let options = PgOptions { sessions, ..options };
    let direct = secret_variable("SERVICE_DATABASE_DIRECT_URL")?;
    let direct = direct.map(|url| open("SERVICE_DATABASE_DIRECT_URL", &url)).transpose()?;
    if let Some(direct) = &direct {
        anyhow::ensure!(
            storage_diesel::is_same_database(database_url, direct.for_libpq())
                .context("the database cannot be used")?,
            "SERVICE_DATABASE_DIRECT_URL leads to another database than DATABASE_URL: it must bypass the pooler but \
             lead to the same database on the same server, not on a standby"
        );
    }
    let session_address = direct.as_ref().or(sessions.keep_state().then_some(&address));
    let listen_url = session_address.map(|address| address.for_libpq().to_owned());
    let sealing = storage_diesel::sealing_keys(direct.as_ref().unwrap_or(&address).for_libpq());
    master_keys.ensure_open(&sealing.context("the database cannot be used")?)?;
    let store = Arc::new(PgStore::connect(&options).context("the database cannot be used")?);
    let ready = Arc::new(Ready(Arc::clone(&store)));
    let admin = admin.map(|listener| AdminListener::start(listener, ready, metrics.page()));
    let admin = admin.transpose().context("the listener for probes and metrics did not start")?;
    if let Some(admin) = &admin {
        log::info!("probes and metrics on http://{}", admin.address);
    }
    let runtime =
        tokio::runtime::Builder::new_multi_thread().enable_all().build().context("cannot start the async runtime")?;
    runtime.spawn(metrics.run_upkeep());
    runtime.block_on(deliver(listen_url, store, master_keys, targets))
}

/// Whether the queue can be reached.
struct Ready(Arc<PgStore>);

#[async_trait]
impl Readiness for Ready {
    async fn check(&self) -> Result<(), &'static str> {
        match tokio::time::timeout(READY_TIMEOUT, self.0.ping()).await {
            Ok(Ok(())) => return Ok(()),
            Ok(Err(error)) => {
                log::warn!("not ready: {error}");
                return Err(error.readiness_status());
            }
            Err(_) => log::warn!("not ready: the store timed out"),
        }
        Err("unavailable")
    }
}

/// Opens an address. The connection leads to the database for as long as the value exists.
fn open(name: &str, url: &str) -> anyhow::Result<Address> {
    Address::open(url, LIBPQ_HAS_TLS).with_context(|| format!("the address in {name} cannot be used"))
}

fn secret(name: &str, what: &str) -> anyhow::Result<String> {
    secret_variable(name)?.with_context(|| format!("{name} or {name}_FILE must be set: {what}"))
}

async fn deliver(
    listen_url: Option<String>,
    queue: Arc<dyn DeliveryQueue>,
    master_keys: MasterKeys,
    targets: TargetPolicy,
) -> anyhow::Result<()> {
    let (mut terminate, mut interrupt) = (signal(SignalKind::terminate())?, signal(SignalKind::interrupt())?);
    let random = Arc::new(SecureRandom::default());
    let mut options = DispatcherOptions { targets, ..DispatcherOptions::default() };
    if listen_url.is_none() {
        options.poll_interval = POLL_INTERVAL_WITHOUT_NOTIFY;
    }
    let (clock, keys) = (Arc::new(SystemClock), Arc::new(master_keys));
    let dispatcher = Dispatcher::new(queue, clock, random, &UuidV7Ids, keys, options)?;
    let listening = Listening { on_queued: Some(dispatcher.notifier().callback()), ..Listening::default() };
    let notify_listener = listen_url.map(|url| NotifyListener::listen(&url, listening));
    log::info!("delivering webhooks");
    dispatcher
        .run(async move {
            tokio::select! {
                _ = terminate.recv() => {}
                _ = interrupt.recv() => {}
            }
            log::info!("shutting down: finishing deliveries in flight, releasing the rest");
        })
        .await;
    drop(notify_listener);
    log::info!("stopped");
    Ok(())
}
