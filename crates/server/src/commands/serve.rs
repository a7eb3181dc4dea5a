//! `serve`: brings everything up, serves, and ends in order.

use std::net::TcpListener;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use anyhow::Context;
use dispatcher::DispatcherOptions;
use domain::identity::access::PlainToken;
use domain::identity::usage::write_activity;
use domain::ports::{Operator, Ports};
use http_core::{AppState, HttpSettings};
use metrics_exporter_prometheus::PrometheusHandle;
use tokio::signal::unix::{SignalKind, signal};

use crate::compose::{self, Bells, Database};
use crate::config::{Config, DispatcherPlace};
use crate::deliveries::Deliveries;
use crate::mails::{MailSender, MailSenderOptions};
use crate::{SURFACES, demo, housekeeping, link_requests, master_key, metrics};
use machine::SecureRandom;

/// How long the last writing of what credentials did may take.
const LAST_WRITING_WITHIN: Duration = Duration::from_secs(2);

pub(super) fn run(config: &Config) -> anyhow::Result<()> {
    start_logging(config)?;
    // First what is quick: a port that is taken is the commonest fault and should cost no database.
    let listener = TcpListener::bind(&config.bind).with_context(|| format!("cannot listen on {}", config.bind))?;
    let transport = compose::mail_transport(config)?;
    let database = Database::open(config)?;
    let metrics = metrics::install()?;
    let served = actix_web::rt::System::new().block_on(async {
        let limiter = compose::limiter(config).await?;
        let (keys, bells) = (master_key::find(config, &SecureRandom::default())?, Bells::default());
        let ports = compose::ports(config, &database, config.db_pool_size, limiter, keys, &bells)?;
        let (queue, rope) = (compose::queue(&database)?, &bells.deliveries);
        actix_web::rt::spawn(metrics::keep_watching_queues(Arc::clone(&queue), Arc::clone(&ports.clock)));
        let is_inside = config.dispatcher == DispatcherPlace::Inside;
        // Nobody else reaches the embedded cluster.
        let news = (is_inside && !database.is_embedded()).then(|| rope.listen(&database.url));
        if !database.is_embedded() {
            actix_web::rt::spawn(rope.clone().keep_telling(Arc::clone(&queue)));
        }
        actix_web::rt::spawn(housekeeping::keep_reindexing(queue.clone()));
        let options = DispatcherOptions { targets: config.targets, ..DispatcherOptions::default() };
        let mails = MailSender::start(&ports, queue.clone(), transport, &bells.mails, MailSenderOptions::default())?;
        let deliveries = is_inside.then(|| Deliveries::start(&ports, queue, rope, options)).transpose()?;
        let answering = compose::answering(&ports, &database, &bells)?;
        actix_web::rt::spawn(link_requests::keep_answering(answering, bells.links.clone()));
        let served = serve(config, listener, &database, ports, metrics).await;
        drop(news);
        mails.stop().await;
        if let Some(deliveries) = deliveries {
            deliveries.stop().await;
        }
        served
    });
    let closed = database.close();
    served.and(closed)
}

fn start_logging(config: &Config) -> anyhow::Result<()> {
    log_context::logger("rmcp=error", &config.log, config.log_format)
        .context("log (SERVICE_LOG) is not a filter such as info or warn,request=info")?
        .init();
    Ok(())
}

async fn serve(
    config: &Config,
    listener: TcpListener,
    database: &Database,
    ports: Ports,
    metrics: PrometheusHandle,
) -> anyhow::Result<()> {
    let address = listener.local_addr()?;
    let demo_key = if database.is_embedded() {
        demo::make_once(&ports, &Operator::of_this_process()).await.map_err(|error| super::explained(&error))?
    } else {
        None
    };
    let draining = Arc::new(AtomicBool::new(false));
    let settings = HttpSettings {
        draining: Arc::clone(&draining),
        trusted_proxies: config.trusted_proxies.clone(),
        ..HttpSettings::default()
    };
    let workers = std::thread::available_parallelism().map_or(2, std::num::NonZero::get);
    let (beside, letters) = compose::beside(&ports, database)?;
    let state = AppState { ports: Arc::new(ports), settings, metrics: metrics::page(metrics.clone()) };
    let server = http_core::serve(listener, state, SURFACES, workers).context("the HTTP server did not start")?;
    let handle = server.handle();
    actix_web::rt::spawn(metrics::keep_up(metrics));
    actix_web::rt::spawn(housekeeping::keep_looking(beside.clone()));
    actix_web::rt::spawn(housekeeping::keep_writing_activity(beside.clone()));
    actix_web::rt::spawn(housekeeping::keep_pruning(beside.clone(), letters));
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
    let last = tokio::time::timeout(LAST_WRITING_WITHIN, write_activity(&beside)).await;
    if !matches!(last, Ok(Ok(()))) {
        log::warn!("what credentials did in the last seconds could not be written");
    }
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

fn announce(config: &Config, database: &Database, address: &str, demo_key: Option<&PlainToken>) {
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
