//! People in tools: referred to by address, and shown with names.

use domain::identity::workspaces::Role;
use serde_json::{Value, json};
use test_support::{App, Client};

use super::calls::{call, catalogue, create, details, fail, resolved, run, start_with_all_tools, with_all_tools};
use crate::support::UNKNOWN_ID;

/// Renames a member, and returns a client with all tools.
async fn named(app: &App, name: &str) -> (Client, String, String) {
    let tenant = app.workspace().await;
    let user = tenant.user(Role::Member).await;
    let _ = user.client.patch("/api/account", json!({ "name": name })).await.expect(200);
    (with_all_tools(&tenant).await, user.id.to_string(), user.email)
}

#[tokio::test]
async fn members_in_arguments_may_be_given_by_address() {
    let app = App::start().await;
    let (client, id, email) = named(&app, "Ada Löwe").await;
    let shouted = format!(" {} ", email.to_uppercase());
    // Creates, with every field that refers to a member.
    let task = run(&client, "create_task", json!({"title": "t", "assignee_id": shouted})).await;
    assert_eq!((&task["assignee_id"], &task["assignee_name"]), (&json!(id), &json!("Ada Löwe")));
    let new = json!({"title": "d", "assigned_to": email, "rep_id": email});
    let deal = run(&client, "create_deal", new).await;
    assert_eq!((&deal["assigned_to"], &deal["rep_id"]), (&json!(id), &json!(id)));
    assert_eq!((&deal["assigned_to_name"], &deal["rep_name"]), (&json!("Ada Löwe"), &json!("Ada Löwe")));
    for (kind, mut new) in [("company", json!({"name": "c"})), ("contact", json!({"email": "c@x.example"}))] {
        new["assigned_to"] = json!(email);
        let created = run(&client, &format!("create_{kind}"), new).await;
        assert_eq!((&created["assigned_to"], &created["assigned_to_name"]), (&json!(id), &json!("Ada Löwe")), "{kind}");
    }
    for tool in ["list_companies", "list_contacts"] {
        let results = run(&client, tool, json!({"assignee": [email]})).await;
        assert_eq!(results["data"][0]["assigned_to_name"], "Ada Löwe", "{tool}: {results}");
    }
    let project = run(&client, "create_project", json!({"name": "p", "lead_user_id": email})).await;
    assert_eq!((&project["lead_user_id"], &project["lead_user_name"]), (&json!(id), &json!("Ada Löwe")));
    // Updates, bulk updates and filters.
    let ticket = create(&client, "create_ticket", json!({"title": "t"})).await;
    let updated = run(&client, "update_ticket", json!({"id": ticket, "assignee_id": email})).await;
    assert_eq!(updated["assignee_id"], json!(id));
    let other = create(&client, "create_task", json!({"title": "u"})).await;
    let bulk = json!({"issueIds": [other], "patch": {"assignee_id": email}});
    assert_eq!(run(&client, "bulk_update_issues", bulk).await["updatedCount"], 1);
    assert_eq!(run(&client, "get_task", json!({"id": other})).await["assignee_id"], json!(id));
    let filter = json!({"assignee": [email, UNKNOWN_ID]});
    let deals = run(&client, "list_deals", filter).await;
    assert_eq!(deals["data"].as_array().map(Vec::len), Some(1));
    assert_eq!(deals["data"][0]["assigned_to_name"], "Ada Löwe");
    let tasks = run(&client, "list_tasks", json!({"assignee": [email, "none"]})).await;
    assert_eq!(tasks["data"].as_array().map(Vec::len), Some(2));
    let filter = json!({"assignee": [email], "group_by": ["assignee"]});
    let summary = run(&client, "summarize_tasks", filter).await;
    assert_eq!(summary["groups"][0]["key"], json!({"assignee": id, "assignee_name": "Ada Löwe"}));
}

#[tokio::test]
async fn an_unknown_address_fails_only_its_item() {
    let app = App::start().await;
    let (client, id, email) = named(&app, "Ada").await;
    let items = json!([
        {"external_id": "1", "title": "d", "assigned_to": email},
        {"external_id": "2", "title": "e", "assigned_to": "nobody@example.com"},
    ]);
    let outcome = run(&client, "upsert_deals", json!({ "items": items })).await;
    assert_eq!(outcome["created"].as_array().map(Vec::len), Some(1), "{outcome}");
    assert_eq!(outcome["failed"][0]["index"], 1, "{outcome}");
    assert_eq!(outcome["failed"].as_array().map(Vec::len), Some(1), "{outcome}");
    let deal = run(&client, "get_deal", json!({"id": outcome["created"][0]})).await;
    assert_eq!((&deal["assigned_to"], &deal["assigned_to_name"]), (&json!(id), &json!("Ada")));
}

