//! Projects, member by member.

use kit::{App, Client};
use serde_json::{Value, json};

use crate::support::{NOWHERE, bad, broken, check_members, good, text_cases, word_cases};
use crate::text_details;

const PATH: &str = "/api/v1/projects";

async fn project(client: &Client, body: Value) -> String {
    format!("{PATH}/{}", client.post(PATH, body).await.expect(201).id())
}

#[tokio::test]
async fn every_member_is_validated() {
    let app = App::start().await;
    let client = app.workspace().await.full_access().await;
    let minimal = json!({"name": "p"});
    let path = project(&client, minimal.clone()).await;
    let url = |length: usize| json!(format!("https://github.com/{}", "a".repeat(length - 19)));
    let cases = vec![
        good("progress", json!(0)),
        good("progress", json!(100)),
        broken("progress", json!(101), &["progress:out_of_range"]),
        broken("progress", json!(-1), &["progress:out_of_range"]),
        bad("progress", json!(1.5), &["progress:invalid_type"]),
        good("hosted", json!(true)),
        bad("hosted", json!("true"), &["hosted:invalid_type"]),
        bad("hosted", json!(1), &["hosted:invalid_type"]),
        good("github_url", url(500)),
        broken("github_url", url(501), &["github_url:too_long"]),
        broken("github_url", json!("https://gitlab.com/a/b"), &["github_url:invalid_url"]),
        broken("github_url", json!("http://github.com/a/b"), &["github_url:invalid_url"]),
        good("team_id", json!(NOWHERE)),
        good("template_id", json!(NOWHERE)),
        bad("team_id", json!("x"), &["team_id:invalid_uuid"]),
        bad("template_id", json!(1), &["template_id:invalid_uuid"]),
        broken("lead_user_id", json!(NOWHERE), &["lead_user_id:not_found"]),
        broken("deal_id", json!(NOWHERE), &["deal_id:not_found"]),
        broken("company_id", json!(NOWHERE), &["company_id:not_found"]),
        bad("start_date", json!("2030-1-1"), &["start_date:invalid_date"]),
        bad("end_date", json!("soon"), &["end_date:invalid_date"]),
        bad("target_date", json!("2030-01-01"), &["target_date:unknown_field"]),
    ];
    check_members(&client, PATH, &minimal, Some(&path), cases).await;
    check_members(&client, PATH, &minimal, Some(&path), text_cases("name", 200, false, text_details!("name"))).await;
    check_members(
        &client,
        PATH,
        &minimal,
        Some(&path),
        text_cases("description", 10_000, true, text_details!("description")),
    )
    .await;
    check_members(&client, PATH, &minimal, None, text_cases("external_id", 255, false, text_details!("external_id")))
        .await;
    check_members(
        &client,
        PATH,
        &minimal,
        Some(&path),
        word_cases("priority", &["low", "medium", "high", "urgent"], &["priority:invalid_value"]),
    )
    .await;
    let statuses = ["planning", "active", "on_hold", "completed", "cancelled", "archived"];
    check_members(&client, PATH, &minimal, None, word_cases("status", &statuses, &["status:invalid_value"])).await;
    assert_eq!(client.post(PATH, json!({})).await.expect(400).details(), ["name:required"]);
}

#[tokio::test]
async fn legacy_status_keys_are_normalised() {
    let app = App::start().await;
    let client = app.workspace().await.full_access().await;
    for (key, status) in [
        ("planned", "planning"),
        ("not_started", "planning"),
        ("draft", "planning"),
        ("in_progress", "active"),
        ("open", "active"),
        ("started", "active"),
        ("paused", "on_hold"),
        ("blocked", "on_hold"),
        ("done", "completed"),
        ("complete", "completed"),
        ("closed", "completed"),
        ("canceled", "cancelled"),
    ] {
        let made = client.post(PATH, json!({"name": "p", "status": key})).await.expect(201);
        assert_eq!(made.data()["status"], status, "{key}");
        let path = project(&client, json!({"name": "p"})).await;
        assert_eq!(client.patch(&path, json!({"status": key})).await.expect(200).data()["status"], status, "{key}");
    }
}

