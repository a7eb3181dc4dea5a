//! H6: valid log-ins while many addresses send wrong ones.

use std::time::Duration;

use serde_json::json;
use test_support::program::PASSWORD;

use crate::flood::{Flood, Shot, Tally, in_a_row};
use crate::lab::Lab;
use crate::network::anywhere;
use crate::table::Findings;
use crate::target::Target;

const HOME: &str = "198.51.100.7";
const CONNECTIONS: usize = 150;
/// The 11th log-in of an address within a minute is refused (interface 6.2): 1 before, 4 undisturbed, 4 during the flood.
const LOG_INS: usize = 4;
const MAX_MS: f64 = 1_000.0;
const WARM_UP: Duration = Duration::from_secs(2);

pub(super) async fn run(lab: &Lab) -> anyhow::Result<Findings> {
    let target = Target::start(lab)?;
    let tenant = target.tenant("known", "starter")?;
    tenant.log_in(&mut target.client(HOME)).await?;
    let right = Shot::post("/api/auth/login", json!({"email": tenant.email(), "password": PASSWORD}));
    let log_ins = |from: &str| vec![right.clone().from(from); LOG_INS];
    let mut client = target.client(HOME);
    let alone = in_a_row(&mut client, log_ins(HOME)).await;
    let flood = Flood::endless(target.address, CONNECTIONS, |number| {
        let email = format!("nobody{number}@example.com");
        Shot::post("/api/auth/login", json!({"email": email, "password": "not the password"})).from(anywhere(number))
    });
    tokio::time::sleep(WARM_UP).await;
    let known = in_a_row(&mut client, log_ins(HOME)).await;
    let new = in_a_row(&mut client, log_ins("192.0.2.33")).await;
    let flood = flood.stop().await;
    let mut findings = Findings::default();
    let said = flood.summary();
    let slowest = |tally: &Tally| tally.times().at(1_000);
    let what = format!("log-ins from a known address in a flood ({said})");
    findings.equal(&what, &format!("200: {LOG_INS}"), &known.summary());
    findings.at_least("log-ins from a new address in it", 1, new.of(200), "of 4");
    if lab.is_full() {
        let measured = format!("{:.0} ms (undisturbed {:.0} ms)", slowest(&known), slowest(&alone));
        let bound = format!("≤ {MAX_MS:.0} ms");
        findings.expect("the slowest of the known ones", &bound, &measured, slowest(&known) <= MAX_MS);
    }
    Ok(findings)
}