#[tokio::test]
async fn an_unknown_address_names_the_tool_that_lists_members() {
    let app = App::start().await;
    let (client, _, email) = named(&app, "Ada").await;
    let (foreign, ..) = named(&app, "Bob").await;
    for (tool, arguments, field) in [
        ("create_task", json!({"title": "t", "assignee_id": email}), "assignee_id"),
        ("list_deals", json!({"assignee": [email]}), "assignee[0]"),
        ("bulk_update_issues", json!({"issueIds": [UNKNOWN_ID], "patch": {"assignee_id": email}}), "patch.assignee_id"),
    ] {
        let refusal = fail(&foreign, tool, arguments).await;
        assert_eq!(details(&refusal), [format!("{field}:not_found")], "{tool}: {refusal}");
        assert!(refusal["details"][0]["message"].as_str().unwrap().contains("list_members"), "{refusal}");
    }
    // Shape and rules are checked first, and values that are neither an id nor an address are reported as such.
    let wrong = call(&client, "create_task", json!({"title": 1, "assignee_id": "a@b.example"})).await.expect(400);
    assert_eq!(details(&wrong.body), ["title:invalid_type"]);
    let neither = call(&client, "create_task", json!({"title": "t", "assignee_id": "Ada"})).await.expect(400);
    assert_eq!(details(&neither.body), ["assignee_id:invalid_uuid"]);
    assert!(neither.text.contains("e-mail address of a member"), "{}", neither.text);
    let unknown = fail(&client, "create_task", json!({"title": "t", "assignee_id": UNKNOWN_ID})).await;
    assert!(unknown["details"][0]["message"].as_str().unwrap().contains("list_members"), "{unknown}");
    let long = format!("{}@example.com", "x".repeat(5_000));
    let refusal = fail(&client, "create_task", json!({"title": "t", "assignee_id": long})).await;
    assert_eq!(details(&refusal), ["assignee_id:not_found"]);
}

#[tokio::test]
async fn former_members_can_be_searched_but_not_assigned() {
    let (_app, tenant) = App::with_workspace().await;
    let (owner, leaver) = (tenant.user(Role::Owner).await, tenant.user(Role::Member).await);
    let client = with_all_tools(&tenant).await;
    let deal = create(&client, "create_deal", json!({"title": "d", "assigned_to": leaver.email})).await;
    let _ = owner.client.delete(&format!("/api/settings/members/{}", leaver.id)).await.expect(200);
    let results = run(&client, "list_deals", json!({"assignee": [leaver.email]})).await;
    assert_eq!(results["data"][0]["id"], json!(deal));
    let refusal = fail(&client, "create_deal", json!({"title": "e", "assigned_to": leaver.email})).await;
    assert_eq!(details(&refusal), ["assigned_to:not_found"]);
    assert!(refusal["details"][0]["message"].as_str().unwrap().contains("active member"), "{refusal}");
}

#[tokio::test]
async fn authors_and_creators_have_names_also_in_replays() {
    let (_app, tenant, user) = App::with_user(Role::Member).await;
    let client = with_all_tools(&tenant).await;
    let issue = user.client.create("/api/v1/issues", json!({"title": "t", "kind": "task"})).await;
    let comments = format!("/api/v1/issues/{issue}/comments");
    let _ = user.client.post(&comments, json!({"body": "by a person"})).await.expect(201);
    let arguments = json!({"issue_id": issue, "body": "by a key"});
    let first = super::calls::call_once(&client, "k", "add_comment", &arguments).await.expect(200);
    let repeated = super::calls::call_once(&client, "k", "add_comment", &arguments).await.expect(200);
    assert_eq!(first.body, repeated.body);
    assert_eq!(repeated.header("idempotent-replayed"), "true");
    assert_eq!(first.body["structuredContent"]["author_name"], "test");
    let listed = run(&client, "list_comments", json!({"issue_id": issue})).await;
    let names: Vec<_> = listed["data"].as_array().unwrap().iter().map(|row| row["author_name"].clone()).collect();
    assert_eq!(names, ["A member", "test"]);
    let task = run(&client, "get_task", json!({"id": issue})).await;
    assert_eq!((&task["created_by_name"], &task["assignee_name"]), (&json!("A member"), &Value::Null));
    // REST does not add names.
    let shown = client.get(&format!("/api/v1/issues/{issue}")).await.expect(200);
    assert!(shown.data().get("created_by_name").is_none() && shown.data().get("assignee_name").is_none());
}

