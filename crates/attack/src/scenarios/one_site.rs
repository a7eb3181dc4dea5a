//! M3: one site with a whole IPv6 /48 against the table of the limiter.

use crate::flood::{Flood, Shot, in_a_row};
use crate::lab::Lab;
use crate::network::{anywhere, within_one_site};
use crate::table::Findings;
use crate::target::Target;

const PATH: &str = "/api/v1/projects";
const MOST_MIB: u64 = 60;

pub(super) async fn run(lab: &Lab) -> anyhow::Result<Findings> {
    let target = Target::start(lab)?;
    let _ = target.client("20.0.0.1").get("/readyz").await?;
    let start = target.memory()?.now;
    // The whole site; the short form only shows that it is counted as one.
    let count = lab.pick(8_000, 65_536);
    let site =
        Flood::begin(target.address, 32, count, |number| Shot::get(PATH).from(within_one_site(number))).finish().await;
    let fresh = (1_000..1_020).map(|number| Shot::get(PATH).from(anywhere(number)));
    let fresh = in_a_row(&mut target.client("20.0.0.1"), fresh).await;
    let elsewhere = (0..20).map(|number| Shot::get(PATH).from(format!("2a02:{number:x}::1")));
    let elsewhere = in_a_row(&mut target.client("20.0.0.1"), elsewhere).await;
    let mut findings = Findings::default();
    let what = format!("fresh IPv4 addresses that get 429 after {count} networks of one /48 ({})", site.said());
    findings.at_most(&what, 0, fresh.of(429), "of 20");
    findings.at_most("fresh IPv6 sites that get 429", 0, elsewhere.of(429), "of 20");
    findings.at_most("admitted from that site", lab.pick(6_000, 12_000), site.of(401), "");
    findings.at_most("memory", MOST_MIB, target.memory()?.now.saturating_sub(start), "MiB more");
    Ok(findings)
}
