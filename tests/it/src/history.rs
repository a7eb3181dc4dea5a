//! Histories of records: who changed what, and who may read it.

use domain::identity::workspaces::Role;
use serde_json::{Value, json};
use test_support::{ApiResponse, App, Client, assert_members};

use crate::all_callers::{customer_of, issue_of, open_ticket};
use crate::support::UNKNOWN_ID;
use crate::tools::{call, fail, run};

/// For each kind with a history route: the collection, the body of a create, and a change.
fn kinds() -> [(&'static str, &'static str, Value, Value); 5] {
    [
        ("company", "/api/v1/crm/companies", json!({"name": "Acme"}), json!({"name": "Acme Ltd"})),
        ("deal", "/api/v1/crm/deals", json!({"title": "Pilot"}), json!({"title": "Pilot 2", "stage": "proposal"})),
        ("project", "/api/v1/projects", json!({"name": "Launch"}), json!({"status": "active", "progress": 5})),
        ("task", "/api/v1/issues", json!({"kind": "task", "title": "t"}), json!({"status": "done", "title": "u"})),
        ("ticket", "/api/v1/issues", json!({"kind": "ticket", "title": "t"}), json!({"priority": "urgent"})),
    ]
}

fn names(history: &ApiResponse) -> Vec<String> {
    let events = history.body["data"].as_array().unwrap();
    events.iter().map(|event| event["event"].as_str().unwrap().to_owned()).collect()
}

#[tokio::test]
async fn a_history_contains_actors_changes_and_times() {
    let (_app, tenant) = App::with_workspace().await;
    let (key, owner) = (tenant.full_access().await, tenant.user(Role::Owner).await);
    for (kind, collection, new, change) in kinds() {
        let reply = key.post(collection, new).await.expect(201);
        let path = format!("{collection}/{}", reply.id());
        let request = owner.client.request("PATCH", &path).header("X-Request-Id", "change-1").json(&change);
        let updated = ApiResponse::of(request).await.expect(200);
        let history = key.get(&format!("{path}/history")).await.expect(200);
        let events = history.body["data"].as_array().unwrap();
        let expected = json!({"page": 1, "limit": 50, "hasMore": false, "nextCursor": null});
        assert_eq!(history.body["pagination"], expected, "{kind}");
        let members: Vec<_> = events[0].as_object().unwrap().keys().map(String::as_str).collect();
        assert_eq!(members.len(), 11, "{members:?}");
        let (created, later) = events.split_last().unwrap();
        assert_eq!((&created["event"], &created["version"]), (&json!(format!("{kind}.created")), &json!(1)));
        assert_eq!((&created["data"], &created["changes"]), (reply.data(), &json!({})), "{kind}");
        assert_eq!((&created["actor"]["type"], &created["actor"]["name"]), (&json!("api_key"), &json!("test")));
        let mut changes = serde_json::Map::new();
        for event in later {
            assert_eq!(event["record"], json!({"type": kind, "id": reply.id()}), "{kind}");
            assert_eq!((&event["version"], &event["request_id"]), (&json!(2), &json!("change-1")), "{kind}");
            assert_eq!(event["actor"]["id"], json!(owner.id), "{kind}");
            assert_eq!((&event["actor"]["type"], &event["tool"]), (&json!("user"), &Value::Null), "{kind}");
            assert_eq!(&event["data"], updated.data(), "{kind}");
            assert_eq!(event["created_at"], updated.data()["updated_at"], "{kind}");
            changes.extend(event["changes"].as_object().unwrap().clone());
        }
        for (member, to) in change.as_object().unwrap() {
            assert_eq!(changes[member], json!({"from": reply.data()[member], "to": to}), "{kind}.{member}");
        }
        let ids = history.ids();
        assert!(ids.is_sorted_by(|one, other| one > other), "newest first: {ids:?}");
    }
}

#[tokio::test]
async fn comments_are_part_of_a_history() {
    let (_app, key) = App::with_client().await;
    for (kind, collection, new, _) in kinds().into_iter().filter(|(kind, ..)| *kind != "project") {
        let record = key.create(collection, new).await;
        let comments = format!("{collection}/{record}/comments");
        let comment = format!("{comments}/{}", key.create(&comments, json!({"body": "b"})).await);
        let _ = key.patch(&comment, json!({"body": "c"})).await.expect(200);
        let _ = key.delete(&comment).await.expect(200);
        let history = key.get(&format!("{collection}/{record}/history")).await.expect(200);
        let expected = ["comment_deleted", "comment_updated", "comment_added", "created"];
        assert_eq!(names(&history), expected.map(|verb| format!("{kind}.{verb}")));
        let events = history.body["data"].as_array().unwrap();
        assert_eq!(events[1]["changes"]["body"], json!({"from": "b", "to": "c"}), "{kind}");
        assert!(events[..3].iter().all(|event| event["version"].is_null()), "{kind}");
    }
}

