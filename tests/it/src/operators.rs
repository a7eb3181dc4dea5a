//! Operators of the service: access, and changes to workspaces.

use std::time::Instant;

use domain::identity::workspaces::{self, Role, SettableStatus};
use domain::limits::{FixedLimits, Plan};
use domain::testing;
use serde_json::{Value, json};
use test_support::{ApiResponse, App, AppOptions, Client, Tenant, eventually};

use crate::revocation::refused_within;
use crate::second_factor::Authenticator;

const ROUTE: &str = "/api/operator/workspaces";

fn path_of(tenant: &Tenant) -> String {
    format!("{ROUTE}/{}", tenant.workspace.id)
}

async fn delete(client: &Client, path: &str, body: Value) -> ApiResponse {
    ApiResponse::of(client.request("DELETE", path).json(&body)).await
}

/// The actions of an audit log, newest first, with actors' names.
async fn log_of(owner: &Client) -> Vec<Value> {
    owner.get("/api/settings/audit-log").await.expect(200).data().as_array().cloned().unwrap()
}

fn actions(log: &[Value]) -> Vec<&str> {
    log.iter().map(|entry| entry["action"].as_str().unwrap()).collect()
}

#[tokio::test]
async fn only_sessions_of_operators_may_use_operator_routes() {
    let (app, tenant) = App::with_workspace().await;
    let other = app.workspace().await;
    let operator = tenant.operator(Role::Viewer).await;
    assert_eq!(operator.client.get("/api/account").await.expect(200).data()["operator"], true);
    let _ = operator.client.get(ROUTE).await.expect(200);
    // Being an operator gives no access to records beyond the role, in this workspace or another.
    assert_eq!(operator.client.post("/api/v1/projects", json!({"name": "p"})).await.status, 403);
    let deal = other.full_access().await.create("/api/v1/crm/deals", json!({"title": "d"})).await;
    assert_eq!(operator.client.get(&format!("/api/v1/crm/deals/{deal}")).await.status, 404);
    assert_eq!(operator.client.get("/api/settings/members").await.status, 403);

    let owner = tenant.user(Role::Owner).await;
    assert_eq!(owner.client.get("/api/account").await.expect(200).data()["operator"], false);
    for (client, context) in [(&owner.client, "an owner"), (&tenant.full_access().await, "a key")] {
        for (method, path, body) in [
            ("GET", ROUTE.to_owned(), Value::Null),
            ("GET", path_of(&tenant), Value::Null),
            ("POST", ROUTE.to_owned(), json!({"name": "n", "slug": "n"})),
            ("PATCH", path_of(&tenant), json!({"plan": "enterprise"})),
            ("DELETE", path_of(&tenant), json!({"slug": tenant.workspace.slug})),
        ] {
            let reply = ApiResponse::of(client.request(method, &path).json(&body)).await;
            assert_eq!((reply.status, reply.code()), (403, "forbidden"), "{context}: {method} {path}");
        }
    }
    // Owners cannot get this access through workspace settings either.
    for member in ["plan", "limits", "status"] {
        let reply = owner.client.patch("/api/settings/workspace", json!({ member: Value::Null })).await;
        assert_eq!(reply.code(), "unknown_field", "{member}");
    }

    // Revoked by another process: the session notices within two seconds.
    let other_process = domain::ports::Ports { credential_cache: std::sync::Arc::default(), ..app.ports.clone() };
    let _ = workspaces::set_operator(&other_process, &testing::operator(), &operator.email, false).await.unwrap();
    eventually("no longer an operator", async || operator.client.get(ROUTE).await.status == 403).await;
    let _ = operator.client.get("/api/account").await.expect(200);
    let log = log_of(&owner.client).await;
    assert_eq!((&log[0]["action"], &log[0]["actor"]["name"]), (&json!("operator.removed"), &json!("operator")));
    assert!(actions(&log).contains(&"operator.added"), "{log:?}");
}

