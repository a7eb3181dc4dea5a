//! Records of another workspace or of another kind are not found.

use serde_json::{Value, json};
use test_support::{Client, simple_kinds};

use super::calls::{call, catalogue, create, details, fail, map_of, refusal, run};
use super::table::{CallClass, TOOLS};
use super::world::ToolWorld;

/// The current state of all records of a fixture.
async fn state(world: &ToolWorld) -> Value {
    let mut state = Vec::new();
    for (name, id) in [
        ("get_contact", &world.contact),
        ("get_company", &world.company),
        ("get_deal", &world.deal),
        ("get_project", &world.project),
        ("get_task", &world.task),
        ("get_ticket", &world.ticket),
        ("get_kb_article", &world.article),
        ("get_webhook", &world.webhook),
        ("get_webhook_delivery", &world.delivery),
    ] {
        state.push(run(&world.client, name, json!({ "id": id })).await);
    }
    for (name, arguments) in [
        ("list_comments", json!({"issue_id": world.task})),
        ("list_comments", json!({"issue_id": world.ticket})),
        ("list_comments", json!({"deal_id": world.deal})),
        ("list_cycles", json!({"project_id": world.project})),
        ("list_time_entries", json!({"task_id": world.task})),
        ("list_webhook_deliveries", json!({"webhook_id": world.webhook, "event": "webhook.test"})),
    ] {
        state.push(run(&world.client, name, arguments).await["data"].clone());
    }
    state.into()
}

#[tokio::test]
async fn no_tool_finds_another_workspaces_records() {
    let (app, _, mine) = ToolWorld::start().await;
    let theirs = ToolWorld::of(&app.workspace().await).await;
    let before = state(&theirs).await;
    for &(name, _, counts) in TOOLS.iter() {
        // Arguments that are valid for the other workspace: every id in them is foreign.
        let arguments = theirs.arguments(name).await;
        let names_a_record =
            arguments.to_string().contains("-7") && arguments.as_object().is_some_and(|it| !it.is_empty());
        let reply = call(&mine.client, name, arguments.clone()).await;
        if !names_a_record || name.starts_with("create") && reply.body["isError"] == json!(false) {
            continue;
        }
        if name == "bulk_update_issues" || arguments.get("assignee").is_some() {
            continue;
        }
        if counts == CallClass::Read && reply.body["isError"] == json!(false) {
            assert_eq!(reply.body["structuredContent"]["data"], json!([]), "{name}: {}", reply.text);
            continue;
        }
        let refusal = refusal(&reply);
        let is_missing =
            refusal["error"] == "not_found" || details(&refusal).iter().all(|it| it.ends_with(":not_found"));
        assert!(is_missing, "{name} {arguments}: {refusal}");
        assert!(!reply.text.contains("ada@example.com"), "{name}");
    }
    let ids = json!([theirs.task, theirs.ticket]);
    let bulk = json!({"issueIds": ids, "patch": {"priority": "urgent"}});
    let answer = run(&mine.client, "bulk_update_issues", bulk).await;
    assert_eq!((&answer["updatedCount"], &answer["failed"][0]["code"]), (&json!(0), &json!("not_found")));
    let foreign = json!({"issueIds": [mine.task], "patch": {"assignee_id": theirs.member}});
    assert_eq!(fail(&mine.client, "bulk_update_issues", foreign).await["error"], "validation_failed");
    assert_eq!(state(&theirs).await, before);
}

