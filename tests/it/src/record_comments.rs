//! Comments on contacts, companies and deals.

use serde_json::{Value, json};
use test_support::{App, Client};

use crate::support::UNKNOWN_ID;
use crate::tools::{call, fail, run, start_with_all_tools, with_all_tools};
use crate::webhook_events::subscribe;

/// The paths of the comments on a new company and a new deal, and the record that the comments refer to.
async fn commented(client: &Client) -> Vec<(String, Value)> {
    let company = client.create("/api/v1/crm/companies", json!({"name": "c"})).await;
    let deal = client.create("/api/v1/crm/deals", json!({"title": "d"})).await;
    vec![
        (format!("/api/v1/crm/companies/{company}/comments"), json!({"type": "company", "id": company})),
        (format!("/api/v1/crm/deals/{deal}/comments"), json!({"type": "deal", "id": deal})),
    ]
}

#[tokio::test]
async fn companies_and_deals_have_comments_without_visibility() {
    let (_app, client) = App::with_client().await;
    for (path, record) in commented(&client).await {
        assert!(client.get(&path).await.expect(200).ids().is_empty());
        let first = client.post(&path, json!({"body": " Called\r\nthem "})).await.expect(201);
        assert_eq!(first.header("location"), "", "no route reads one comment");
        let data = first.data();
        assert_eq!((&data["body"], &data["record"]), (&json!("Called\nthem"), &record), "{path}");
        assert_eq!((&data["edited_at"], &data["version"]), (&Value::Null, &json!(1)));
        assert_eq!((&data["author"], data["author"]["type"].as_str()), (&data["created_by"], Some("api_key")));
        assert_eq!(data.as_object().unwrap().len(), 9);
        let second = client.post(&path, json!({"body": "b"})).await.expect(201);
        let listed = client.get(&path).await.expect(200);
        assert_eq!(listed.ids(), [first.id(), second.id()], "oldest first");
        assert_eq!(&listed.body["data"][0], data);
        let visible = json!({"body": "b", "visibility": "internal"});
        assert_eq!(client.post(&path, visible).await.expect(400).details(), ["visibility:unknown_field"]);
    }
    // The interface has no route for one contact, so there is none for its comments either.
    let contact = client.create("/api/v1/crm/contacts", json!({"email": "a@example.com"})).await;
    assert_eq!(client.get(&format!("/api/v1/crm/contacts/{contact}/comments")).await.status, 404);
}

#[tokio::test]
async fn a_deleted_record_hides_its_comments() {
    let (_app, client) = App::with_client().await;
    for (path, _) in commented(&client).await {
        let comment = client.create(&path, json!({"body": "b"})).await;
        let one = format!("{path}/{comment}");
        let _ = client.delete(path.strip_suffix("/comments").unwrap()).await.expect(200);
        for reply in [
            client.get(&path).await,
            client.post(&path, json!({"body": "b"})).await,
            client.patch(&one, json!({"body": "c"})).await,
            client.delete(&one).await,
        ] {
            assert_eq!((reply.status, reply.code()), (404, "not_found"), "{path}");
        }
    }
}

#[tokio::test]
async fn a_comment_is_reached_only_through_its_own_record() {
    let (_app, client) = App::with_client().await;
    let records = commented(&client).await;
    let others = commented(&client).await;
    let issue = client.create("/api/v1/issues", json!({"kind": "task", "title": "t"})).await;
    for ((path, _), (other, _)) in records.iter().zip(&others) {
        let comment = client.create(path, json!({"body": "b"})).await;
        for wrong in [other, &records[0].0, &records[1].0, &format!("/api/v1/issues/{issue}/comments")] {
            if wrong == path {
                continue;
            }
            let one = format!("{wrong}/{comment}");
            assert_eq!(client.patch(&one, json!({"body": "c"})).await.status, 404, "{one}");
            assert_eq!(client.delete(&one).await.status, 404, "{one}");
        }
        assert_eq!(client.get(path).await.expect(200).body["data"][0]["body"], "b");
        assert_eq!(client.patch(&format!("{path}/{UNKNOWN_ID}"), json!({"body": "c"})).await.status, 404);
    }
}

