//! H5: somebody else who knows an address must not keep its owner out.

use std::time::Duration;

use harness::tenant::PASSWORD;
use serde_json::json;

use crate::flood::{Flood, Shot, in_a_row};
use crate::lab::Lab;
use crate::network::anywhere;
use crate::table::Findings;
use crate::target::Target;

const HOME: &str = "198.51.100.7";
const LOG_IN: &str = "/api/auth/login";
/// Resets that a person may receive in a short time, whoever asks for them.
const MOST_RESETS: u64 = 5;
const SETTLE_TIME: Duration = Duration::from_secs(2);
const ARRIVES_WITHIN: Duration = Duration::from_secs(10);

pub(super) async fn run(lab: &Lab) -> anyhow::Result<Findings> {
    let target = Target::start(lab)?;
    let tenant = target.tenant("victim", "starter")?;
    let email = tenant.email();
    tenant.log_in(&mut target.client(HOME)).await?;
    let wrong = Shot::post(LOG_IN, json!({"email": email, "password": "not the password"}));
    let right = Shot::post(LOG_IN, json!({"email": email, "password": PASSWORD}));
    let mut findings = Findings::default();
    let mut client = target.client(HOME);
    let guesses = in_a_row(&mut client, (0..12).map(|_| wrong.clone().from("203.0.113.5"))).await;
    let known = in_a_row(&mut client, [right.clone().from(HOME)]).await;
    let what = format!("sign-in from a known address after 12 wrong ones from another ({})", guesses.said());
    findings.equal(&what, &"200: 1".to_owned(), &known.said());
    let elsewhere = in_a_row(&mut client, [right.clone().from("192.0.2.33")]).await;
    findings.equal("sign-in from a new address", &"200: 1".to_owned(), &elsewhere.said());
    let count = lab.pick(120, 400);
    let many = Flood::begin(target.address, 16, count, move |number| wrong.clone().from(anywhere(number)));
    let many = many.finish().await;
    let known = in_a_row(&mut client, [right.clone().from(HOME)]).await;
    let what = format!("sign-in from a known address after wrong ones from {count} addresses ({})", many.said());
    findings.equal(&what, &"200: 1".to_owned(), &known.said());
    let elsewhere = in_a_row(&mut client, [right.from("192.0.2.34")]).await;
    findings.equal("sign-in from a new address then", &"200: 1".to_owned(), &elsewhere.said());
    resets(&target, &email, &mut findings).await?;
    Ok(findings)
}

async fn resets(target: &Target, email: &str, findings: &mut Findings) -> anyhow::Result<()> {
    let reset = Shot::post("/api/auth/password-resets", json!({ "email": email }));
    let is_reset = |text: &String| text.contains("/reset-password#token=");
    let count = |target: &Target| Ok(target.emails_to(email)?.iter().filter(|text| is_reset(text)).count() as u64);
    let mut client = target.client(HOME);
    let _ = in_a_row(&mut client, [reset.clone().from(HOME)]).await;
    let arrived = target.eventually(ARRIVES_WITHIN, |target| Ok(count(target)? > 0)).await?;
    let measured = if arrived { "arrives" } else { "does not arrive" };
    findings.expect("the person's password reset after all this", "arrives", measured, arrived);
    let _ = in_a_row(&mut client, (0..40).map(|number| reset.clone().from(anywhere(number)))).await;
    let resets = target.settled(SETTLE_TIME, count).await?;
    findings.at_most("e-mails to the person after 40 requests of others", MOST_RESETS, resets, "");
    Ok(())
}
