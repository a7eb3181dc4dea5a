//! Changing and deleting cycles.

use serde_json::{Value, json};
use test_support::{App, Client, assert_members};

use crate::database::execute;
use crate::support::{UNKNOWN_ID, statuses_in_parallel};
use crate::tools::{fail, run, start_with_all_tools};
use crate::webhook_events::subscribe;

async fn project(client: &Client) -> String {
    client.create("/api/v1/projects", json!({"name": "p"})).await
}

fn days(start: &str, end: &str) -> Value {
    json!({"name": "c", "start_date": start, "end_date": end})
}

#[tokio::test]
async fn a_cycle_is_changed_within_its_rules() {
    let (_app, client) = App::with_client().await;
    let project = project(&client).await;
    let cycles = format!("/api/v1/projects/{project}/cycles");
    let created = client.post(&cycles, days("2030-01-01", "2030-01-10")).await.expect(201);
    let other = client.post(&cycles, days("2030-01-20", "2030-01-31")).await.expect(201);
    let path = format!("{cycles}/{}", created.id());
    let task = json!({"kind": "task", "title": "t", "project_id": project, "cycle_id": created.id(), "status": "done"});
    let _ = client.post("/api/v1/issues", task).await.expect(201);
    let change = json!({"name": " Week 1 ", "goal": "Ship", "start_date": "2030-01-02", "end_date": "2030-01-12"});
    let changed = client.patch(&path, change).await.expect(200);
    let data = changed.data();
    assert_members(data, &json!({"name": "Week 1", "goal": "Ship", "number": 1, "start_date": "2030-01-02"}));
    assert_members(data, &json!({"end_date": "2030-01-12", "issue_count": 1, "completed_issue_count": 1}));
    assert_eq!((changed.header("etag"), &data["version"]), ("\"2\"", &json!(2)));
    assert_eq!(client.get(&cycles).await.expect(200).body["data"][1], *data);
    let cleared = client.patch(&path, json!({"goal": null})).await.expect(200);
    assert_eq!(cleared.data()["goal"], Value::Null);
    for (change, status, expected) in [
        (json!({"end_date": "2030-01-01"}), 422, "end_date:before_start"),
        (json!({"start_date": "2030-01-13"}), 422, "end_date:before_start"),
        (json!({"start_date": null}), 422, "start_date:required"),
        (json!({"name": null}), 422, "name:required"),
        (json!({"number": 3}), 400, "number:unknown_field"),
        (json!({"project_id": project}), 400, "project_id:unknown_field"),
        (json!({"status": "active"}), 400, "status:unknown_field"),
    ] {
        assert_eq!(client.patch(&path, change.clone()).await.expect(status).details(), [expected], "{change}");
    }
    // Its own days do not count as an overlap; a single day of another cycle does.
    let _ = client.patch(&path, json!({"end_date": "2030-01-19"})).await.expect(200);
    let overlap = client.patch(&path, json!({"end_date": "2030-01-20"})).await.expect(409);
    assert_eq!(overlap.code(), "conflict");
    assert!(overlap.text.contains("cycle 2"), "{}", overlap.text);
    let _ = client.delete(&format!("{cycles}/{}", other.id())).await.expect(200);
    let _ = client.patch(&path, json!({"end_date": "2030-01-20"})).await.expect(200);
}

#[tokio::test]
async fn a_cycle_is_reached_only_through_its_own_project() {
    let (_app, client) = App::with_client().await;
    let (mine, other) = (project(&client).await, project(&client).await);
    let cycles = |project: &str| format!("/api/v1/projects/{project}/cycles");
    let cycle = client.create(&cycles(&mine), days("2030-01-01", "2030-01-02")).await;
    for wrong in [cycles(&other), cycles(UNKNOWN_ID)] {
        let path = format!("{wrong}/{cycle}");
        assert_eq!(client.patch(&path, json!({"name": "d"})).await.status, 404);
        assert_eq!(client.delete(&path).await.status, 404);
    }
    let path = format!("{}/{cycle}", cycles(&mine));
    let _ = client.delete(&format!("/api/v1/projects/{mine}")).await.expect(200);
    assert_eq!(client.patch(&path, json!({"name": "d"})).await.status, 404);
    assert_eq!(client.delete(&path).await.status, 404);
}

#[tokio::test]
async fn of_two_concurrent_changes_into_the_same_days_one_succeeds() {
    let (_app, client) = App::with_client().await;
    let cycles = format!("/api/v1/projects/{}/cycles", project(&client).await);
    let mut paths = Vec::new();
    for day in 1..=6 {
        let day = format!("2030-01-0{day}");
        paths.push(format!("{cycles}/{}", client.create(&cycles, days(&day, &day)).await));
    }
    let change = json!({"start_date": "2031-01-01", "end_date": "2031-01-01"});
    let requests = paths.iter().map(|path| client.request("PATCH", path).json(&change));
    assert_eq!(statuses_in_parallel(requests).await, [200, 409, 409, 409, 409, 409]);
}

