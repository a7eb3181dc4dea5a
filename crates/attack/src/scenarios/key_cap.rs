//! M1: how many keys a workspace can have, and how quickly it makes them.

use serde_json::json;

use crate::flood::{Flood, Shot};
use crate::lab::Lab;
use crate::network::anywhere;
use crate::table::Findings;
use crate::target::Target;

const MOST_KEYS: u64 = 200;
const MOST_A_MINUTE: u64 = 50;
const SESSIONS: usize = 9;

pub(super) async fn run(lab: &Lab) -> anyhow::Result<Findings> {
    let target = Target::start(lab)?;
    let tenant = target.tenant("keys", "enterprise")?;
    let mut sessions = Vec::new();
    for number in 0..SESSIONS {
        sessions.push(tenant.log_in(&mut target.client(&anywhere(number))).await?);
    }
    let made = Flood::begin(target.address, 8, SESSIONS * 10, move |number| {
        let key = json!({"name": "k", "preset": "read_only"});
        Shot::post("/api/settings/api-keys", key).key(&*sessions[number % SESSIONS]).from(anywhere(number % SESSIONS))
    });
    let made = made.finish().await;
    let mut findings = Findings::default();
    let what = format!("keys made with {SESSIONS} sessions ({})", made.said());
    findings.at_most(&what, MOST_A_MINUTE, made.most_in_a_window(), "a minute");
    if lab.is_full() {
        let mut keys = 1 + made.of(201);
        while keys <= MOST_KEYS && harness::tenant::make_key(&target.program, "keys").is_ok() {
            keys += 1;
        }
        findings.at_most("active keys", MOST_KEYS, keys, "");
    }
    Ok(findings)
}
