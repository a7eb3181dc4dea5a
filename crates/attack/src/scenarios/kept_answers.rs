//! Answers that are kept for idempotency keys take room for a day.

use serde_json::json;

use crate::flood::{Flood, Shot};
use crate::lab::Lab;
use crate::table::Findings;
use crate::target::Target;

/// Of stored responses, in MiB: the default. The short run sets a smaller bound.
const MOST: u64 = 256;
const MOST_SHORT: u64 = 8;
const EACH_KB: u64 = 200;
const MIB: u64 = 1_024 * 1_024;

pub(super) async fn run(lab: &Lab) -> anyhow::Result<Findings> {
    let mut findings = Findings::default();
    let most = lab.pick(MOST_SHORT, MOST);
    let target = Target::start_with(lab, lab.data_folder()?, |program| {
        program.with("SERVICE_LIMIT_STORED_RESPONSE_BYTES", &(most * MIB).to_string())
    })?;
    let tenant = target.tenant("keeper", "enterprise")?;
    tenant.lift_limits(&target.program)?;
    let count = most * 1_000 / EACH_KB * 5 / 4;
    let (key, long) = (tenant.key, "😀".repeat(50_000));
    let made = Flood::begin(target.address, 2, usize::try_from(count)?, move |number| {
        let task = json!({"kind": "task", "title": format!("Task {number}"), "description": long});
        Shot::post("/api/v1/issues", task).key(&*key).idempotent(format!("key-{number}"))
    });
    let made = made.finish().await;
    let what = format!("answers of {EACH_KB} KB kept ({})", made.said());
    findings.at_most(&what, most, made.of(201) * EACH_KB * 1_000 / MIB, "MiB");
    findings.at_least("the others are refused", 1, made.of(429), "");
    Ok(findings)
}
