//! Members in settings.

use domain::identity::workspaces::Role;
use serde_json::json;
use test_support::{ApiResponse, App, TestUser, eventually};

use crate::support::UNKNOWN_ID;

fn path(user: &TestUser) -> String {
    format!("/api/settings/members/{}", user.id)
}

#[tokio::test]
async fn a_member_cannot_grant_or_change_a_role_above_their_own() {
    let (_app, tenant) = App::with_workspace().await;
    let (owner, admin) = (tenant.user(Role::Owner).await, tenant.user(Role::Admin).await);
    let _ = tenant.user(Role::Owner).await;
    for (actor, may_own) in [(&owner, true), (&admin, false)] {
        let member = tenant.user(Role::Member).await;
        let reply = actor.client.patch(&path(&member), json!({"role": "owner"})).await;
        assert_eq!(reply.status, if may_own { 200 } else { 403 }, "{}", reply.text);
        let invitation = json!({"email": format!("{}@example.com", member.id), "role": "owner"});
        let reply = actor.client.post("/api/settings/members", invitation).await;
        assert_eq!(reply.status, if may_own { 201 } else { 403 }, "{}", reply.text);
    }
    assert_eq!(admin.client.patch(&path(&owner), json!({"role": "viewer"})).await.expect(403).code(), "forbidden");
    assert_eq!(admin.client.delete(&path(&owner)).await.status, 403);
    for role in ["admin", "member", "viewer"] {
        let member = tenant.user(Role::Viewer).await;
        let reply = admin.client.patch(&path(&member), json!({"role": role})).await.expect(200);
        assert_eq!(reply.data()["role"], role);
    }
}

#[tokio::test]
async fn the_last_owner_stays_even_if_two_leave_concurrently() {
    let (app, _, owner) = App::with_user(Role::Owner).await;
    for reply in
        [owner.client.patch(&path(&owner), json!({"role": "admin"})).await, owner.client.delete(&path(&owner)).await]
    {
        assert_eq!(reply.expect(409).code(), "conflict");
    }
    for _ in 0..4 {
        let tenant = app.workspace().await;
        let (one, other) = (tenant.user(Role::Owner).await, tenant.user(Role::Owner).await);
        let keeper = tenant.user(Role::Admin).await;
        let (to_one, to_other) = (path(&one), path(&other));
        let demoted = json!({"role": "member"});
        let (first, second) = tokio::join!(one.client.delete(&to_one), other.client.patch(&to_other, demoted));
        let mut statuses = [first.status, second.status];
        statuses.sort_unstable();
        assert_eq!(statuses, [200, 409], "{} {}", first.text, second.text);
        let members = keeper.client.get("/api/settings/members").await.expect(200);
        let active_owner = |member: &&serde_json::Value| member["role"] == "owner" && member["status"] == "active";
        assert_eq!(members.data().as_array().unwrap().iter().filter(active_owner).count(), 1);
    }
}

