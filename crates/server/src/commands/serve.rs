//! `serve`: brings everything up, serves, and ends in order.

use std::net::TcpListener;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use anyhow::Context;
use domain::api_keys::PlainKey;
use domain::idempotency::KEPT_FOR;
use domain::ports::{Operator, Ports};
use http_actix::{AppState, HttpSettings};
use tokio::signal::unix::{SignalKind, signal};

use crate::compose::{self, Database};
use crate::config::Config;
use crate::demo;

/// How often kept answers that nobody may ask for any more are forgotten.
const PRUNE_EVERY: Duration = Duration::from_mins(10);
/// How many of them at a time, so that no statement holds many rows.
const PRUNE_AT_ONCE: u32 = 1_000;

pub(super) fn run(config: &Config) -> anyhow::Result<()> {
    start_logging(&config.log)?;
    // Bound first: a port that is taken is the commonest fault and should cost no database.
    let listener = TcpListener::bind(&config.bind).with_context(|| format!("cannot listen on {}", config.bind))?;
    let database = Database::open(config)?;
    let ports = compose::ports(&database, config.db_pool_size)?;
    let served = actix_web::rt::System::new().block_on(serve(config, listener, &database, ports));
    let closed = database.close();
    served.and(closed)
}

fn start_logging(filter: &str) -> anyhow::Result<()> {
    // env_logger by itself only warns of a part that it cannot read, and logs without it.
    env_filter::Builder::new()
        .try_parse(filter)
        .context("log (SERVICE_LOG) is not a filter such as info or warn,request=info")?;
    env_logger::Builder::new().parse_filters(filter).format_timestamp_micros().init();
    Ok(())
}

async fn serve(config: &Config, listener: TcpListener, database: &Database, ports: Ports) -> anyhow::Result<()> {
    let address = listener.local_addr()?;
    let demo_key = if database.is_embedded() {
        demo::make_once(&ports, &Operator::of_this_process()).await.map_err(|error| super::explained(&error))?
    } else {
        None
    };
    let draining = Arc::new(AtomicBool::new(false));
    let settings = HttpSettings { draining: Arc::clone(&draining), ..HttpSettings::default() };
    let workers = std::thread::available_parallelism().map_or(2, std::num::NonZero::get);
    let state = AppState { ports: ports.clone(), settings };
    let server = http_actix::serve(listener, state, workers).context("the HTTP server did not start")?;
    let handle = server.handle();
    actix_web::rt::spawn(prune(ports));
    let drain = Duration::from_secs(config.drain_seconds);
    actix_web::rt::spawn(async move {
        if let Err(error) = end_asked().await {
            log::error!("signals cannot be watched: {error}");
            return;
        }
        draining.store(true, Ordering::Relaxed);
        log::info!("ending: /readyz says 503 for {} s, then what runs is finished", drain.as_secs());
        tokio::time::sleep(drain).await;
        handle.stop(true).await;
    });
    announce(config, database, &address.to_string(), demo_key.as_ref());
    server.await.context("the HTTP server failed")?;
    log::info!("ended");
    Ok(())
}

async fn end_asked() -> std::io::Result<()> {
    let (mut terminate, mut interrupt) = (signal(SignalKind::terminate())?, signal(SignalKind::interrupt())?);
    tokio::select! {
        _ = terminate.recv() => {}
        _ = interrupt.recv() => {}
    }
    Ok(())
}

/// Forgets kept answers that are too old, in small steps, for as long as the service runs.
async fn prune(ports: Ports) {
    let mut ticks = tokio::time::interval(PRUNE_EVERY);
    loop {
        ticks.tick().await;
        loop {
            match ports.directory.prune_idempotency(ports.clock.now() - KEPT_FOR, PRUNE_AT_ONCE).await {
                Ok(count) if count >= u64::from(PRUNE_AT_ONCE) => {}
                Ok(_) => break,
                Err(error) => {
                    log::warn!("old idempotency keys could not be forgotten: {error}");
                    break;
                }
            }
        }
    }
}

fn announce(config: &Config, database: &Database, address: &str, demo_key: Option<&PlainKey>) {
    let place = if database.is_embedded() {
        format!("embedded Postgres in {}", config.data_dir.display())
    } else {
        "the database of DATABASE_URL".to_owned()
    };
    println!("workspace-service listens on http://{address} ({place})");
    if let Some(key) = demo_key {
        let key = key.reveal();
        println!("\nMade the workspace demo. Its key is shown this once:\n\n  {key}\n\nTry it:\n");
        println!("  curl -H 'Authorization: Bearer {key}' http://{address}/api/v1/crm/contacts\n");
    }
}
