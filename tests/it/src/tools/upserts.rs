//! Upserts of many contacts, companies or deals at once.

use domain::identity::workspaces::Role;
use serde_json::{Value, json};
use test_support::{App, Client, Receiver, assert_members};

use super::calls::{call, call_once, create, details, map_of, run, start_with_all_tools, with_all_tools};
use crate::quota::tenant_with;
use crate::support::UNKNOWN_ID;
use crate::support_emails::{a_minute_later, with_mail_server};

pub(super) async fn upsert(client: &Client, kind: &str, items: Value) -> Value {
    run(client, &format!("upsert_{kind}"), json!({ "items": items })).await
}

/// `index:code` of each failure.
pub(super) fn failures(result: &Value) -> Vec<String> {
    let failed = result["failed"].as_array().unwrap();
    failed.iter().map(|it| format!("{}:{}", it["index"], it["code"].as_str().unwrap())).collect()
}

/// The number of created, updated, unchanged and failed items.
pub(super) fn counts(result: &Value) -> [usize; 4] {
    let counts = ["created", "updated", "unchanged", "failed"].map(|list| result[list].as_array().unwrap().len());
    assert_eq!(counts.iter().sum::<usize>(), result["outcomes"].as_array().unwrap().len(), "{result}");
    counts
}

pub(super) async fn record(client: &Client, noun: &str, id: &Value) -> Value {
    run(client, &format!("get_{noun}"), json!({ "id": id })).await
}

#[tokio::test]
async fn only_the_item_with_another_version_is_refused() {
    let (_app, _, client) = start_with_all_tools().await;
    for (kind, noun, name, key) in [
        ("contacts", "contact", "first_name", "email"),
        ("companies", "company", "name", "domain"),
        ("deals", "deal", "title", "external_id"),
    ] {
        let item = |number: usize, name_of: &str, version: Value| {
            let key_of = match key {
                "email" => format!("v{number}@example.com"),
                "domain" => format!("v{number}.example"),
                _ => format!("v{number}"),
            };
            json!({key: key_of, name: name_of, "expected_version": version})
        };
        let created = upsert(&client, kind, json!([item(0, "a", json!(null)), item(1, "b", json!(null))])).await;
        let items = json!([item(0, "a2", json!(1)), item(1, "b2", json!(7)), item(2, "c", json!(1))]);
        let dry = run(&client, &format!("upsert_{kind}"), json!({"items": items.clone(), "dry_run": true})).await;
        let result = upsert(&client, kind, items).await;
        for result in [&dry, &result] {
            assert_eq!(failures(result), ["1:concurrent_update", "2:not_found"], "{kind}");
            assert_eq!(result["updated"][0], created["created"][0]);
            assert_eq!(result["failed"][0]["existing_id"], created["created"][1]);
        }
        assert_eq!(record(&client, noun, &created["created"][0]).await["version"], 2, "{kind}");
        assert_eq!(record(&client, noun, &created["created"][1]).await[name], "b", "{kind}");
    }
}

#[tokio::test]
async fn each_item_is_created_changed_or_left_unchanged() {
    let (_app, _, client) = start_with_all_tools().await;
    let known = create(&client, "create_contact", json!({"email": "Ada@Example.com", "city": "London"})).await;
    let items = json!([
        {"email": "ada@example.com", "external_id": "1", "phone": "7"},
        {"email": "new@example.com", "external_id": "2", "tags": ["vip"], "custom_fields": {"a": [1, {"b": null}]}},
    ]);
    let first = upsert(&client, "contacts", items.clone()).await;
    assert_eq!((&first["updated"], &first["outcomes"]), (&json!([known]), &json!(["updated", "created"])));
    let ada = record(&client, "contact", &json!(known)).await;
    // Absent members stay; the address is the one that was sent.
    assert_members(&ada, &json!({"city": "London", "phone": "7", "external_id": "1", "email": "ada@example.com"}));
    assert_members(&ada, &json!({"version": 2}));
    let new = record(&client, "contact", &first["created"][0]).await;
    assert_eq!((&new["tags"], &new["custom_fields"]), (&json!(["vip"]), &json!({"a": [1, {"b": null}]})));
    assert_eq!((&new["contact_type"], &new["version"]), (&json!("new"), &json!(1)));
    let repeated = upsert(&client, "contacts", items).await;
    assert_eq!(repeated["unchanged"], json!([known, first["created"][0]]));
    assert_eq!(record(&client, "contact", &json!(known)).await["version"], 2);
    // The external id takes precedence; null clears; results are in the order of the items.
    let items = json!([
        {"external_id": "2", "email": "moved@example.com", "tags": null},
        {"external_id": "3", "email": "third@example.com"},
        {"external_id": "1", "city": null},
    ]);
    let changed = upsert(&client, "contacts", items).await;
    assert_eq!(changed["updated"], json!([first["created"][0], known]));
    assert_eq!(changed["outcomes"], json!(["updated", "created", "updated"]));
    let moved = record(&client, "contact", &first["created"][0]).await;
    assert_eq!((&moved["email"], &moved["tags"]), (&json!("moved@example.com"), &json!([])));
    assert_eq!(record(&client, "contact", &json!(known)).await["city"], Value::Null);
}

