//! The catalogue of events: its visibility, and that all emitted events match it.

use std::collections::{BTreeMap, BTreeSet};

use domain::identity::workspaces::Role;
use jsonschema::Validator;
use serde_json::{Value, json};
use test_support::{App, Client, simple_kinds};

use crate::database::texts;
use crate::tools::{catalogue, create, run, start_with_all_tools};

const TYPES: &str = "/api/v1/event-types";

fn names(types: &Value) -> Vec<String> {
    types.as_array().unwrap().iter().map(|event| event["event"].as_str().unwrap().to_owned()).collect()
}

fn validator(schema: &Value) -> Validator {
    let options = jsonschema::draft202012::options().should_validate_formats(true);
    options.build(schema).unwrap_or_else(|error| panic!("{error}: {schema}"))
}

#[tokio::test]
async fn each_event_has_a_description_a_schema_and_a_matching_example() {
    let (_app, tenant) = App::with_workspace().await;
    let types = tenant.user(Role::Viewer).await.client.get(TYPES).await.expect(200);
    for entry in types.data().as_array().unwrap() {
        let members: Vec<_> = entry.as_object().unwrap().keys().map(String::as_str).collect();
        assert_eq!(members, ["description", "event", "example", "module", "schema"]);
        let (event, schema) = (&entry["event"], &entry["schema"]);
        assert!(jsonschema::draft202012::meta::is_valid(schema), "{event}: {schema}");
        if let Err(error) = validator(schema).validate(&entry["example"]) {
            panic!("{event}: {error}: {}", entry["example"]);
        }
        assert!(!entry["description"].as_str().unwrap().is_empty(), "{event}");
        assert!(["projects", "support", "crm", "time"].contains(&entry["module"].as_str().unwrap()), "{event}");
    }
    let won_deal = types.data().as_array().unwrap().iter().find(|entry| entry["event"] == "deal.won").unwrap();
    let schema_of = |member: &str| &won_deal["schema"]["properties"]["data"]["properties"][member];
    assert!(schema_of("stage")["enum"].as_array().unwrap().contains(&json!("closed_won")), "{}", schema_of("stage"));
    assert_eq!(won_deal["example"]["changes"]["status"], json!({"from": "open", "to": "closed_won"}));
    // Subscriptions accept each of these names.
    for (module, hook) in [("projects", "p"), ("support", "s"), ("crm", "c"), ("time", "t")] {
        let all = types.data().as_array().unwrap().iter().filter(|entry| entry["module"] == module);
        let all: Vec<_> = all.map(|entry| &entry["event"]).collect();
        let body =
            json!({"module": module, "url": format!("https://example.com/{hook}"), "events": all, "enabled": false});
        let owner = tenant.user(Role::Owner).await.client;
        let _ = owner.post("/api/settings/webhooks", body).await.expect(201);
    }
    let refused = tenant.full_access().await.get(&format!("{TYPES}?nope=1")).await.expect(400);
    assert_eq!(refused.details(), ["nope:unknown_parameter"]);
}

#[tokio::test]
async fn a_key_sees_the_events_of_records_that_it_may_read() {
    let (_app, tenant) = App::with_workspace().await;
    let everything = names(tenant.user(Role::Owner).await.client.get(TYPES).await.expect(200).data());
    let visible = async |key: Value| {
        let (client, _) = tenant.key(key).await;
        names(client.get(TYPES).await.expect(200).data())
    };
    let starting = |nouns: &[&str]| -> Vec<_> {
        everything.iter().filter(|name| nouns.contains(&name.split_once('.').unwrap().0)).cloned().collect()
    };
    assert_eq!(visible(json!({"scopes": ["deals.read"]})).await, starting(&["deal"]));
    assert_eq!(visible(json!({"scopes": ["crm.write", "contacts.read"]})).await, starting(&["contact", "company"]));
    assert_eq!(visible(json!({"scopes": ["projects.read"]})).await, starting(&["project", "cycle"]));
    assert_eq!(visible(json!({"scopes": ["issues.read"]})).await, starting(&["task", "ticket"]));
    // A permission map restricts events as it restricts records.
    let narrowed = json!({"scopes": ["issues.read"], "permissions": {"read_tasks": true}});
    let of_tasks: Vec<_> = starting(&["task"]).into_iter().filter(|name| !name.contains("comment")).collect();
    assert_eq!(visible(narrowed).await, of_tasks);
    let (other, _) = tenant.key(json!({"scopes": ["bookings.write"]})).await;
    let _ = other.get(TYPES).await.expect(403);
}

