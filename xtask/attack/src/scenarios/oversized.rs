//! Bodies that are never completed, and requests with many, large or endless headers.

use std::fmt::Write;
use std::time::Duration;

use tokio::net::TcpStream;

use super::{Findings, Lab, Target};
use crate::connections;
use crate::network::loopback;

const BODIES: usize = 240;
const MAX_BODIES_MIB: u64 = 150;
const HEADS: usize = 200;
const MAX_HEADS_MIB: u64 = 100;
const MAX_LOG_LINES: u64 = 100;
const ANSWERED_WITHIN: Duration = Duration::from_secs(30);

/// Bodies of almost a megabyte that are never completed.
pub(super) async fn half_bodies(lab: &Lab) -> anyhow::Result<Findings> {
    let target = Target::start(lab)?;
    let tenant = target.tenant("half", "enterprise")?;
    tenant.lift_limits(&target.program)?;
    let mut keys = vec![tenant.key];
    for _ in 0..3 {
        keys.push(target.program.create_key("half")?);
    }
    let start = target.memory()?.now;
    let mut open = Vec::new();
    for (number, key) in keys.iter().enumerate() {
        let head = format!(
            "POST /api/v1/projects HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer {key}\r\n\
             Content-Type: application/json\r\nContent-Length: 1048576\r\n\r\n{{\"name\": \""
        );
        let bytes = head + &"x".repeat(1_048_000);
        let sources = (0..BODIES / keys.len()).map(|_| loopback(number));
        open.extend(connections::open(target.address, sources, bytes.as_bytes()).await);
    }
    let mut findings = Findings::default();
    let what = format!("peak memory for {} bodies that never end", open.len());
    judge(&mut findings, &target, &open, &what, MAX_BODIES_MIB, start).await?;
    Ok(findings)
}

pub(super) async fn header_sets(lab: &Lab) -> anyhow::Result<Findings> {
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
        let start = target.memory()?.now;
        let open = connections::open(target.address, (0..HEADS).map(loopback), head.as_bytes()).await;
        let what = format!("peak memory for {} heads with {what}", open.len());
        judge(&mut findings, &target, &open, &what, MAX_HEADS_MIB, start).await?;
    }
    let lines = target.log().lines().count() as u64;
    findings.at_most("log lines about them", MAX_LOG_LINES, lines, "lines");
    findings.equal("/healthz afterwards", &200, &target.client("20.0.0.1").get("/healthz").await?.status);
    Ok(findings)
}

/// Waits until the service has answered or closed the connections, and checks memory.
async fn judge(
    findings: &mut Findings,
    target: &Target,
    open: &[TcpStream],
    what: &str,
    max_mib: u64,
    start: u64,
) -> anyhow::Result<()> {
    let settled = target.eventually(ANSWERED_WITHIN, |_| Ok(connections::unanswered(open) == 0)).await?;
    findings.at_most(what, max_mib, target.memory()?.peak.saturating_sub(start), "MiB more");
    let left = format!("{} left", connections::unanswered(open));
    findings.expect("the connections are answered or closed", "within 30 s", &left, settled);
    Ok(())
}
