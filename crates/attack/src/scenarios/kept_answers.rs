//! Answers that are kept for idempotency keys take room for a day.

use serde_json::json;

use crate::flood::{Flood, Shot};
use crate::lab::Lab;
use crate::table::Findings;
use crate::target::Target;

/// Of kept answers; the records themselves take as much again, and Postgres some more.
const MOST_MB: u64 = 256;
const EACH_KB: u64 = 200;

pub(super) async fn run(lab: &Lab) -> anyhow::Result<Findings> {
    let mut findings = Findings::default();
    if !lab.is_full() {
        // The bound is large on purpose; tests/it shows it with a small one.
        return Ok(findings);
    }
    let target = Target::start(lab)?;
    let tenant = target.tenant("keeper", "enterprise")?;
    tenant.lift_limits(&target.program)?;
    let count = MOST_MB * 1_000 / EACH_KB * 5 / 4;
    let (key, long) = (tenant.key, "😀".repeat(50_000));
    let made = Flood::begin(target.address, 4, usize::try_from(count)?, move |number| {
        let task = json!({"kind": "task", "title": format!("Task {number}"), "description": long});
        Shot::post("/api/v1/issues", task).key(&*key).idempotent(format!("key-{number}"))
    });
    let made = made.finish().await;
    let what = format!("answers of {EACH_KB} KB kept ({})", made.said());
    findings.at_most(&what, MOST_MB, made.of(201) * EACH_KB / 1_000, "MB");
    findings.at_least("the others are refused", 1, made.of(429), "");
    Ok(findings)
}