/// All events caused by changes over REST and tools match the catalogue, and every event of the
/// catalogue is emitted.
#[tokio::test]
async fn every_emitted_event_matches_its_schema_and_every_type_is_emitted() {
    let (app, tenant, client) = start_with_all_tools().await;
    let mut types = tenant.user(Role::Owner).await.client.get(TYPES).await.expect(200).data().clone();
    let all = types.as_array_mut().unwrap();
    let schemas: BTreeMap<_, _> =
        all.iter().map(|entry| (entry["event"].as_str().unwrap().to_owned(), validator(&entry["schema"]))).collect();
    let can_restore = catalogue(&client).await.iter().any(|tool| tool["name"] == "restore_record");
    let grace = tenant.member("grace@example.org").await.to_string();
    drive_crm(&client, can_restore).await;
    drive_projects(&client, &grace, can_restore).await;
    drive_support(&client, &grace, can_restore).await;
    drive_time(&client, &tenant.user(Role::Owner).await.client, &grace, can_restore).await;
    let mut emitted = BTreeSet::new();
    for (event, payload) in logged(&app) {
        let payload: Value = serde_json::from_str(&payload).unwrap();
        let schema = schemas.get(&event).unwrap_or_else(|| panic!("{event} is not in the catalogue"));
        if let Err(error) = schema.validate(&payload) {
            panic!("{event}: {error} at {}: {payload}", error.instance_path());
        }
        emitted.insert(event);
    }
    let is_emitted = |event: &&String| can_restore || !event.ends_with(".restored");
    let missing: Vec<_> = schemas.keys().filter(is_emitted).filter(|event| !emitted.contains(*event)).collect();
    assert!(missing.is_empty(), "never happened: {missing:?}");
}

/// The names and payloads of all events.
fn logged(app: &App) -> Vec<(String, String)> {
    let rows = texts(app, "SELECT event || ' ' || payload FROM events").into_iter();
    rows.map(|row| row.split_once(' ').map(|(event, payload)| (event.to_owned(), payload.to_owned())).unwrap())
        .collect()
}

/// Adds, changes and deletes a comment.
async fn comment(client: &Client, on: Value) {
    let mut arguments = on;
    arguments["body"] = json!("b");
    let id = create(client, "add_comment", arguments).await;
    let _ = run(client, "update_comment", json!({"id": id, "body": "c"})).await;
    let _ = run(client, "delete_comment", json!({ "id": id })).await;
}

/// Deletes a record, and restores it if possible.
async fn delete(client: &Client, kind: &str, id: &str, can_restore: bool) {
    let tool = if kind == "article" { "delete_kb_article".to_owned() } else { format!("delete_{kind}") };
    let _ = run(client, &tool, json!({ "id": id })).await;
    if can_restore {
        let _ = run(client, "restore_record", json!({"type": kind, "id": id})).await;
    }
}

async fn drive_crm(client: &Client, can_restore: bool) {
    let contact = create(client, "create_contact", json!({
        "email": "ada@example.com", "tags": ["vip"], "custom_fields": {"size": 3}, "social_linkedin": "https://www.linkedin.com/in/ada",
    }))
    .await;
    let _ =
        run(client, "update_contact", json!({"id": contact, "job_title": "CTO", "custom_fields": {"b": [1]}})).await;
    let _ = run(
        client,
        "upsert_contacts",
        json!({"items": [{"email": "ada@example.com", "city": "Ulm"}, {"email": "b@example.com"}]}),
    )
    .await;
    let company = create(client, "create_company", json!({"name": "Acme", "website": "https://acme.example"})).await;
    let _ = run(client, "update_company", json!({"id": company, "domain": "acme.example"})).await;
    let deal = json!({
        "title": "D", "value": 1250.5, "contact_id": contact, "company_id": company, "expected_close_date": "2030-01-31",
        "commission_pct": 2.5, "probability": 10,
    });
    let deal = create(client, "create_deal", deal).await;
    for change in [
        json!({"title": "E", "value": null}),
        json!({"stage": "proposal"}),
        json!({"status": "closed_won"}),
        json!({"status": "open"}),
        json!({"status": "closed_lost", "lost_reason": "price"}),
    ] {
        let mut arguments = change;
        arguments["id"] = json!(deal);
        let _ = run(client, "update_deal", arguments).await;
    }
    for on in [json!({"contact_id": contact}), json!({"company_id": company}), json!({"deal_id": deal})] {
        comment(client, on).await;
    }
    for (kind, id) in [("deal", &deal), ("company", &company), ("contact", &contact)] {
        delete(client, kind, id, can_restore).await;
    }
}