#[tokio::test]
async fn customer_actions_are_in_the_history_of_the_ticket() {
    let (app, key) = App::with_client().await;
    let reference = open_ticket(&key, "ada@example.org").await;
    let path = format!("/api/v1/issues/{}", issue_of(&key, &reference).await);
    let _ = key.patch(&path, json!({"status": "pending"})).await.expect(200);
    let customer = customer_of(&app, &key, &reference).await;
    let _ = customer.post("/api/portal/ticket/replies", json!({"body": "It prints"})).await.expect(201);
    let history = key.get(&format!("{path}/history")).await.expect(200);
    let events = history.body["data"].as_array().unwrap();
    let by_customer: Vec<_> = events.iter().filter(|event| event["actor"]["type"] == "customer").collect();
    let text: Vec<_> = by_customer.iter().map(|event| event["event"].as_str().unwrap()).collect();
    assert!(text.contains(&"ticket.comment_added") && text.contains(&"ticket.status_changed"), "{text:?}");
    assert!(by_customer.iter().all(|event| event["actor"]["id"].is_null()));
}

#[tokio::test]
async fn the_history_of_a_deleted_record_is_for_callers_who_may_list_deleted_ones() {
    let app = App::start().await;
    let (tenant, other) = (app.workspace().await, app.workspace().await);
    let user = async |role| tenant.user(role).await.client;
    let (owner, admin) = (user(Role::Owner).await, user(Role::Admin).await);
    let (member, viewer) = (user(Role::Member).await, user(Role::Viewer).await);
    let writer = tenant.full_access().await;
    let reader = tenant.key(json!({"preset": "read_only"})).await.0;
    let foreign = other.user(Role::Owner).await.client;
    for (kind, collection, new, change) in kinds().into_iter().filter(|(kind, ..)| *kind != "ticket") {
        let path = format!("{collection}/{}", writer.create(collection, new).await);
        let history = format!("{path}/history");
        let _ = writer.patch(&path, change).await.expect(200);
        for client in [&owner, &admin, &member, &viewer, &writer, &reader] {
            let _ = client.get(&history).await.expect(200);
        }
        assert_eq!(foreign.get(&history).await.status, 404, "{kind}");
        let _ = writer.delete(&path).await.expect(200);
        for client in [&owner, &admin, &writer] {
            let results = client.get(&history).await.expect(200);
            assert_eq!(results.body["data"][0]["event"], json!(format!("{kind}.deleted")));
            assert_eq!(results.body["data"].as_array().unwrap().last().unwrap()["version"], json!(1), "{kind}");
        }
        for client in [&member, &viewer, &reader, &foreign] {
            let refused = client.get(&history).await;
            assert_eq!((refused.status, refused.code()), (404, "not_found"), "{kind}");
        }
        let nowhere = format!("{collection}/{UNKNOWN_ID}/history");
        assert_eq!((owner.get(&nowhere).await.status, reader.get(&nowhere).await.status), (404, 404), "{kind}");
    }
    // An id of another kind is not found, even by callers who see deleted records.
    let deal = writer.create("/api/v1/crm/deals", json!({"title": "d"})).await;
    for wrong in ["/api/v1/crm/companies", "/api/v1/projects", "/api/v1/issues"] {
        assert_eq!(owner.get(&format!("{wrong}/{deal}/history")).await.status, 404, "{wrong}");
    }
}

/// A record of each kind: its type in tools, its id, and the verbs of its events, newest first.
async fn one_of_each(client: &Client) -> Vec<(&'static str, String, Vec<&'static str>)> {
    let make =
        async |tool: &str, arguments: Value| run(client, tool, arguments).await["id"].as_str().unwrap().to_owned();
    let project = make("create_project", json!({"name": "p"})).await;
    let days = json!({"project_id": project, "name": "c", "start_date": "2030-01-01", "end_date": "2030-01-14"});
    let records = vec![
        ("contact", make("create_contact", json!({"email": "a@example.com"})).await),
        ("company", make("create_company", json!({"name": "c"})).await),
        ("deal", make("create_deal", json!({"title": "d"})).await),
        ("cycle", make("create_cycle", days).await),
        ("project", project),
        ("task", make("create_task", json!({"title": "t"})).await),
        ("ticket", make("create_ticket", json!({"title": "t"})).await),
        ("article", make("create_kb_article", json!({"title": "a"})).await),
    ];
    let mut all = Vec::new();
    for (kind, id) in records {
        let (tool, member) = match kind {
            "contact" => ("update_contact", "job_title"),
            "deal" | "task" | "ticket" => ("", "title"),
            "article" => ("update_kb_article", "title"),
            _ => ("", "name"),
        };
        let tool = if tool.is_empty() { format!("update_{kind}") } else { tool.to_owned() };
        let _ = run(client, &tool, json!({"id": id, member: "changed"})).await;
        all.push((kind, id, vec!["updated", "created"]));
    }
    all
}