#[tokio::test]
async fn companies_are_matched_by_domain_and_deals_only_by_external_id() {
    let (_app, _, client) = start_with_all_tools().await;
    let company = create(&client, "create_company", json!({"name": "Acme", "domain": "acme.example"})).await;
    let items = json!([{"domain": "ACME.example", "industry": "Anvils"}, {"name": "Globex", "external_id": "g"}]);
    let result = upsert(&client, "companies", items).await;
    assert_eq!((counts(&result), &result["updated"]), ([1, 1, 0, 0], &json!([company])));
    let results = run(&client, "list_companies", json!({"search": "glob"})).await;
    assert_eq!(results["data"][0]["id"], result["created"][0]);
    let deals = json!([
        {"external_id": "d1", "title": "Won", "value": 12.5, "status": "closed_won", "company_id": company},
        {"external_id": "d2", "title": "Open", "currency": "CHF", "expected_close_date": "2030-01-31"},
    ]);
    let result = upsert(&client, "deals", deals.clone()).await;
    assert_eq!(counts(&result), [2, 0, 0, 0]);
    let won = record(&client, "deal", &result["created"][0]).await;
    assert_eq!((&won["stage"], &won["value"], &won["currency"]), (&json!("closed_won"), &json!(12.5), &json!("USD")));
    assert!(won["actual_close_date"].is_string());
    assert_eq!(counts(&upsert(&client, "deals", deals).await), [0, 0, 2, 0]);
    let moves = json!([
        {"external_id": "d1", "stage": "proposal"},
        {"external_id": "d2", "lost_reason": "price"},
        {"external_id": "d2", "title": "Twice"},
        {"title": "No key"},
        {"external_id": "d3", "lost_reason": "price", "title": "Not lost"},
    ]);
    let result = upsert(&client, "deals", moves).await;
    let expected =
        ["0:invalid_state_change", "1:validation_failed", "2:duplicate_item", "3:invalid_value", "4:validation_failed"];
    assert_eq!(failures(&result), expected, "{result}");
}

