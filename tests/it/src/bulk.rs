//! The bulk update of issues.

use serde_json::{Value, json};
use test_support::{App, Client, assert_members};

use crate::support::UNKNOWN_ID;

const PATH: &str = "/api/v1/issues/bulk-update";

async fn make(client: &Client, body: Value) -> String {
    client.create("/api/v1/issues", body).await
}

#[tokio::test]
async fn the_body_is_strict_and_bounded() {
    let (_app, client) = App::with_client().await;
    let id = |number: usize| format!("01890a5d-ac96-774b-bcce-{number:012}");
    let ids = |count: usize| (0..count).map(id).collect::<Vec<_>>();
    let patch = json!({"priority": "high"});
    for (body, status, details) in [
        (json!({"issueIds": ids(500), "patch": patch}), 200, vec![]),
        (json!({"issueIds": ids(501), "patch": patch}), 422, vec!["issueIds:out_of_range"]),
        // Duplicates count: one id 501 times is too many.
        (json!({"issueIds": vec![id(1); 500], "patch": patch}), 200, vec![]),
        (json!({"issueIds": vec![id(1); 501], "patch": patch}), 422, vec!["issueIds:out_of_range"]),
        (json!({"issueIds": "x", "patch": []}), 400, vec!["issueIds:invalid_type", "patch:invalid_type"]),
        (json!({"issueIds": ids(1), "patch": {"labels": []}}), 400, vec!["patch.labels:unknown_field"]),
        (json!({"issueIds": ids(1), "patch": {"status": "Done"}}), 400, vec!["patch.status:invalid_value"]),
        (
            json!({"issueIds": ids(1), "patch": {"add_labels": ["x".repeat(101)]}}),
            422,
            vec!["patch.add_labels[0]:too_long"],
        ),
        (
            json!({"issueIds": ids(1), "patch": {"assignee_id": UNKNOWN_ID, "cycle_id": UNKNOWN_ID, "epic_id": UNKNOWN_ID}}),
            422,
            vec!["patch.assignee_id:not_found", "patch.cycle_id:not_found", "patch.epic_id:not_found"],
        ),
    ] {
        let excerpt: String = body.to_string().chars().take(120).collect();
        let reply = client.post(PATH, body).await;
        assert_eq!(reply.status, status, "{excerpt}");
        assert_eq!(reply.details(), details, "{excerpt}");
    }
}

#[tokio::test]
async fn items_succeed_or_fail_independently() {
    let (_app, client) = App::with_client().await;
    let project = client.create("/api/v1/projects", json!({"name": "p"})).await;
    let cycle = client
        .post(
            &format!("/api/v1/projects/{project}/cycles"),
            json!({"name": "c", "start_date": "2030-01-01", "end_date": "2030-01-02"}),
        )
        .await
        .id();
    let task = make(&client, json!({"kind": "task", "title": "t", "project_id": project})).await;
    let other = make(&client, json!({"kind": "task", "title": "t"})).await;
    let ticket = make(&client, json!({"kind": "ticket", "title": "t", "status": "closed"})).await;
    let bulk = |ids: Value, patch: Value| json!({"issueIds": ids, "patch": patch});
    let outcome = |reply: test_support::ApiResponse| {
        let data = reply.expect(200).data().clone();
        assert_eq!(data["updatedCount"], data["updated"].as_array().unwrap().len());
        assert_eq!(data["failedCount"], data["failed"].as_array().unwrap().len());
        let failed: Vec<_> =
            data["failed"].as_array().unwrap().iter().map(|item| (item["id"].clone(), item["code"].clone())).collect();
        (data["updated"].clone(), failed)
    };
    let reply = client.post(PATH, bulk(json!([UNKNOWN_ID, ticket, task, task]), json!({"status": "done"}))).await;
    assert_eq!(
        outcome(reply),
        (
            json!([task]),
            vec![(json!(UNKNOWN_ID), json!("not_found")), (json!(ticket), json!("invalid_status_for_kind"))]
        )
    );
    assert!(!client.get(&format!("/api/v1/issues/{task}")).await.data()["completed_at"].is_null());
    let reply = client.post(PATH, bulk(json!([ticket]), json!({"status": "pending"}))).await;
    assert_eq!(outcome(reply), (json!([]), vec![(json!(ticket), json!("invalid_state_change"))]));
    let reply = client.post(PATH, bulk(json!([task, other]), json!({"cycle_id": cycle}))).await;
    assert_eq!(outcome(reply), (json!([task]), vec![(json!(other), json!("cycle_of_another_project"))]));
    // Null clears a member, or resets it to the default of the kind.
    let reply = client
        .post(
            PATH,
            bulk(json!([task, ticket]), json!({"status": null, "cycle_id": null, "epic_id": null, "priority": null})),
        )
        .await;
    assert_eq!(outcome(reply).1, vec![]);
    let data = client.get(&format!("/api/v1/issues/{task}")).await.data().clone();
    assert_members(&data, &json!({"status": "todo", "cycle_id": null, "completed_at": null}));
    assert_eq!(client.get(&format!("/api/v1/issues/{ticket}")).await.data()["status"], "open");
}

