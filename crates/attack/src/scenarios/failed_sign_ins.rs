//! Failed sign-ins are in the audit log, and cannot fill it.

use std::time::Duration;

use harness::http::Client;
use serde_json::{Value, json};

use crate::flood::{Flood, Shot};
use crate::lab::Lab;
use crate::network::anywhere;
use crate::table::Findings;
use crate::target::Target;

const MOST_ENTRIES: u64 = 60;

pub(super) async fn run(lab: &Lab) -> anyhow::Result<Findings> {
    let target = Target::start(lab)?;
    let tenant = target.tenant("acme", "enterprise")?;
    let session = tenant.log_in(&mut target.client("20.0.0.1")).await?;
    let (email, count) = (tenant.email(), lab.pick(100, 400));
    let failed = Flood::begin(target.address, 8, count, move |number| {
        let body = json!({"email": email, "password": "not the password"});
        Shot::post("/api/auth/login", body).from(anywhere(number))
    });
    let failed = failed.finish().await;
    let mut owner = Client::new(target.address).patient().with_key(&session);
    let mut entries = 0;
    // They are written after the answers.
    for _ in 0..60 {
        let log = owner.send("GET", "/api/settings/audit-log?limit=100", &Value::Null, 200).await?;
        let actions = log.body["data"].as_array().into_iter().flatten().filter_map(|entry| entry["action"].as_str());
        entries = actions.filter(|action| *action == "session.refused").count() as u64;
        if entries > 0 {
            break;
        }
        tokio::time::sleep(Duration::from_millis(200)).await;
    }
    let mut findings = Findings::default();
    findings.at_least(&format!("entries for {count} failed sign-ins ({})", failed.said()), 1, entries, "");
    findings.at_most("entries", MOST_ENTRIES, entries, "");
    Ok(findings)
}