#[tokio::test]
async fn an_invalid_item_fails_alone() {
    let (_app, _, client) = start_with_all_tools().await;
    let known = create(&client, "create_contact", json!({"email": "a@example.com", "external_id": "a"})).await;
    let other = create(&client, "create_contact", json!({"email": "b@example.com", "external_id": "b"})).await;
    let third = create(&client, "create_contact", json!({"email": "t@example.com", "external_id": "t"})).await;
    let items = json!([
        {"email": "ok@example.com"},
        {"email": "nope"},
        {"email": "c@example.com", "first_name": "x".repeat(121)},
        {"email": "d@example.com", "company": "Acme"},
        {"email": "e@example.com", "status": "Active"},
        {"email": "f@example.com", "company_id": UNKNOWN_ID},
        {"external_id": "no address"},
        {"first_name": "No key"},
        {"external_id": "b\u{0}", "email": "g@example.com"},
        {"external_id": "a", "email": "b@example.com"},
        {"external_id": "new", "email": "t@example.com"},
        {"email": "OK@example.com"},
        {"external_id": "a", "email": null},
        {"external_id": "a", "city": "Oslo"},
        {"email": "A@example.com"},
        {},
    ]);
    let result = upsert(&client, "contacts", items).await;
    let expected = [
        "1:validation_failed",
        "2:validation_failed",
        "3:unknown_field",
        "4:invalid_value",
        "5:validation_failed",
        "6:invalid_value",
        "7:invalid_value",
        "8:validation_failed",
        "9:duplicate",
        "10:duplicate",
        "11:duplicate_item",
        "12:validation_failed",
        "13:duplicate_item",
        "15:validation_failed",
    ];
    assert_eq!(failures(&result), expected, "{result}");
    assert_eq!((counts(&result), &result["updated"]), ([1, 1, 0, 14], &json!([known])));
    let failed = |index: u32| {
        let all = result["failed"].as_array().unwrap();
        all.iter().find(|it| it["index"] == index).unwrap().clone()
    };
    for (index, text) in [(1, "email: "), (3, "first_name"), (4, "pending"), (6, "email is required"), (11, "index 0")]
    {
        assert!(failed(index)["message"].as_str().unwrap().contains(text), "{}", failed(index));
    }
    for (index, existing) in [(9, &other), (10, &third)] {
        assert_eq!(failed(index)["existing_id"], json!(existing), "{}", failed(index));
    }
    // Index 9 used the external id first, even though it failed.
    assert!(failed(13)["message"].as_str().unwrap().contains("index 9"), "{}", failed(13));
    let ada = record(&client, "contact", &json!(known)).await;
    assert_eq!((&ada["email"], &ada["city"], &ada["version"]), (&json!("A@example.com"), &Value::Null, &json!(2)));
}

#[tokio::test]
async fn ids_that_another_system_manages_are_refused_with_their_item() {
    let (_app, _, client) = start_with_all_tools().await;
    for name in ["price_book_id", "package_id", "developer_id"] {
        let items = json!([
            {"external_id": format!("{name} 1"), "title": "d", name: UNKNOWN_ID},
            {"external_id": format!("{name} 2"), "title": "d"},
            {"external_id": format!("{name} 2"), "title": "d", name: null},
        ]);
        let result = upsert(&client, "deals", items).await;
        assert_eq!(failures(&result), ["0:unknown_field", "2:unknown_field"], "{result}");
        assert_eq!(result["failed"][0]["message"], format!("{name}: tools do not take this member"));
        assert_eq!(record(&client, "deal", &result["created"][0]).await[name], Value::Null);
    }
    // Other errors do not name them either.
    let result =
        upsert(&client, "deals", json!([{}, {"external_id": "x", "title": "d", "price_book": UNKNOWN_ID}])).await;
    assert_eq!(failures(&result), ["0:validation_failed", "1:unknown_field"], "{result}");
    assert!(!result.to_string().contains("price_book_id"), "{result}");
    assert!(result["failed"][1]["message"].as_str().unwrap().contains("the fields are title, "), "{result}");
}

#[tokio::test]
async fn the_arguments_are_bounded_and_strict() {
    let (_app, _, client) = start_with_all_tools().await;
    let items = |count: usize| (0..count).map(|number| json!({"external_id": number.to_string()})).collect::<Vec<_>>();
    for kind in ["contacts", "companies", "deals"] {
        let name = format!("upsert_{kind}");
        for (arguments, expected) in [
            (json!({}), "items:required"),
            (json!({"items": null}), "items:required"),
            (json!({"items": []}), "items:out_of_range"),
            (json!({"items": items(501)}), "items:out_of_range"),
            (json!({"items": {}}), "items:invalid_type"),
            (json!({"items": [{"external_id": "x"}, "x"]}), "items[1]:invalid_type"),
            (json!({"items": items(1), "dry_run": "yes"}), "dry_run:invalid_type"),
            (json!({"items": items(1), "x": 1}), "x:unknown_field"),
        ] {
            let reply = call(&client, &name, arguments).await.expect(400);
            assert_eq!(reply.body["error"], "invalid_arguments");
            assert_eq!(details(&reply.body), vec![expected.to_owned()]);
        }
        let result = run(&client, &name, json!({"items": items(500)})).await;
        assert_eq!(counts(&result), [0, 0, 0, 500], "they lack what a create needs");
    }
}