/// An owner of any workspace can invite an operator, remove them and request a password reset. None of this gives access.
#[tokio::test]
async fn owners_cannot_take_over_an_operators_account() {
    let app = App::start().await;
    let operator = app.workspace().await.operator(Role::Owner).await;
    let attacker_workspace = app.workspace().await;
    let attacker = attacker_workspace.user(Role::Owner).await;
    let invited = json!({"email": operator.email.to_uppercase(), "role": "owner"});
    let invited = attacker.client.post("/api/settings/members", invited).await.expect(201);
    // The inviter sees neither the token nor the name nor the flag.
    for word in ["token", "operator\":", "svi_", "A member"] {
        assert!(!invited.text.contains(word), "{word}: {}", invited.text);
    }
    let token = app.inbox.token(&operator.email, 1).await;
    // The link is e-mailed only to the operator, and accepting requires the operator's password.
    let accept = |password: &str| json!({"token": token, "name": "Mallory", "password": password});
    let guessed = app.anonymous().post("/api/auth/accept-invitation", accept("another password here")).await;
    assert_eq!((guessed.status, guessed.details()), (422, vec!["password:incorrect".to_owned()]));
    let accepted = app.anonymous().post("/api/auth/accept-invitation", accept(operator.password)).await.expect(200);
    let session = app.with_key(accepted.data()["access_token"].as_str().unwrap());
    let _ = session.get(ROUTE).await.expect(200);
    // As a member, the operator can lose access to this workspace, but nothing else.
    let id = operator.id;
    let member = format!("/api/settings/members/{id}");
    for body in [json!({"password": "x"}), json!({"email": "mallory@example.com"}), json!({"operator": true})] {
        assert_eq!(attacker.client.patch(&member, body).await.code(), "unknown_field");
    }
    let _ = attacker.client.delete(&member).await.expect(200);
    assert_eq!(session.get(ROUTE).await.status, 401);
    let _ = operator.client.get(ROUTE).await.expect(200);
    let _ = operator.client.patch("/api/account", json!({"name": "Still me"})).await.expect(200);
}

#[tokio::test]
async fn a_second_factor_applies_from_when_it_is_turned_on() {
    let (app, tenant) = App::with_workspace().await;
    let operator = tenant.operator(Role::Owner).await;
    let _ = operator.client.get(ROUTE).await.expect(200);
    app.advance(time::Duration::minutes(1)).await;
    let authenticator = Authenticator::of(&app, &operator).await;
    let refused = operator.client.get(ROUTE).await.expect(403);
    assert!(refused.text.contains("sign in again"), "{}", refused.text);
    let _ = operator.client.get("/api/settings/members").await.expect(200);
    app.advance(time::Duration::minutes(1)).await;
    let session = authenticator.sign_in(&app, &operator).await;
    let _ = session.get(ROUTE).await.expect(200);
}

#[tokio::test]
async fn operators_can_be_required_to_have_a_second_factor() {
    let app = App::start_as(AppOptions { operators_need_second_factor: true, ..AppOptions::default() }).await;
    let operator = app.workspace().await.operator(Role::Owner).await;
    let refused = operator.client.get(ROUTE).await.expect(403);
    assert!(refused.text.contains("/api/account/second-factor"), "{}", refused.text);
    let _ = operator.client.get("/api/v1/projects").await.expect(200);
    app.advance(time::Duration::minutes(1)).await;
    let authenticator = Authenticator::of(&app, &operator).await;
    app.advance(time::Duration::minutes(1)).await;
    let _ = authenticator.sign_in(&app, &operator).await.get(ROUTE).await.expect(200);
}

#[tokio::test]
async fn workspaces_are_listed_searched_and_paged() {
    let (_app, home) = App::with_workspace().await;
    let operator = home.operator(Role::Viewer).await.client;
    for (name, slug) in [("Ärzte ohne Plan", "doctors"), ("Bakers", "bakers-north"), ("Bakers South", "south")] {
        let _ = operator.post(ROUTE, json!({"name": name, "slug": slug})).await.expect(201);
    }
    let slugs = async |query: &str| {
        let list = operator.get(&format!("{ROUTE}?{query}")).await.expect(200);
        let rows = list.data().as_array().cloned().unwrap();
        rows.iter().map(|row| row["slug"].as_str().unwrap().to_owned()).collect::<Vec<_>>()
    };
    assert_eq!(slugs("").await, ["south", "bakers-north", "doctors", &home.workspace.slug]);
    assert_eq!(slugs("search=arzte").await, ["doctors"]);
    assert_eq!(slugs("search=north").await, ["bakers-north"]);
    assert_eq!(slugs("search=bak").await, ["south", "bakers-north"]);
    assert_eq!(slugs("search=nobody").await, Vec::<String>::new());
    let first = operator.get(&format!("{ROUTE}?limit=3")).await.expect(200);
    let cursor = first.body["pagination"]["nextCursor"].as_str().unwrap();
    assert_eq!(slugs(&format!("limit=3&cursor={cursor}")).await, std::slice::from_ref(&home.workspace.slug));
    let south = operator.get(&format!("{ROUTE}?search=south")).await.ids().remove(0);
    let _ = operator.patch(&format!("{ROUTE}/{south}"), json!({"status": "suspended"})).await.expect(200);
    assert_eq!(slugs("status=suspended").await, ["south"]);
    assert_eq!(slugs("status=suspended&status=active&search=bak").await, ["south", "bakers-north"]);
    assert_eq!(operator.get(&format!("{ROUTE}?status=gone")).await.status, 400);
    assert_eq!(operator.get(&format!("{ROUTE}?limit=101")).await.status, 400);
}