#[tokio::test]
async fn the_tool_shows_histories_of_every_kind() {
    let (_app, client) = App::with_client().await;
    for (kind, id, verbs) in one_of_each(&client).await {
        let history = run(&client, "get_history", json!({"type": kind, "id": id})).await;
        let events: Vec<_> = history["data"].as_array().unwrap().iter().map(|row| row["event"].clone()).collect();
        assert_eq!(events, verbs.iter().map(|verb| json!(format!("{kind}.{verb}"))).collect::<Vec<_>>());
        let change = &history["data"][0];
        assert_eq!((&change["version"], &change["actor"]["name"]), (&json!(2), &json!("test")), "{kind}");
        assert!(change["tool"].as_str().is_some_and(|tool| tool.starts_with("update_")), "{change}");
        assert_eq!(change["changes"].as_array().unwrap().last().unwrap()["to"], json!("changed"), "{kind}");
        let first = run(&client, "get_history", json!({"type": kind, "id": id, "limit": 1})).await;
        let next = json!({"type": kind, "id": id, "limit": 1, "cursor": first["pagination"]["nextCursor"]});
        assert_eq!(run(&client, "get_history", next).await["data"][0], history["data"][1], "{kind}");
        for other in ["contact", "company", "deal", "project", "cycle", "task", "ticket", "article"] {
            if other != kind {
                let refused = fail(&client, "get_history", json!({"type": other, "id": id})).await;
                assert_eq!(refused["error"], "not_found", "{kind} as {other}");
            }
        }
    }
}

#[tokio::test]
async fn the_tool_names_members_and_finds_tickets_by_reference() {
    let (_app, tenant, client) = App::with_workspace_client().await;
    let (one, other) = (tenant.user(Role::Member).await, tenant.user(Role::Member).await);
    let ticket = run(&client, "create_ticket", json!({"title": "t", "assignee_id": one.email})).await;
    let _ = run(&client, "update_ticket", json!({"id": ticket["id"], "assignee_id": other.email})).await;
    let by_reference = json!({"type": "ticket", "reference": ticket["reference"]});
    let history = run(&client, "get_history", by_reference).await;
    let change = &history["data"][0]["changes"][0];
    assert_members(change, &json!({"member": "assignee_id", "from": one.id, "to": other.id}));
    assert!(change["from_name"].is_string() && change["to_name"].is_string(), "{change}");
    assert_eq!(history["data"][1]["data"]["title"], json!("t"));
    for (arguments, field) in [
        (json!({"type": "ticket"}), "id"),
        (json!({"type": "task", "reference": ticket["reference"]}), "reference"),
        (json!({"type": "ticket", "id": ticket["id"], "reference": ticket["reference"]}), "id"),
    ] {
        let reply = call(&client, "get_history", arguments.clone()).await;
        assert!(reply.text.contains(field) && reply.text.contains("reference"), "{arguments}: {}", reply.text);
        assert!(reply.status == 400 || reply.body["isError"] == json!(true), "{arguments}: {}", reply.text);
    }
}

#[tokio::test]
async fn the_tool_shows_only_what_the_key_may_read() {
    let (_app, tenant, full) = App::with_workspace_client().await;
    let records = one_of_each(&full).await;
    let permissions = [
        ("contact", "read_contacts"),
        ("company", "read_companies"),
        ("deal", "read_deals"),
        ("cycle", "read_cycles"),
        ("project", "read_projects"),
        ("task", "read_tasks"),
        ("ticket", "read_tickets"),
        ("article", "read_kb_articles"),
    ];
    for (own, permission) in permissions {
        let key = json!({"preset": "full_access", "permissions": { permission: true }});
        let client = tenant.key(key).await.0;
        for (kind, id, _) in &records {
            let arguments = json!({"type": kind, "id": id});
            if *kind == own {
                let _ = run(&client, "get_history", arguments).await;
            } else {
                assert_eq!(fail(&client, "get_history", arguments).await["error"], "not_found", "{kind} by {own}");
            }
        }
    }
    let id_of = |kind: &str| records.iter().find(|(known, ..)| *known == kind).unwrap().1.clone();
    // Comments on issues have their own permission; others have the record's.
    for (kind, permission, shows) in [("task", "read_tasks", false), ("deal", "read_deals", true)] {
        let member = if kind == "task" { "issue_id" } else { "deal_id" };
        let _ = run(&full, "add_comment", json!({ member: id_of(kind), "body": "b" })).await;
        let key = json!({"preset": "full_access", "permissions": { permission: true }});
        let client = tenant.key(key).await.0;
        let history = run(&client, "get_history", json!({"type": kind, "id": id_of(kind)})).await;
        assert_eq!(history["data"][0]["event"] == json!(format!("{kind}.comment_added")), shows, "{history}");
    }
    // Deleted records are for keys that may delete.
    for (kind, id, _) in records.iter().filter(|(kind, ..)| *kind != "ticket") {
        let delete = if *kind == "article" { "delete_kb_article".to_owned() } else { format!("delete_{kind}") };
        let _ = run(&full, &delete, json!({ "id": id })).await;
        let arguments = json!({"type": kind, "id": id});
        let history = run(&full, "get_history", arguments.clone()).await;
        assert_eq!(history["data"][0]["event"], json!(format!("{kind}.deleted")));
        let reader = tenant.key(json!({"preset": "read_only"})).await.0;
        assert_eq!(fail(&reader, "get_history", arguments).await["error"], "not_found", "{kind}");
    }
}
