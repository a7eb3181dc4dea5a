//! H2: a bulk update of a few kilobytes may change 100 MB of records, which are loaded in parts.

use std::time::{Duration, Instant};

use serde_json::{Value, json};

use super::{Findings, Lab, Target};

const ISSUES: &str = "/api/v1/issues";
const MAX_PEAK_MIB: u64 = 100;
const MAX_RETAINED_MIB: u64 = 50;
const SECONDS: u64 = 30;
/// The memory is released within this time.
const RELEASED_WITHIN: Duration = Duration::from_mins(1);

pub(super) async fn run(lab: &Lab) -> anyhow::Result<Findings> {
    let target = Target::start(lab)?;
    let tenant = target.tenant("heavy", "enterprise")?;
    tenant.lift_limits(&target.program)?;
    let mut client = target.caller(&tenant.key);
    let count: u64 = lab.pick(100, 500);
    let mut ids = Vec::new();
    for number in 0..count {
        let task = json!({"kind": "task", "title": "Long", "description": longest_description(number)});
        ids.push(client.create(ISSUES, &task).await?.id()?);
    }
    let before = target.memory()?.now;
    let mut findings = Findings::default();
    let mut slowest = Duration::ZERO;
    for priority in ["low", "high", "urgent"] {
        let start = Instant::now();
        let body = json!({"issueIds": ids, "patch": {"priority": priority}});
        let reply = client.post(&format!("{ISSUES}/bulk-update"), &body).await?;
        findings.equal(&format!("tasks of 200 KB set to {priority} by one request"), &count, &updated(&reply.body));
        slowest = slowest.max(start.elapsed());
    }
    findings.at_most("the slowest of them", SECONDS, slowest.as_secs(), "s");
    let peak = target.memory()?.peak.saturating_sub(before);
    findings.at_most("peak memory meanwhile", MAX_PEAK_MIB, peak, "MiB more");
    target
        .eventually(RELEASED_WITHIN, |target| Ok(target.memory()?.now.saturating_sub(before) <= MAX_RETAINED_MIB))
        .await?;
    let left = target.memory()?.now.saturating_sub(before);
    findings.at_most("memory still held after a minute", MAX_RETAINED_MIB, left, "MiB more");
    Ok(findings)
}

fn updated(reply: &Value) -> u64 {
    reply.pointer("/data/updatedCount").and_then(Value::as_u64).unwrap_or_default()
}

/// 50,000 characters of four bytes each.
fn longest_description(number: u64) -> String {
    let character =
        |n: u64| char::from_u32(0x2_0000 + u32::try_from((n * 7_919 + number * 31) % 0xa000).unwrap_or_default());
    (0..50_000).filter_map(character).collect()
}