#[tokio::test]
async fn every_patch_member_is_applied_and_an_equal_one_changes_nothing() {
    let (_app, tenant) = App::with_workspace().await;
    let (client, member) = (tenant.full_access().await, tenant.member("m@example.com").await.to_string());
    let epic = make(&client, json!({"kind": "task", "title": "epic"})).await;
    let task = make(&client, json!({"kind": "task", "title": "t"})).await;
    let patch = json!({
        "status": "in_review", "assignee_id": member, "priority": "low", "due_at": "2030-01-01T00:00:00.000000Z", "start_date": "2029-12-01",
        "epic_id": epic, "add_labels": ["Bug", "ui"],
    });
    for version in [2, 2] {
        let _ = client.post(PATH, json!({"issueIds": [task], "patch": patch})).await.expect(200);
        let data = client.get(&format!("/api/v1/issues/{task}")).await.data().clone();
        for member in ["status", "assignee_id", "priority", "due_at", "start_date", "epic_id"] {
            assert_eq!(data[member], patch[member], "{member}");
        }
        assert_eq!((&data["labels"], &data["version"]), (&json!(["Bug", "ui"]), &json!(version)));
    }
    let _ = client
        .post(PATH, json!({"issueIds": [task], "patch": {"add_labels": ["BUG", "New"], "remove_labels": ["UI"]}}))
        .await
        .expect(200);
    assert_eq!(client.get(&format!("/api/v1/issues/{task}")).await.data()["labels"], json!(["Bug", "New"]));
    let many: Vec<_> = (0..49).map(|number| number.to_string()).collect();
    let reply = client.post(PATH, json!({"issueIds": [task], "patch": {"add_labels": many}})).await.expect(200);
    assert_eq!(reply.data()["failed"][0]["code"], "invalid_state_change");
}

#[tokio::test]
async fn five_hundred_issues_per_request() {
    let (_app, client) = App::with_client().await;
    let mut ids = Vec::new();
    for number in 0..500 {
        ids.push(make(&client, json!({"kind": if number % 2 == 0 { "task" } else { "ticket" }, "title": "t"})).await);
    }
    let reply = client
        .post(PATH, json!({"issueIds": ids, "patch": {"priority": "urgent", "add_labels": ["all"]}}))
        .await
        .expect(200);
    assert_eq!(reply.data()["updated"], json!(ids));
    let page = client.get("/api/v1/issues?limit=100").await;
    assert!(
        page.body["data"]
            .as_array()
            .unwrap()
            .iter()
            .all(|issue| issue["priority"] == "urgent" && issue["version"] == 2)
    );
}

/// One request changes more than fits into memory: each issue once, with its event.
#[tokio::test]
async fn the_largest_issues_are_changed_in_batches() {
    let (_app, client) = App::with_client().await;
    let mut ids = Vec::new();
    for number in 0..50 {
        // 200 KB each, so 10 MB in all.
        let description = format!("{number:05}{}", "\u{20000}".repeat(49_995));
        ids.push(make(&client, json!({"kind": "task", "title": "Long", "description": description})).await);
    }
    let body = json!({"issueIds": ids, "patch": {"priority": "low", "add_labels": ["moved"]}});
    let reply = client.post(PATH, body).await.expect(200);
    assert_eq!(reply.data()["updated"], json!(ids));
    for (number, id) in ids.iter().enumerate() {
        let issue = client.get(&format!("/api/v1/issues/{id}")).await.expect(200);
        let issue = issue.data();
        assert_members(issue, &json!({"version": 2, "priority": "low", "labels": ["moved"]}));
        assert!(issue["description"].as_str().unwrap().starts_with(&format!("{number:05}")));
        let history = client.get(&format!("/api/v1/issues/{id}/history")).await.expect(200);
        assert_eq!(history.body["data"].as_array().unwrap().len(), 2);
        assert_eq!(history.body["data"][0]["data"], *issue);
    }
}
