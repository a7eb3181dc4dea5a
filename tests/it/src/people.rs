//! The identity of a credential, and the members of its workspace, over REST.

use domain::identity::workspaces::Role;
use serde_json::{Value, json};
use test_support::App;
use time::Duration;

use crate::support::ids_of_pages;

const ME: &str = "/api/v1/me";
const MEMBERS: &str = "/api/v1/members";

#[tokio::test]
async fn a_key_and_a_session_can_read_their_identity() {
    let (_app, tenant) = App::with_workspace().await;
    let (key, id) = tenant.key(json!({"scopes": ["deals.write", "stock.read"]})).await;
    let me = key.get(ME).await.expect(200);
    let members: Vec<_> = me.data().as_object().unwrap().keys().map(String::as_str).collect();
    assert_eq!(members, ["credential", "limits", "permissions", "role", "scopes", "workspace"]);
    let credential = json!({"type": "api_key", "id": id, "name": "test", "expires_at": null});
    assert_eq!((&me.data()["credential"], &me.data()["role"]), (&credential, &Value::Null));
    let workspace = &tenant.workspace;
    let expected = json!({"id": workspace.id, "name": workspace.name, "slug": workspace.slug, "plan": workspace.plan});
    assert_eq!(me.data()["workspace"], expected);
    assert_eq!(me.data()["scopes"], json!(["deals.write", "stock.read"]));
    assert_eq!(me.data()["permissions"], json!(["read_deals", "create_deals", "update_deals", "delete_deals"]));
    let (expiring, _) = tenant.expiring(Duration::days(1)).await;
    let me = expiring.get(ME).await.expect(200);
    assert!(me.data()["credential"]["expires_at"].as_str().unwrap().ends_with('Z'), "{}", me.text);

    let user = tenant.user(Role::Viewer).await;
    let me = user.client.get(ME).await.expect(200);
    let credential = &me.data()["credential"];
    assert_eq!((&credential["type"], &credential["id"]), (&json!("user"), &json!(user.id)));
    assert_eq!((&credential["name"], credential["expires_at"].is_string()), (&json!("A member"), true));
    assert_eq!((&me.data()["role"], &me.data()["permissions"]), (&json!("viewer"), &json!([])));
    assert!(me.data()["scopes"].as_array().unwrap().iter().all(|scope| !scope.as_str().unwrap().contains("write")));
    assert_eq!(key.get(&format!("{ME}?nope=1")).await.expect(400).details(), ["nope:unknown_parameter"]);
}

#[tokio::test]
async fn remaining_limits_are_shown() {
    let (_app, key) = App::with_client().await;
    let remaining_limits = async || {
        let me = key.get(ME).await.expect(200);
        let limits = me.data()["limits"].clone();
        let counts_in = |class: &str| {
            let windows = limits["requests"].as_array().unwrap().clone();
            windows.into_iter().find(|window| window["class"] == class).unwrap()
        };
        (counts_in("read"), counts_in("write"), limits["crm_quota"].clone())
    };
    let (stored, write, quota) = remaining_limits().await;
    let _ = key.post("/api/v1/crm/contacts", json!({"email": "ada@example.com"})).await.expect(201);
    let (read_after, write_after, quota_after) = remaining_limits().await;
    let decreased = |before: &Value, after: &Value| {
        (before["reset"] == after["reset"])
            .then(|| before["remaining"].as_u64().unwrap() - after["remaining"].as_u64().unwrap())
    };
    // A new window may have begun meanwhile.
    assert!(matches!(decreased(&stored, &read_after), None | Some(1)), "{stored} {read_after}");
    assert!(matches!(decreased(&write, &write_after), None | Some(1)), "{write} {write_after}");
    assert_eq!(quota_after["used"].as_u64().unwrap(), quota["used"].as_u64().unwrap() + 1);
}