#[tokio::test]
async fn a_new_workspace_has_the_default_plan_and_an_invited_owner() {
    let app = App::start_as(AppOptions { default_plan: Plan::Professional, ..AppOptions::default() }).await;
    let home = app.workspace().await;
    let (operator, owner) = (home.operator(Role::Admin).await, home.user(Role::Owner).await.client);
    let body = json!({"name": "  Acme  ", "slug": "acme", "owner_email": "Ann@example.com"});
    let created = operator.client.post(ROUTE, body).await.expect(201);
    assert_eq!(created.header("location"), format!("{ROUTE}/{}", created.id()));
    let stored = operator.client.get(created.header("location")).await.expect(200);
    assert_eq!(stored.header("etag"), "\"1\"");
    for (member, value) in [
        ("name", json!("Acme")),
        ("slug", json!("acme")),
        ("plan", json!("professional")),
        ("status", json!("active")),
        ("erase_at", Value::Null),
    ] {
        assert_eq!((&created.data()[member], &stored.data()[member]), (&value, &value), "{member}");
    }
    assert_eq!(created.data()["owner"]["status"], "invited");
    let token = app.inbox.token("Ann@example.com", 1).await;
    let accept = json!({"token": token, "name": "Ann", "password": "correct horse battery"});
    let accepted = app.anonymous().post("/api/auth/accept-invitation", accept).await.expect(200);
    assert_eq!(accepted.data()["user"]["role"], "owner");
    assert_eq!(accepted.data()["workspace"]["slug"], "acme");
    let ann = app.with_key(accepted.data()["access_token"].as_str().unwrap());
    let inside = log_of(&ann).await;
    assert_eq!(actions(&inside), ["member.joined", "member.invited", "workspace.created"]);
    // The workspace does not learn which operator it was, nor from where.
    for entry in &inside[1..] {
        assert_eq!((&entry["actor"]["name"], &entry["actor"]["type"]), (&json!("operator"), &json!("system")));
        assert_eq!(entry["ip"], Value::Null);
    }
    let outside = log_of(&owner).await;
    let entry = &outside[0];
    assert_eq!((&entry["action"], &entry["actor"]["id"]), (&json!("workspace.created"), &json!(operator.id)));
    assert_eq!((&entry["subject"]["id"], &entry["details"]["slug"]), (&json!(created.id()), &json!("acme")));

    for (body, status, code) in [
        (json!({"name": "x", "slug": "acme"}), 409, "duplicate"),
        (json!({"name": "x", "slug": "-x"}), 422, "validation_failed"),
        (json!({"name": "x", "slug": "x", "plan": "huge"}), 400, "invalid_value"),
        (json!({"name": "x", "slug": "x", "owner_email": "nope"}), 422, "validation_failed"),
        (json!({"slug": "x"}), 400, "invalid_value"),
        (json!({"name": "x", "slug": "x", "limits": {}}), 400, "unknown_field"),
    ] {
        let reply = operator.client.post(ROUTE, body.clone()).await;
        assert_eq!((reply.status, reply.code()), (status, code), "{body}");
    }
    assert_eq!(
        operator.client.get(&format!("{ROUTE}?search=x")).await.ids().len(),
        0,
        "a failure leaves nothing behind"
    );
}

