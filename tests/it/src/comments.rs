//! Comments on issues.

use serde_json::json;
use test_support::{App, assert_members};

use crate::support::UNKNOWN_ID;
use crate::tools::fail as refused_tool;

#[tokio::test]
async fn tasks_have_no_public_comments() {
    let (_app, client) = App::with_client().await;
    let ticket = client.create("/api/v1/issues", json!({"kind": "ticket", "title": "t"})).await;
    let path = format!("/api/v1/issues/{ticket}/comments");
    let invalid = [
        (json!({"body": " \n "}), 422, "body:required"),
        (json!({"body": "b", "visibility": "Public"}), 400, "visibility:invalid_value"),
    ];
    for (body, status, detail) in invalid {
        assert_eq!(client.post(&path, body).await.expect(status).details(), [detail]);
    }
    let public = json!({"body": "b", "visibility": "public"});
    assert_eq!(client.post(&path, public.clone()).await.expect(201).data()["visibility"], "public");

    let task = client.create("/api/v1/issues", json!({"kind": "task", "title": "t"})).await;
    let path = format!("/api/v1/issues/{task}/comments");
    assert_eq!(client.post(&path, public).await.expect(422).details(), ["visibility:tickets_only"]);
    let created = client.post(&path, json!({"body": " b ", "visibility": null})).await.expect(201);
    let data = created.data();
    assert_members(data, &json!({"body": "b", "visibility": "internal", "issue_id": task}));
    assert_members(data, &json!({"author": data["created_by"]}));
    assert_eq!(data["author"]["type"], "api_key");
    assert_eq!(data["edited_at"], json!(null));
    assert_eq!(data.as_object().unwrap().len(), 10);
}

#[tokio::test]
async fn comments_are_paged_oldest_first_and_deleted_with_their_task() {
    let (_app, client) = App::with_client().await;
    let task = client.create("/api/v1/issues", json!({"kind": "task", "title": "t"})).await;
    let path = format!("/api/v1/issues/{task}/comments");
    assert!(client.get(&path).await.expect(200).ids().is_empty());
    let mut ids = Vec::new();
    for number in 0..5 {
        ids.push(client.create(&path, json!({"body": number.to_string()})).await);
    }
    let first = client.get(&format!("{path}?limit=3")).await.expect(200);
    assert_eq!(first.ids(), ids[..3]);
    let cursor = first.body["pagination"]["nextCursor"].as_str().unwrap();
    assert_eq!(client.get(&format!("{path}?limit=3&cursor={cursor}")).await.ids(), ids[3..]);
    assert_eq!(client.get(&format!("{path}?limit=3&page=2")).await.ids(), ids[3..]);
    let _ = client.delete(&format!("/api/v1/issues/{task}")).await.expect(200);
    assert_eq!(client.get(&path).await.status, 404);
    assert_eq!(client.post(&path, json!({"body": "b"})).await.status, 404);
    assert_eq!(client.get(&format!("/api/v1/issues/{UNKNOWN_ID}/comments")).await.status, 404);
}

/// The error message says how to proceed, over REST and in tools.
#[tokio::test]
async fn a_closed_ticket_accepts_only_internal_comments() {
    let (_app, tenant) = App::with_workspace().await;
    let (client, _) = tenant.key(json!({"preset": "full_access"})).await;
    let ticket = client.create("/api/v1/issues", json!({"kind": "ticket", "title": "t", "status": "closed"})).await;
    let (issue, path) = (format!("/api/v1/issues/{ticket}"), format!("/api/v1/issues/{ticket}/comments"));
    let public = json!({"body": "b", "visibility": "public"});
    let refused = client.post(&path, public.clone()).await.expect(409);
    let message = "the ticket is closed, so its customer could not reply: reopen it first (status open), or comment on it \
                   internally (visibility internal)";
    assert_eq!((refused.code(), &refused.body["error"]["message"]), ("invalid_state_change", &json!(message)));
    let arguments = json!({"issue_id": ticket, "body": "b", "visibility": "public"});
    let tool_error = refused_tool(&client, "add_comment", arguments).await;
    assert_eq!((&tool_error["error"], &tool_error["message"]), (&json!("invalid_state_change"), &json!(message)));
    assert!(client.get(&path).await.ids().is_empty(), "a refused comment is not kept");
    let _ = client.post(&path, json!({"body": "b"})).await.expect(201);
    let _ = client.patch(&issue, json!({"status": "open"})).await.expect(200);
    let _ = client.post(&path, public).await.expect(201);
}
