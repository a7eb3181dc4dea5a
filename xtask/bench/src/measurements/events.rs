//! A large event log: appending, following, reading histories, and dropping months.

use std::collections::HashMap;
use std::net::SocketAddr;
use std::path::Path;
use std::time::{Duration, Instant};

use anyhow::{Context, bail, ensure};
use serde_json::{Value, json};
use tokio::task::JoinHandle;

use super::{in_turns, new_report, progress, seed};
use crate::EventLog;
use crate::report::Report;
use test_support::load::http::{Client, text};
use test_support::load::stats::Percentiles;
use test_support::load::tenant::{BULK, Tenant, bulk_update, make_project, make_task};
use test_support::program::Program;

const DEALS: &str = "/api/v1/crm/deals";
const EVENTS: &str = "/api/v1/events";
const SLUGS: [&str; 4] = ["log-1", "log-2", "log-3", "log-4"];
/// Consecutive requests of one kind.
const IN_A_ROW: usize = 20;
/// Deals whose histories are read, and the number of changes to each.
const DEALS_READ: usize = 20;
const CHANGES: usize = 9;
/// Changes per second while a follower waits.
const PER_SECOND: u32 = 40;
/// Seconds for which a follower lets the service hold a response. Shorter than the client's timeout.
const WAIT_SECONDS: u32 = 5;
/// A retention that keeps all generated events, and the shortest one, which drops all but a few months.
const KEEP_ALL: &str = "3650d";
const KEEP_LEAST: &str = "30d";
/// Bound of the median delay in milliseconds from a commit until a waiting follower has the event.
const MAX_LATENCY: f64 = 50.0;
/// Bound of the slowest histories relative to the slowest reads by id.
const MAX_RATIO: f64 = 2.0;
const DROP_TIMEOUT: Duration = Duration::from_mins(5);

/// The benchmark of the event log.
pub(crate) async fn events(program: &Path, data: &Path, options: &EventLog) -> anyhow::Result<Report> {
    let measured = Program::for_measuring(program, data).with("SERVICE_EVENT_RETENTION", KEEP_ALL);
    let mut report = new_report()?;
    report.how(format!("{} events of 0.5 KB in {} workspaces, over 13 months.", options.events, SLUGS.len()));
    let service = measured.start_dispatching("off")?;
    let tenants = SLUGS.map(|slug| Tenant::make(&measured, slug)).into_iter().collect::<anyhow::Result<Vec<_>>>()?;
    progress("filling the log");
    for tenant in &tenants {
        seed(program, data, &tenant.slug, &[("events", options.events as usize / SLUGS.len())]).await?;
    }
    let tenant = &tenants[0];
    let mut client = tenant.client(service.address).await?.without_streams();
    progress("appending");
    append(&mut client, options, &mut report).await?;
    progress("histories");
    histories(&mut client, options, &mut report).await?;
    progress("following");
    follow(tenant, service.address, options, &mut report).await?;
    service.stop()?;
    progress("dropping months");
    let dropping = Program::for_measuring(program, data).with("SERVICE_EVENT_RETENTION", KEEP_LEAST);
    drop_months(&dropping.with("SERVICE_METRICS_PUBLIC", "true"), tenant, &mut report).await?;
    Ok(report)
}

/// A create appends one event, a bulk change of 500 tasks appends 500.
async fn append(client: &mut Client, options: &EventLog, report: &mut Report) -> anyhow::Result<()> {
    let mut creates = Vec::new();
    for number in 0..options.rounds * IN_A_ROW {
        creates.push(client.create(DEALS, &json!({ "title": format!("Deal {number}") })).await?.took);
    }
    report.times("POST /crm/deals, which appends an event", &Percentiles::of(creates), "");
    let project = make_project(client).await?;
    let mut tasks = Vec::new();
    for _ in 0..BULK {
        tasks.push(make_task(client, &project).await?.id()?);
    }
    let mut bulks = Vec::new();
    for turn in 0..options.rounds.min(20) {
        bulks.push(bulk_update(client, &tasks, if turn % 2 == 0 { "high" } else { "low" }).await?.took);
    }
    report.times("a bulk update of 500 tasks, which appends 500", &Percentiles::of(bulks), "");
    Ok(())
}

/// Alternates between reads by id and histories of the same deals.
async fn histories(client: &mut Client, options: &EventLog, report: &mut Report) -> anyhow::Result<()> {
    let mut deals = Vec::new();
    for number in 0..DEALS_READ {
        let deal = client.create(DEALS, &json!({ "title": format!("Watched {number}") })).await?;
        let path = format!("{DEALS}/{}", deal.id()?);
        for change in 0..CHANGES {
            let _ = client.send("PATCH", &path, &json!({ "value": change }), 200).await?;
        }
        deals.push(path);
    }
    let times = in_turns(options.rounds, 2, IN_A_ROW, async |kind: usize, number: usize| {
        let path = &deals[number % deals.len()];
        if kind == 0 {
            return Ok(client.send("GET", path, &Value::Null, 200).await?.took);
        }
        let response = client.send("GET", &format!("{path}/history"), &Value::Null, 200).await?;
        let length = response.body["data"].as_array().map_or(0, Vec::len);
        ensure!(length == CHANGES + 1, "{path} has {length} events instead of {}", CHANGES + 1);
        Ok(response.took)
    })
    .await?;
    let [reads, histories] = &times[..] else { bail!("two kinds of requests were measured") };
    report.times("GET /crm/deals/{id}", reads, "");
    report.times("GET /crm/deals/{id}/history, 10 events", histories, "");
    report.bound("history, p99 over the read's", histories.at(990) / reads.at(990), MAX_RATIO);
    Ok(())
}

