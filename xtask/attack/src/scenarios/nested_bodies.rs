//! Parsed JSON can take many times the memory of its text.

use serde_json::{Value, json};

use super::{Findings, Lab, Target};
use crate::flood::{Flood, Shot};

const CONNECTIONS: usize = 48;
const MAX_MIB: u64 = 250;

pub(super) async fn run(lab: &Lab) -> anyhow::Result<Findings> {
    let target = Target::start(lab)?;
    let tenant = target.tenant("deep", "enterprise")?;
    tenant.lift_limits(&target.program)?;
    let mut findings = Findings::default();
    let empty = vec![json!({}); 320_000];
    let wide = vec![json!(1); 480_000];
    let unknown: serde_json::Map<String, Value> = (0..70_000).map(|n| (format!("m{n}"), json!(n))).collect();
    for (what, body) in [
        ("320,000 empty objects", json!({"first_name": "A", "custom_fields": {"a": empty}})),
        ("480,000 numbers", json!({"first_name": "A", "tags": wide})),
        ("70,000 unknown members", Value::Object(unknown)),
    ] {
        let start = target.memory()?;
        let (key, size) = (tenant.key.clone(), body.to_string().len());
        let count = lab.pick(CONNECTIONS, CONNECTIONS * 4);
        let flood = Flood::begin(target.address, CONNECTIONS, count, move |_| {
            Shot::post("/api/v1/crm/contacts", body.clone()).key(&*key)
        });
        let flood = flood.finish().await;
        let grown = target.memory()?.peak.saturating_sub(start.now);
        let what = format!("peak memory for {count} bodies of {} KB with {what} ({})", size / 1_000, flood.summary());
        findings.at_most(&what, MAX_MIB, grown, "MiB more");
    }
    Ok(findings)
}
