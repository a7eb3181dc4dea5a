//! Projects over REST.

use serde_json::{Value, json};
use test_support::{App, Client, assert_members, eventually};

use crate::webhook_events::subscribe;

const PATH: &str = "/api/v1/projects";

async fn project(client: &Client, body: Value) -> String {
    format!("{PATH}/{}", client.create(PATH, body).await)
}

#[tokio::test]
async fn defaults_null_and_the_whole_record() {
    let (_app, client) = App::with_client().await;
    let created = client.post(PATH, json!({"name": " p "})).await.expect(201);
    let data = created.data();
    assert_members(data, &json!({"name": "p", "status": "planning", "priority": "medium", "progress": 0}));
    assert_members(data, &json!({"hosted": false, "version": 1}));
    assert_eq!(data.as_object().unwrap().len(), 20);
    let path = created.header("location").to_owned();
    let _ = client
        .patch(&path, json!({"status": "active", "priority": "urgent", "progress": 50, "hosted": true}))
        .await
        .expect(200);
    let cleared = client
        .patch(&path, json!({"status": null, "priority": null, "progress": null, "hosted": null}))
        .await
        .expect(200);
    let data = cleared.data();
    assert_members(data, &json!({"status": "planning", "priority": "medium", "progress": 0, "hosted": false}));
    // Null resets to the default, under the same rules as setting it.
    let _ = client.patch(&path, json!({"status": "archived"})).await.expect(200);
    assert_eq!(client.patch(&path, json!({"status": null})).await.expect(409).code(), "invalid_state_change");
    let twice = client.post(PATH, json!({"name": "q", "external_id": "e"})).await.expect(201);
    let refused = client.post(PATH, json!({"name": "r", "external_id": "e"})).await.expect(409);
    assert_eq!(refused.details(), ["external_id:duplicate"]);
    assert_eq!(client.patch(&path, json!({"external_id": "e"})).await.expect(409).code(), "duplicate");
    assert_eq!(client.get(PATH).await.expect(200).ids()[0], twice.id());
}

#[tokio::test]
async fn deleting_also_deletes_cycles_and_tasks() {
    let (_app, client) = App::with_client().await;
    let path = project(&client, json!({"name": "p"})).await;
    let id = client.get(&path).await.id();
    let cycle = client
        .create(&format!("{path}/cycles"), json!({"name": "c", "start_date": "2030-01-01", "end_date": "2030-01-02"}))
        .await;
    let task = client
        .create("/api/v1/issues", json!({"kind": "task", "title": "t", "project_id": id, "cycle_id": cycle}))
        .await;
    let ticket = client.create("/api/v1/issues", json!({"kind": "ticket", "title": "t", "project_id": id})).await;
    assert_eq!(client.get(&format!("{path}/issues")).await.expect(200).ids().join(" "), task);
    assert_eq!(client.delete(&path).await.expect(200).body, json!({"data": {"id": id, "deleted": true}}));
    for path in [
        path.clone(),
        format!("{path}/issues"),
        format!("{path}/cycles"),
        format!("/api/v1/issues/{task}"),
        format!("/api/v1/issues/{task}/comments"),
    ] {
        assert_eq!(client.get(&path).await.status, 404, "{path}");
    }
    assert_eq!(client.delete(&path).await.status, 404);
    assert!(client.get("/api/v1/issues").await.ids().is_empty());
    let ticket = client.get(&format!("/api/v1/issues/{ticket}")).await.expect(200);
    assert_eq!(ticket.data()["project_id"], json!(id));
    let new = client.post("/api/v1/issues", json!({"kind": "task", "title": "t", "project_id": id})).await.expect(422);
    assert_eq!(new.details(), ["project_id:not_found"]);
}

/// Programs with a copy of tasks learn from a project's events how many were deleted or restored with it.
#[tokio::test]
async fn events_of_a_project_count_the_records_deleted_with_it() {
    let (_app, client) = App::with_client().await;
    let project = client.create("/api/v1/projects", json!({"name": "P"})).await;
    for title in ["one", "two"] {
        let task = json!({"kind": "task", "title": title, "project_id": project});
        let _ = client.post("/api/v1/issues", task).await.expect(201);
    }
    let cycle = json!({"name": "c", "start_date": "2030-01-01", "end_date": "2030-01-02"});
    let _ = client.post(&format!("/api/v1/projects/{project}/cycles"), cycle).await.expect(201);
    let _ = client.delete(&format!("/api/v1/projects/{project}")).await.expect(200);
    let _ = client.post(&format!("/api/v1/projects/{project}/restore"), json!({})).await.expect(200);
    let events = client.get(&format!("/api/v1/events?record_id={project}")).await.expect(200);
    let shown = events.data().as_array().unwrap().iter().map(|it| json!([it["event"], it["cascade"]]));
    let cascade = json!({"tasks": 2, "cycles": 1});
    let expected =
        [json!(["project.created", null]), json!(["project.deleted", cascade]), json!(["project.restored", cascade])];
    assert_eq!(shown.collect::<Vec<_>>(), expected);
}

/// Tasks and cycles of a deleted or restored project have their own events, for copies that follow the log or a webhook.
#[tokio::test]
async fn records_deleted_with_a_project_have_their_own_events() {
    let (_app, tenant, hook) = App::with_receiver().await;
    let client = tenant.full_access().await;
    let path = project(&client, json!({"name": "P"})).await;
    let id = path.rsplit('/').next().unwrap();
    let mut records = Vec::new();
    for title in ["one", "two", "three"] {
        let task = json!({"kind": "task", "title": title, "project_id": id});
        records.push(client.create("/api/v1/issues", task).await);
    }
    let cycle = json!({"name": "c", "start_date": "2030-01-01", "end_date": "2030-01-02"});
    records.push(client.create(&format!("{path}/cycles"), cycle).await);
    subscribe(&tenant, &hook, "projects", json!(["task.deleted", "cycle.deleted", "task.restored"])).await;
    for (verb, version) in [("deleted", 2), ("restored", 3)] {
        if verb == "deleted" {
            let _ = client.delete(&path).await.expect(200);
        } else {
            let _ = client.post(&format!("{path}/restore"), json!({})).await.expect(200);
        }
        let of_projects = client.get(&format!("/api/v1/events?event=project.{verb}")).await.expect(200);
        let of_project = &of_projects.data()[0];
        for (index, record) in records.iter().enumerate() {
            let noun = if index == 3 { "cycle" } else { "task" };
            let events = format!("/api/v1/events?event={noun}.{verb}&record_id={record}");
            eventually("it is announced", async || client.get(&events).await.expect(200).data()[0].is_object()).await;
            let page = client.get(&events).await.expect(200);
            assert_eq!(page.data().as_array().unwrap().len(), 1, "{}", page.text);
            let event = &page.data()[0];
            let cause = json!({"event": format!("project.{verb}"), "id": of_project["id"]});
            assert_eq!((&event["cause"], &event["version"]), (&cause, &json!(version)), "{event}");
            assert_eq!((&event["actor"], &event["request_id"]), (&of_project["actor"], &of_project["request_id"]));
        }
    }
    let live = client.get(&format!("/api/v1/issues/{}", records[0])).await.expect(200);
    assert_eq!(live.data()["version"], 3);
    for received in hook.wait_for(7).await {
        let cause = &received.body["payload"]["cause"];
        let verb = received.event().split_once('.').unwrap().1;
        assert_eq!((&cause["event"], cause["id"].is_string()), (&json!(format!("project.{verb}")), true));
    }
}
