//! H1: hashing a password takes 19 MiB, which must be released or reused.

use serde_json::json;

use crate::flood::{Flood, Shot};
use crate::lab::Lab;
use crate::network::anywhere;
use crate::table::Findings;
use crate::target::Target;

const CONNECTIONS: usize = 48;
const MAX_MIB: u64 = 60;

pub(super) async fn run(lab: &Lab) -> anyhow::Result<Findings> {
    let target = Target::start(lab)?;
    let _ = target.client("20.0.0.1").get("/readyz").await?;
    let start = target.memory()?.now;
    let count = lab.pick(300, 2_000);
    let flood = Flood::begin(target.address, CONNECTIONS, count, |number| {
        let email = format!("nobody{number}@example.com");
        Shot::post("/api/auth/login", json!({"email": email, "password": "not the password"})).from(anywhere(number))
    });
    let tally = flood.finish().await;
    let memory = target.memory()?;
    let mut findings = Findings::default();
    let said = tally.summary();
    findings.at_most(
        &format!("memory after {count} log-ins ({said})"),
        MAX_MIB,
        memory.now.saturating_sub(start),
        "MiB more",
    );
    findings.at_most("peak memory meanwhile", MAX_MIB, memory.peak.saturating_sub(start), "MiB more");
    findings.at_least("log-ins that were checked", lab.pick(50, 200), tally.of(401), "");
    Ok(findings)
}