#[tokio::test]
async fn a_page_of_long_names_ends_early_and_continues() {
    let app = App::start().await;
    let name = "𝄞".repeat(120);
    let (client, _, email) = named(&app, &name).await;
    let mut calls = tokio::task::JoinSet::new();
    for number in 0..100 {
        let (client, title) = (client.clone(), format!("{}{number}", "\"".repeat(150)));
        let arguments = json!({"title": title, "assignee_id": email});
        calls.spawn(async move { create(&client, "create_task", arguments).await });
    }
    let _ = calls.join_all().await;
    let (mut count, mut arguments) = (0, json!({"limit": 100}));
    loop {
        let reply = call(&client, "list_tasks", arguments.clone()).await.expect(200);
        assert!(reply.text.len() <= 60_000, "{} bytes", reply.text.len());
        let page = &reply.body["structuredContent"];
        let rows = page["data"].as_array().unwrap();
        assert!(!rows.is_empty() && rows.iter().all(|row| row["assignee_name"] == json!(name)));
        count += rows.len();
        let Some(next) = page["pagination"]["nextCursor"].as_str() else { break };
        assert!(page["pagination"]["note"].as_str().unwrap().contains(&format!("after {} items", rows.len())));
        arguments["cursor"] = json!(next);
    }
    assert_eq!(count, 100);
}

#[tokio::test]
async fn whoami_shows_the_key_its_limits_and_its_trial() {
    let (app, tenant) = App::with_workspace().await;
    let (key, id) = tenant.key(json!({"scopes": ["stock.read"]})).await;
    let who = run(&key, "whoami", json!({})).await;
    assert_eq!((&who["credential"]["id"], &who["trial"]), (&json!(id), &Value::Null));
    assert_eq!(who["workspace"]["slug"], json!(tenant.workspace.slug));
    assert!(who["now"].is_string() && who["limits"]["requests"].is_array(), "{who}");
    assert_eq!((&who["time_zone"], who["today"].as_str()), (&json!("UTC"), who["now"].as_str().unwrap().get(..10)));
    assert_eq!(call(&key, "list_members", json!({})).await.status, 403);
    let wrong = call(&key, "whoami", json!({"nope": 1})).await.expect(400);
    assert!(wrong.text.contains("takes none"), "{}", wrong.text);

    let owner = tenant.user(Role::Owner).await;
    let new = json!({"name": "agent", "preset": "agent_trial", "trial": {"calls": 9}});
    let trial = owner.client.post("/api/settings/api-keys", new).await.expect(201);
    let trial = app.with_key(trial.data()["key"].as_str().unwrap());
    let members = run(&trial, "list_members", json!({"email": owner.email.to_uppercase()})).await;
    let expected = json!([
        {"id": owner.id, "name": "A member", "email": owner.email, "role": "owner", "active": true},
    ]);
    assert_eq!(members["data"], expected);
    let who = run(&trial, "whoami", json!({})).await;
    assert_eq!(who["trial"], json!({"calls_limit": 9, "calls_remaining": 7}));
    // A trial has only the tools of its list.
    let new = json!({"name": "agent", "preset": "agent_trial", "trial": {"tools": ["get_task"]}});
    let other = owner.client.post("/api/settings/api-keys", new).await.expect(201);
    let other = app.with_key(other.data()["key"].as_str().unwrap());
    assert_eq!(call(&other, "whoami", json!({})).await.status, 403);
}