#[tokio::test]
async fn a_role_change_or_removal_ends_sessions_and_keeps_records() {
    let (app, tenant, owner) = App::with_user(Role::Owner).await;
    let member = tenant.user(Role::Member).await;
    let deal =
        member.client.post("/api/v1/crm/deals", json!({"title": "d", "assigned_to": member.id})).await.expect(201);
    let changed = owner.client.patch(&path(&member), json!({"role": "viewer"})).await.expect(200);
    assert_eq!(changed.header("etag"), "\"2\"");
    assert_eq!(member.client.get("/api/v1/projects").await.status, 401, "immediately on the same instance");
    let stale =
        owner.client.request("PATCH", &path(&member)).header("If-Match", "\"1\"").json(&json!({"role": "admin"}));
    assert_eq!(ApiResponse::of(stale).await.expect(409).code(), "concurrent_update");
    let same = owner.client.patch(&path(&member), json!({"role": "viewer"})).await.expect(200);
    assert_eq!(same.header("etag"), "\"2\"");
    let body = json!({"email": member.email, "password": member.password});
    let new_session = app.log_in(&member, &member.workspace).await;
    let request = owner.client.request("DELETE", &path(&member)).header("If-Match", "\"1\"");
    assert_eq!(ApiResponse::of(request).await.expect(409).code(), "concurrent_update");
    let deleted = owner.client.delete(&path(&member)).await.expect(200);
    assert_eq!(*deleted.data(), json!({"id": member.id, "deleted": true, "api_keys": [], "keys_revoked": false}));
    assert_eq!(new_session.get("/api/v1/projects").await.status, 401);
    assert_eq!(app.anonymous().post("/api/auth/login", body).await.status, 401);
    assert_eq!(owner.client.delete(&path(&member)).await.status, 404);
    assert_eq!(owner.client.patch(&path(&member), json!({"role": "admin"})).await.status, 404);
    let stored = owner.client.get(&format!("/api/v1/crm/deals/{}", deal.id())).await.expect(200);
    assert_eq!(stored.data()["assigned_to"], json!(member.id));
    let refused = owner.client.post("/api/v1/crm/deals", json!({"title": "e", "assigned_to": member.id})).await;
    assert_eq!(refused.expect(422).details(), ["assigned_to:not_found"]);
    let members = owner.client.get("/api/settings/members").await.expect(200);
    let former = members.data().as_array().unwrap().iter().find(|one| one["id"] == json!(member.id)).unwrap();
    assert_eq!((&former["status"], former["deactivated_at"].is_string()), (&json!("deactivated"), true));
    // Invited again, the user keeps the same id and records.
    let invited = owner.client.post("/api/settings/members", json!({"email": member.email, "role": "admin"})).await;
    assert_eq!(invited.expect(201).id(), member.id.to_string());
}

/// Keys belong to the workspace, so a removal lists those that the member created and revokes them only on request.
#[tokio::test]
async fn a_removal_lists_the_members_keys_and_revokes_them_if_asked() {
    let (app, tenant, owner) = App::with_user(Role::Owner).await;
    for (query, revoked) in [("", false), ("?revoke_keys=false", false), ("?revoke_keys=true", true)] {
        let admin = tenant.user(Role::Admin).await;
        let make = async |by: &TestUser, name: &str| {
            let body = json!({"name": name, "preset": "full_access"});
            let created = by.client.post("/api/settings/api-keys", body).await.expect(201);
            (created.id(), app.with_key(created.data()["key"].as_str().unwrap()))
        };
        let ((first, key), (second, ended), (_, of_owner)) =
            (make(&admin, "first").await, make(&admin, "second").await, make(&owner, "mine").await);
        let _ = owner.client.post(&format!("/api/settings/api-keys/{second}/revoke"), json!({})).await.expect(200);
        let _ = key.get("/api/v1/projects").await.expect(200);
        let removal = owner.client.delete(&format!("{}{query}", path(&admin))).await.expect(200);
        let listed = &removal.data()["api_keys"];
        assert_eq!((listed.as_array().unwrap().len(), &listed[0]["id"]), (1, &json!(first)), "{}", removal.text);
        assert_eq!((&listed[0]["name"], &removal.data()["keys_revoked"]), (&json!("first"), &json!(revoked)));
        assert!(listed[0].get("last_used_at").is_some());
        assert_eq!(key.get("/api/v1/projects").await.status, if revoked { 401 } else { 200 }, "{query}");
        assert_eq!(ended.get("/api/v1/projects").await.status, 401);
        assert_eq!(of_owner.get("/api/v1/projects").await.status, 200);
        let log = owner.client.get("/api/settings/audit-log").await.expect(200);
        let entries = log.data().as_array().unwrap();
        let is_revocation =
            |entry: &&serde_json::Value| entry["action"] == "api_key.revoked" && entry["subject"]["id"] == json!(first);
        assert_eq!(entries.iter().filter(is_revocation).count(), usize::from(revoked), "{query}");
        // The key list shows who created each key, so keys can also be revoked later.
        let keys = owner.client.get("/api/settings/api-keys?limit=100").await.expect(200);
        let kept = keys.data().as_array().unwrap().iter().find(|one| one["id"] == json!(first)).unwrap();
        assert_eq!(kept["created_by"], json!({"type": "user", "id": admin.id}));
    }
    let bad = owner.client.delete(&format!("{}?revoke_keys=yes", path(&owner))).await.expect(400);
    assert_eq!(bad.details(), ["revoke_keys:invalid_value"]);
}

