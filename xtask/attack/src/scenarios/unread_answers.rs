//! H2: memory held for clients that request long pages and do not read them.

use std::time::Duration;

use serde_json::{Value, json};
use test_support::load::http::Client;

use crate::lab::Lab;
use crate::lines;
use crate::network::loopback;
use crate::table::Findings;
use crate::target::Target;

const CLIENTS: usize = 200;
const MAX_MIB: u64 = 150;
/// A client that reads nothing is disconnected after 10 s. Then the responses that waited for memory are sent.
const CLOSED_WITHIN: Duration = Duration::from_secs(45);
const PATH: &str = "/api/v1/issues?limit=100";

pub(super) async fn run(lab: &Lab) -> anyhow::Result<Findings> {
    let target = Target::start(lab)?;
    let tenant = target.tenant("long", "enterprise")?;
    tenant.lift_limits(&target.program)?;
    let mut keys = vec![tenant.key.clone()];
    for _ in 1..lab.pick(4, 40) {
        keys.push(target.program.create_key("long")?);
    }
    let page = fill(&target, &tenant.key).await?;
    let start = target.memory()?.now;
    let mut unread = Vec::new();
    for (number, key) in keys.iter().enumerate() {
        let request = Client::new(target.address).patient().with_key(key).text_of("GET", PATH, &Value::Null);
        let sources = (0..CLIENTS / keys.len()).map(|_| loopback(number));
        unread.extend(lines::open(target.address, sources, request.as_bytes()).await);
    }
    // Other callers are served meanwhile.
    let beside = target.client("20.0.0.1").get("/healthz").await?.status;
    let closed = target.eventually(CLOSED_WITHIN, |target| Ok(target.unsent()? == 0)).await?;
    let (memory, left) = (target.memory()?, target.unsent()?);
    let mut findings = Findings::default();
    let what = format!("peak memory for {} clients and pages of {} KB", unread.len(), page / 1_000);
    findings.at_most(&what, MAX_MIB, memory.peak.saturating_sub(start), "MiB more");
    let within = format!("all within {} s", CLOSED_WITHIN.as_secs());
    findings.expect("clients that read nothing are closed", &within, &format!("{left} still open"), closed);
    findings.equal("/healthz meanwhile", &200, &beside);
    let mut reader = Client::new(target.address).patient().from(loopback(99)).with_key(&tenant.key);
    let whole = reader.send("GET", PATH, &Value::Null, 200).await?;
    let records = whole.body["data"].as_array().map_or(0, Vec::len);
    findings.equal("records of a page afterwards", &100, &records);
    Ok(findings)
}

/// Creates 100 tasks of 80 KB. Returns the size of the page that lists them.
async fn fill(target: &Target, key: &str) -> anyhow::Result<usize> {
    let mut client = Client::new(target.address).patient().with_key(key);
    let long = "ß".repeat(40_000);
    for number in 0..100 {
        let task = json!({"kind": "task", "title": format!("Task {number}"), "description": long});
        client.create("/api/v1/issues", &task).await?;
    }
    Ok(client.send("GET", PATH, &Value::Null, 200).await?.size)
}
