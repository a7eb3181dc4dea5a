//! Reads, lists, creates and bulk updates of the REST interface, over several connections at once.

use std::net::SocketAddr;
use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};

use anyhow::{Context, ensure};
use serde_json::{Value, json};
use tokio::task::JoinSet;

use super::said;
use crate::Rest;
use crate::cpu::CpuTime;
use crate::report::Report;
use harness::http::{Client, text};
use harness::service::{Program, Service};
use harness::stats::Percentiles;
use harness::tenant::{BULK, Tenant, bulk_update};

const DEALS: &str = "/api/v1/crm/deals";
const FILTERED_LIST: &str = "/api/v1/crm/deals?stage=proposal&limit=50";
/// One deal in eight has the stage of the list.
const PROPOSAL_EVERY: u32 = 8;
/// Requests during the warm-up are not counted: caches fill, statements are planned.
const WARM_UP: Duration = Duration::from_millis(500);

/// The kind of request; its content depends on the connection and its number there.
#[derive(Debug, Clone)]
enum Kind {
    Get {
        ids: Arc<Vec<String>>,
    },
    List,
    Create,
    /// Each connection has its own tasks, so that none waits for the locks of another.
    BulkUpdate {
        tasks: Arc<Vec<Vec<String>>>,
    },
}

/// The four kinds of request, one after the other.
pub(crate) async fn rest(program: &Path, data: &Path, options: &Rest) -> anyhow::Result<Report> {
    let program = Program::for_measuring(program, data);
    let mut report = Report::default();
    let cores = std::thread::available_parallelism()?;
    report.how(format!("{cores} cores, shared by the service, its Postgres (fsync on) and this program."));
    report.how(format!("{} connections, a workspace of {} deals.", options.connections, options.deals));
    let service = program.start("off")?;
    let tenant = Arc::new(Tenant::make(&program, "rest")?);
    said("seeding");
    let ids = seed_deals(&tenant, service.address, options).await?;
    let mut tasks = Vec::new();
    for _ in 0..options.connections {
        tasks.push(tenant.tasks_for_bulk(service.address).await?);
    }
    for (what, kind) in [
        ("get a deal by id", Kind::Get { ids: Arc::new(ids) }),
        ("list 50 deals with a filter", Kind::List),
        ("create a deal", Kind::Create),
        ("bulk update of 500 tasks", Kind::BulkUpdate { tasks: Arc::new(tasks) }),
    ] {
        said(what);
        let lasting = Duration::from_secs(options.seconds);
        let Sent { times, cpu } = send_all(&tenant, &service, &kind, options.connections, lasting).await?;
        let count = u32::try_from(times.len()).unwrap_or(u32::MAX);
        report.figure(
            &format!("{what}, requests per second"),
            format!("{:.1}", f64::from(count) / lasting.as_secs_f64()),
            "",
        );
        for (whose, used) in [("the service", cpu.service), ("the database", cpu.database)] {
            let micros = used.as_secs_f64() * 1e6 / f64::from(count.max(1));
            report.figure(&format!("{what}, CPU of {whose}, µs"), format!("{micros:.0}"), "");
        }
        report.times(what, &Percentiles::of(times), "");
    }
    service.stop()?;
    Ok(report)
}

/// Creates the deals over several connections. Returns their ids.
async fn seed_deals(tenant: &Tenant, service: SocketAddr, options: &Rest) -> anyhow::Result<Vec<String>> {
    let mut workers = JoinSet::new();
    for worker in 0..options.connections {
        let mut client = tenant.client(service).await?;
        let numbers = (worker..options.deals).step_by(options.connections as usize);
        workers.spawn(async move {
            let mut ids = Vec::new();
            for number in numbers {
                let made = client.create(DEALS, &deal(number)).await?;
                ids.push(text(&made.body, "/data/id")?.to_owned());
            }
            anyhow::Ok(ids)
        });
    }
    let mut all = Vec::new();
    while let Some(ids) = workers.join_next().await {
        all.extend(ids.context("a connection's task ended early")??);
    }
    Ok(all)
}

fn deal(number: u32) -> Value {
    let stage = if number.is_multiple_of(PROPOSAL_EVERY) { "proposal" } else { "qualified" };
    json!({"title": format!("Licences {number}"), "value": 12_500.5, "stage": stage})
}

/// How long each request took, and how much CPU time all of them.
struct Sent {
    times: Vec<Duration>,
    cpu: CpuTime,
}

/// Sends requests over all connections for a time after [`WARM_UP`].
async fn send_all(
    tenant: &Arc<Tenant>,
    service: &Service,
    kind: &Kind,
    connections: u32,
    lasting: Duration,
) -> anyhow::Result<Sent> {
    let mut clients = Vec::new();
    for _ in 0..connections {
        clients.push(tenant.client(service.address).await?);
    }
    let counts_from = Instant::now() + WARM_UP;
    let end = counts_from + lasting;
    let mut workers = JoinSet::new();
    for (worker, mut client) in clients.into_iter().enumerate() {
        let kind = kind.clone();
        workers.spawn(async move {
            let mut times = Vec::new();
            for number in 0_usize.. {
                let took = send_one(&mut client, &kind, worker, number).await?;
                let now = Instant::now();
                if now >= end {
                    break;
                }
                if now >= counts_from {
                    times.push(took);
                }
            }
            anyhow::Ok(times)
        });
    }
    tokio::time::sleep_until(counts_from.into()).await;
    let before = CpuTime::of(service.pid);
    let mut times = Vec::new();
    while let Some(of_one) = workers.join_next().await {
        times.extend(of_one.context("a connection's task ended early")??);
    }
    let cpu = CpuTime::of(service.pid) - before;
    ensure!(!times.is_empty(), "no request ended in {} s", lasting.as_secs());
    Ok(Sent { times, cpu })
}

async fn send_one(client: &mut Client, kind: &Kind, worker: usize, number: usize) -> anyhow::Result<Duration> {
    match kind {
        Kind::Get { ids } => {
            // Steps of a prime spread the reads over the whole table.
            let id = &ids[(worker * 31 + number * 7_919) % ids.len()];
            Ok(client.send("GET", &format!("{DEALS}/{id}"), &Value::Null, 200).await?.took)
        }
        Kind::List => {
            let response = client.send("GET", FILTERED_LIST, &Value::Null, 200).await?;
            let listed = response.body["data"].as_array().map_or(0, Vec::len);
            ensure!(listed == 50, "{FILTERED_LIST}: {listed} deals instead of 50");
            Ok(response.took)
        }
        Kind::Create => Ok(client.create(DEALS, &json!({"title": "Pilot", "value": 12_500.5})).await?.took),
        Kind::BulkUpdate { tasks } => {
            debug_assert_eq!(tasks[worker].len(), BULK);
            // Another value each time, so that every task changes.
            let priority = if number.is_multiple_of(2) { "high" } else { "low" };
            Ok(bulk_update(client, &tasks[worker], priority).await?.took)
        }
    }
}
