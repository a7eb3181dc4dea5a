//! Links are sent through a bounded queue. A flood of requests must not lock other users out of it.

use std::time::Duration;

use serde_json::json;
use test_support::load::http::Client;

use super::{Findings, Lab, Target};
use crate::flood::{Flood, Shot, in_a_row};
use crate::network::anywhere;

const HOME: &str = "198.51.100.7";
const RESETS: &str = "/api/auth/password-resets";
const CONNECTIONS: usize = 32;
const WARM_UP: Duration = Duration::from_secs(5);
const ARRIVES_WITHIN: Duration = Duration::from_mins(1);

pub(super) async fn run(lab: &Lab) -> anyhow::Result<Findings> {
    let target = Target::start(lab)?;
    let tenant = target.tenant("patient", "starter")?;
    let email = tenant.email();
    let mut findings = Findings::default();
    let flood = Flood::endless(target.address, CONNECTIONS, |number| {
        Shot::post(RESETS, json!({"email": format!("nobody{number}@example.com")})).from(anywhere(number))
    });
    tokio::time::sleep(lab.pick(Duration::from_secs(2), WARM_UP)).await;
    let reset = Shot::post(RESETS, json!({ "email": email })).from(HOME);
    let reply = in_a_row(&mut target.client(HOME), [reset]).await;
    let has_link =
        |target: &Target| Ok(target.emails_to(&email)?.iter().any(|text| text.contains("/reset-password#token=")));
    let arrived = target.eventually(ARRIVES_WITHIN, has_link).await?;
    let tally = flood.stop().await;
    let what = format!("a password reset in a flood of others ({}; its answer {})", tally.summary(), reply.summary());
    let bound = format!("arrives within {} s", ARRIVES_WITHIN.as_secs());
    findings.expect(&what, &bound, if arrived { "arrives" } else { "does not arrive" }, arrived);
    // Links use the configured address, whatever `Host` a request sends.
    let mut forger = Client::new(target.address)
        .forwarded_for("203.0.113.77")
        .with_header("X-Forwarded-Host", "evil.example.net")
        .with_header("Forwarded", "host=evil.example.net");
    let other = target.tenant("poisoned", "starter")?;
    // The flood may have filled the queue, which drains meanwhile.
    tokio::time::sleep(Duration::from_secs(1)).await;
    let _ = forger.post(RESETS, &json!({"email": other.email()})).await?;
    let arrived = target.eventually(ARRIVES_WITHIN, |target| Ok(!target.emails_to(&other.email())?.is_empty())).await?;
    let poisoned = target.emails_to(&other.email())?.iter().any(|text| text.contains("evil.example.net"));
    let measured = match (arrived, poisoned) {
        (false, _) => "no e-mail",
        (true, true) => "the request's host",
        (true, false) => "the configured host",
    };
    findings.expect(
        "the host in a link asked for with another host",
        "the configured host",
        measured,
        arrived && !poisoned,
    );
    Ok(findings)
}
