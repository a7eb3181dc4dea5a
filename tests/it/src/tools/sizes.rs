//! No result is larger than 60,000 bytes, and truncated texts can be read in parts.

use std::collections::BTreeSet;

use domain::tools::Feature;
use domain::webhooks::{MAX_ATTEMPTS, MAX_STORED_RESPONSE_BYTES};
use serde_json::{Value, json};
use test_support::{ApiResponse, App, Client};

use super::calls::{LIST, call, create, run, start_with_all_tools, with_all_tools, without_nulls};
use super::world::ToolWorld;
use crate::database::execute;

const MAX_BYTES: usize = 60_000;

/// A text of four-byte characters.
fn wide_text(length: usize) -> String {
    "𝄞".repeat(length)
}

/// Calls a tool whose result must be within the limit, including its text.
async fn small_result(client: &Client, name: &str, arguments: Value) -> Value {
    let reply = call(client, name, arguments).await.expect(200);
    let excerpt: String = reply.text.chars().take(300).collect();
    assert_eq!(reply.body["isError"], json!(false), "{name}: {excerpt}");
    assert!(reply.text.len() <= MAX_BYTES, "{name}: {} bytes: {excerpt}", reply.text.len());
    let text = reply.body["content"][0]["text"].as_str().unwrap();
    let repeated: Option<Value> = serde_json::from_str(text).ok();
    let is_pointed_at = text.contains("structuredContent");
    let expected = without_nulls(reply.body["structuredContent"].clone());
    assert!(repeated == Some(expected) || is_pointed_at, "{name}: {text}");
    reply.body["structuredContent"].clone()
}

/// Creates 100 records, a few at a time, and returns their ids.
async fn create_100(client: &Client, tool: &'static str, body: impl Fn(usize) -> Value) -> BTreeSet<String> {
    let mut ids = BTreeSet::new();
    for few in 0..10 {
        let mut calls = tokio::task::JoinSet::new();
        for number in few * 10..(few + 1) * 10 {
            let (client, body) = (client.clone(), body(number));
            calls.spawn(async move { create(&client, tool, body).await });
        }
        ids.extend(calls.join_all().await);
    }
    ids
}

/// Reads a list to its end in pages of 100: no gaps, no duplicates, and a note on each page that ends early.
async fn walk(client: &Client, tool: &str, filter: Value, expected: &BTreeSet<String>) {
    let mut seen = Vec::new();
    let mut arguments = filter;
    arguments["limit"] = json!(100);
    loop {
        let page = small_result(client, tool, arguments.clone()).await;
        let rows = page["data"].as_array().unwrap();
        assert!(!rows.is_empty(), "{tool}: a page without rows leads nowhere");
        seen.extend(rows.iter().map(|row| row["id"].as_str().unwrap().to_owned()));
        let pagination = &page["pagination"];
        assert_eq!(pagination["limit"], 100);
        assert_eq!(pagination["hasMore"].as_bool(), Some(pagination["nextCursor"].is_string()));
        if pagination["hasMore"] == json!(false) {
            break;
        }
        let note = pagination["note"].as_str().unwrap_or_default();
        assert!(note.contains(&format!("after {} items", rows.len())), "{tool}: {note}");
        arguments["cursor"] = pagination["nextCursor"].clone();
    }
    assert_eq!(seen.len(), expected.len(), "{tool}");
    assert_eq!(&seen.into_iter().collect::<BTreeSet<_>>(), expected, "{tool}");
}