#[tokio::test]
async fn members_have_the_documented_shape() {
    let (_app, _, owner) = App::with_user(Role::Owner).await;
    let members = "/api/settings/members";
    for (body, status, details) in [
        (json!({}), 400, &["email:required", "role:required"][..]),
        (json!({"email": "x", "role": "member"}), 422, &["email:invalid_email"]),
        (json!({"email": "a@example.com", "role": "Member"}), 400, &["role:invalid_value"]),
        (json!({"email": "a@example.com", "role": "member", "name": "n"}), 400, &["name:unknown_field"]),
    ] {
        assert_eq!(owner.client.post(members, body).await.expect(status).details(), details);
    }
    for (body, status) in [(json!({}), 422), (json!({"role": null}), 422), (json!({"email": "b@example.com"}), 400)] {
        assert_eq!(owner.client.patch(&path(&owner), body).await.status, status);
    }
    assert_eq!(owner.client.delete(&format!("{members}/{UNKNOWN_ID}")).await.status, 404);
    assert_eq!(owner.client.patch(&format!("{members}/{UNKNOWN_ID}"), json!({"role": "viewer"})).await.status, 404);
}

/// Another instance may trust a credential for two seconds, but changes made with it must not take effect.
#[tokio::test]
async fn a_removed_or_demoted_owner_cannot_act_through_another_instance() {
    let app = App::start().await;
    let other = app.another(test_support::AppOptions::default()).await;
    let tenant = app.workspace().await;
    let keeper = tenant.user(Role::Owner).await;
    for demoted in [false, true] {
        let leaver = tenant.user(Role::Owner).await;
        let remote = other.with_key(leaver.client.key().unwrap());
        eventually("the other instance caches the credential", async || {
            other.ports.credential_cache.is_fresh(other.ports.clock.elapsed())
        })
        .await;
        let _ = remote.get("/api/v1/projects").await.expect(200);
        let change = if demoted {
            keeper.client.patch(&path(&leaver), json!({"role": "viewer"})).await
        } else {
            keeper.client.delete(&path(&leaver)).await
        };
        let _ = change.expect(200);
        for (method, path, body) in [
            ("POST", "/api/settings/api-keys".to_owned(), json!({"name": "back door", "preset": "full_access"})),
            ("POST", "/api/settings/members".to_owned(), json!({"email": leaver.email, "role": "owner"})),
            ("PATCH", "/api/settings/workspace".to_owned(), json!({"name": "Mine"})),
            ("DELETE", path(&keeper), json!({})),
            ("PATCH", path(&keeper), json!({"role": "viewer"})),
        ] {
            let reply = ApiResponse::of(remote.request(method, &path).json(&body)).await;
            assert_eq!(reply.status, 401, "{method} {path}: {}", reply.text);
        }
    }
}

#[tokio::test]
async fn a_session_of_a_removed_member_ends_on_every_instance() {
    let app = App::start().await;
    let other = app.another(test_support::AppOptions::default()).await;
    let tenant = app.workspace().await;
    let (owner, member) = (tenant.user(Role::Owner).await, tenant.user(Role::Member).await);
    let remote = other.with_key(member.client.key().unwrap());
    let _ = remote.get("/api/v1/projects").await.expect(200);
    let _ = owner.client.delete(&path(&member)).await.expect(200);
    eventually("the other instance has refreshed", async || remote.get("/api/v1/projects").await.status == 401).await;
}
