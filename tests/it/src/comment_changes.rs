//! Changing and deleting comments: who may do it, and who sees it.

use domain::identity::workspaces::Role;
use serde_json::{Value, json};
use test_support::{App, Client};

use crate::all_callers::{customer_of, issue_of, open_ticket};
use crate::tools::call;
use crate::webhook_events::subscribe;

/// The path of the comments on a new record of each kind.
async fn records(client: &Client) -> Vec<String> {
    let mut paths = Vec::new();
    for (parent, new) in [
        ("/api/v1/crm/companies", json!({"name": "c"})),
        ("/api/v1/crm/deals", json!({"title": "d"})),
        ("/api/v1/issues", json!({"kind": "task", "title": "t"})),
        ("/api/v1/issues", json!({"kind": "ticket", "title": "t"})),
    ] {
        paths.push(format!("{parent}/{}/comments", client.create(parent, new).await));
    }
    paths
}

#[tokio::test]
async fn authors_change_their_own_comments_and_owners_and_admins_any() {
    let (app, tenant) = App::with_workspace().await;
    let (owner, admin) = (tenant.user(Role::Owner).await.client, tenant.user(Role::Admin).await.client);
    let (author, other) = (tenant.user(Role::Member).await, tenant.user(Role::Member).await.client);
    let viewer = tenant.user(Role::Viewer).await.client;
    let key = tenant.full_access().await;
    for path in records(&owner).await {
        let by_user = format!("{path}/{}", author.client.create(&path, json!({"body": "b"})).await);
        let by_key = format!("{path}/{}", key.create(&path, json!({"body": "b"})).await);
        for (client, one, allowed) in [
            (&author.client, &by_user, true),
            (&author.client, &by_key, false),
            (&other, &by_user, false),
            (&viewer, &by_user, false),
            (&key, &by_key, true),
            // A key is not an administrator, whatever its scopes.
            (&key, &by_user, false),
            (&admin, &by_user, true),
            (&owner, &by_key, true),
        ] {
            let text = json!({"body": format!("changed by {:?}", client.key())});
            let reply = client.patch(one, text).await;
            let status = if allowed { 200 } else { 403 };
            assert_eq!(reply.status, status, "{one}: {}", reply.text);
            if allowed {
                assert!(reply.data()["edited_at"].is_string());
                assert_eq!(reply.data()["author"], reply.data()["created_by"], "the author stays the author");
            } else {
                assert_eq!(reply.code(), "forbidden");
                assert_eq!(client.delete(one).await.status, 403, "{one}");
            }
        }
        // Another session of the same user is the same author.
        let other_session = app.log_in(&author, &author.workspace).await;
        let _ = other_session.delete(&by_user).await.expect(200);
        let _ = admin.delete(&by_key).await.expect(200);
        assert!(owner.get(&path).await.expect(200).ids().is_empty(), "{path}");
    }
}

#[tokio::test]
async fn a_tool_call_of_another_key_is_denied() {
    let (_app, tenant) = App::with_workspace().await;
    let (mine, other) = (tenant.full_access().await, tenant.full_access().await);
    for path in records(&mine).await {
        let id = mine.create(&path, json!({"body": "b"})).await;
        for (name, arguments) in
            [("update_comment", json!({"id": id, "body": "c"})), ("delete_comment", json!({ "id": id }))]
        {
            let reply = call(&other, name, arguments).await;
            assert_eq!((reply.status, &reply.body["error"]), (403, &json!("permission_denied")), "{}", reply.text);
        }
        assert_eq!(mine.get(&path).await.expect(200).body["data"][0]["body"], "b");
    }
}

#[tokio::test]
async fn only_the_text_changes() {
    let (app, client) = App::with_client().await;
    for path in records(&client).await {
        let created = client.post(&path, json!({"body": "b"})).await.expect(201);
        let one = format!("{path}/{}", created.id());
        for (member, value) in [("visibility", json!("public")), ("author", json!(null)), ("record", json!(null))] {
            let reply = client.patch(&one, json!({member: value, "body": "c"})).await.expect(400);
            assert_eq!(reply.details(), [format!("{member}:unknown_field")], "{path}");
        }
        assert_eq!(client.patch(&one, json!({"body": null})).await.expect(422).details(), ["body:required"]);
        app.advance(time::Duration::minutes(1)).await;
        let changed = client.patch(&one, json!({"body": " c "})).await.expect(200);
        let mut expected = created.data().clone();
        for member in ["edited_at", "updated_at"] {
            expected[member] = changed.data()["updated_at"].clone();
        }
        expected["body"] = json!("c");
        expected["version"] = json!(2);
        assert_eq!(changed.data(), &expected, "{path}");
        assert_ne!(expected["updated_at"], expected["created_at"]);
        assert_eq!(client.patch(&one, json!({"body": "c"})).await.expect(200).data(), &expected, "no change");
        assert_eq!(client.get(&path).await.expect(200).body["data"], json!([expected]));
    }
}

