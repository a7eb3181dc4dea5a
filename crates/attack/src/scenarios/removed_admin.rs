//! The keys that an administrator made outlive them, so the removal has to name them.

use harness::http::{Client, text};
use serde_json::{Value, json};

use crate::lab::Lab;
use crate::table::Findings;
use crate::target::Target;

pub(super) async fn run(lab: &Lab) -> anyhow::Result<Findings> {
    let target = Target::start(lab)?;
    let tenant = target.tenant("acme", "enterprise")?;
    let mut owner =
        Client::new(target.address).patient().with_key(&tenant.log_in(&mut target.client("20.0.0.1")).await?);
    let mut findings = Findings::default();
    for (slug, query, lists, still) in [("first", "", true, 200), ("second", "?revoke_keys=true", true, 401)] {
        let email = format!("{slug}@example.com");
        let user = ["user", "create", "--workspace", "acme", "--email", &email, "--name", slug, "--role", "admin"];
        let input = format!("{}\n", harness::tenant::PASSWORD);
        let admin = target.program.operate(&[&user[..], &["--password-stdin"]].concat(), &input)?;
        let login = json!({"email": email, "password": harness::tenant::PASSWORD, "workspace": "acme"});
        let login = target.client("20.0.0.2").send("POST", "/api/auth/login", &login, 200).await?;
        let mut admin_client = Client::new(target.address).patient().with_key(text(&login.body, "/data/access_token")?);
        let key = json!({"name": "left behind", "preset": "full_access"});
        let key = admin_client.create("/api/settings/api-keys", &key).await?;
        let path = format!("/api/settings/members/{}{query}", text(&admin, "/id")?);
        let removed = owner.request("DELETE", &path, &Value::Null).await?;
        let names = removed.body.to_string().contains(text(&key.body, "/data/id")?);
        let measured = format!("{}: {}", removed.status, if names { "listed" } else { "not listed" });
        findings.expect(&format!("DELETE of an administrator{query}"), "lists their keys", &measured, names == lists);
        let mut left = Client::new(target.address).patient().with_key(text(&key.body, "/data/key")?);
        // A revocation takes effect within two seconds.
        let mut status = 0;
        for _ in 0..30 {
            status = left.get("/api/v1/projects").await?.status;
            if status == still {
                break;
            }
            tokio::time::sleep(std::time::Duration::from_millis(100)).await;
        }
        findings.equal(&format!("their key then{query}"), &still, &status);
    }
    Ok(findings)
}