#[tokio::test]
async fn every_transition_over_http() {
    let app = App::start().await;
    let client = app.workspace().await.full_access().await;
    let statuses = ["planning", "active", "on_hold", "completed", "cancelled", "archived"];
    for from in statuses {
        for to in statuses {
            let path = project(&client, json!({"name": "p", "status": from})).await;
            let allowed = from == to
                || match from {
                    "archived" => to == "active",
                    "cancelled" => matches!(to, "planning" | "active"),
                    _ => true,
                };
            let reply = client.patch(&path, json!({"status": to})).await;
            assert_eq!(reply.status, if allowed { 200 } else { 409 }, "{from} -> {to}");
            if !allowed {
                assert_eq!(reply.code(), "invalid_state_change");
                assert_eq!(client.get(&path).await.data()["status"], from);
            }
        }
    }
}

#[tokio::test]
async fn dates_are_in_order_including_stored_ones() {
    let app = App::start().await;
    let client = app.workspace().await.full_access().await;
    let reply =
        client.post(PATH, json!({"name": "p", "start_date": "2030-01-02", "end_date": "2030-01-01"})).await.expect(422);
    assert_eq!(reply.details(), ["end_date:before_start"]);
    let path = project(&client, json!({"name": "p", "start_date": "2030-01-02", "end_date": "2030-01-02"})).await;
    assert_eq!(
        client.patch(&path, json!({"end_date": "2030-01-01"})).await.expect(422).details(),
        ["end_date:before_start"]
    );
    assert_eq!(
        client.patch(&path, json!({"start_date": "2030-01-03"})).await.expect(422).details(),
        ["end_date:before_start"]
    );
    let _ = client.patch(&path, json!({"start_date": "2030-01-03", "end_date": "2030-01-04"})).await.expect(200);
    let _ = client.patch(&path, json!({"end_date": null})).await.expect(200);
    let _ = client.patch(&path, json!({"start_date": "2040-01-01"})).await.expect(200);
}

#[tokio::test]
async fn defaults_null_and_the_whole_record() {
    let app = App::start().await;
    let client = app.workspace().await.full_access().await;
    let made = client.post(PATH, json!({"name": " p "})).await.expect(201);
    let data = made.data();
    assert_eq!(
        (&data["name"], &data["status"], &data["priority"]),
        (&json!("p"), &json!("planning"), &json!("medium"))
    );
    assert_eq!((&data["progress"], &data["hosted"], &data["version"]), (&json!(0), &json!(false), &json!(1)));
    assert_eq!(data.as_object().unwrap().len(), 20);
    let path = made.header("location").to_owned();
    let _ = client
        .patch(&path, json!({"status": "active", "priority": "urgent", "progress": 50, "hosted": true}))
        .await
        .expect(200);
    let cleared = client
        .patch(&path, json!({"status": null, "priority": null, "progress": null, "hosted": null}))
        .await
        .expect(200);
    let data = cleared.data();
    assert_eq!(
        (&data["status"], &data["priority"], &data["progress"], &data["hosted"]),
        (&json!("planning"), &json!("medium"), &json!(0), &json!(false))
    );
    // Null resets under the same rules as setting the default.
    let _ = client.patch(&path, json!({"status": "archived"})).await.expect(200);
    assert_eq!(client.patch(&path, json!({"status": null})).await.expect(409).code(), "invalid_state_change");
    let twice = client.post(PATH, json!({"name": "q", "external_id": "e"})).await.expect(201);
    assert_eq!(
        client.post(PATH, json!({"name": "r", "external_id": "e"})).await.expect(409).details(),
        ["external_id:duplicate"]
    );
    assert_eq!(client.patch(&path, json!({"external_id": "e"})).await.expect(409).code(), "duplicate");
    assert_eq!(client.get(PATH).await.expect(200).ids()[0], twice.id());
}

#[tokio::test]
async fn deleting_also_deletes_cycles_and_tasks() {
    let app = App::start().await;
    let client = app.workspace().await.full_access().await;
    let path = project(&client, json!({"name": "p"})).await;
    let id = client.get(&path).await.id();
    let cycle = client
        .post(&format!("{path}/cycles"), json!({"name": "c", "start_date": "2030-01-01", "end_date": "2030-01-02"}))
        .await
        .expect(201)
        .id();
    let task = client
        .post("/api/v1/issues", json!({"kind": "task", "title": "t", "project_id": id, "cycle_id": cycle}))
        .await
        .expect(201)
        .id();
    let ticket =
        client.post("/api/v1/issues", json!({"kind": "ticket", "title": "t", "project_id": id})).await.expect(201).id();
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
