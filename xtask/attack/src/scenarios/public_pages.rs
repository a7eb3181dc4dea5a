//! Pages that anyone may keep opening.

use serde_json::json;
use test_support::load::http::text;

use super::{Findings, Lab, Target};
use crate::background::BackgroundFlood;
use crate::flood::Shot;
use crate::neighbour::Neighbour;
use crate::network::anywhere;

const READERS: usize = 8;
const LONGEST_ARTICLE: usize = 100_000;

/// X17: the documentation, which no rate limit counts.
pub(super) async fn documentation(lab: &Lab) -> anyhow::Result<Findings> {
    let target = Target::start(lab)?;
    let neighbour = Neighbour::move_in(lab, &target).await?;
    let mut findings = Findings::default();
    for path in ["/openapi.json", "/docs/interface", "/docs"] {
        for (what, addresses) in [("one address", 1), ("many addresses", 10_000)] {
            let flood = BackgroundFlood::flood(target.address, READERS, move |number| {
                Shot::get(path).from(anywhere(number % addresses))
            });
            let what = format!("{READERS} readers of {path} from {what}");
            neighbour.during_flood(&what, flood, &mut findings).await?;
        }
    }
    Ok(findings)
}

/// X14: a long article of a help centre.
pub(super) async fn articles(lab: &Lab) -> anyhow::Result<Findings> {
    let target = Target::start(lab)?;
    let tenant = target.tenant("acme", "enterprise")?;
    tenant.lift_limits(&target.program)?;
    let mut owner = tenant.owner(target.address).await?;
    let neighbour = Neighbour::move_in(lab, &target).await?;
    let mut findings = Findings::default();
    for (what, body) in [
        ("'>'", ">".repeat(LONGEST_ARTICLE)),
        ("short quotes", format!("{}\n\n", ">".repeat(20)).repeat(LONGEST_ARTICLE / 22)),
        ("words", "one two **three** `four` five\n\n".repeat(LONGEST_ARTICLE / 31)),
    ] {
        let article = json!({"title": format!("An article of {what}"), "body": body, "status": "published"});
        let article = owner.create("/api/settings/kb/articles", &article).await?;
        let path = format!("/kb/acme/{}", text(&article.body, "/data/slug")?);
        let flood = BackgroundFlood::flood(target.address, READERS, move |number| {
            Shot::get(path.clone()).from(anywhere(number))
        });
        neighbour.during_flood(&format!("{READERS} readers of an article of {what}"), flood, &mut findings).await?;
    }
    Ok(findings)
}
