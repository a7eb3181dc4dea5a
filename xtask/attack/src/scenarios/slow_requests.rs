//! Requests that take forever to arrive.

use std::time::{Duration, Instant};

use tokio::io::AsyncWriteExt;
use tokio::net::TcpStream;

use super::{Findings, Lab, Target};
use crate::connections;
use crate::network::loopback;

const CONNECTIONS: usize = 200;
/// 10 s for the headers, 10 s for the body, and a margin for a loaded machine.
const CLOSED_WITHIN: Duration = Duration::from_secs(30);

pub(super) async fn run(lab: &Lab) -> anyhow::Result<Findings> {
    let target = Target::start(lab)?;
    let tenant = target.tenant("slow", "enterprise")?;
    let mut findings = Findings::default();
    let head = b"GET /healthz HTTP/1.1\r\nHost: localhost\r\nX-Slow: ";
    let mut heads = connections::open(target.address, (0..CONNECTIONS).map(loopback), head).await;
    let body = format!(
        "POST /api/v1/projects HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer {}\r\n\
         Content-Type: application/json\r\nContent-Length: 1000000\r\n\r\n{{\"name\": \"",
        tenant.key
    );
    let mut bodies = connections::open(target.address, (0..50).map(loopback), body.as_bytes()).await;
    let start = Instant::now();
    let (mut heads_open, mut bodies_open) = (1, 1);
    while start.elapsed() < CLOSED_WITHIN && heads_open + bodies_open > 0 {
        tokio::time::sleep(Duration::from_millis(500)).await;
        drip(&mut heads).await;
        drip(&mut bodies).await;
        (heads_open, bodies_open) = (connections::unanswered(&heads), connections::unanswered(&bodies));
    }
    let bound = format!("none after {} s", CLOSED_WITHIN.as_secs());
    for (what, count, open) in [("heads", heads.len(), heads_open), ("bodies", bodies.len(), bodies_open)] {
        let measured = format!("{open} after {:.0} s", start.elapsed().as_secs_f64());
        findings.expect(&format!("{count} slow {what} that are still being read"), &bound, &measured, open == 0);
    }
    Ok(findings)
}

async fn drip(streams: &mut [TcpStream]) {
    for stream in streams {
        // Fails where the service has closed the connection, which is counted later.
        let _ = stream.write_all(b"x").await;
    }
}
