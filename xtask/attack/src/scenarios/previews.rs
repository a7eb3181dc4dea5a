//! X13: one viewer keeps requesting rendered texts.

use std::sync::Arc;

use serde_json::json;
use test_support::load::browser::form_token;
use test_support::load::http::Client;
use test_support::load::tenant::Tenant;

use super::{Findings, Lab, Target};
use crate::background::BackgroundFlood;
use crate::flood::Shot;
use crate::neighbour::Neighbour;

/// Comments on a page, and the maximum characters of each.
const COMMENTS: usize = 50;
const LONGEST_COMMENT: usize = 10_000;
const LONGEST_ARTICLE: usize = 100_000;
/// Maximum size of a page with these comments: it repeats each one in its edit form.
const MAX_BYTES: u64 = 20 * (COMMENTS * LONGEST_COMMENT) as u64;

pub(super) async fn run(lab: &Lab) -> anyhow::Result<Findings> {
    let target = Target::start(lab)?;
    let tenant = target.tenant("acme", "enterprise")?;
    tenant.lift_limits(&target.program)?;
    let quotes = "%3E".repeat(LONGEST_ARTICLE / 3);
    let many_quotes = format!("{}%0A%0A", "%3E".repeat(20)).repeat(LONGEST_ARTICLE / 22);
    let words = "one+two+**three**+%60four%60+five%0A%0A".repeat(LONGEST_ARTICLE / 33);
    let neighbour = Neighbour::move_in(lab, &target).await?;
    let mut findings = Findings::default();
    let mut viewers = 0;
    for (what, of, body) in [
        ("previews of 300,000 '>'", "comment", &"%3E".repeat(300_000)),
        ("previews of an article of '>'", "article", &quotes),
        ("previews of an article of short quotes", "article", &many_quotes),
        ("previews of an article of words", "article", &words),
    ] {
        for connections in [2, 4] {
            // The requests per minute of each session are limited.
            viewers += 1;
            let cookies = viewer(&target, &tenant, viewers).await?;
            let token = form_token(target.address, &cookies).await?;
            let form: Arc<str> = format!("_token={token}&_of={of}&body={body}").into();
            let flood = BackgroundFlood::flood(target.address, connections, move |_| {
                Shot::form("/preview", Arc::clone(&form)).cookies(cookies.clone())
            });
            neighbour.during_flood(&format!("{what}, {connections} connections"), flood, &mut findings).await?;
        }
    }
    let mut client = target.caller(&tenant.key);
    for (what, body) in
        [("'>'", ">".repeat(LONGEST_COMMENT)), ("short quotes", format!("{}\n\n", ">".repeat(20)).repeat(450))]
    {
        let task = client.create("/api/v1/issues", &json!({"kind": "task", "title": "Read this"})).await?.id()?;
        for _ in 0..lab.pick(5, COMMENTS) {
            client.create(&format!("/api/v1/issues/{task}/comments"), &json!({"body": body})).await?;
        }
        viewers += 1;
        let cookies = viewer(&target, &tenant, viewers).await?;
        let page = format!("/tasks/{task}");
        let html = Client::new(target.address).with_header("Cookie", &cookies).text(&page).await?;
        findings.at_most(&format!("a page with {COMMENTS} comments of {what}"), MAX_BYTES, html.len() as u64, "bytes");
        findings.at_least(&format!("such a page with {COMMENTS} comments"), 20_000, html.len() as u64, "bytes");
        let flood =
            BackgroundFlood::flood(target.address, 2, move |_| Shot::get(page.clone()).cookies(cookies.clone()));
        neighbour.during_flood(&format!("a page with {COMMENTS} comments of {what}"), flood, &mut findings).await?;
    }
    Ok(findings)
}

/// The cookies of a new viewer.
async fn viewer(target: &Target, tenant: &Tenant, number: usize) -> anyhow::Result<String> {
    let email = tenant.add_member(&target.program, &format!("viewer{number}"), "viewer")?;
    tenant.cookies_of(target.address, &email).await
}