#[tokio::test]
async fn a_dry_run_says_what_would_happen_and_writes_nothing() {
    let app = App::delivering().await;
    let tenant = tenant_with(&app, 3).await;
    let client = with_all_tools(&tenant).await;
    let known = create(&client, "create_deal", json!({"title": "Known", "external_id": "k"})).await;
    let hook = Receiver::start().await;
    let _ = run(&client, "create_webhook", json!({"module": "crm", "url": hook.url, "events": ["*"]})).await;
    let items = json!([
        {"external_id": "k", "title": "Changed"},
        {"external_id": "1", "title": "a"},
        {"external_id": "2", "title": "b"},
        {"external_id": "3", "title": "c"},
    ]);
    let arguments = json!({"items": items, "dry_run": true});
    for _ in 0..2 {
        let reply = call_once(&client, "one key", "upsert_deals", &arguments).await.expect(200);
        let result = &reply.body["structuredContent"];
        assert_eq!((&result["created"], &result["updated"]), (&json!([null, null]), &json!([known])));
        assert_eq!((failures(result), reply.header("idempotent-replayed")), (vec!["3:quota_exceeded".to_owned()], ""));
    }
    let deals = run(&client, "list_deals", json!({})).await;
    assert_eq!((deals["data"].as_array().unwrap().len(), &deals["data"][0]["title"]), (1, &json!("Known")));
    // The same items and the same key, this time not as a dry run.
    let real = json!({"items": arguments["items"]});
    let first = call_once(&client, "one key", "upsert_deals", &real).await.expect(200);
    assert_eq!(counts(&first.body["structuredContent"]), [2, 1, 0, 1]);
    let replayed = call_once(&client, "one key", "upsert_deals", &real).await.expect(200);
    assert_eq!((replayed.header("idempotent-replayed"), &replayed.body), ("true", &first.body));
    assert_eq!(call_once(&client, "one key", "upsert_deals", &arguments).await.expect(200).body["isError"], false);
    let mut events: Vec<_> = hook.wait_for(3).await.iter().map(|one| one.event().to_owned()).collect();
    events.sort();
    assert_eq!(events, ["deal.created", "deal.created", "deal.updated"]);
}

#[tokio::test]
async fn events_and_search_match_single_writes() {
    let app = App::delivering().await;
    let client = with_all_tools(&app.workspace().await).await;
    let hook = Receiver::start().await;
    let _ = run(&client, "create_webhook", json!({"module": "crm", "url": hook.url, "events": ["*"]})).await;
    let _ = upsert(&client, "contacts", json!([{"email": "zoe@example.com", "first_name": "Zoë"}])).await;
    let _ = upsert(&client, "contacts", json!([{"email": "zoe@example.com", "last_name": "Quill"}])).await;
    let _ = upsert(&client, "contacts", json!([{"email": "zoe@example.com", "last_name": "Quill"}])).await;
    let _ = upsert(&client, "deals", json!([{"external_id": "d", "title": "D"}])).await;
    let _ = upsert(&client, "deals", json!([{"external_id": "d", "status": "closed_won", "source": "fair"}])).await;
    let received = hook.wait_for(5).await;
    let mut events: Vec<_> = received.iter().map(|one| one.event().to_owned()).collect();
    events.sort();
    assert_eq!(events, ["contact.created", "contact.updated", "deal.created", "deal.updated", "deal.won"]);
    let updated = received.iter().find(|one| one.event() == "contact.updated").unwrap();
    assert_eq!(updated.body["payload"]["changes"], json!({"last_name": {"from": null, "to": "Quill"}}));
    for words in ["zoe", "quill zo"] {
        assert_eq!(run(&client, "list_contacts", json!({"search": words})).await["data"].as_array().unwrap().len(), 1);
    }
}

