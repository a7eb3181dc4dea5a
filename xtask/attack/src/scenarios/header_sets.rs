//! Requests with many, large or endless headers.

use std::fmt::Write;
use std::time::Duration;

use crate::lab::Lab;
use crate::lines;
use crate::network::loopback;
use crate::table::Findings;
use crate::target::Target;

const CONNECTIONS: usize = 200;
const MAX_MIB: u64 = 100;
const MAX_LINES: u64 = 100;
const ANSWERED_WITHIN: Duration = Duration::from_secs(30);

pub(super) async fn run(lab: &Lab) -> anyhow::Result<Findings> {
    let target = Target::start(lab)?;
    let _ = target.client("20.0.0.1").get("/readyz").await?;
    let mut findings = Findings::default();
    let mut many = "GET /healthz HTTP/1.1\r\nHost: localhost\r\n".to_owned();
    for number in 0..5_000 {
        write!(many, "X-{number}: y\r\n")?;
    }
    let large = format!("GET /healthz HTTP/1.1\r\nHost: localhost\r\nX-Large: {}\r\n\r\n", "y".repeat(900_000));
    let endless = format!("GET /{} HTTP/1.1\r\n", "y".repeat(900_000));
    for (what, head) in [("5,000 headers", &many), ("a header of 900 KB", &large), ("a path of 900 KB", &endless)] {
        let start = target.memory()?;
        let lines = lines::open(target.address, (0..CONNECTIONS).map(loopback), head.as_bytes()).await;
        let answered = target.eventually(ANSWERED_WITHIN, |_| Ok(lines::unanswered(&lines) == 0)).await?;
        let grown = target.memory()?.peak.saturating_sub(start.now);
        findings.at_most(&format!("peak memory for {} heads with {what}", lines.len()), MAX_MIB, grown, "MiB more");
        let left = format!("{} left", lines::unanswered(&lines));
        findings.expect("the connections are answered or closed", "within 30 s", &left, answered);
    }
    let lines = target.log().lines().count() as u64;
    findings.at_most("log lines about them", MAX_LINES, lines, "lines");
    findings.equal("/healthz afterwards", &200, &target.client("20.0.0.1").get("/healthz").await?.status);
    Ok(findings)
}
