//! Who is in an allowed network is decided by the connection, not by what a client says.

use harness::http::{Client, text};
use serde_json::json;

use crate::lab::Lab;
use crate::network::loopback;
use crate::table::Findings;
use crate::target::Target;

const PATH: &str = "/api/v1/projects";
const INSIDE: &str = "192.0.2.9";

pub(super) async fn run(lab: &Lab) -> anyhow::Result<Findings> {
    let target = Target::start(lab)?;
    let tenant = target.tenant("walled", "enterprise")?;
    let session = tenant.log_in(&mut target.client(INSIDE)).await?;
    let mut owner = target.client(INSIDE);
    owner.caller(Some(INSIDE), Some(&session), None);
    let key = json!({"name": "office", "preset": "full_access", "allowed_networks": ["192.0.2.0/24"]});
    let made = owner.create("/api/settings/api-keys", &key).await?;
    let key = text(&made.body, "/data/key")?.to_owned();
    let mut findings = Findings::default();
    let through = |from: &str| Client::new(target.address).with_header("X-Forwarded-For", from).with_key(&key);
    let direct = |from: &str| through(from).from(loopback(7));
    for (what, mut client, status) in [
        ("a key from its network", through(INSIDE), 200),
        ("from another", through("203.0.113.9"), 403),
        ("with two hops, the first of its network", through("192.0.2.9, 203.0.113.9"), 403),
        ("connected directly, with the network in X-Forwarded-For", direct(INSIDE), 403),
        ("the network as a mapped IPv6 address", through("::ffff:192.0.2.9"), 200),
    ] {
        findings.equal(what, &status, &client.get(PATH).await?.status);
    }
    let wall = json!({"allowed_networks": ["192.0.2.0/24"]});
    let walled = owner.request("PATCH", "/api/settings/workspace", &wall).await?.status;
    findings.equal("the workspace admits that network alone", &200, &walled);
    let shut =
        owner.request("PATCH", "/api/settings/workspace", &json!({"allowed_networks": ["203.0.113.0/24"]})).await?;
    findings.equal("a list that shuts its author out", &422, &shut.status);
    let mut plain =
        Client::new(target.address).with_header("X-Forwarded-For", INSIDE).with_key(&tenant.key).from(loopback(7));
    // Within two seconds.
    let mut status = 0;
    for _ in 0..30 {
        status = plain.get(PATH).await?.status;
        if status == 403 {
            break;
        }
        tokio::time::sleep(std::time::Duration::from_millis(100)).await;
    }
    findings.equal("then another key, connected directly, with the network in X-Forwarded-For", &403, &status);
    let login = json!({"email": tenant.email(), "password": harness::tenant::PASSWORD});
    let outside = target.client("203.0.113.9").post("/api/auth/login", &login).await?.status;
    findings.expect("the owner signs in from elsewhere", "refused", &outside.to_string(), outside >= 400);
    Ok(findings)
}