#[tokio::test]
async fn every_tool_that_takes_an_id_reports_a_missing_record() {
    let (app, _, mine) = ToolWorld::start().await;
    let theirs = ToolWorld::of(&app.workspace().await).await;
    let foreign = [
        ("contact", &theirs.contact),
        ("company", &theirs.company),
        ("deal", &theirs.deal),
        ("project", &theirs.project),
        ("task", &theirs.task),
        ("ticket", &theirs.ticket),
        ("cycle", &theirs.cycle),
        ("comment", &theirs.comment),
        ("kb_article", &theirs.article),
        ("webhook", &theirs.webhook),
        ("history", &theirs.deal),
        ("webhook_secret", &theirs.webhook),
        ("webhook_delivery", &theirs.delivery),
        ("redeliver_webhook", &theirs.delivery),
        ("record", &theirs.deal),
        ("time_entry", &theirs.time_entry),
    ];
    let mut checked = 0;
    for tool in catalogue(&mine.client).await {
        let name = tool["name"].as_str().unwrap();
        if tool["inputSchema"]["properties"].get("id").is_none() {
            continue;
        }
        let noun = name.split_once('_').unwrap().1;
        let noun = if name == "redeliver_webhook" { name } else { noun };
        let mut arguments = mine.arguments(name).await;
        arguments["id"] = match foreign.iter().find(|(kind, _)| *kind == noun) {
            Some((_, id)) => json!(id),
            None => theirs.arguments(name).await["id"].clone(),
        };
        assert_eq!(fail(&mine.client, name, arguments).await["error"], "not_found", "{name}");
        checked += 1;
    }
    assert_eq!(checked, 35 + 3 * simple_kinds().len(), "tools that take an id");
}

#[tokio::test]
async fn a_tool_of_one_kind_does_not_reach_the_other() {
    let (_app, _, world) = ToolWorld::start().await;
    let before = state(&world).await;
    for (name, id) in [
        ("get_task", &world.ticket),
        ("update_task", &world.ticket),
        ("delete_task", &world.ticket),
        ("get_ticket", &world.task),
        ("update_ticket", &world.task),
    ] {
        let mut arguments = json!({ "id": id });
        if name.starts_with("update") {
            arguments["title"] = json!("x");
        }
        assert_eq!(fail(&world.client, name, arguments).await["error"], "not_found", "{name}");
    }
    assert_eq!(state(&world).await, before);
}

#[tokio::test]
async fn comments_and_bulk_updates_reach_only_granted_kinds() {
    let (_app, tenant, world) = ToolWorld::start().await;
    let both = json!(["issues.write", "tickets.write"]);
    let key = async |scopes: Value, map: Option<&[&str]>| {
        let mut key = json!({ "scopes": scopes });
        if let Some(map) = map {
            key["permissions"] = map_of(map);
        }
        tenant.key(key).await.0
    };
    for (client, on_task, on_ticket) in [
        (key(json!(["issues.write"]), None).await, true, false),
        (key(json!(["tickets.write"]), None).await, false, true),
        (key(both.clone(), None).await, true, true),
        (key(both.clone(), Some(&["read_comments", "create_comments"])).await, true, true),
        (key(both.clone(), Some(&["read_comments", "create_comments", "read_tickets"])).await, false, true),
        (key(both, Some(&["read_comments", "create_comments", "update_tasks"])).await, true, false),
    ] {
        for (id, reached) in [(&world.task, on_task), (&world.ticket, on_ticket)] {
            check_comments(&client, id, reached).await;
        }
    }
    for (scope, updated, failed) in
        [("issues.write", &world.task, &world.ticket), ("tickets.write", &world.ticket, &world.task)]
    {
        let client = key(json!([scope]), None).await;
        let bulk = json!({"issueIds": [world.task, world.ticket], "patch": {"add_labels": [scope]}});
        let answer = run(&client, "bulk_update_issues", bulk).await;
        assert_eq!((&answer["updated"], &answer["failed"][0]["id"]), (&json!([updated]), &json!(failed)), "{scope}");
        assert_eq!(answer["failed"][0]["code"], "not_found", "{scope}");
    }
    let reader = key(json!(["issues.read", "tickets.write"]), None).await;
    let stored = run(&reader, "list_comments", json!({"issue_id": world.task})).await;
    assert!(stored["data"].as_array().is_some_and(|comments| !comments.is_empty()), "{stored}");
    assert_eq!(fail(&reader, "add_comment", json!({"issue_id": world.task, "body": "x"})).await["error"], "not_found");
    let _ = create(&reader, "add_comment", json!({"issue_id": world.ticket, "body": "x"})).await;
}

async fn check_comments(client: &Client, issue: &str, reached: bool) {
    for (name, arguments) in
        [("list_comments", json!({"issue_id": issue})), ("add_comment", json!({"issue_id": issue, "body": "b"}))]
    {
        if reached {
            let _ = run(client, name, arguments).await;
        } else {
            assert_eq!(fail(client, name, arguments).await["error"], "not_found", "{name}");
        }
    }
}
