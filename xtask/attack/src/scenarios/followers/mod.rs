//! X11: followers see every event exactly once, and a record's events in the order of its versions, whatever is killed.

mod follower;
mod instances;
mod verdict;
mod writers;

use std::collections::HashMap;
use std::net::SocketAddr;
use std::time::{Duration, Instant};

use anyhow::Context;
use futures_util::future::try_join_all;
use test_support::load::http::Client;
use test_support::load::stats::Percentiles;
use test_support::load::tenant::{BULK, Tenant};
use tokio::task::JoinSet;

use super::{Findings, Lab};
use crate::postgres::Sql;

use follower::{Arrival, Follower, Mode};
use instances::{Instances, Victim};
use verdict::{Verdict, out_of_order};
use writers::Writers;

/// Killed in this order, repeatedly.
const VICTIMS: [Victim; 4] = [Victim::Instance(0), Victim::Postgres, Victim::Instance(1), Victim::Connection];
const FEW: usize = 40;
/// Connections that create the issues.
const MAKERS: usize = 8;
/// Writers that hold transactions open.
const HELD: usize = 4;
/// How long writers may take to finish, and followers to catch up.
const SETTLE_TIME: Duration = Duration::from_secs(90);
const POLL_INTERVAL: Duration = Duration::from_millis(100);
/// Waited for duplicates.
const QUIET: Duration = Duration::from_millis(500);

pub(super) async fn run(lab: &Lab) -> anyhow::Result<Findings> {
    let mut instances = Instances::start(lab)?;
    let tenant = Tenant::make(instances.program(), "chaos")?;
    let writers = prepare(&tenant, instances.addresses).await?;
    let followers = followers(&tenant.key, instances.addresses);
    let mut following: JoinSet<_> = followers.iter().cloned().map(Follower::follow).collect();
    let start = Instant::now();
    let mut writing = write(lab, &writers, &instances);
    let rounds = lab.pick(VICTIMS.len(), 4 * VICTIMS.len());
    let calm = Duration::from_millis(lab.pick(1_000, 2_000));
    for victim in VICTIMS.into_iter().cycle().take(rounds) {
        tokio::time::sleep(calm).await;
        instances.kill(victim).await.with_context(|| format!("after {victim:?} was killed"))?;
    }
    tokio::time::sleep(calm).await;
    writers.stop();
    let ended = async { while writing.join_next().await.is_some() {} };
    tokio::time::timeout(SETTLE_TIME, ended).await.context("the writers did not end")?;
    let lasted = start.elapsed();
    let log = Log::read(&instances, &tenant, &followers).await?;
    following.shutdown().await;
    let mut findings = Findings::default();
    judge_log(&mut findings, &log, &writers, rounds, lasted);
    judge_followers(&mut findings, &log, &followers);
    Ok(findings)
}

/// Creates the issues that writers change, through both instances.
async fn prepare(tenant: &Tenant, instances: [SocketAddr; 2]) -> anyhow::Result<Writers> {
    let mut writers = Writers::new(tenant);
    let makers = (0..MAKERS).map(|number| {
        let (writers, mut client) = (writers.clone(), Client::new(instances[number % 2]).with_key(&tenant.key));
        async move {
            let mut issues = Vec::new();
            for _ in (number..BULK + FEW).step_by(MAKERS) {
                issues.push(writers.issue(&mut client).await?);
            }
            anyhow::Ok(issues)
        }
    });
    writers.many = try_join_all(makers).await?.concat();
    writers.few = writers.many.split_off(BULK);
    Ok(writers)
}

/// One follower per mode and instance, and two that switch to the other instance whenever one fails.
fn followers(key: &str, instances: [SocketAddr; 2]) -> Vec<Follower> {
    let [one, other] = instances;
    let mut followers = Vec::new();
    for mode in [Mode::Poll, Mode::Wait, Mode::Stream] {
        followers.push(Follower::new(mode, "the first instance", &[one], key));
        followers.push(Follower::new(mode, "the second instance", &[other], key));
    }
    followers.extend([Mode::Wait, Mode::Stream].map(|mode| Follower::new(mode, "both in turns", &[one, other], key)));
    followers
}

fn write(lab: &Lab, writers: &Writers, instances: &Instances) -> JoinSet<()> {
    let mut writing = JoinSet::new();
    // In a debug build, reading the events takes a whole core.
    let pause = lab.pick(Duration::from_millis(250), Duration::ZERO);
    for instance in instances.addresses {
        writing.spawn(writers.clone().in_bulk(instance, pause));
        writing.spawn(writers.clone().one_by_one(instance));
    }
    for _ in 0..HELD {
        writing.spawn(writers.clone().slowly(instances.data()));
    }
    writing
}