#[tokio::test]
async fn lists_of_the_longest_rows_end_early_and_continue_without_a_gap() {
    let (_app, _, client) = start_with_all_tools().await;
    let contact = |number| json!({"email": format!("c{number}@example.com"), "first_name": wide_text(120), "last_name": wide_text(120), "company_name": wide_text(255)});
    walk(&client, "list_contacts", json!({}), &create_100(&client, "create_contact", contact).await).await;
    let company = |number| json!({"name": wide_text(255), "industry": wide_text(180), "domain": format!("{}{number}.example", "dddd.".repeat(40))});
    walk(&client, "list_companies", json!({}), &create_100(&client, "create_company", company).await).await;
    let deals = create_100(&client, "create_deal", |_| json!({"title": wide_text(255)})).await;
    walk(&client, "list_deals", json!({}), &deals).await;
    let projects = create_100(&client, "create_project", |_| json!({"name": "\"".repeat(200)})).await;
    walk(&client, "list_projects", json!({}), &projects).await;
    let tickets = create_100(&client, "create_ticket", |_| json!({"title": wide_text(500)})).await;
    walk(&client, "list_tickets", json!({}), &tickets).await;
    let tasks = create_100(&client, "create_task", |_| json!({"title": wide_text(500)})).await;
    let labelled: Vec<_> = tasks.iter().take(5).collect();
    let labels: Vec<_> = (0..50).map(|number| format!("{}{number:02}", wide_text(98))).collect();
    let _ = small_result(&client, "bulk_update_issues", json!({"issueIds": labelled, "patch": {"add_labels": labels}}))
        .await;
    walk(&client, "list_tasks", json!({}), &tasks).await;
    let _ = small_result(&client, "get_task", json!({"id": labelled[0]})).await;
    let article = |number| json!({"title": format!("{}{number:02}", wide_text(253)), "slug": format!("s-{number}"), "tags": labels});
    walk(&client, "list_kb_articles", json!({}), &create_100(&client, "create_kb_article", article).await).await;
    let events: Vec<_> = (0..50).map(|number| format!("{}.x{number:02}", "e".repeat(90))).collect();
    let hook = |number| {
        let url = format!("http://127.0.0.1:9/{number:03}{}", "u".repeat(1_900));
        json!({"module": "scheduling", "url": url, "events": events, "description": wide_text(1_000)})
    };
    walk(&client, "list_webhooks", json!({}), &create_100(&client, "create_webhook", hook).await).await;
}

#[tokio::test]
async fn comments_of_ten_thousand_characters_are_read_one_by_one() {
    let (_app, _, client) = start_with_all_tools().await;
    let issue = create(&client, "create_task", json!({"title": "t"})).await;
    for filler in ["𝄞", "\"", "\\", "\n", "ü"] {
        let body = format!("a{}z", filler.repeat(9_998));
        let id = create(&client, "add_comment", json!({"issue_id": issue, "body": body})).await;
        let arguments = json!({"issue_id": issue, "body_characters": 10_000, "limit": 100});
        let mut page = small_result(&client, "list_comments", arguments.clone()).await;
        while let Some(cursor) = page["pagination"]["nextCursor"].as_str() {
            let mut next = arguments.clone();
            next["cursor"] = json!(cursor);
            page = small_result(&client, "list_comments", next).await;
        }
        let last = page["data"].as_array().unwrap().last().unwrap();
        assert_eq!((&last["id"], &last["body"]), (&json!(id), &json!(body)));
        let short = small_result(&client, "list_comments", json!({"issue_id": issue})).await;
        let cut = short["data"][0]["body"].as_str().unwrap();
        assert!(cut.contains("[cut after 1000 of 10000 characters"), "{cut}");
    }
}

/// Reads a long member to its end in parts.
async fn read_to_end(client: &Client, tool: &str, id: &str, member: &str) -> String {
    let (mut text, mut offset) = (String::new(), json!(0));
    while offset.is_u64() {
        let arguments = json!({"id": id, "expand": member, "offset": offset});
        let part = small_result(client, tool, arguments).await["part"].clone();
        assert_eq!((&part["member"], &part["offset"]), (&json!(member), &json!(text.chars().count())), "{tool}");
        assert!(!part["text"].as_str().unwrap().is_empty(), "{tool}");
        text.push_str(part["text"].as_str().unwrap());
        offset = part["next_offset"].clone();
    }
    text
}

fn mixed_text(length: usize) -> String {
    let signs = ['𝄞', 'a', '"', '\\', '\n', 'ü', ' ', '<'];
    let middle: String = (0..length - 2).map(|index| signs[index * 7 % signs.len()]).collect();
    format!("a{middle}z")
}