#[tokio::test]
async fn customers_see_that_an_answer_was_edited_but_not_deleted_answers() {
    let (app, tenant) = App::with_workspace().await;
    let (client, admin) = (tenant.full_access().await, tenant.user(Role::Admin).await.client);
    let reference = open_ticket(&client, "ada@example.org").await;
    let comments = format!("/api/v1/issues/{}/comments", issue_of(&client, &reference).await);
    let customer = customer_of(&app, &client, &reference).await;
    let answer = client.create(&comments, json!({"body": "Plug it in", "visibility": "public"})).await;
    let reply = customer.post("/api/portal/ticket/replies", json!({"body": "My password is x"})).await.expect(201);
    assert_eq!(reply.data()["edited_at"], Value::Null);
    let reply = reply.id();
    let _ = client.patch(&format!("{comments}/{answer}"), json!({"body": "Switch it on"})).await.expect(200);
    let view = customer.get("/api/portal/ticket").await.expect(200);
    let shown = &view.data()["comments"];
    assert_eq!((&shown[0]["body"], shown[0]["edited_at"].is_string()), (&json!("Switch it on"), true));
    assert_eq!((&shown[1]["body"], &shown[1]["edited_at"]), (&json!("My password is x"), &Value::Null));
    assert_eq!(view.data(), client.get(&format!("/api/public/tickets/{reference}")).await.expect(200).data());
    // Nobody may edit a customer's reply; an admin may delete it.
    let theirs = format!("{comments}/{reply}");
    for editor in [&client, &admin] {
        assert_eq!(editor.patch(&theirs, json!({"body": "All is well"})).await.expect(403).code(), "forbidden");
    }
    assert_eq!(client.delete(&theirs).await.status, 403);
    let _ = admin.delete(&theirs).await.expect(200);
    let view = customer.get("/api/portal/ticket").await.expect(200);
    assert_eq!(view.data()["comments"].as_array().unwrap().len(), 1);
    assert!(!view.text.contains("password"));
}

#[tokio::test]
async fn changes_to_comments_of_others_are_in_the_audit_log() {
    let (_app, tenant) = App::with_workspace().await;
    let (owner, author) = (tenant.user(Role::Owner).await, tenant.user(Role::Member).await);
    let paths = records(&owner.client).await;
    for path in &paths {
        let one = format!("{path}/{}", author.client.create(path, json!({"body": "secret words"})).await);
        let _ = author.client.patch(&one, json!({"body": "my words"})).await.expect(200);
        let _ = owner.client.patch(&one, json!({"body": "my words"})).await.expect(200);
        let _ = owner.client.patch(&one, json!({"body": "other words"})).await.expect(200);
        let _ = owner.client.delete(&one).await.expect(200);
    }
    let log = owner.client.get("/api/settings/audit-log?limit=100").await.expect(200);
    assert!(!log.text.contains("words"), "{}", log.text);
    let entries = log.data().as_array().unwrap();
    let entries_for = |action: &str| entries.iter().filter(|entry| entry["action"] == action).collect::<Vec<_>>();
    for action in ["comment.updated", "comment.deleted"] {
        let entries = entries_for(action);
        assert_eq!(entries.len(), paths.len(), "one for each change of somebody else's: {action}");
        for entry in entries {
            assert_eq!(entry["actor"]["id"], json!(owner.id));
            assert_eq!(entry["subject"]["type"], "comment");
            assert_eq!(entry["details"]["author"], json!({"type": "user", "id": author.id}));
            assert!(entry["details"]["record"]["id"].is_string(), "{entry}");
        }
    }
}

#[tokio::test]
async fn changes_of_comments_on_issues_emit_events() {
    let (_app, tenant, hook) = App::with_receiver().await;
    for module in ["projects", "support"] {
        let _ = subscribe(&tenant, &hook, module, json!(["*"])).await;
    }
    let client = tenant.full_access().await;
    for (kind, visibility) in [("task", "internal"), ("ticket", "public")] {
        let issue = client.create("/api/v1/issues", json!({"kind": kind, "title": "t"})).await;
        let path = format!("/api/v1/issues/{issue}/comments");
        let created = client.post(&path, json!({"body": "b", "visibility": visibility})).await.expect(201);
        let one = format!("{path}/{}", created.id());
        let _ = client.patch(&one, json!({"body": "c"})).await.expect(200);
        let _ = client.delete(&one).await.expect(200);
        // Webhooks do not get internal comments of tickets.
        if kind == "ticket" {
            let internal = client.create(&path, json!({"body": "b"})).await;
            let _ = client.delete(&format!("{path}/{internal}")).await.expect(200);
        }
        let _ = client.patch(&format!("/api/v1/issues/{issue}"), json!({"title": "u"})).await.expect(200);
    }
    let mut names: Vec<_> = hook.wait_for(10).await.iter().map(|one| one.event().to_owned()).collect();
    names.sort();
    let expected = ["created", "comment_added", "comment_updated", "comment_deleted", "updated"];
    let mut expected: Vec<_> =
        ["task", "ticket"].iter().flat_map(|noun| expected.map(|verb| format!("{noun}.{verb}"))).collect();
    expected.sort();
    assert_eq!(names, expected);
}
