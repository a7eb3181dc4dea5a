//! M4: connections that send nothing.

use std::net::IpAddr;
use std::time::{Duration, Instant};

use anyhow::Context;
use test_support::load::http::Client;

use super::{Findings, Lab, Target};
use crate::connections;
use crate::network::loopback;

/// The service closes connections of one address beyond this number.
const PER_ADDRESS: u64 = 256;
const PER_ATTACKER: usize = 200;
/// Sent once on each connection: those that never send a request are closed sooner.
const REQUEST: &[u8] = b"GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n";
const ANSWERS_WITHIN: Duration = Duration::from_secs(5);

pub(super) async fn run(lab: &Lab) -> anyhow::Result<Findings> {
    let mut findings = Findings::default();
    let target = Target::start(lab)?;
    let of_one = connections::open(target.address, (0..400).map(|_| loopback(0)), b"").await;
    let IpAddr::V4(source) = loopback(0) else { unreachable!("loopback addresses here are IPv4") };
    let open = target.settled(Duration::from_millis(500), |target| target.connections_of(source)).await?;
    findings.at_most(&format!("open connections of an address that made {}", of_one.len()), PER_ADDRESS, open, "");
    drop(of_one);
    // Each connection takes a file descriptor in the service and one in this process.
    let room = files()?.saturating_sub(1_000);
    let count = lab.pick(3_000, 8_600).min(room);
    let many =
        connections::open(target.address, (0..count).map(|number| loopback(1 + number / PER_ATTACKER)), REQUEST).await;
    let what = format!("with {} idle connections", many.len());
    answers(&mut findings, &format!("/healthz {what}"), Client::new(target.address)).await;
    answers(&mut findings, &format!("/healthz of the admin listener {what}"), Client::new(target.admin)).await;
    let caller = Client::new(target.address).from(loopback(4_000));
    answers(&mut findings, &format!("/healthz from a new address {what}"), caller).await;
    Ok(findings)
}

async fn answers(findings: &mut Findings, what: &str, mut client: Client) {
    let start = Instant::now();
    let response = tokio::time::timeout(ANSWERS_WITHIN, client.get("/healthz")).await;
    let measured = match response {
        Ok(Ok(response)) => format!("{} after {} ms", response.status, start.elapsed().as_millis()),
        Ok(Err(error)) => format!("{error:#}"),
        Err(_) => format!("nothing within {} s", ANSWERS_WITHIN.as_secs()),
    };
    findings.expect(what, "200", &measured, measured.starts_with("200"));
}

/// The number of files that this process may open.
fn files() -> anyhow::Result<usize> {
    let limits = std::fs::read_to_string("/proc/self/limits").context("cannot read the limits of this process")?;
    let line = limits.lines().find(|line| line.starts_with("Max open files")).context("no limit of open files")?;
    Ok(line.split_whitespace().nth(3).and_then(|soft| soft.parse().ok()).unwrap_or(usize::MAX))
}