#[tokio::test]
async fn plan_limits_and_status_are_changed_and_recorded_in_both_logs() {
    let (app, home) = App::with_workspace().await;
    let tenant = app.workspace_of(Plan::Starter).await;
    let (operator, own_owner) = (home.operator(Role::Member).await, home.user(Role::Owner).await.client);
    let (key, owner) = (tenant.full_access().await, tenant.user(Role::Owner).await.client);
    let path = path_of(&tenant);
    let limit = async || key.get("/api/v1/projects").await.header("x-ratelimit-limit").to_owned();
    assert_eq!(limit().await, "100");
    let reply = operator.client.patch(&path, json!({"plan": "professional"})).await.expect(200);
    assert_eq!((&reply.data()["plan"], reply.header("etag")), (&json!("professional"), "\"2\""));
    assert_eq!(limit().await, "500");
    let limits = json!({"limits": {"requests_per_minute": 777, "crm_quota_per_month": 0}});
    let reply = operator.client.patch(&path, limits.clone()).await.expect(200);
    assert_eq!(reply.data()["limits"]["requests_per_minute"], 777);
    assert_eq!(limit().await, "777");
    assert_eq!(operator.client.patch(&path, limits).await.expect(200).data()["version"], 3, "nothing changed");
    let one = json!({"limits": {"requests_per_minute": null}});
    let reply = operator.client.patch(&path, one).await.expect(200);
    assert_eq!((&reply.data()["limits"]["crm_quota_per_month"], limit().await.as_str()), (&json!(0), "500"));
    let reply = operator.client.patch(&path, json!({"limits": null, "plan": null})).await.expect(200);
    assert_eq!(reply.data()["limits"]["crm_quota_per_month"], Value::Null);
    assert_eq!((&reply.data()["plan"], limit().await.as_str()), (&json!("enterprise"), "2000"));

    for status in ["suspended", "restricted"] {
        assert_eq!(
            operator.client.patch(&path, json!({ "status": status })).await.expect(200).data()["status"],
            status
        );
        eventually(status, async || key.get("/api/v1/projects").await.status == 401).await;
        let _ = operator.client.patch(&path, json!({"status": "active"})).await.expect(200);
        eventually("active", async || key.get("/api/v1/projects").await.status == 200).await;
    }
    let (inside, outside) = (log_of(&owner).await, log_of(&own_owner).await);
    let expected = ["workspace.activated", "workspace.restricted", "workspace.activated", "workspace.suspended"];
    assert_eq!((&actions(&inside)[..4], &actions(&outside)[..4]), (&expected[..], &expected[..]));
    assert_eq!(outside[0]["details"]["slug"], tenant.workspace.slug);
    assert_eq!(outside[0]["actor"]["id"], json!(operator.id));

    let stale = operator.client.request("PATCH", &path).header("If-Match", "\"1\"").json(&json!({"plan": "starter"}));
    assert_eq!(ApiResponse::of(stale).await.code(), "concurrent_update");
    for (body, status, details) in [
        (json!({}), 422, vec![":empty_patch"]),
        (json!({"limits": {}}), 422, vec!["limits:empty_patch"]),
        (json!({"limits": {"requests_per_minute": 0}}), 422, vec!["limits.requests_per_minute:out_of_range"]),
        (json!({"limits": {"nope": 1}}), 400, vec!["limits.nope:unknown_field"]),
        (json!({"status": "deleted"}), 400, vec!["status:invalid_value"]),
        (json!({"status": null}), 422, vec!["status:required"]),
        (json!({"slug": "x"}), 400, vec!["slug:unknown_field"]),
    ] {
        let reply = operator.client.patch(&path, body.clone()).await;
        assert_eq!(reply.status, status, "{body}");
        assert_eq!(reply.details(), details, "{body}");
    }
}