#[tokio::test]
async fn both_permissions_are_needed() {
    let (_app, tenant) = App::with_workspace().await;
    for (kind, area, fields) in [
        ("contacts", "contacts", json!({"email": "a@example.com"})),
        ("companies", "crm", json!({"name": "a", "external_id": "a"})),
        ("deals", "deals", json!({"title": "a", "external_id": "a"})),
    ] {
        let (name, arguments) = (format!("upsert_{kind}"), json!({"items": [fields]}));
        let [create, update] = ["create", "update"].map(|verb| format!("{verb}_{kind}"));
        let scope = format!("{area}.write");
        for alone in [&create, &update] {
            let key = json!({"scopes": [scope], "permissions": map_of(&[alone])});
            let reply = call(&tenant.key(key).await.0, &name, arguments.clone()).await.expect(403);
            let message = reply.body["message"].as_str().unwrap();
            assert!(message.contains(&format!("{create} and {update}")), "{message}");
        }
        let reader = tenant.with_scopes(&[&format!("{area}.read")]).await;
        let _ = call(&reader, &name, arguments.clone()).await.expect(403);
        // Without the permission to read, a conflict does not name the record.
        let key = json!({"scopes": [scope], "permissions": map_of(&[&create, &update])});
        let blind = tenant.key(key).await.0;
        assert_eq!(counts(&run(&blind, &name, arguments).await), [1, 0, 0, 0]);
        if kind == "contacts" {
            let known = upsert(&blind, kind, json!([{"external_id": "x", "email": "x@example.com"}])).await["created"]
                [0]
            .clone();
            let result = upsert(&blind, kind, json!([{"external_id": "y", "email": "x@example.com"}])).await;
            assert_eq!(failures(&result), ["0:duplicate"]);
            assert!(!result.to_string().contains(known.as_str().unwrap()), "{result}");
        }
    }
}

#[tokio::test]
async fn another_workspace_is_neither_matched_nor_referred_to() {
    let app = App::start().await;
    let (mine, theirs) = (with_all_tools(&app.workspace().await).await, with_all_tools(&app.workspace().await).await);
    let items = json!([{"external_id": "x", "email": "a@example.com"}]);
    let their_contact = upsert(&theirs, "contacts", items.clone()).await["created"][0].clone();
    let result = upsert(&mine, "contacts", items).await;
    assert_eq!(counts(&result), [1, 0, 0, 0]);
    assert_ne!(result["created"][0], their_contact);
    let deal = json!([{"external_id": "d", "title": "d", "contact_id": their_contact}]);
    assert_eq!(failures(&upsert(&mine, "deals", deal).await), ["0:validation_failed"]);
    assert_eq!(record(&theirs, "contact", &their_contact).await["version"], 1);
}

#[tokio::test]
async fn members_are_given_by_address_and_notified_of_their_deals() {
    let (app, tenant) = with_mail_server().await;
    let client = with_all_tools(&tenant).await;
    let (ann, bob) = (tenant.user(Role::Member).await, tenant.user(Role::Member).await);
    let deal = |id: &str, member: &str| json!({"external_id": id, "title": "d", "assigned_to": member});
    let items = json!([
        deal("1", &ann.email),
        deal("2", &ann.id.to_string()),
        deal("3", "nobody@example.com"),
        deal("4", "nobody"),
        deal("5", &bob.email),
    ]);
    let dry = run(&client, "upsert_deals", json!({"items": items, "dry_run": true})).await;
    assert_eq!(counts(&dry), [3, 0, 0, 2]);
    a_minute_later(&app).await;
    assert_eq!(app.inbox.to(&ann.email), []);
    let result = upsert(&client, "deals", items.clone()).await;
    assert_eq!(failures(&result), ["2:validation_failed", "3:invalid_value"], "{result}");
    assert!(result["failed"][0]["message"].as_str().unwrap().starts_with("assigned_to: "), "{result}");
    assert_eq!(record(&client, "deal", &result["created"][0]).await["assigned_to"], json!(ann.id));
    let _ = upsert(&client, "deals", items).await;
    let _ = upsert(&client, "deals", json!([deal("5", &bob.email)])).await;
    a_minute_later(&app).await;
    assert_eq!(app.inbox.to(&ann.email).len(), 1, "one e-mail for all, and no others");
    assert_eq!(app.inbox.to(&bob.email).len(), 1, "one e-mail for all, and no others");
    let _ = upsert(&client, "deals", json!([deal("1", &bob.email)])).await;
    a_minute_later(&app).await;
    assert_eq!((app.inbox.to(&ann.email).len(), app.inbox.to(&bob.email).len()), (1, 2));
}