async fn drive_projects(client: &Client, grace: &str, can_restore: bool) {
    let project =
        create(client, "create_project", json!({"name": "P", "github_url": "https://github.com/acme/site"})).await;
    let _ = run(client, "update_project", json!({"id": project, "progress": 5, "start_date": "2030-01-01"})).await;
    let _ = run(client, "update_project", json!({"id": project, "status": "active"})).await;
    let days = json!({"project_id": project, "name": "C", "start_date": "2030-01-01", "end_date": "2030-01-14"});
    let cycle = create(client, "create_cycle", days).await;
    let _ = run(client, "update_cycle", json!({"id": cycle, "goal": "Ship"})).await;
    let task = create(client, "create_task", json!({
        "title": "T", "project_id": project, "cycle_id": cycle, "estimate_hours": 2.25, "due_at": "2030-01-01T10:00:00+02:00",
    }))
    .await;
    let _ = run(client, "update_task", json!({"id": task, "title": "U", "assignee_id": grace, "status": "done"})).await;
    let patch = json!({"add_labels": ["l"], "start_date": "2030-01-02", "status": "todo"});
    let _ = run(client, "bulk_update_issues", json!({"issueIds": [task], "patch": patch})).await;
    comment(client, json!({"issue_id": task})).await;
    delete(client, "cycle", &cycle, can_restore).await;
    delete(client, "task", &task, can_restore).await;
    delete(client, "project", &project, can_restore).await;
}

async fn drive_time(client: &Client, owner: &Client, grace: &str, can_restore: bool) {
    let entry = json!({"member_id": grace, "duration": "1h30", "date": "2030-01-07", "note": "N"});
    let entry_id = create(client, "log_time", entry).await;
    let _ = run(client, "update_time_entry", json!({"id": entry_id, "billable": false, "duration": "2h"})).await;
    let _ = create(client, "start_timer", json!({"member_id": grace})).await;
    let _ = run(client, "stop_timer", json!({"member_id": grace})).await;
    for step in ["submit", "reject", "submit", "approve", "export"] {
        let body = json!({"ids": [entry_id]});
        let _ = owner.post(&format!("/api/v1/time/entries/{step}"), body).await.expect(200);
    }
    let other = json!({"member_id": grace, "started_at": "2030-01-08T09:00:00Z", "ended_at": "2030-01-08T10:00:00Z"});
    let other = create(client, "log_time", other).await;
    delete(client, "time_entry", &other, can_restore).await;
}

async fn drive_support(client: &Client, grace: &str, can_restore: bool) {
    let ticket = json!({"title": "T", "requester_email": "mara@example.com", "requester_name": "Mara"});
    let ticket = create(client, "create_ticket", ticket).await;
    let change = json!({"id": ticket, "priority": "high", "assignee_id": grace, "status": "resolved"});
    let _ = run(client, "update_ticket", change).await;
    for visibility in ["internal", "public"] {
        comment(client, json!({"issue_id": ticket, "visibility": visibility})).await;
    }
    let article = create(client, "create_kb_article", json!({"title": "How?", "body": "So.", "tags": ["a"]})).await;
    let _ = run(client, "update_kb_article", json!({"id": article, "status": "published"})).await;
    delete(client, "article", &article, can_restore).await;
    for kind in simple_kinds() {
        let id = create(client, &format!("create_{}", kind.noun), (kind.body)(1)).await;
        let mut change = (kind.body)(2);
        change["id"] = json!(id);
        let _ = run(client, &format!("update_{}", kind.noun), change).await;
        delete(client, kind.noun, &id, can_restore).await;
    }
}
