//! H2: many small requests on one connection whose client does not read the responses.

use std::time::Duration;

use crate::lab::Lab;
use crate::lines;
use crate::network::loopback;
use crate::table::Findings;
use crate::target::Target;

const CONNECTIONS: usize = 200;
const REQUESTS: usize = 20_000;
const MAX_MIB: u64 = 150;
const CLOSED_WITHIN: Duration = Duration::from_secs(45);

pub(super) async fn run(lab: &Lab) -> anyhow::Result<Findings> {
    let target = Target::start(lab)?;
    let _ = target.client("20.0.0.1").get("/readyz").await?;
    let start = target.memory()?.now;
    // A page, since its response is larger than the request.
    let requests = "GET /reset-password HTTP/1.1\r\nHost: localhost\r\n\r\n".repeat(lab.pick(REQUESTS / 10, REQUESTS));
    let lines = lines::open(target.address, (0..CONNECTIONS).map(|n| loopback(n / 50)), requests.as_bytes()).await;
    let beside = target.client("20.0.0.1").get("/healthz").await?.status;
    let closed = target.eventually(CLOSED_WITHIN, |target| Ok(target.unsent()? == 0)).await?;
    let (memory, left) = (target.memory()?, target.unsent()?);
    let mut findings = Findings::default();
    let what = format!("peak memory for {} connections with pipelined requests", lines.len());
    findings.at_most(&what, MAX_MIB, memory.peak.saturating_sub(start), "MiB more");
    let within = format!("all within {} s", CLOSED_WITHIN.as_secs());
    findings.expect("clients that read nothing are closed", &within, &format!("{left} still open"), closed);
    findings.equal("/healthz meanwhile", &200, &beside);
    Ok(findings)
}
