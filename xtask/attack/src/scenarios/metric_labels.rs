//! Metric labels live as long as the process, so callers must not be able to create them.

use super::{Findings, Lab, Target};
use crate::flood::{Flood, Shot};
use crate::network::anywhere;

const METHODS: [&str; 8] = ["GET", "PUT", "BREW", "PROPFIND", "X1", "X2", "X3", "X4"];
const MAX_KB: u64 = 64;
const MAX_MIB: u64 = 30;

pub(super) async fn run(lab: &Lab) -> anyhow::Result<Findings> {
    let target = Target::start(lab)?;
    // One of each, so that all legitimate labels exist before measuring.
    let some = |number: usize| {
        let mut shot = Shot::get(format!("/api/v1/nowhere{number}/{number}?q{number}={number}")).from(anywhere(number));
        shot.method = METHODS[number % METHODS.len()];
        shot
    };
    Flood::begin(target.address, 1, 100, some).finish().await;
    let (start, before) = (target.memory()?.now, target.metrics().await?.len());
    let count = lab.pick(3_000, 20_000);
    let tally = Flood::begin(target.address, 16, count, some).finish().await;
    let grown = target.metrics().await?.len().saturating_sub(before);
    let mut findings = Findings::default();
    let what = format!("/metrics after {count} unknown paths and methods ({})", tally.summary());
    findings.at_most(&what, MAX_KB, grown as u64 / 1_000, "KB more");
    findings.at_most("memory", MAX_MIB, target.memory()?.now.saturating_sub(start), "MiB more");
    Ok(findings)
}
