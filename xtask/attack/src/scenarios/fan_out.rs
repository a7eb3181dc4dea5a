//! H3: how much a change that 100 webhooks subscribe to adds to the database.

use std::time::Duration;

use serde_json::json;
use test_support::Receiver;

use super::{Findings, Lab, Target};

const WEBHOOKS: usize = 100;
/// An event is stored once, however many webhooks subscribe to it: a few megabytes here, and rows that refer to it.
const MAX_MIB: u64 = 40;
const BACKLOG: u64 = 10_000;
const ISSUES: &str = "/api/v1/issues";

pub(super) async fn run(lab: &Lab) -> anyhow::Result<Findings> {
    let target = Target::start_with(lab, lab.data_folder()?, |program| {
        let program = program.allowing_loopback_receivers();
        lab.pick(program.clone().with("SERVICE_WEBHOOK_MAX_WAITING", "300"), program)
    })?;
    let tenant = target.tenant("wide", "enterprise")?;
    tenant.lift_limits(&target.program)?;
    let mut owner = tenant.owner(target.address).await?.patient();
    // In the full run, nothing leaves the queue before it is counted.
    let receiver = if lab.is_full() { Receiver::hanging().await } else { Receiver::start().await };
    for number in 0..WEBHOOKS {
        let webhook =
            json!({"module": "projects", "url": format!("{}/{number}", receiver.url), "events": ["task.updated"]});
        owner.create("/api/settings/webhooks", &webhook).await?;
    }
    let mut client = target.caller(&tenant.key);
    let long = json!({"kind": "task", "title": "Long", "description": noise(50_000)});
    let long = client.create(ISSUES, &long).await?.id()?;
    let mut short = Vec::new();
    for number in 0..lab.pick(12, 500) {
        let task = json!({"kind": "task", "title": format!("Task {number}")});
        short.push(client.create(ISSUES, &task).await?.id()?);
    }
    let before = target.tables()?;
    let changes = lab.pick(3, 10);
    for number in 0..changes {
        client.send("PATCH", &format!("{ISSUES}/{long}"), &json!({"title": format!("Long {number}")}), 200).await?;
    }
    let grown = target.tables()?.saturating_sub(before);
    let mut findings = Findings::default();
    findings.at_most(&format!("tables after {changes} changes of a task of 150 KB"), MAX_MIB, grown, "MiB more");
    let bulk = json!({"issueIds": short, "patch": {"priority": "high"}});
    client.send("POST", &format!("{ISSUES}/bulk-update"), &bulk, 200).await?;
    let events = changes + short.len();
    check_backlog(lab, &target, &mut findings, events).await?;
    check_arrivals(lab, &receiver, &mut findings, events * WEBHOOKS).await;
    Ok(findings)
}

async fn check_backlog(lab: &Lab, target: &Target, findings: &mut Findings, events: usize) -> anyhow::Result<()> {
    // The service counts every 15 s.
    tokio::time::sleep(Duration::from_secs(lab.pick(0, 20))).await;
    if lab.is_full() {
        let metrics = target.metrics().await?;
        let queued: u64 = metrics
            .lines()
            .filter(|line| line.starts_with("service_webhook_deliveries{"))
            .filter_map(|line| line.rsplit(' ').next()?.parse::<u64>().ok())
            .sum();
        findings.at_most(&format!("deliveries queued of {}", events * WEBHOOKS), BACKLOG, queued, "rows");
    }
    Ok(())
}

/// No event is lost: those that were not queued at once are queued later.
async fn check_arrivals(lab: &Lab, receiver: &Receiver, findings: &mut Findings, expected: usize) {
    receiver.answer(200);
    let tally = receiver.settle(expected, Duration::from_secs(lab.pick(60, 300))).await;
    findings.at_most(&format!("lost of {expected} deliveries"), 0, tally.lost as u64, "");
}

/// A text of this many characters, 3 bytes each, that hardly compresses.
fn noise(characters: u32) -> String {
    let character = |number: u32| char::from_u32(0x4E00 + number.wrapping_mul(0x9E37_79B1) % 20_000).unwrap_or('x');
    (0..characters).map(character).collect()
}
