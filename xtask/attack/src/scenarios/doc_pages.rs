//! X17: anyone may read the documentation, and no rate limit counts it.

use crate::background::BackgroundFlood;
use crate::flood::Shot;
use crate::lab::Lab;
use crate::neighbour::Neighbour;
use crate::network::anywhere;
use crate::table::Findings;
use crate::target::Target;

const CONNECTIONS: usize = 8;

pub(super) async fn run(lab: &Lab) -> anyhow::Result<Findings> {
    let target = Target::start(lab)?;
    let neighbour = Neighbour::move_in(&target).await?;
    let quiet = neighbour.quiet(lab).await?;
    let mut findings = Findings::default();
    for path in ["/openapi.json", "/docs/interface", "/docs"] {
        for (what, addresses) in [("one address", 1), ("many addresses", 10_000)] {
            let flood = BackgroundFlood::flood(target.address, CONNECTIONS, move |number| {
                Shot::get(path).from(anywhere(number % addresses))
            });
            let what = format!("{CONNECTIONS} readers of {path} from {what}");
            neighbour.during(lab, &quiet, &what, &mut findings).await?;
            eprintln!("attack: {what}: {}", flood.stop().await?.summary());
        }
    }
    Ok(findings)
}