#[tokio::test]
async fn long_texts_are_truncated_with_a_marker_and_readable_to_the_last_character() {
    let (app, _, client) = start_with_all_tools().await;
    let project = create(&client, "create_project", json!({"name": "p"})).await;
    for (noun, member, length, body) in [
        ("contact", "notes", 10_000, json!({"email": "a@example.com"})),
        ("company", "notes", 10_000, json!({"name": "c"})),
        ("deal", "description", 10_000, json!({"title": "d"})),
        ("project", "description", 10_000, json!({"name": "p"})),
        ("task", "description", 50_000, json!({"title": "t", "project_id": project})),
        ("ticket", "description", 50_000, json!({"title": "t"})),
        ("kb_article", "body", 100_000, json!({"title": "t"})),
    ] {
        for text in [wide_text(length), mixed_text(length), "\"".repeat(length)] {
            let mut body = body.clone();
            body[member] = json!(text);
            if noun == "contact" {
                body["email"] = json!(format!("{}@example.com", app.ports.ids.new_id()));
            }
            if noun == "kb_article" {
                body["slug"] = json!(app.ports.ids.new_id().to_string());
            }
            let created = small_result(&client, &format!("create_{noun}"), body).await;
            let id = created["id"].as_str().unwrap();
            let get = format!("get_{noun}");
            let stored = small_result(&client, &get, json!({ "id": id })).await;
            let cut = &stored["cut"][0];
            assert_eq!((&cut["member"], &cut["total_characters"]), (&json!(member), &json!(length)), "{noun}");
            let shown = stored[member].as_str().unwrap();
            let next = usize::try_from(cut["next_offset"].as_u64().unwrap()).unwrap();
            assert!(shown.contains(&format!("[cut after {next} of {length} characters; {get} with expand")), "{noun}");
            assert!(shown.chars().take(next).eq(text.chars().take(next)), "{noun}");
            assert!(read_to_end(&client, &get, id, member).await == text, "{noun}: the text comes back");
            let changed = small_result(&client, &format!("update_{noun}"), json!({"id": id, member: text})).await;
            assert_eq!(changed["cut"], stored["cut"], "{noun}");
        }
    }
}

#[tokio::test]
async fn the_largest_contact_and_its_delivery_stay_small() {
    let (_app, _, world) = ToolWorld::start().await;
    let client = &world.client;
    let fields: serde_json::Map<_, _> = (0..60).map(|number| (format!("m{number}"), json!("\"".repeat(500)))).collect();
    let mut contact = json!({
        "email": "largest@example.com", "notes": wide_text(10_000), "custom_fields": fields,
        "tags": (0..50).map(|number| format!("{}{number:02}", wide_text(98))).collect::<Vec<_>>(),
    });
    for (member, length) in [
        ("first_name", 120),
        ("last_name", 120),
        ("phone", 50),
        ("job_title", 180),
        ("company_name", 255),
        ("lead_source", 180),
        ("industry", 180),
        ("external_id", 255),
        ("country", 120),
        ("state", 120),
        ("city", 120),
    ] {
        contact[member] = json!(wide_text(length));
    }
    let created = small_result(client, "create_contact", contact.clone()).await;
    let id = created["id"].as_str().unwrap();
    assert_eq!(created["cut"].as_array().map(Vec::len), Some(2), "{}", created["cut"]);
    assert_eq!(created["custom_fields"], json!({}));
    assert!(read_to_end(client, "get_contact", id, "notes").await == wide_text(10_000));
    let stored: Value = serde_json::from_str(&read_to_end(client, "get_contact", id, "custom_fields").await).unwrap();
    assert_eq!(stored, Value::from(fields));
    let listed = small_result(
        client,
        "list_webhook_deliveries",
        json!({"webhook_id": world.webhook, "event": "contact.created", "limit": 1}),
    )
    .await;
    let delivery = listed["data"][0]["id"].as_str().unwrap();
    let shown = small_result(client, "get_webhook_delivery", json!({ "id": delivery })).await;
    assert_eq!((&shown["body"], &shown["cut"][0]["member"]), (&Value::Null, &json!("body")));
    let body: Value =
        serde_json::from_str(&read_to_end(client, "get_webhook_delivery", delivery, "body").await).unwrap();
    assert!(body["payload"]["data"]["notes"] == json!(wide_text(10_000)));
    assert_eq!(body["id"], json!(delivery));
}

