//! Floods of failed log-ins.

use std::time::Duration;

use serde_json::json;
use test_support::program::PASSWORD;

use super::{Findings, Lab, Target};
use crate::flood::{Flood, Shot, Tally, in_a_row};
use crate::network::anywhere;

const HOME: &str = "198.51.100.7";
const LOGIN: &str = "/api/auth/login";
const HASHING_CONNECTIONS: usize = 48;
const MAX_MIB: u64 = 60;
const FLOOD_CONNECTIONS: usize = 150;
/// The 11th log-in of an address within a minute is refused (interface 6.2): 1 before, 4 undisturbed, 4 during the flood.
const LOG_INS: usize = 4;
const MAX_MS: f64 = 1_000.0;
const WARM_UP: Duration = Duration::from_secs(2);

/// H1: hashing a password takes 19 MiB, which must be released or reused.
pub(super) async fn memory(lab: &Lab) -> anyhow::Result<Findings> {
    let target = Target::start(lab)?;
    let _ = target.client("20.0.0.1").get("/readyz").await?;
    let start = target.memory()?.now;
    let count = lab.pick(300, 2_000);
    let tally = Flood::begin(target.address, HASHING_CONNECTIONS, count, failing).finish().await;
    let memory = target.memory()?;
    let mut findings = Findings::default();
    let what = format!("memory after {count} log-ins ({})", tally.summary());
    findings.at_most(&what, MAX_MIB, memory.now.saturating_sub(start), "MiB more");
    findings.at_most("peak memory meanwhile", MAX_MIB, memory.peak.saturating_sub(start), "MiB more");
    findings.at_least("log-ins that were checked", lab.pick(50, 200), tally.of(401), "");
    Ok(findings)
}

/// H6: valid log-ins while many addresses send wrong ones.
pub(super) async fn flood(lab: &Lab) -> anyhow::Result<Findings> {
    let target = Target::start(lab)?;
    let tenant = target.tenant("known", "starter")?;
    tenant.log_in(&mut target.client(HOME)).await?;
    let right = Shot::post(LOGIN, json!({"email": tenant.email(), "password": PASSWORD}));
    let log_ins = |from: &str| vec![right.clone().from(from); LOG_INS];
    let mut client = target.client(HOME);
    let alone = in_a_row(&mut client, log_ins(HOME)).await;
    let flood = Flood::endless(target.address, FLOOD_CONNECTIONS, failing);
    tokio::time::sleep(WARM_UP).await;
    let loaded = in_a_row(&mut client, log_ins(HOME)).await;
    let new = in_a_row(&mut client, log_ins("192.0.2.33")).await;
    let flood = flood.stop().await;
    let mut findings = Findings::default();
    let slowest = |tally: &Tally| tally.times().at(1_000);
    let what = format!("log-ins from a known address in a flood ({})", flood.summary());
    findings.equal(&what, &format!("200: {LOG_INS}"), &loaded.summary());
    findings.at_least("log-ins from a new address in it", 1, new.of(200), "of 4");
    if lab.is_full() {
        let measured = format!("{:.0} ms (undisturbed {:.0} ms)", slowest(&loaded), slowest(&alone));
        let bound = format!("≤ {MAX_MS:.0} ms");
        findings.expect("the slowest of the known ones", &bound, &measured, slowest(&loaded) <= MAX_MS);
    }
    Ok(findings)
}

/// A failing log-in, from a different address for each number.
fn failing(number: usize) -> Shot {
    let email = format!("nobody{number}@example.com");
    Shot::post(LOGIN, json!({"email": email, "password": "not the password"})).from(anywhere(number))
}