#[tokio::test]
async fn deleting_a_cycle_leaves_its_issues_without_one() {
    let (_app, tenant, hook) = App::with_receiver().await;
    let client = tenant.full_access().await;
    let project = project(&client).await;
    let cycles = format!("/api/v1/projects/{project}/cycles");
    let cycle = client.create(&cycles, days("2030-01-01", "2030-01-02")).await;
    let mut issues = Vec::new();
    for kind in ["task", "ticket"] {
        let body = json!({"kind": kind, "title": "t", "project_id": project, "cycle_id": cycle});
        issues.push(client.create("/api/v1/issues", body).await);
    }
    for module in ["projects", "support"] {
        let _ = subscribe(&tenant, &hook, module, json!(["*"])).await;
    }
    let path = format!("{cycles}/{cycle}");
    assert_eq!(*client.delete(&path).await.expect(200).data(), json!({"id": cycle, "deleted": true}));
    assert_eq!(client.delete(&path).await.status, 404);
    assert!(client.get(&cycles).await.expect(200).ids().is_empty());
    for issue in &issues {
        let stored = client.get(&format!("/api/v1/issues/{issue}")).await.expect(200);
        assert_members(stored.data(), &json!({"cycle_id": null, "version": 2, "project_id": project}));
        let refused = client.patch(&format!("/api/v1/issues/{issue}"), json!({"cycle_id": cycle})).await.expect(422);
        assert_eq!(refused.details(), ["cycle_id:not_found"]);
    }
    // The days of a deleted cycle are free again; its number is not.
    let next = client.post(&cycles, days("2030-01-01", "2030-01-02")).await.expect(201);
    assert_eq!(next.data()["number"], 2);
    let received = hook.wait_for(4).await;
    let mut names: Vec<_> = received.iter().map(test_support::Received::event).collect();
    names.sort_unstable();
    assert_eq!(names, ["cycle.created", "cycle.deleted", "task.updated", "ticket.updated"]);
    let updated = received.iter().find(|one| one.event() == "task.updated").unwrap();
    assert_eq!(updated.body["payload"]["changes"], json!({"cycle_id": {"from": cycle, "to": null}}));
}

#[tokio::test]
async fn a_cycle_of_5000_issues_is_deleted_and_a_larger_one_refused() {
    let (app, client) = App::with_client().await;
    let project = project(&client).await;
    let cycles = format!("/api/v1/projects/{project}/cycles");
    let cycle = client.create(&cycles, days("2030-01-01", "2030-01-02")).await;
    let body = json!({"kind": "task", "title": "t", "project_id": project, "cycle_id": cycle});
    let first = client.create("/api/v1/issues", body).await;
    let columns = "workspace_id, kind, title, status, priority, project_id, cycle_id, labels, version, created_at, \
        updated_at, created_by_type, search";
    let insert = format!(
        "INSERT INTO issues (id, number, {columns})
         SELECT gen_random_uuid(), 1000 + made, {columns} FROM issues, generate_series(1, 5000) AS made"
    );
    execute(&app, &insert);
    let path = format!("{cycles}/{cycle}");
    let refused = client.delete(&path).await.expect(409);
    assert_eq!(refused.code(), "conflict");
    assert!(refused.text.contains("5000 issues"), "{}", refused.text);
    assert_eq!(client.get(&cycles).await.expect(200).body["data"][0]["issue_count"], 5001, "nothing was done");
    let bulk = json!({"issueIds": [first], "patch": {"cycle_id": null}});
    let _ = client.post("/api/v1/issues/bulk-update", bulk).await.expect(200);
    let _ = client.delete(&path).await.expect(200);
    assert!(client.get(&cycles).await.expect(200).ids().is_empty());
    let one = client.get("/api/v1/issues?limit=1").await.expect(200);
    assert_eq!(one.body["data"][0]["cycle_id"], Value::Null);
}

#[tokio::test]
async fn tools_change_and_delete_cycles_by_their_id() {
    let (_app, _, client) = start_with_all_tools().await;
    let project = run(&client, "create_project", json!({"name": "p"})).await["id"].clone();
    let mut new = days("2030-01-01", "2030-01-02");
    new["project_id"] = project.clone();
    let cycle = run(&client, "create_cycle", new).await["id"].clone();
    let changed = run(&client, "update_cycle", json!({"id": cycle, "goal": "Ship", "expected_version": 1})).await;
    assert_eq!((&changed["goal"], &changed["version"]), (&json!("Ship"), &json!(2)));
    let stale = json!({"id": cycle, "goal": null, "expected_version": 1});
    assert_eq!(fail(&client, "update_cycle", stale).await["error"], "concurrent_update");
    let backwards = json!({"id": cycle, "end_date": "2029-12-31"});
    assert_eq!(fail(&client, "update_cycle", backwards).await["details"][0]["code"], "before_start");
    let task = json!({"title": "t", "project_id": project, "cycle_id": cycle});
    let task = run(&client, "create_task", task).await["id"].clone();
    assert_eq!(run(&client, "delete_cycle", json!({ "id": cycle })).await["deleted"], json!(true));
    assert_eq!(run(&client, "get_task", json!({ "id": task })).await["cycle_id"], Value::Null);
    assert_eq!(fail(&client, "delete_cycle", json!({ "id": cycle })).await["error"], "not_found");
}
