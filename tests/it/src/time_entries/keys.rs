//! What API keys may do with members' time entries.

use domain::identity::workspaces::Role;
use serde_json::json;
use test_support::App;

use super::{ENTRIES, duration, entry, entry_path, merged, start, stop};
use crate::support::UNKNOWN_ID;

#[tokio::test]
async fn a_key_must_name_the_member() {
    let app = App::start().await;
    let tenant = app.workspace().await;
    let key = tenant.full_access().await;
    let member = tenant.member("ada@example.org").await.to_string();
    for refused in [
        key.post(ENTRIES, duration("2030-01-07", 60)).await,
        start(&key, json!({})).await,
        stop(&key, json!({})).await,
        stop(&key, json!({"member_id": null})).await,
    ] {
        assert_eq!(
            (refused.status, refused.details()),
            (422, vec!["member_id:required".to_owned()]),
            "{}",
            refused.text
        );
    }
    let stranger = app.workspace().await.member("b@example.org").await.to_string();
    for wrong in [UNKNOWN_ID, stranger.as_str()] {
        let body = merged(duration("2030-01-07", 60), json!({ "member_id": wrong }));
        assert_eq!(key.post(ENTRIES, body).await.expect(422).details(), ["member_id:not_found"]);
    }
    let new = entry(&key, merged(duration("2030-01-07", 60), json!({"member_id": member}))).await;
    assert_eq!((&new.data()["member_id"], &new.data()["created_by"]["type"]), (&json!(member), &json!("api_key")));
    let _ = start(&key, json!({"member_id": member})).await.expect(201);
    let _ = stop(&key, json!({"member_id": member})).await.expect(200);
    let none = stop(&key, json!({"member_id": member})).await.expect(409);
    assert_eq!(none.code(), "invalid_state_change");
}

#[tokio::test]
async fn a_key_needs_scope_and_permission() {
    let app = App::start().await;
    let tenant = app.workspace().await;
    let id = entry(&tenant.user(Role::Member).await.client, duration("2030-01-07", 60)).await.id();
    let reader = tenant.with_scopes(&["time.read"]).await;
    let _ = reader.get(&entry_path(&id)).await.expect(200);
    let _ = reader.get("/api/v1/time/summary?group_by=member&from=2030-01-01&to=2030-01-31").await.expect(200);
    for refused in [
        reader.post(ENTRIES, duration("2030-01-07", 60)).await,
        reader.patch(&entry_path(&id), json!({"note": "n"})).await,
        reader.delete(&entry_path(&id)).await,
        start(&reader, json!({})).await,
    ] {
        assert_eq!((refused.status, refused.code()), (403, "forbidden"));
        assert_eq!(refused.details(), ["scopes:missing_scope"]);
    }
    let other = tenant.with_scopes(&["projects.write", "issues.write"]).await;
    assert_eq!(other.get(ENTRIES).await.expect(403).details(), ["scopes:missing_scope"]);
    // A permission map restricts the key further.
    let map =
        json!({"scopes": ["time.write"], "permissions": {"read_time_entries": true, "update_time_entries": true}});
    let (narrowed, _) = tenant.key(map).await;
    let _ = narrowed.patch(&entry_path(&id), json!({"note": "n"})).await.expect(200);
    assert_eq!(narrowed.delete(&entry_path(&id)).await.expect(403).code(), "forbidden");
    let projects = tenant.key(json!({"preset": "projects"})).await.0;
    let _ = projects.delete(&entry_path(&id)).await.expect(200);
    let viewer = tenant.user(Role::Viewer).await.client;
    let _ = viewer.get(ENTRIES).await.expect(200);
    assert_eq!(viewer.post(ENTRIES, duration("2030-01-07", 60)).await.expect(403).code(), "forbidden");
}

#[tokio::test]
async fn members_write_their_own_time_and_admins_everyones() {
    let app = App::start().await;
    let tenant = app.workspace().await;
    let (ada, bob) = (tenant.user(Role::Member).await, tenant.user(Role::Member).await.client);
    let id = entry(&ada.client, duration("2030-01-07", 60)).await.id();
    let of_ada = merged(duration("2030-01-07", 60), json!({"member_id": ada.id}));
    for refused in [
        bob.post(ENTRIES, of_ada.clone()).await,
        bob.patch(&entry_path(&id), json!({"note": "n"})).await,
        bob.delete(&entry_path(&id)).await,
    ] {
        assert_eq!((refused.status, refused.code()), (403, "forbidden"), "{}", refused.text);
    }
    // Everyone with read permission sees it.
    let _ = bob.get(&entry_path(&id)).await.expect(200);
    for role in [Role::Owner, Role::Admin] {
        let client = tenant.user(role).await.client;
        let created = entry(&client, of_ada.clone()).await;
        let _ = client.patch(&entry_path(&created.id()), json!({"note": "n"})).await.expect(200);
        let _ = client.delete(&entry_path(&created.id())).await.expect(200);
    }
}
