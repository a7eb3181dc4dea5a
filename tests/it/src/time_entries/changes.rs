//! Changing, deleting and restoring entries, and their histories.

use domain::identity::workspaces::Role;
use serde_json::{Value, json};
use test_support::{ApiResponse, App};

use super::{ENTRIES, duration, entry, entry_path, merged, task, times};

#[tokio::test]
async fn a_change_keeps_absent_fields() {
    let app = App::start().await;
    let client = app.workspace().await.user(Role::Member).await.client;
    let task = task(&client, None).await;
    let project = client.post("/api/v1/projects", json!({"name": "p"})).await.expect(201).id();
    let body = merged(times("07T09:00", "07T10:00"), json!({"task_id": task, "billable": false}));
    let path = entry_path(&entry(&client, body).await.id());
    let change = async |body: Value| client.patch(&path, body).await;
    let longer = change(json!({"ended_at": "2030-01-07T11:00:00Z"})).await.expect(200);
    assert_eq!((&longer.data()["seconds"], &longer.data()["billable"]), (&json!(7_200), &json!(false)));
    assert_eq!(change(json!({"project_id": project})).await.expect(422).details(), ["project_id:several_targets"]);
    let moved = change(json!({"task_id": null, "project_id": project})).await.expect(200);
    assert_eq!((&moved.data()["task_id"], &moved.data()["in_project_id"]), (&Value::Null, &json!(project)));
    assert_eq!(change(json!({"seconds": 60})).await.expect(422).details(), ["seconds:contradicts_times"]);
    // Without times, the entry keeps its day and duration.
    let by_day = change(json!({"started_at": null, "ended_at": null})).await.expect(200).data().clone();
    assert_eq!((&by_day["date"], &by_day["seconds"]), (&json!("2030-01-07"), &json!(7_200)));
    let shorter = change(json!({"seconds": 60, "date": "2030-01-09"})).await.expect(200).data().clone();
    assert_eq!((&shorter["date"], &shorter["seconds"]), (&json!("2030-01-09"), &json!(60)));
    let reset = change(json!({"billable": null, "note": null})).await.expect(200).data().clone();
    assert_eq!((&reset["billable"], &reset["note"]), (&json!(true), &json!("")));
    assert_eq!(change(json!({"member_id": null})).await.expect(422).details(), ["member_id:required"]);
    assert_eq!(change(json!({})).await.expect(422).details(), [":empty_patch"]);
    let version = reset["version"].clone();
    let same = change(json!({"seconds": 60})).await.expect(200);
    assert_eq!(same.data()["version"], version, "an equal change creates no version");
    let stale = client.request("PATCH", &path).header("If-Match", "\"1\"").json(&json!({"note": "n"}));
    assert_eq!(ApiResponse::of(stale).await.expect(409).code(), "concurrent_update");
    let known = client.request("GET", &path).header("If-None-Match", format!("\"{version}\""));
    assert_eq!(ApiResponse::of(known).await.status, 304);
}

#[tokio::test]
async fn a_deleted_entry_is_restored_unless_another_takes_its_time() {
    let app = App::start().await;
    let tenant = app.workspace().await;
    let (owner, member) = (tenant.user(Role::Owner).await.client, tenant.user(Role::Member).await.client);
    let created = entry(&member, times("07T09:00", "07T10:00")).await;
    let path = entry_path(&created.id());
    assert_eq!(member.delete(&path).await.expect(200).body, json!({"data": {"id": created.id(), "deleted": true}}));
    assert_eq!(member.get(&path).await.status, 404);
    assert_eq!(owner.get(&format!("{ENTRIES}?deleted=true")).await.expect(200).ids(), [created.id()]);
    let _ = member.get(&format!("{ENTRIES}?deleted=true")).await.expect(403);
    let other = entry(&member, times("07T09:30", "07T10:30")).await.id();
    let restore = format!("{path}/restore");
    assert_eq!(member.post(&restore, json!({})).await.expect(409).code(), "conflict");
    let _ = member.delete(&entry_path(&other)).await.expect(200);
    let request = || member.request("POST", &restore).header("Idempotency-Key", "once");
    let restored = ApiResponse::of(request()).await.expect(200);
    assert_eq!((&restored.data()["seconds"], &restored.data()["version"]), (&json!(3_600), &json!(3)));
    assert_eq!(ApiResponse::of(request()).await.expect(200).header("idempotent-replayed"), "true");
    assert_eq!(member.post(&restore, json!({})).await.expect(409).code(), "invalid_state_change");
    let history = owner.get(&format!("{path}/history")).await.expect(200);
    let events: Vec<_> = history.body["data"].as_array().unwrap().iter().map(|event| event["event"].clone()).collect();
    assert_eq!(events, ["time_entry.restored", "time_entry.deleted", "time_entry.created"]);
}

#[tokio::test]
async fn a_repeated_create_makes_one_entry() {
    let app = App::start().await;
    let client = app.workspace().await.user(Role::Member).await.client;
    let body = times("07T09:00", "07T10:00");
    let request = || client.request("POST", ENTRIES).header("Idempotency-Key", "k").json(&body);
    let first = ApiResponse::of(request()).await.expect(201);
    let repeated = ApiResponse::of(request()).await.expect(201);
    assert_eq!((repeated.header("idempotent-replayed"), repeated.text.as_str()), ("true", first.text.as_str()));
    let other = client.request("POST", ENTRIES).header("Idempotency-Key", "k").json(&duration("2030-01-07", 60));
    assert_eq!(ApiResponse::of(other).await.expect(409).code(), "idempotency_conflict");
    assert_eq!(client.get(ENTRIES).await.expect(200).ids(), [first.id()]);
}
