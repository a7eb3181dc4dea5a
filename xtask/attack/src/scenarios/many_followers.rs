//! X12: idle followers cost an instance little, and each one gets the next event.

use std::time::{Duration, Instant};

use serde_json::json;
use test_support::load::tenant::Tenant;
use tokio::task::JoinSet;

use super::{Findings, Lab, Target};
use crate::event_stream::EventStream;
use crate::flood::{Flood, Shot};
use crate::postgres::Sql;

/// Followers per workspace and per key.
const PER_WORKSPACE: usize = 200;
const PER_KEY: usize = 16;
/// Followers that connect at the same time.
const AT_ONCE: usize = 32;
/// Threads and connections that vary independently of followers.
const SLACK: u64 = 4;
const ARRIVES_WITHIN: Duration = Duration::from_secs(30);
const CLIENTS: &str =
    "SELECT count(*) FROM pg_stat_activity WHERE backend_type = 'client backend' AND pid <> pg_backend_pid()";

pub(super) async fn run(lab: &Lab) -> anyhow::Result<Findings> {
    let target = Target::start(lab)?;
    let mut workspaces = Vec::new();
    for number in 0..lab.pick(1, 5) {
        let slug = format!("followed-{number}");
        let tenant = Tenant::make(&target.program, &slug)?;
        let mut keys = vec![tenant.key];
        while keys.len() * PER_KEY < PER_WORKSPACE {
            keys.push(target.program.create_key(&slug)?);
        }
        workspaces.push(keys);
    }
    warm_up(&target, &workspaces).await;
    let mut sql = Sql::connect(target.folder()).await?;
    let before = (target.threads()?, sql.number(CLIENTS).await? as u64);
    let mut followers = Vec::new();
    for keys in &workspaces {
        followers.push(follow(&target, keys).await);
    }
    let count: usize = followers.iter().map(Vec::len).sum();
    // The work of connecting is over.
    tokio::time::sleep(Duration::from_secs(1)).await;
    let with = (target.threads()?, sql.number(CLIENTS).await? as u64);
    let mut findings = Findings::default();
    findings.equal("followers of the instance", &(workspaces.len() * PER_WORKSPACE), &count);
    let more = |what: &str| format!("{what} for {count} followers");
    findings.at_most(&more("threads"), SLACK, with.0.saturating_sub(before.0), &format!("more than {}", before.0));
    let connections = with.1.saturating_sub(before.1);
    findings.at_most(&more("connections to Postgres"), SLACK, connections, &format!("more than {}", before.1));
    for (keys, followers) in workspaces.iter().zip(followers) {
        check_arrivals(&mut findings, &target, keys, followers).await?;
    }
    Ok(findings)
}

/// Sends requests until all threads and connections for requests exist.
async fn warm_up(target: &Target, workspaces: &[Vec<String>]) {
    let keys = workspaces.concat();
    let shot = move |number: usize| Shot::get("/api/v1/events?limit=1").key(&*keys[number % keys.len()]);
    Flood::begin(target.address, AT_ONCE, 20 * AT_ONCE, shot).finish().await;
}

/// Connects as many followers as a workspace may have.
async fn follow(target: &Target, keys: &[String]) -> Vec<EventStream> {
    let (mut opening, mut open) = (JoinSet::new(), Vec::new());
    for number in 0..PER_WORKSPACE {
        if opening.len() >= AT_ONCE
            && let Some(Ok(Ok(Ok(stream)))) = opening.join_next().await
        {
            open.push(stream);
        }
        let (service, key) = (target.address, keys[number / PER_KEY].clone());
        opening.spawn(async move { EventStream::open(service, &key, None).await });
    }
    open.extend(opening.join_all().await.into_iter().flatten().flatten());
    open
}

/// Creates a deal, whose event all followers of the workspace must get.
async fn check_arrivals(
    findings: &mut Findings,
    target: &Target,
    keys: &[String],
    followers: Vec<EventStream>,
) -> anyhow::Result<()> {
    let (all, mut notified) = (followers.len(), 0_u64);
    let start = Instant::now();
    let mut client = target.caller(&keys[0]);
    let deal = client.create("/api/v1/crm/deals", &json!({"title": "Pilot"})).await?.id()?;
    let mut reading = JoinSet::new();
    for mut follower in followers {
        let deal = deal.clone();
        reading.spawn(tokio::time::timeout(ARRIVES_WITHIN, async move {
            while !follower.next().await?.data.is_some_and(|data| data.contains(&deal)) {}
            anyhow::Ok(())
        }));
    }
    while let Some(read) = reading.join_next().await {
        notified += u64::from(matches!(read, Ok(Ok(Ok(())))));
    }
    let what = format!("of {all} followers of a workspace, those told of a deal ({} ms)", start.elapsed().as_millis());
    findings.equal(&what, &(all as u64), &notified);
    Ok(())
}
