//! H5: the same for customers, who get links to their ticket by e-mail.

use std::time::Duration;

use harness::http::{Client, text};
use serde_json::json;

use crate::flood::{Shot, in_a_row};
use crate::lab::Lab;
use crate::network::anywhere;
use crate::table::Findings;
use crate::target::Target;

const CUSTOMER: &str = "ada@example.org";
const MOST_LINKS: u64 = 12;
const SETTLE_TIME: Duration = Duration::from_secs(2);
const ARRIVES_WITHIN: Duration = Duration::from_secs(10);

pub(super) async fn run(lab: &Lab) -> anyhow::Result<Findings> {
    let target = Target::start(lab)?;
    let tenant = target.tenant("desk", "starter")?;
    let ticket = json!({"name": "Ada", "email": CUSTOMER, "subject": "It does not print"});
    let made =
        Client::new(target.address).patient().with_key(&tenant.key).create("/api/public/tickets", &ticket).await?;
    let reference = text(&made.body, "/data/reference")?.to_owned();
    let ask = |email: &str| {
        let body = json!({"workspace_id": tenant.id, "email": email, "reference": reference});
        Shot::post("/api/portal/magic-links", body)
    };
    let count = |target: &Target| {
        let emails = target.emails_to(CUSTOMER)?;
        Ok(emails.iter().filter(|text| text.contains("/portal#token=")).count() as u64)
    };
    let mut client = target.client("20.0.0.1");
    let before = target.settled(SETTLE_TIME, count).await?;
    let wrong = (0..30).map(|number| ask("eve@example.org").from(anywhere(number)));
    let wrong = in_a_row(&mut client, wrong).await;
    let _ = in_a_row(&mut client, [ask(CUSTOMER).from("198.51.100.7")]).await;
    let arrived = target.eventually(ARRIVES_WITHIN, |target| Ok(count(target)? > before)).await?;
    let mut findings = Findings::default();
    let measured = if arrived { "arrives" } else { "does not arrive" };
    let what = format!("the customer's link after 30 wrong requests ({})", wrong.said());
    findings.expect(&what, "arrives", measured, arrived);
    let _ = in_a_row(&mut client, (100..140).map(|number| ask(CUSTOMER).from(anywhere(number)))).await;
    let links = target.settled(SETTLE_TIME, count).await?;
    findings.at_most("links to the customer after 40 requests of others", MOST_LINKS, links, "e-mails");
    Ok(findings)
}