#[tokio::test]
async fn a_deletion_requires_the_slug_and_can_be_undone() {
    let (app, home) = App::with_workspace().await;
    let tenant = app.workspace().await;
    let operator = home.operator(Role::Member).await.client;
    let (key, owner) = (tenant.full_access().await, tenant.user(Role::Owner).await);
    let (path, slug) = (path_of(&tenant), tenant.workspace.slug.clone());
    for (body, status) in [(json!({"slug": "another"}), 422), (json!({}), 400), (json!({"slug": ""}), 422)] {
        assert_eq!(delete(&operator, &path, body.clone()).await.status, status, "{body}");
    }
    let _ = key.get("/api/v1/projects").await.expect(200);
    let deleted = delete(&operator, &path, json!({ "slug": slug })).await.expect(200);
    assert_eq!((&deleted.data()["id"], &deleted.data()["deleted"]), (&json!(tenant.workspace.id), &json!(true)));
    for (context, client) in [("key", &key), ("session", &owner.client)] {
        eventually(context, async || client.get("/api/v1/projects").await.status == 401).await;
    }
    let login = json!({"email": owner.email, "password": owner.password});
    assert_eq!(app.anonymous().post("/api/auth/login", login.clone()).await.status, 401);
    assert_eq!(delete(&operator, &path, json!({ "slug": slug })).await.code(), "invalid_state_change");
    // The slug stays reserved: the workspace may be restored.
    assert_eq!(operator.post(ROUTE, json!({"name": "x", "slug": slug})).await.code(), "duplicate");
    app.advance(time::Duration::days(29)).await;
    let operator = home.operator(Role::Member).await.client;
    let shown = operator.get(&path).await.expect(200);
    assert_eq!((&shown.data()["status"], &shown.data()["erase_at"]), (&json!("deleted"), &deleted.data()["erase_at"]));
    let restored = operator.patch(&path, json!({"status": "active"})).await.expect(200);
    assert_eq!((&restored.data()["status"], &restored.data()["erase_at"]), (&json!("active"), &Value::Null));
    let _ = key.get("/api/v1/projects").await.expect(200);
    let _ = app.anonymous().post("/api/auth/login", login).await.expect(200);
}

#[tokio::test]
async fn an_operator_cannot_lock_themselves_out() {
    let (_app, home) = App::with_workspace().await;
    let operator = home.operator(Role::Owner).await.client;
    let path = path_of(&home);
    for status in ["suspended", "restricted"] {
        assert_eq!(operator.patch(&path, json!({ "status": status })).await.code(), "conflict");
    }
    let reply = delete(&operator, &path, json!({"slug": home.workspace.slug})).await;
    assert_eq!(reply.code(), "conflict", "{}", reply.text);
    let _ = operator.patch(&path, json!({"plan": "starter", "status": "active"})).await.expect(200);
    // Simulates another process, to which the rule does not apply.
    home.set_status(SettableStatus::Suspended).await;
    eventually("suspended", async || operator.get(ROUTE).await.status == 401).await;
}

#[tokio::test]
async fn changes_are_critical_and_reads_are_not() {
    let limits = FixedLimits { critical: 10, ..AppOptions::default().limits };
    let app = App::start_as(AppOptions { limits, ..AppOptions::default() }).await;
    let home = app.workspace().await;
    let tenant = app.workspace().await;
    let operator = home.operator(Role::Owner).await.client;
    let path = path_of(&tenant);
    let mut remaining = Vec::new();
    for _ in 0..3 {
        let reply = operator.patch(&path, json!({"plan": "starter"})).await.expect(200);
        remaining.push(reply.header("x-ratelimit-remaining").to_owned());
        assert_eq!(reply.header("x-ratelimit-limit"), "10");
    }
    remaining.dedup();
    assert_eq!(remaining.len(), 3, "{remaining:?}");
    let listed = operator.get(ROUTE).await.expect(200);
    assert_ne!(listed.header("x-ratelimit-limit"), "10");
}

/// Two seconds is the limit of interface 5.6 for every instance.
#[tokio::test]
async fn a_deletion_takes_effect_on_every_instance_within_two_seconds() {
    let app = App::start().await;
    let other = app.another(AppOptions::default()).await;
    let home = app.workspace().await;
    let operator = home.operator(Role::Owner).await.client;
    let tenant = app.workspace().await;
    let first = tenant.full_access().await;
    let second = other.with_key(first.key().unwrap());
    for client in [&first, &second] {
        let _ = client.get("/api/v1/projects").await.expect(200);
    }
    let _ = delete(&operator, &path_of(&tenant), json!({"slug": tenant.workspace.slug})).await.expect(200);
    refused_within(&second, Instant::now()).await;
    assert_eq!(first.get("/api/v1/projects").await.status, 401);
}
