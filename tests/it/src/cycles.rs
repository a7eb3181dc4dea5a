//! Cycles of a project.

use serde_json::json;
use test_support::{App, Client};
use time::Duration;

use crate::support::statuses_in_parallel;

async fn cycles_path(client: &Client) -> String {
    let id = client.create("/api/v1/projects", json!({"name": "p"})).await;
    format!("/api/v1/projects/{id}/cycles")
}

#[tokio::test]
async fn numbers_are_consecutive_and_days_do_not_overlap() {
    let (_app, client) = App::with_client().await;
    let path = cycles_path(&client).await;
    let new = |start: &str, end: &str| json!({"name": "c", "start_date": start, "end_date": end});
    let first = client.post(&path, new("2030-01-10", "2030-01-20")).await.expect(201);
    assert_eq!(first.data()["number"], 1);
    for (start, end) in [
        ("2030-01-10", "2030-01-20"),
        ("2030-01-20", "2030-01-25"),
        ("2030-01-01", "2030-01-10"),
        ("2030-01-12", "2030-01-13"),
        ("2030-01-01", "2030-02-01"),
    ] {
        assert_eq!(client.post(&path, new(start, end)).await.expect(409).code(), "conflict", "{start} {end}");
    }
    let second = client.post(&path, new("2030-01-21", "2030-01-31")).await.expect(201);
    assert_eq!(second.data()["number"], 2);
    assert_eq!(client.get(&path).await.expect(200).ids(), [second.id(), first.id()]);
    // Numbers and overlaps are per project.
    let other = cycles_path(&client).await;
    assert_eq!(client.post(&other, new("2030-01-10", "2030-01-20")).await.expect(201).data()["number"], 1);
}

#[tokio::test]
async fn of_two_concurrent_overlapping_cycles_one_is_created() {
    let (_app, client) = App::with_client().await;
    let path = cycles_path(&client).await;
    let cycle = json!({"name": "c", "start_date": "2030-01-01", "end_date": "2030-01-02"});
    let requests = (0..6).map(|_| client.request("POST", &path).json(&cycle));
    assert_eq!(statuses_in_parallel(requests).await, [201, 409, 409, 409, 409, 409]);
}

#[tokio::test]
async fn status_and_counts_are_computed_when_read() {
    let (app, client) = App::with_client().await;
    let path = cycles_path(&client).await;
    let today = app.ports.clock.now();
    let day = |offset: i64| (today + Duration::days(offset)).date().to_string();
    for (from, to, status) in [(-9, -5, "completed"), (-1, 1, "active"), (5, 9, "upcoming")] {
        let made =
            client.post(&path, json!({"name": "c", "start_date": day(from), "end_date": day(to)})).await.expect(201);
        assert_eq!(made.data()["status"], status);
        assert_eq!((&made.data()["issue_count"], &made.data()["completed_issue_count"]), (&json!(0), &json!(0)));
    }
    let cycle = client.get(&path).await.ids()[1].clone();
    let project = path.split('/').nth(4).unwrap();
    for status in ["todo", "done", "done"] {
        let body = json!({"kind": "task", "title": "t", "project_id": project, "cycle_id": cycle, "status": status});
        let _ = client.post("/api/v1/issues", body).await.expect(201);
    }
    let deleted = client.get("/api/v1/issues?status=done").await.ids()[0].clone();
    let _ = client.delete(&format!("/api/v1/issues/{deleted}")).await.expect(200);
    for status in ["open", "pending", "on_hold", "resolved", "closed"] {
        let body = json!({"kind": "ticket", "title": "t", "project_id": project, "cycle_id": cycle, "status": status});
        let _ = client.post("/api/v1/issues", body).await.expect(201);
    }
    let list = client.get(&path).await;
    assert_eq!(
        (&list.body["data"][1]["issue_count"], &list.body["data"][1]["completed_issue_count"]),
        (&json!(7), &json!(3)),
        "two tasks, one of them done; five tickets, of which the resolved and the closed one"
    );
    app.advance(Duration::days(6)).await;
    let client = app.with_key(client.key().unwrap());
    let statuses: Vec<_> =
        client.get(&path).await.body["data"].as_array().unwrap().iter().map(|cycle| cycle["status"].clone()).collect();
    assert_eq!(statuses, ["active", "completed", "completed"]);
}
