//! What refused requests write into the log.

use std::time::Instant;

use crate::flood::{Flood, Shot};
use crate::lab::Lab;
use crate::network::anywhere;
use crate::table::Findings;
use crate::target::Target;

/// Ten a second of each kind, and a line that counts the others.
const LINES_A_SECOND: u64 = 11;

pub(super) async fn run(lab: &Lab) -> anyhow::Result<Findings> {
    let target = Target::start_with(lab, lab.data_folder()?, |program| program.with("SERVICE_LOG", "info"))?;
    let _ = target.client("20.0.0.1").get("/readyz").await?;
    let before = target.log().lines().count();
    let (begun, count) = (Instant::now(), lab.pick(3_000, 20_000));
    let refused = Flood::begin(target.address, 16, count, |number| match number % 3 {
        0 => Shot::get("/api/v1/projects").from(anywhere(number)),
        1 => Shot::get("/api/v1/projects").from("20.0.0.1"),
        _ => Shot::get(format!("/nowhere/{number}")).from(anywhere(number)),
    });
    let refused = refused.finish().await;
    let seconds = begun.elapsed().as_secs() + 2;
    let log = target.log();
    let mut findings = Findings::default();
    let what = format!("lines for {count} refused requests ({}) in {seconds} s", refused.said());
    // 401, 404 and 429.
    findings.at_most(&what, seconds * LINES_A_SECOND * 3, (log.lines().count() - before) as u64, "lines");
    Ok(findings)
}
