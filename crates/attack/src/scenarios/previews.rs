//! X13: one viewer has texts rendered, again and again.

use std::sync::Arc;

use harness::browser::form_token;
use harness::http::{Client, text};
use serde_json::json;

use crate::apart::Apart;
use crate::flood::Shot;
use crate::lab::Lab;
use crate::neighbour::Neighbour;
use crate::table::Findings;
use crate::target::Target;

/// Comments on a page, and characters of each at most.
const COMMENTS: usize = 50;
const LONGEST_COMMENT: usize = 10_000;
const LONGEST_ARTICLE: usize = 100_000;
/// A page with these comments may have so many bytes: it repeats each in the form that changes it.
const MOST_BYTES: u64 = 20 * (COMMENTS * LONGEST_COMMENT) as u64;

pub(super) async fn run(lab: &Lab) -> anyhow::Result<Findings> {
    let target = Target::start(lab)?;
    let tenant = target.tenant("acme", "enterprise")?;
    tenant.lift_limits(&target.program)?;
    let viewer = tenant.add_member(&target.program, "viewer", "viewer")?;
    let cookies = tenant.cookies_of(target.address, &viewer).await?;
    let token = form_token(target.address, &cookies).await?;
    let form = |of: &str, body: &str| -> Arc<str> { format!("_token={token}&_of={of}&body={body}").into() };
    let quotes = "%3E".repeat(LONGEST_ARTICLE / 3);
    let many_quotes = format!("{}%0A%0A", "%3E".repeat(20)).repeat(LONGEST_ARTICLE / 22);
    let words = "one+two+**three**+%60four%60+five%0A%0A".repeat(LONGEST_ARTICLE / 33);
    let neighbour = Neighbour::move_in(&target).await?;
    let quiet = neighbour.quiet(lab).await?;
    let mut findings = Findings::default();
    for (what, form) in [
        ("previews of a million '>'", form("comment", &"%3E".repeat(300_000))),
        ("previews of an article of '>'", form("article", &quotes)),
        ("previews of an article of short quotes", form("article", &many_quotes)),
        ("previews of an article of words", form("article", &words)),
    ] {
        for connections in [2, 4] {
            let (form, cookies) = (Arc::clone(&form), cookies.clone());
            let flood = Apart::flood(target.address, connections, move |_| {
                Shot::form("/preview", Arc::clone(&form)).cookies(cookies.clone())
            });
            neighbour.during(lab, &quiet, &format!("{what}, {connections} connections"), &mut findings).await?;
            eprintln!("attack: {what}, {connections} connections: {}", flood.stop().await?.said());
        }
    }
    let mut client = Client::new(target.address).patient().with_key(&tenant.key);
    for (what, body) in
        [("'>'", ">".repeat(LONGEST_COMMENT)), ("short quotes", format!("{}\n\n", ">".repeat(20)).repeat(450))]
    {
        let task = client.create("/api/v1/issues", &json!({"kind": "task", "title": "Read this"})).await?;
        let task = text(&task.body, "/data/id")?.to_owned();
        for _ in 0..lab.pick(5, COMMENTS) {
            client.create(&format!("/api/v1/issues/{task}/comments"), &json!({"body": body})).await?;
        }
        let page = format!("/tasks/{task}");
        let shown = Client::new(target.address).with_header("Cookie", &cookies).text(&page).await?;
        findings.at_most(
            &format!("a page with {COMMENTS} comments of {what}"),
            MOST_BYTES,
            shown.len() as u64,
            "bytes",
        );
        let cookies = cookies.clone();
        let flood = Apart::flood(target.address, 2, move |_| Shot::get(page.clone()).cookies(cookies.clone()));
        neighbour.during(lab, &quiet, &format!("a page with {COMMENTS} comments of {what}"), &mut findings).await?;
        eprintln!("attack: a page of comments of {what}: {}", flood.stop().await?.said());
    }
    Ok(findings)
}