#[tokio::test]
async fn a_delivery_with_every_attempt_and_the_largest_responses_stays_small() {
    let (app, _, world) = ToolWorld::start().await;
    let insert = format!(
        "INSERT INTO webhook_attempts (workspace_id, delivery_id, number, started_at, duration_ms, status, error, response) \
         SELECT workspace_id, id, number, now(), 1, 500, NULL, repeat(chr(1), {MAX_STORED_RESPONSE_BYTES}) \
         FROM webhook_deliveries, generate_series(1, {MAX_ATTEMPTS}) AS number WHERE id = '{}'",
        world.delivery
    );
    execute(&app, &insert);
    let shown =
        small_result(&world.client, "get_webhook_delivery", json!({"id": world.delivery, "expand": "body"})).await;
    assert_eq!(shown["attempts"].as_array().map(Vec::len), Some(MAX_ATTEMPTS as usize));
}

#[tokio::test]
async fn failing_bulk_updates_and_searches_with_many_results_stay_small() {
    let (app, _, client) = start_with_all_tools().await;
    let tickets = create_100(&client, "create_ticket", |_| json!({"title": "t"})).await;
    let mut ids: Vec<_> = tickets.into_iter().collect();
    ids.extend((0..400).map(|_| app.ports.ids.new_id().to_string()));
    let code = "invalid_status_for_kind";
    for patch in [json!({"status": "todo"})] {
        let answer = small_result(&client, "bulk_update_issues", json!({"issueIds": ids, "patch": patch})).await;
        assert_eq!((&answer["failedCount"], answer["failed"].as_array().map(Vec::len)), (&json!(500), Some(500)));
        assert_eq!(answer["failed"][0]["code"], code);
        assert!(answer["failed"][0]["message"].as_str().is_some_and(|message| !message.is_empty()));
        let failed: Vec<_> = answer["failed"].as_array().unwrap().iter().map(|it| it["id"].as_str().unwrap()).collect();
        assert_eq!(failed, ids, "each is reported");
    }
    let article = |number: usize| json!({"title": format!("{} {number}", wide_text(250)), "body": format!("word {} word", wide_text(5_000)), "status": "published", "slug": format!("{}-{number}", "s".repeat(200))});
    let _ = create_100(&client, "create_kb_article", article).await;
    let results = small_result(&client, "search_kb", json!({"q": "word", "limit": 50})).await;
    let hits = results["data"].as_array().unwrap().len();
    assert!(hits > 0 && (hits == 50 || results["note"].is_string()), "{hits}: {}", results["note"]);
}

#[tokio::test]
async fn the_list_of_tools_is_small() {
    let (app, client) = App::with_client().await;
    let reply: ApiResponse = client.get(LIST).await.expect(200);
    // Every client reads it: the average size per tool must not grow with the number of tools.
    let tools = reply.body["tools"].as_array().unwrap().len();
    assert!(reply.text.len() < 320 * tools, "{} bytes for {tools} tools", reply.text.len());
    let with_schemas = client.get(&format!("{LIST}?includeSchemas=true&includeOutputSchemas=false")).await.expect(200);
    let bytes = with_schemas.text.len();
    assert!(bytes <= 800 * tools && bytes <= 70_000, "{bytes} bytes for {tools} tools with their arguments");
    let arguments = |tool: &Value| tool["inputSchema"]["type"] == "object" && tool.get("outputSchema").is_none();
    assert!(with_schemas.body["tools"].as_array().unwrap().iter().all(arguments));
    let _ = run(&client, "list_deals", json!({})).await;
    let client = with_all_tools(&app.workspace().await).await;
    for feature in Feature::ALL {
        let of_feature = format!("{LIST}?includeSchemas=true&includeOutputSchemas=false&features={feature}");
        let bytes = client.get(&of_feature).await.expect(200).text.len();
        assert!(bytes <= 30_000, "{bytes} bytes for the tools of {feature}");
    }
}
