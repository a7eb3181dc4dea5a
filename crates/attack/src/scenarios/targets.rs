//! Webhooks must not reach what only the service's own network reaches. Every one is refused before a packet leaves.

use harness::http::Client;
use serde_json::json;

use crate::lab::Lab;
use crate::table::Findings;
use crate::target::Target;

const INSIDE: [&str; 16] = [
    "https://127.0.0.1/",
    "https://[::1]/",
    "https://10.0.0.1/",
    "https://192.168.1.1/",
    "https://169.254.169.254/latest/meta-data/",
    "https://[fd00:ec2::254]/",
    "https://168.63.129.16/",
    "https://100.100.100.200/",
    "https://192.0.0.192/",
    "https://0.0.0.0/",
    "https://2130706433/",
    "https://0x7f.1/",
    "https://[::ffff:127.0.0.1]/",
    "https://[64:ff9b::7f00:1]/",
    "https://[2002:7f00:1::]/",
    "http://hooks.example.com/",
];

pub(super) async fn run(lab: &Lab) -> anyhow::Result<Findings> {
    let target = Target::start(lab)?;
    let tenant = target.tenant("acme", "enterprise")?;
    let mut owner =
        Client::new(target.address).patient().with_key(&tenant.log_in(&mut target.client("20.0.0.1")).await?);
    let mut accepted = Vec::new();
    for url in INSIDE {
        let webhook = json!({"module": "projects", "url": url, "events": ["task.created"]});
        let answer = owner.post("/api/settings/webhooks", &webhook).await?;
        if answer.status != 422 {
            accepted.push(format!("{url} {}", answer.status));
        }
    }
    let mut findings = Findings::default();
    let measured = if accepted.is_empty() { "none".to_owned() } else { accepted.join(", ") };
    let what = format!("accepted of {} targets inside or without TLS", INSIDE.len());
    findings.expect(&what, "none", &measured, accepted.is_empty());
    Ok(findings)
}
