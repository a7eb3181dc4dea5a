//! A disabled webhook whose undelivered events fill the backlog of its workspace.

use std::time::Duration;

use serde_json::json;
use test_support::Receiver;

use super::{Findings, Lab, Target};

const WEBHOOKS: &str = "/api/settings/webhooks";
const PROJECTS: &str = "/api/v1/projects";
/// The configured limit, low so that it is reached quickly.
const BACKLOG: usize = 50;
const CHANGES: usize = 20;
const ARRIVES_WITHIN: Duration = Duration::from_mins(1);

pub(super) async fn run(lab: &Lab) -> anyhow::Result<Findings> {
    let target = Target::start_with(lab, lab.data_folder()?, |program| {
        program.allowing_loopback_receivers().with("SERVICE_WEBHOOK_MAX_WAITING", &BACKLOG.to_string())
    })?;
    let tenant = target.tenant("stuck", "enterprise")?;
    let mut owner = tenant.owner(target.address).await?.patient();
    let (stuck, prompt) = (Receiver::hanging().await, Receiver::start().await);
    let webhook =
        |receiver: &Receiver| json!({"module": "projects", "url": receiver.url, "events": ["project.created"]});
    let created = owner.create(WEBHOOKS, &webhook(&stuck)).await?;
    let off = format!("{WEBHOOKS}/{}", created.id()?);
    let mut client = target.caller(&tenant.key);
    for number in 0..BACKLOG * 2 {
        client.create(PROJECTS, &json!({"name": format!("Before {number}")})).await?;
    }
    owner.send("PATCH", &off, &json!({"enabled": false}), 200).await?;
    owner.create(WEBHOOKS, &webhook(&prompt)).await?;
    for number in 0..CHANGES {
        client.create(PROJECTS, &json!({"name": format!("After {number}")})).await?;
    }
    let tally = prompt.settle(CHANGES, ARRIVES_WITHIN).await;
    let mut findings = Findings::default();
    let what = format!("lost of {CHANGES} deliveries next to a disabled webhook with a backlog of {}", BACKLOG * 2);
    findings.at_most(&what, 0, tally.lost as u64, "");
    stuck.answer(200);
    owner.send("PATCH", &off, &json!({"enabled": true}), 200).await?;
    let tally = stuck.settle(BACKLOG * 2, ARRIVES_WITHIN).await;
    findings.at_most("lost deliveries of the backlog after the webhook is enabled again", 0, tally.lost as u64, "");
    Ok(findings)
}
