//! Errors about the id of another kind of record, or of a deleted one, name the record and the right tool.

use serde_json::{Value, json};

use super::calls::{call, fail, run};
use super::world::ToolWorld;
use crate::support::UNKNOWN_ID;

#[tokio::test]
async fn errors_about_ids_of_another_kind_name_the_right_tool() {
    let (_app, _, world) = ToolWorld::start().await;
    let client = &world.client;
    for (tool, arguments, message) in [
        ("update_task", json!({"id": world.ticket, "title": "t"}), "this is a ticket: use update_ticket"),
        ("get_ticket", json!({"id": world.task}), "this is a task: use get_task"),
        ("get_contact", json!({"id": world.company}), "this is a company: use get_company"),
        ("delete_deal", json!({"id": world.project}), "this is a project: use delete_project"),
        ("update_cycle", json!({"id": world.article, "name": "n"}), "this is an article: use update_kb_article"),
        ("get_history", json!({"type": "deal", "id": world.contact}), "this is a contact: send type contact"),
        ("restore_record", json!({"type": "deal", "id": world.deal}), ""),
        ("add_comment", json!({"issue_id": world.deal, "body": "b"}), "this is a deal: send its id as deal_id"),
        ("list_cycles", json!({"project_id": world.deal}), "this is a deal"),
    ] {
        let refusal = fail(client, tool, arguments).await;
        let is_as_before = message.is_empty();
        assert!(is_as_before || refusal["error"] == "not_found", "{tool}: {refusal}");
        assert!(is_as_before || refusal["message"] == message, "{tool}: {refusal}");
    }
}

#[tokio::test]
async fn bulk_update_errors_about_foreign_ids_name_their_kind() {
    let (_app, _, world) = ToolWorld::start().await;
    let client = &world.client;
    let deleted = run(client, "create_task", json!({"title": "t"})).await["id"].clone();
    let _ = run(client, "delete_task", json!({ "id": deleted })).await;
    let ids = json!([world.task, world.deal, deleted, UNKNOWN_ID]);
    let result = run(client, "bulk_update_issues", json!({"issueIds": ids, "patch": {"priority": "low"}})).await;
    let failed = result["failed"].as_array().unwrap();
    assert_eq!(result["updated"], json!([world.task]));
    assert!(failed.iter().all(|one| one["code"] == "not_found"), "{result}");
    assert_eq!(failed[0]["message"], "this is a deal, which you cannot change here");
    assert!(failed[1]["message"].as_str().unwrap().starts_with("this is a task that was deleted at 2"), "{result}");
    assert_eq!(failed[2]["message"], "there is no such issue");
}

#[tokio::test]
async fn a_deleted_record_says_when_and_how_to_restore_it() {
    let (_app, tenant, world) = ToolWorld::start().await;
    let client = &world.client;
    for (noun, id) in [
        ("contact", &world.contact),
        ("company", &world.company),
        ("deal", &world.deal),
        ("task", &world.task),
        ("cycle", &world.cycle),
        ("project", &world.project),
        ("kb_article", &world.article),
    ] {
        let _ = run(client, &format!("delete_{noun}"), json!({ "id": id })).await;
        let refusal = fail(client, &format!("delete_{noun}"), json!({ "id": id })).await;
        let (message, kind) = (refusal["message"].as_str().unwrap(), noun.trim_start_matches("kb_"));
        assert!(message.contains(&format!("{kind} that was deleted at 2")), "{noun}: {message}");
        assert!(message.contains(": restore_record brings it back until 2"), "{noun}: {message}");
    }
    let wrong = fail(client, "restore_record", json!({"type": "deal", "id": world.contact})).await;
    assert_eq!(wrong["message"], "this is a contact: send type contact");
    // Callers who may not delete such records do not learn of deleted ones.
    let reader = tenant.with_scopes(&["contacts.read", "deals.read"]).await;
    let refusal = fail(&reader, "get_contact", json!({"id": world.contact})).await;
    assert_eq!(refusal["message"], "there is no such contact");
}

#[tokio::test]
async fn records_that_a_key_may_not_read_are_not_revealed() {
    let (app, tenant, world) = ToolWorld::start().await;
    let deals = tenant.with_scopes(&["deals.write"]).await;
    let text = async |id: &str| -> Value { fail(&deals, "get_deal", json!({ "id": id })).await["message"].clone() };
    for id in [&world.contact, &world.ticket, &world.article] {
        assert_eq!(text(id).await, "there is no such deal");
    }
    let foreign = app.workspace().await.full_access().await;
    let refusal = fail(&foreign, "get_deal", json!({"id": world.contact})).await;
    assert_eq!(refusal["message"], "there is no such deal", "of another workspace");
}

#[tokio::test]
async fn errors_of_tools_name_nothing_that_a_model_cannot_call() {
    let (_app, tenant, world) = ToolWorld::start().await;
    let reader = tenant.with_scopes(&["deals.read", "contacts.write"]).await;
    for (client, tool, arguments) in [
        (&world.client, "list_events", json!({"event": ["deal.wom"]})),
        (&world.client, "create_contact", json!({"email": "nope"})),
        (&world.client, "update_deal", json!({"id": world.deal})),
        (&world.client, "create_deal", json!({"title": "d", "price_book": UNKNOWN_ID})),
        (&world.client, "update_project", json!({"id": world.project, "template": UNKNOWN_ID})),
        (&world.client, "get_history", json!({"type": "deal", "id": UNKNOWN_ID})),
        (&reader, "list_deals", json!({"deleted": true})),
        (&reader, "restore_record", json!({"type": "deal", "id": world.deal})),
        (&reader, "create_deal", json!({"title": "d"})),
    ] {
        let reply = call(client, tool, arguments).await;
        assert!(reply.status != 200 || reply.body["isError"] == true, "{tool}: {}", reply.text);
        for unknown in ["/api/", "POST ", "GET ", "sign in", "template_id", "price_book_id"] {
            assert!(!reply.text.contains(unknown), "{tool} says {unknown}: {}", reply.text);
        }
    }
}