#[tokio::test]
async fn tools_comment_on_every_kind_of_record() {
    let (_app, _, client) = start_with_all_tools().await;
    let contact = run(&client, "create_contact", json!({"email": "a@example.com"})).await["id"].clone();
    let company = run(&client, "create_company", json!({"name": "c"})).await["id"].clone();
    let deal = run(&client, "create_deal", json!({"title": "d"})).await["id"].clone();
    let task = run(&client, "create_task", json!({"title": "t"})).await["id"].clone();
    for (member, id, record) in [
        ("contact_id", &contact, json!({"type": "contact", "id": contact})),
        ("company_id", &company, json!({"type": "company", "id": company})),
        ("deal_id", &deal, json!({"type": "deal", "id": deal})),
        ("issue_id", &task, Value::Null),
    ] {
        let added = run(&client, "add_comment", json!({member: id, "body": "first"})).await;
        assert_eq!((&added["record"], &added["issue_id"] == id), (&record, member == "issue_id"), "{member}");
        assert_eq!(added["visibility"].is_null(), member != "issue_id", "{member}");
        let _ = run(&client, "add_comment", json!({member: id, "body": "second"})).await;
        let listed = run(&client, "list_comments", json!({member: id, "limit": 1})).await;
        assert_eq!((&listed["data"][0]["id"], listed["data"].as_array().unwrap().len()), (&added["id"], 1));
        let next = json!({member: id, "cursor": listed["pagination"]["nextCursor"]});
        assert_eq!(run(&client, "list_comments", next).await["data"][0]["body"], "second", "{member}");
        let changed = run(&client, "update_comment", json!({"id": added["id"], "body": "1st"})).await;
        assert_eq!((&changed["body"], &changed["version"]), (&json!("1st"), &json!(2)), "{member}");
        assert!(changed["edited_at"].is_string(), "{member}");
        let stale = json!({"id": added["id"], "expected_version": 1});
        assert_eq!(fail(&client, "delete_comment", stale).await["error"], "concurrent_update");
        let _ = run(&client, "delete_comment", json!({"id": added["id"], "expected_version": 2})).await;
        assert_eq!(fail(&client, "delete_comment", json!({"id": added["id"]})).await["error"], "not_found");
        assert_eq!(run(&client, "list_comments", json!({member: id})).await["data"].as_array().unwrap().len(), 1);
        let missing = json!({member: UNKNOWN_ID, "body": "b"});
        assert_eq!(fail(&client, "add_comment", missing).await["error"], "not_found", "{member}");
    }
    for (arguments, field) in [
        (json!({"body": "b"}), "record:one_record"),
        (json!({"body": "b", "deal_id": null}), "record:one_record"),
        (json!({"body": "b", "deal_id": deal, "contact_id": contact}), "record:one_record"),
        (json!({"body": "b", "deal_id": deal, "visibility": "public"}), "visibility:tickets_only"),
    ] {
        let details = fail(&client, "add_comment", arguments.clone()).await["details"].clone();
        let shown = format!("{}:{}", details[0]["field"].as_str().unwrap(), details[0]["code"].as_str().unwrap());
        assert_eq!(shown, field, "{arguments}");
    }
}

#[tokio::test]
async fn permissions_on_a_record_apply_to_its_comments() {
    let (_app, tenant, world) = start_with_all_tools().await;
    let contact = run(&world, "create_contact", json!({"email": "a@example.com"})).await["id"].clone();
    let deal = run(&world, "create_deal", json!({"title": "d"})).await["id"].clone();
    let task = run(&world, "create_task", json!({"title": "t"})).await["id"].clone();
    let scopes = json!(["contacts.write", "deals.write", "issues.write"]);
    for (map, reads, writes, deletes) in [
        (json!({"read_contacts": true, "create_contacts": true}), &[&contact][..], &[][..], &[][..]),
        (json!({"update_contacts": true, "read_comments": true}), &[&task], &[&contact], &[]),
        (json!({"update_deals": true, "delete_deals": true}), &[], &[&deal], &[&deal]),
        (json!({"create_comments": true, "update_comments": true, "delete_comments": true}), &[], &[&task], &[&task]),
    ] {
        let (client, _) = tenant.key(json!({"scopes": scopes, "permissions": map})).await;
        for (member, id) in [("contact_id", &contact), ("deal_id", &deal), ("issue_id", &task)] {
            let context = format!("{map} {member}");
            let reached = |replies: &[&Value]| replies.contains(&id);
            let stored = call(&client, "list_comments", json!({ member: id })).await;
            assert_eq!(stored.body["isError"] == json!(false), reached(reads), "{context}: {}", stored.text);
            let added = call(&client, "add_comment", json!({member: id, "body": "b"})).await;
            assert_eq!(added.body["isError"] == json!(false), reached(writes), "{context}: {}", added.text);
            if !reached(writes) {
                continue;
            }
            let comment = &added.body["structuredContent"]["id"];
            let _ = run(&client, "update_comment", json!({"id": comment, "body": "c"})).await;
            let deleted = call(&client, "delete_comment", json!({ "id": comment })).await;
            assert_eq!(deleted.body["isError"] == json!(false), reached(deletes), "{context}: {}", deleted.text);
        }
    }
}

#[tokio::test]
async fn comments_emit_crm_events() {
    let (_app, tenant, hook) = App::with_receiver().await;
    let client = with_all_tools(&tenant).await;
    let contact = run(&client, "create_contact", json!({"email": "a@example.com"})).await["id"].clone();
    let company = run(&client, "create_company", json!({"name": "c"})).await["id"].clone();
    let deal = run(&client, "create_deal", json!({"title": "d"})).await["id"].clone();
    let _ = subscribe(&tenant, &hook, "crm", json!(["*"])).await;
    let mut expected = Vec::new();
    for (noun, id) in [("contact", &contact), ("company", &company), ("deal", &deal)] {
        let added = run(&client, "add_comment", json!({format!("{noun}_id"): id, "body": "b"})).await;
        let change = json!({"id": added["id"], "body": "c"});
        let _ = run(&client, "update_comment", change.clone()).await;
        let _ = run(&client, "update_comment", change).await;
        let _ = run(&client, "delete_comment", json!({"id": added["id"]})).await;
        expected.extend(["comment_added", "comment_deleted", "comment_updated"].map(|verb| format!("{noun}.{verb}")));
    }
    let received = hook.wait_for(expected.len()).await;
    let mut names: Vec<_> = received.iter().map(|one| one.event().to_owned()).collect();
    names.sort();
    expected.sort();
    assert_eq!(names, expected);
    let payload = |event: &str| &received.iter().find(|one| one.event() == event).unwrap().body["payload"];
    let updated = payload("deal.comment_updated");
    assert_eq!(updated["data"]["record"], json!({"type": "deal", "id": deal}));
    assert_eq!(updated["changes"]["body"], json!({"from": "b", "to": "c"}));
    assert_eq!(payload("deal.comment_deleted")["data"]["version"], 3);
}
