//! M5: webhooks must not carry what their maker may not read.

use harness::http::{Client, TimedResponse, text};
use serde_json::{Value, json};

use crate::lab::Lab;
use crate::table::Findings;
use crate::target::Target;

const WEBHOOKS: &str = "/api/settings/webhooks";
const OURS: &str = "https://hooks.example.com/ours";

pub(super) async fn run(lab: &Lab) -> anyhow::Result<Findings> {
    let target = Target::start(lab)?;
    let tenant = target.tenant("acme", "enterprise")?;
    let mut owner =
        Client::new(target.address).patient().with_key(&tenant.log_in(&mut target.client("20.0.0.1")).await?);
    let made = owner.create(WEBHOOKS, &json!({"module": "crm", "url": OURS, "events": ["*"]})).await?;
    let webhook = text(&made.body, "/data/id")?.to_owned();
    let permissions = json!({
        "read_webhooks": true, "create_webhooks": true, "update_webhooks": true, "delete_webhooks": true,
        "read_projects": true,
    });
    let key = json!({"name": "planning", "scopes": ["planning.read"], "permissions": permissions});
    let key = owner.create("/api/settings/api-keys", &key).await?;
    let mut thief = Client::new(target.address).patient().with_key(text(&key.body, "/data/key")?);
    let mut findings = Findings::default();
    let elsewhere = "https://thief.example.net/";
    for (what, tool, arguments) in [
        ("subscribes to all of crm", "create_webhook", json!({"module": "crm", "url": elsewhere, "events": ["*"]})),
        (
            "subscribes to deals",
            "create_webhook",
            json!({"module": "crm", "url": elsewhere, "events": ["deal.created"]}),
        ),
        ("moves the owner's webhook", "update_webhook", json!({"id": webhook, "url": elsewhere})),
        ("reads the owner's webhook", "get_webhook", json!({"id": webhook})),
        ("reads its deliveries", "list_webhook_deliveries", json!({"webhook_id": webhook})),
        ("takes its secret", "rotate_webhook_secret", json!({"id": webhook, "overlap_seconds": 0})),
        ("deletes it", "delete_webhook", json!({"id": webhook})),
    ] {
        let call = json!({"name": tool, "arguments": arguments});
        let answer = thief.post("/api/mcp/tools/call", &call).await?;
        let refused = is_refused(&answer);
        let measured = format!("{} {}", answer.status, if refused { "refused" } else { "done" });
        findings.expect(&format!("a key without crm {what}"), "refused", &measured, refused);
    }
    let listed = thief.post("/api/mcp/tools/call", &json!({"name": "list_webhooks", "arguments": {}})).await?;
    let is_listed = listed.body.to_string().contains(&webhook);
    findings.expect("it lists the owner's webhook", "no", if is_listed { "yes" } else { "no" }, !is_listed);
    // Of its own: the first one is gone if the deletion was not refused.
    let body = json!({"module": "crm", "url": OURS, "events": ["*"], "headers": {"X-Gateway-Key": "hidden"}});
    let made = owner.create(WEBHOOKS, &body).await?;
    let (webhook, secret) = (text(&made.body, "/data/id")?, text(&made.body, "/data/secret")?);
    let moved = owner.send("PATCH", &format!("{WEBHOOKS}/{webhook}"), &json!({"url": elsewhere}), 200).await?;
    let fresh = moved.body.pointer("/data/secret").and_then(Value::as_str).is_some_and(|shown| shown != secret);
    let measured = if fresh { "a new secret" } else { "the old secret" };
    findings.expect("the owner changes the host of a webhook", "a new secret", measured, fresh);
    let headers = moved.body.pointer("/data/headers").map(ToString::to_string).unwrap_or_default();
    let shown = [&made, &moved].iter().any(|answer| answer.body.to_string().contains("hidden"));
    let measured = format!("{headers}, {}", if shown { "shown" } else { "never shown" });
    findings.expect("stored headers go to the other host", "{}, never shown", &measured, headers == "{}" && !shown);
    Ok(findings)
}

/// Whether a call was not carried out: refused as a whole, or failed as a tool.
fn is_refused(answer: &TimedResponse) -> bool {
    answer.status >= 400 || answer.body["isError"] == json!(true)
}