/// Measures from the response to a change, which follows its commit, until a waiting follower has its event.
async fn follow(tenant: &Tenant, service: SocketAddr, options: &EventLog, report: &mut Report) -> anyhow::Result<()> {
    let mut follower = tenant.client(service).await?.without_streams();
    let mut page = follower
        .send("GET", &newest_page(&mut tenant.client(service).await?.without_streams()).await?, &Value::Null, 200)
        .await?;
    let total = usize::try_from(u64::from(PER_SECOND) * options.seconds)?;
    let arrivals: JoinHandle<anyhow::Result<HashMap<String, Instant>>> = tokio::spawn(async move {
        let mut arrived = HashMap::new();
        while arrived.len() < total {
            let cursor = text(&page.body, "/pagination/nextCursor")?.to_owned();
            let path = format!("{EVENTS}?event=deal.created&limit=100&wait={WAIT_SECONDS}&cursor={cursor}");
            page = follower.send("GET", &path, &Value::Null, 200).await?;
            let arrived_at = Instant::now();
            for event in page.body["data"].as_array().into_iter().flatten() {
                arrived.insert(text(event, "/record/id")?.to_owned(), arrived_at);
            }
        }
        Ok(arrived)
    });
    let mut client = tenant.client(service).await?;
    let (begin, step) = (Instant::now(), Duration::from_secs(1) / PER_SECOND);
    let mut answered = HashMap::new();
    for turn in 0..total {
        tokio::time::sleep_until((begin + step * u32::try_from(turn)?).into()).await;
        let deal = client.create(DEALS, &json!({ "title": "Followed" })).await?;
        answered.insert(deal.id()?, deal.sent_at + deal.took);
    }
    let arrived = tokio::time::timeout(DROP_TIMEOUT, arrivals).await.context("events did not arrive")???;
    let missed = answered.keys().filter(|id| !arrived.contains_key(*id)).count();
    ensure!(missed == 0, "{missed} of {total} events did not reach the follower");
    let latency = answered.iter().map(|(id, at)| arrived[id].saturating_duration_since(*at));
    let latency = Percentiles::of(latency);
    report.times(&format!("commit to a waiting follower, {PER_SECOND} a second"), &latency, "p50 ≤ 50");
    report.bound("commit to a waiting follower, p50 ms", latency.at(500), MAX_LATENCY);
    Ok(())
}

/// The path of the page after the last event, where followers start.
async fn newest_page(client: &mut Client) -> anyhow::Result<String> {
    let mark = client.create(DEALS, &json!({ "title": "Mark" })).await?;
    let since = text(&mark.body, "/data/created_at")?.replace('+', "%2B");
    Ok(format!("{EVENTS}?limit=1&since={since}"))
}

/// Measures reads and changes while the service, restarted with a short retention, drops months.
async fn drop_months(program: &Program, tenant: &Tenant, report: &mut Report) -> anyhow::Result<()> {
    let service = program.start_dispatching("off")?;
    let mut client = tenant.client(service.address).await?.without_streams();
    let (begin, mut reads, mut creates) = (Instant::now(), Vec::new(), Vec::new());
    let path = format!("{DEALS}/{}", client.create(DEALS, &json!({ "title": "Kept" })).await?.id()?);
    let mut dropped = None;
    while dropped.is_none() {
        ensure!(begin.elapsed() < DROP_TIMEOUT, "no month was dropped within {DROP_TIMEOUT:?}");
        for _ in 0..IN_A_ROW {
            creates.push(client.create(DEALS, &json!({ "title": "Meanwhile" })).await?.took);
            reads.push(client.send("GET", &path, &Value::Null, 200).await?.took);
        }
        dropped = seconds_of_maintenance(&client.text("/metrics").await?);
    }
    report.times("GET /crm/deals/{id} while months are dropped", &Percentiles::of(reads), "");
    report.times("POST /crm/deals while months are dropped", &Percentiles::of(creates), "");
    report.figure("dropping all but the last months, seconds", format!("{:.2}", dropped.unwrap_or(f64::NAN)), "");
    let oldest = client.send("GET", &format!("{EVENTS}?limit=1"), &Value::Null, 200).await?;
    ensure!(oldest.body["data"].as_array().is_some_and(|events| events.len() == 1), "no event is left");
    service.stop()
}

/// The duration of the job once months have been dropped, which shows in an oldest event younger than three months.
fn seconds_of_maintenance(metrics: &str) -> Option<f64> {
    let value = |start: &str, with: &str| -> Option<f64> {
        let line = metrics.lines().find(|line| line.starts_with(start) && line.contains(with))?;
        line.rsplit(' ').next()?.parse().ok()
    };
    let oldest = value("service_event_oldest_month_age_seconds", "")?;
    let took = value("service_store_job_seconds_sum", "operation=\"maintain_months\"");
    took.filter(|_| oldest < 93.0 * 86_400.0)
}
