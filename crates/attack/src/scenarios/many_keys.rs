//! M1: limits are per key, and a workspace can have many keys.

use harness::tenant::make_key;

use crate::flood::{Flood, Shot};
use crate::lab::Lab;
use crate::table::Findings;
use crate::target::Target;

/// Five times the limit of a key on the plan.
const MOST: u64 = 5 * 100;

pub(super) async fn run(lab: &Lab) -> anyhow::Result<Findings> {
    let target = Target::start(lab)?;
    let tenant = target.tenant("split", "starter")?;
    let mut keys = vec![tenant.key];
    for _ in 0..lab.pick(11, 89) {
        keys.push(make_key(&target.program, "split")?);
    }
    let (count, of) = (keys.len(), keys.len() * 60);
    let reads = Flood::begin(target.address, 16, of, move |number| {
        Shot::get("/api/v1/projects").key(&*keys[number % keys.len()])
    });
    let reads = reads.finish().await;
    let mut findings = Findings::default();
    let what = format!("admitted of {of} reads with {count} keys ({})", reads.said());
    findings.at_most(&what, MOST, reads.most_in_a_window(), "a minute");
    findings.at_most(
        "reads that were neither admitted nor refused",
        0,
        reads.other_than(200).saturating_sub(reads.of(429)),
        "",
    );
    Ok(findings)
}
