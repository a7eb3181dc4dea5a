//! H2: clients that do not read the responses to their requests.

use std::time::Duration;

use serde_json::{Value, json};
use test_support::load::http::Client;

use super::{Findings, Lab, Target};
use crate::connections;
use crate::network::loopback;

const CLIENTS: usize = 200;
const PIPELINED_REQUESTS: usize = 20_000;
const MAX_MIB: u64 = 150;
/// A client that reads nothing is disconnected after 10 s. Then the responses that waited for memory are sent.
const CLOSED_WITHIN: Duration = Duration::from_secs(45);
const PATH: &str = "/api/v1/issues?limit=100";

/// Memory held for clients that request long pages.
pub(super) async fn answers(lab: &Lab) -> anyhow::Result<Findings> {
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
        let request = target.caller(key).text_of("GET", PATH, &Value::Null);
        let sources = (0..CLIENTS / keys.len()).map(|_| loopback(number));
        unread.extend(connections::open(target.address, sources, request.as_bytes()).await);
    }
    let mut findings = Findings::default();
    let what = format!("peak memory for {} clients and pages of {} KB", unread.len(), page / 1_000);
    judge(&mut findings, &target, &what, start).await?;
    let mut reader = Client::new(target.address).patient().from(loopback(99)).with_key(&tenant.key);
    let list = reader.send("GET", PATH, &Value::Null, 200).await?;
    let records = list.body["data"].as_array().map_or(0, Vec::len);
    findings.equal("records of a page afterwards", &100, &records);
    Ok(findings)
}

/// Creates 100 tasks of 80 KB. Returns the size of the page that lists them.
async fn fill(target: &Target, key: &str) -> anyhow::Result<usize> {
    let mut client = target.caller(key);
    let description = "ß".repeat(40_000);
    for number in 0..100 {
        let task = json!({"kind": "task", "title": format!("Task {number}"), "description": description});
        client.create("/api/v1/issues", &task).await?;
    }
    Ok(client.send("GET", PATH, &Value::Null, 200).await?.size)
}

/// Many small requests on each connection.
pub(super) async fn pipeline(lab: &Lab) -> anyhow::Result<Findings> {
    let target = Target::start(lab)?;
    let _ = target.client("20.0.0.1").get("/readyz").await?;
    let start = target.memory()?.now;
    // A page, since its response is larger than the request.
    let requests = lab.pick(PIPELINED_REQUESTS / 10, PIPELINED_REQUESTS);
    let requests = "GET /reset-password HTTP/1.1\r\nHost: localhost\r\n\r\n".repeat(requests);
    let open = connections::open(target.address, (0..CLIENTS).map(|n| loopback(n / 50)), requests.as_bytes()).await;
    let mut findings = Findings::default();
    let what = format!("peak memory for {} connections with pipelined requests", open.len());
    judge(&mut findings, &target, &what, start).await?;
    Ok(findings)
}

/// Checks memory, that the connections are closed, and that other callers are served meanwhile.
async fn judge(findings: &mut Findings, target: &Target, what: &str, start: u64) -> anyhow::Result<()> {
    let status = target.client("20.0.0.1").get("/healthz").await?.status;
    let closed = target.eventually(CLOSED_WITHIN, |target| Ok(target.unsent()? == 0)).await?;
    let (memory, left) = (target.memory()?, target.unsent()?);
    findings.at_most(what, MAX_MIB, memory.peak.saturating_sub(start), "MiB more");
    let bound = format!("all within {} s", CLOSED_WITHIN.as_secs());
    findings.expect("clients that read nothing are closed", &bound, &format!("{left} still open"), closed);
    findings.equal("/healthz meanwhile", &200, &status);
    Ok(())
}