#[tokio::test]
async fn only_tools_show_the_trial() {
    let (app, _tenant, owner) = App::with_user(Role::Owner).await;
    let new = json!({"name": "agent", "preset": "agent_trial"});
    let created = owner.client.post("/api/settings/api-keys", new).await.expect(201);
    let trial = app.with_key(created.data()["key"].as_str().unwrap());
    for path in [ME, MEMBERS] {
        assert_eq!(trial.get(path).await.expect(403).code(), "forbidden", "{path}");
    }
}

#[tokio::test]
async fn joined_members_are_listed_with_their_status() {
    let (app, tenant, owner) = App::with_user(Role::Owner).await;
    let former = tenant.user(Role::Member).await;
    let _ = owner.client.delete(&format!("/api/settings/members/{}", former.id)).await.expect(200);
    let invitation = json!({"email": "invited@example.com", "role": "member"});
    let _ = owner.client.post("/api/settings/members", invitation).await.expect(201);
    let other = app.workspace().await;
    let _ = other.user(Role::Owner).await;
    let reader = tenant.with_scopes(&["issues.read"]).await;
    let listed = reader.get(MEMBERS).await.expect(200);
    let expected = json!([
        {"id": former.id, "name": "A member", "email": former.email, "role": "member", "active": false},
        {"id": owner.id, "name": "A member", "email": owner.email, "role": "owner", "active": true},
    ]);
    assert_eq!(listed.data(), &expected);
    assert_eq!(listed.body["pagination"]["hasMore"], json!(false));
    // Callers who can read no kind of record cannot list members.
    for scope in ["stock.read", "planning.write"] {
        assert_eq!(tenant.with_scopes(&[scope]).await.get(MEMBERS).await.expect(403).code(), "forbidden");
    }
    assert_eq!(former.client.get(MEMBERS).await.status, 401);
}

#[tokio::test]
async fn members_are_found_by_address_and_by_words() {
    let (_app, tenant, user) = App::with_user(Role::Owner).await;
    let _ = user.client.patch("/api/account", json!({"name": "Zoë Müller-Okafor"})).await.expect(200);
    let mut ids = vec![user.id.to_string()];
    for number in 0..5 {
        ids.push(tenant.member(&format!("worker{number}@{}.example", tenant.workspace.slug)).await.to_string());
    }
    let reader = tenant.with_scopes(&["crm.read"]).await;
    let found = async |query: &str| reader.get(&format!("{MEMBERS}?{query}")).await.expect(200).ids();
    let email = user.email.to_uppercase();
    assert_eq!(found(&format!("email={email}")).await, [ids[0].clone()]);
    assert!(found("email=nobody@example.com").await.is_empty());
    for search in ["zoe", "okaf", "MULLER%20zo", &user.email] {
        assert_eq!(found(&format!("search={search}")).await, [ids[0].clone()], "{search}");
    }
    assert!(found("search=worker%20zoe").await.is_empty() && found("search=--").await.is_empty());
    assert!(found(&format!("search=zoe&email=worker1@{}.example", tenant.workspace.slug)).await.is_empty());
    // Searches are paged like all lists.
    let newest_first: Vec<_> = ids[1..].iter().rev().cloned().collect();
    assert_eq!(found("search=worker").await, newest_first);
    assert_eq!(found("search=worker&limit=2&page=2").await, newest_first[2..4]);
    assert_eq!(ids_of_pages(&reader, &format!("{MEMBERS}?search=worker&limit=2")).await, newest_first);
    for (query, details) in [
        ("email=nope", "email:invalid_value"),
        ("email=a@b.example&email=c@d.example", "email:invalid_value"),
        ("search=1+2+3+4+5+6+7+8+9", "search:too_many_tokens"),
        ("role=owner", "role:unknown_parameter"),
        ("limit=101", "limit:invalid_value"),
    ] {
        assert_eq!(reader.get(&format!("{MEMBERS}?{query}")).await.expect(400).details(), [details], "{query}");
    }
}