/// The log at the end of the run.
struct Log {
    /// In the order in which a new follower sees them.
    events: Vec<Arrival>,
    /// Number of rows in the table.
    rows: usize,
    /// Number of events by request.
    by_request: HashMap<String, usize>,
}

impl Log {
    /// Reads the log once all followers have caught up or the time for that is over.
    async fn read(instances: &Instances, tenant: &Tenant, followers: &[Follower]) -> anyhow::Result<Self> {
        let mut sql = Sql::eventually(&instances.data(), SETTLE_TIME).await?;
        let source = format!("FROM events WHERE workspace_id = '{}'", tenant.id);
        let rows = sql.number(&format!("SELECT count(*) {source}")).await?;
        let start = Instant::now();
        while start.elapsed() < SETTLE_TIME && followers.iter().any(|it| it.state().arrivals.len() < rows) {
            tokio::time::sleep(POLL_INTERVAL).await;
        }
        tokio::time::sleep(QUIET).await;
        let mut by_request = HashMap::new();
        for row in sql.run(&format!("SELECT request_id, count(*) {source} GROUP BY 1")).await? {
            if let [Some(request), Some(count)] = &row[..] {
                by_request.insert(request.clone(), count.parse()?);
            }
        }
        let reader = Follower::new(Mode::Poll, "the first instance", &instances.addresses, &tenant.key);
        // A cursor that does not advance would be read forever.
        let events = tokio::time::timeout(SETTLE_TIME, reader.read_all()).await.context("the log has no end")??;
        Ok(Self { events, rows, by_request })
    }
}

fn judge_log(findings: &mut Findings, log: &Log, writers: &Writers, rounds: usize, lasted: Duration) {
    let (opened, committed) = writers.held_open();
    // The events of the preparation came before.
    let rate = log.rows.saturating_sub(BULK + FEW) as u64 / lasted.as_secs().max(1);
    let what = format!(
        "events, {rate} a second, while the instances and their Postgres were killed {rounds} times (answers {})",
        writers.statuses()
    );
    // Enough that each kind of writer wrote something in each round.
    findings.at_least(&what, 2 * BULK as u64, log.rows as u64, "");
    let what = format!("committed transactions of {opened} that were held open");
    findings.at_least(&what, rounds as u64, committed as u64, "");
    let unexpected = writers.unexpected();
    findings.expect(
        "writes with a response other than success, 409, 429 or 503",
        "none",
        none(&unexpected),
        unexpected.is_empty(),
    );
    let acknowledged = writers.acknowledged();
    let total = acknowledged.values().sum::<usize>();
    let is_in_log = |(request, events): &(&String, &usize)| log.by_request.get(*request) == Some(*events);
    let missing: usize = acknowledged.iter().filter(|it| !is_in_log(it)).map(|(_, events)| events).sum();
    findings.at_most(&format!("acknowledged changes of {total} that are missing in the log"), 0, missing as u64, "");
    findings.equal("events that a new follower reads from the log", &log.rows, &log.events.len());
    let wrong = out_of_order(&log.events) as u64;
    findings.at_most("events before or without an earlier version of the record", 0, wrong, "");
}

fn judge_followers(findings: &mut Findings, log: &Log, followers: &[Follower]) {
    for follower in followers {
        let state = follower.state();
        let Verdict { gaps, repetitions, unknown, out_of_order, differs } = Verdict::of(&log.events, &state.arrivals);
        let delays = Percentiles::of(state.delays.iter().copied());
        let what = format!(
            "{}, connected again {} times, p50 {:.0} and p99 {:.0} ms behind the change",
            follower.name,
            state.breaks,
            delays.at(500),
            delays.at(990)
        );
        let order = if differs { "another" } else { "the log's" };
        let measured = format!(
            "{gaps} gaps, {repetitions} repetitions, {unknown} unknown, {out_of_order} out of order, {order} order"
        );
        let bound = "0 gaps, 0 repetitions, 0 unknown, 0 out of order, the log's order";
        findings.expect(&what, bound, &measured, measured == bound);
    }
    let refusals: Vec<_> = followers.iter().flat_map(|follower| follower.state().refusals.clone()).collect();
    let measured = refusals.first().map_or("", String::as_str);
    findings.expect("responses to followers other than 200, 429 or 503", "none", none(measured), refusals.is_empty());
}

fn none(text: &str) -> &str {
    if text.is_empty() { "none" } else { text }
}