#[tokio::test]
async fn a_ticket_is_created_for_its_requester() {
    let (_app, tenant, client) = start_with_all_tools().await;
    let contact = json!({"email": "Ada@Example.com", "first_name": "Ada", "last_name": "Löwe"});
    let contact = create(&client, "create_contact", contact).await;
    let ticket = run(&client, "create_ticket", json!({"title": "t", "requester_email": "ada@example.COM"})).await;
    let expected = json!({"name": "Ada Löwe", "email": "ada@example.COM", "type": "question", "contact_id": contact});
    assert_eq!(ticket["requester"], expected);
    let own = json!({"title": "t", "requester_email": "ada@example.com", "requester_name": "A. L."});
    assert_eq!(run(&client, "create_ticket", own).await["requester"]["name"], "A. L.");
    let stranger = json!({"title": "t", "requester_email": "bob@example.org"});
    let stranger = run(&client, "create_ticket", stranger).await;
    let expected =
        json!({"name": "bob@example.org", "email": "bob@example.org", "type": "question", "contact_id": null});
    assert_eq!(stranger["requester"], expected);
    assert_eq!(run(&client, "create_ticket", json!({"title": "t"})).await["requester"], Value::Null);
    // Callers who may not read contacts do not learn whose address it is.
    let helpdesk = tenant.key(json!({"scopes": ["tickets.write"]})).await.0;
    let blind = run(&helpdesk, "create_ticket", json!({"title": "t", "requester_email": "ada@example.com"})).await;
    assert_eq!(blind["requester"]["name"], "ada@example.com");
    // The customer sees it like their other tickets.
    let reference = ticket["reference"].as_str().unwrap();
    let _ = client.get(&format!("/api/public/tickets/{reference}")).await.expect(200);
    for (arguments, expected) in [
        (json!({"title": "t", "requester_name": "Ada"}), "requester_name:needs_email"),
        (json!({"title": "t", "requester_email": "ada"}), "requester_email:invalid_email"),
    ] {
        assert_eq!(details(&fail(&client, "create_ticket", arguments).await), [expected]);
    }
    for tool in ["update_ticket", "create_task"] {
        let arguments = json!({"id": UNKNOWN_ID, "title": "t", "requester_email": "ada@example.com"});
        assert_eq!(call(&client, tool, arguments).await.status, 400, "{tool}");
    }
    let rest = json!({"title": "t", "kind": "ticket", "requester_email": "ada@example.com"});
    let rest = client.post("/api/v1/issues", rest).await.expect(400);
    assert_eq!(rest.details(), ["requester_email:unknown_field"]);
}

#[tokio::test]
async fn a_deal_created_for_a_contact_gets_their_company() {
    let (_app, tenant, client) = start_with_all_tools().await;
    let company = create(&client, "create_company", json!({"name": "Acme"})).await;
    let other = create(&client, "create_company", json!({"name": "Globex"})).await;
    let contact = json!({"email": "ada@example.com", "company_id": company});
    let contact = create(&client, "create_contact", contact).await;
    let create = async |client: &Client, members: Value| {
        let mut new = json!({"title": "d", "contact_id": contact});
        for (name, value) in members.as_object().unwrap() {
            new[name] = value.clone();
        }
        run(client, "create_deal", new).await["company_id"].clone()
    };
    assert_eq!(create(&client, json!({})).await, json!(company));
    assert_eq!(create(&client, json!({"company_id": other})).await, json!(other));
    assert_eq!(create(&client, json!({"company_id": null})).await, Value::Null);
    let blind = tenant.key(json!({"scopes": ["deals.write"]})).await.0;
    assert_eq!(create(&blind, json!({})).await, Value::Null);
    let rest = client.post("/api/v1/crm/deals", json!({"title": "d", "contact_id": contact})).await.expect(201);
    assert_eq!(rest.data()["company_id"], Value::Null);
    let _ = run(&client, "delete_company", json!({"id": company})).await;
    assert_eq!(create(&client, json!({})).await, Value::Null, "a deleted company is nobody's any more");
}

/// Only schemas of updates allow null, which clears a member, and the tool explains it once.
#[tokio::test]
async fn schemas_of_updates_allow_null_and_require_only_the_id() {
    let (_app, _, client) = start_with_all_tools().await;
    for tool in catalogue(&client).await {
        let name = tool["name"].as_str().unwrap();
        let (schema, description) = (&tool["inputSchema"], tool["description"].as_str().unwrap());
        assert!(description.len() > 30, "{name}");
        let is_update = name.starts_with("update_");
        let mut parts = vec![(schema, is_update)];
        parts.extend(schema["properties"].get("patch").map(|patch| (patch, true)));
        let mut nullable = 0;
        for (part, is_update) in parts {
            if is_update {
                let required = part["required"].as_array().cloned().unwrap_or_default();
                assert!(required.iter().all(|member| member == "id"), "{name}: {required:?}");
            }
            for (member, member_schema) in part["properties"].as_object().unwrap() {
                let member_schema = resolved(schema, member_schema);
                let takes_null = member_schema["type"].as_array().is_some_and(|types| types.contains(&json!("null")));
                assert!(is_update || !takes_null, "{name}.{member}: {member_schema}");
                assert!(!is_update || member_schema.get("default").is_none(), "{name}.{member}: {member_schema}");
                nullable += usize::from(takes_null);
            }
        }
        assert_eq!(is_update && nullable > 0, description.contains("null clears a field"), "{name}: {nullable}");
    }
    let made = &schema_of(&client, "create_task").await["properties"];
    assert_eq!((&made["status"]["default"], &made["priority"]["default"]), (&json!("todo"), &json!("medium")));
}

async fn schema_of(client: &Client, name: &str) -> Value {
    let tools = catalogue(client).await;
    tools.into_iter().find(|tool| tool["name"] == name).unwrap()["inputSchema"].clone()
}
