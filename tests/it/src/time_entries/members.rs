//! The fields of an entry, and contradictory values.

use domain::identity::workspaces::Role;
use serde_json::{Value, json};
use test_support::{App, Client};

use super::{ENTRIES, duration, entry, entry_path, merged, task, times};
use crate::support::UNKNOWN_ID;

#[tokio::test]
async fn an_entry_has_times_or_a_day_and_a_length() {
    let app = App::start().await;
    let tenant = app.workspace().await;
    let user = tenant.user(Role::Member).await;
    let created = entry(&user.client, times("07T09:00", "07T10:30")).await;
    assert_eq!(created.header("location"), entry_path(&created.id()));
    let shown = created.data();
    assert_eq!((&shown["seconds"], &shown["date"]), (&json!(5_400), &json!("2030-01-07")));
    assert_eq!((&shown["member_id"], &shown["billable"], &shown["note"]), (&json!(user.id), &json!(true), &json!("")));
    assert_eq!((&shown["status"], &shown["version"]), (&json!("stopped"), &json!(1)));
    for member in ["task_id", "ticket_id", "project_id", "deal_id", "in_project_id", "for_company_id", "rate"] {
        assert_eq!(shown[member], Value::Null, "{member}");
    }
    let stored = user.client.get(&entry_path(&created.id())).await.expect(200);
    assert_eq!((stored.data(), stored.header("etag")), (shown, "\"1\""));
    let by_day = entry(&user.client, duration("2030-01-08", 60)).await.data().clone();
    assert_eq!((&by_day["started_at"], &by_day["ended_at"]), (&Value::Null, &Value::Null));
    assert_eq!((&by_day["date"], &by_day["seconds"]), (&json!("2030-01-08"), &json!(60)));
}

#[tokio::test]
async fn contradictory_values_are_refused_and_not_stored() {
    let app = App::start().await;
    let client = app.workspace().await.user(Role::Member).await.client;
    let long = "n".repeat(2_001);
    let day = || duration("2030-01-07", 60);
    for (body, status, details) in [
        (json!({}), 422, &["date:required", "seconds:required"][..]),
        (json!({"date": "2030-01-07"}), 422, &["seconds:required"]),
        (json!({"seconds": 60}), 422, &["date:required"]),
        (json!({"started_at": "2030-01-07T09:00:00Z"}), 422, &["ended_at:required"]),
        (json!({"ended_at": "2030-01-07T09:00:00Z"}), 422, &["started_at:required"]),
        (merged(times("07T09:00", "07T10:00"), json!({"seconds": 60})), 422, &["seconds:contradicts_times"]),
        (merged(times("07T09:00", "07T10:00"), json!({"date": "2030-01-07"})), 422, &["date:contradicts_times"]),
        (times("07T09:00", "07T09:00"), 422, &["ended_at:before_start"]),
        (times("07T09:00", "08T09:01"), 422, &["ended_at:too_long"]),
        (duration("2030-01-07", 0), 422, &["seconds:out_of_range"]),
        (duration("2030-01-07", 86_401), 422, &["seconds:out_of_range"]),
        (merged(day(), json!({"note": long})), 422, &["note:too_long"]),
        (merged(day(), json!({"task_id": UNKNOWN_ID, "project_id": UNKNOWN_ID})), 422, &["project_id:several_targets"]),
        (merged(day(), json!({"task_id": UNKNOWN_ID})), 422, &["task_id:not_found"]),
        (merged(day(), json!({"ticket_id": UNKNOWN_ID})), 422, &["ticket_id:not_found"]),
        (merged(day(), json!({"project_id": UNKNOWN_ID})), 422, &["project_id:not_found"]),
        (merged(day(), json!({"deal_id": UNKNOWN_ID})), 422, &["deal_id:not_found"]),
        (json!({"date": "2030-02-30", "seconds": 60}), 400, &["date:invalid_date"]),
        (json!({"date": "2030-01-07", "seconds": 1.5}), 400, &["seconds:invalid_type"]),
        (json!({"date": "2030-01-07", "seconds": "60"}), 400, &["seconds:invalid_type"]),
        (merged(day(), json!({"status": "approved"})), 400, &["status:unknown_field"]),
        (merged(day(), json!({"rate": 100})), 400, &["rate:unknown_field"]),
        (merged(day(), json!({"duration": "1h"})), 400, &["duration:unknown_field"]),
    ] {
        assert_eq!(client.post(ENTRIES, body.clone()).await.expect(status).details(), details, "{body}");
    }
    assert!(client.get(ENTRIES).await.expect(200).ids().is_empty());
    // The longest and the shortest entry.
    let _ = entry(&client, times("07T09:00", "08T09:00")).await;
    let _ = entry(&client, duration("2030-01-07", 86_400)).await;
    let _ = entry(&client, duration("2030-01-07", 1)).await;
}

/// A project with a company, a task and a ticket, and a deal with the same company.
async fn records(client: &Client) -> (String, String, Vec<(&'static str, String)>) {
    let company = client.post("/api/v1/crm/companies", json!({"name": "Acme"})).await.expect(201).id();
    let project = json!({"name": "p", "company_id": company});
    let project = client.post("/api/v1/projects", project).await.expect(201).id();
    let deal = json!({"title": "d", "company_id": company});
    let deal = client.post("/api/v1/crm/deals", deal).await.expect(201).id();
    let task = task(client, Some(&project)).await;
    let targets = vec![("task_id", task), ("project_id", project.clone()), ("deal_id", deal)];
    (company, project, targets)
}

#[tokio::test]
async fn time_counts_towards_the_project_and_the_company_of_its_record() {
    let app = App::start().await;
    let client = app.workspace().await.user(Role::Owner).await.client;
    let (company, project, targets) = records(&client).await;
    for (member, id) in &targets {
        let created = entry(&client, merged(duration("2030-01-07", 60), json!({ *member: id }))).await;
        let shown = created.data();
        let in_project = if *member == "deal_id" { Value::Null } else { json!(project) };
        assert_eq!((&shown["in_project_id"], &shown["for_company_id"]), (&in_project, &json!(company)), "{member}");
    }
    // Moving a task does not move its time entries.
    let (_, task) = &targets[0];
    let _ = client.patch(&format!("/api/v1/issues/{task}"), json!({"project_id": null})).await.expect(200);
    let listed = client.get(&format!("{ENTRIES}?task_id={task}")).await.expect(200);
    assert_eq!(listed.body["data"][0]["in_project_id"], json!(project));
    // A ticket is not a task.
    let ticket = client.post("/api/v1/issues", json!({"kind": "ticket", "title": "t"})).await.expect(201).id();
    let wrong = client.post(ENTRIES, merged(duration("2030-01-07", 60), json!({"task_id": ticket}))).await.expect(422);
    assert_eq!(wrong.details(), ["task_id:not_found"]);
    let _ = entry(&client, merged(duration("2030-01-07", 60), json!({"ticket_id": ticket}))).await;
}
