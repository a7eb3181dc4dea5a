//! X14: anyone may keep opening a long article of a help centre.

use serde_json::json;
use test_support::load::http::text;

use crate::background::BackgroundFlood;
use crate::flood::Shot;
use crate::lab::Lab;
use crate::neighbour::Neighbour;
use crate::network::anywhere;
use crate::table::Findings;
use crate::target::Target;

const READERS: usize = 8;
const LONGEST: usize = 100_000;

pub(super) async fn run(lab: &Lab) -> anyhow::Result<Findings> {
    let target = Target::start(lab)?;
    let tenant = target.tenant("acme", "enterprise")?;
    tenant.lift_limits(&target.program)?;
    let mut owner = tenant.owner(target.address).await?;
    let neighbour = Neighbour::move_in(&target).await?;
    let quiet = neighbour.quiet(lab).await?;
    let mut findings = Findings::default();
    for (what, body) in [
        ("'>'", ">".repeat(LONGEST)),
        ("short quotes", format!("{}\n\n", ">".repeat(20)).repeat(LONGEST / 22)),
        ("words", "one two **three** `four` five\n\n".repeat(LONGEST / 31)),
    ] {
        let article = json!({"title": format!("An article of {what}"), "body": body, "status": "published"});
        let article = owner.create("/api/settings/kb/articles", &article).await?;
        let path = format!("/kb/acme/{}", text(&article.body, "/data/slug")?);
        let flood = BackgroundFlood::flood(target.address, READERS, move |number| {
            Shot::get(path.clone()).from(anywhere(number))
        });
        neighbour.during(lab, &quiet, &format!("{READERS} readers of an article of {what}"), &mut findings).await?;
        eprintln!("attack: an article of {what}: {}", flood.stop().await?.summary());
    }
    Ok(findings)
}
