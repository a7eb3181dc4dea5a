//! `updated_since` and `order=updated`, over REST and in tools.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::{Value, json};
use test_support::{ApiResponse, App, Client, eventually};

use crate::database::{OtherTransaction, count};
use crate::tools::run;

/// The lists, their tools, and a record of each.
fn lists() -> Vec<(&'static str, &'static str, Value)> {
    vec![
        ("/api/v1/crm/contacts", "list_contacts", json!({"email": "{n}@example.com"})),
        ("/api/v1/crm/companies", "list_companies", json!({"name": "c{n}"})),
        ("/api/v1/crm/deals", "list_deals", json!({"title": "d{n}"})),
        ("/api/v1/projects", "list_projects", json!({"name": "p{n}"})),
        ("/api/v1/issues", "list_tasks", json!({"kind": "task", "title": "t{n}"})),
        ("/api/v1/issues?kind=ticket", "list_tickets", json!({"kind": "ticket", "title": "t{n}"})),
    ]
}

async fn add(client: &Client, path: &str, body: &Value, number: usize) -> ApiResponse {
    let body: Value = serde_json::from_str(&body.to_string().replace("{n}", &number.to_string())).unwrap();
    let created = client.post(path.split('?').next().unwrap(), body).await.expect(201);
    // The response to creating a contact has no `data`.
    let data = if created.body["data"].is_object() { created.body["data"].clone() } else { created.body.clone() };
    ApiResponse { body: json!({ "data": data }), ..created }
}

/// A page in the order of changes, after a cursor.
async fn page(client: &Client, path: &str, more: &str, cursor: Option<&str>) -> ApiResponse {
    let separator = if path.contains('?') { '&' } else { '?' };
    let cursor = cursor.map(|cursor| format!("&cursor={cursor}")).unwrap_or_default();
    client.get(&format!("{path}{separator}order=updated{more}{cursor}")).await.expect(200)
}

fn cursor(reply: &ApiResponse) -> String {
    reply.body["pagination"]["nextCursor"].as_str().unwrap_or_else(|| panic!("no cursor: {}", reply.text)).to_owned()
}

/// Changes the text that every kind of record has; only tools change and delete contacts.
async fn alter(client: &Client, path: &str, id: &str, text: &str) -> Value {
    let route = path.split('?').next().unwrap();
    let body = match route {
        "/api/v1/crm/contacts" => return run(client, "update_contact", json!({"id": id, "first_name": text})).await,
        "/api/v1/crm/deals" | "/api/v1/issues" => json!({ "title": text }),
        _ => json!({ "name": text }),
    };
    client.patch(&format!("{route}/{id}"), body).await.expect(200).data().clone()
}

async fn delete(client: &Client, path: &str, id: &str) {
    let route = path.split('?').next().unwrap();
    if route == "/api/v1/crm/contacts" {
        let _ = run(client, "delete_contact", json!({ "id": id })).await;
    } else {
        let _ = client.delete(&format!("{route}/{id}")).await.expect(200);
    }
}

fn id_of(record: &Value) -> String {
    record["id"].as_str().unwrap().to_owned()
}

#[tokio::test]
async fn every_list_is_read_by_change_and_continues_after_its_end() {
    let (_app, client) = App::with_client().await;
    for (path, tool, body) in lists() {
        let mut created = Vec::new();
        for number in 0..4 {
            created.push(add(&client, path, &body, number).await);
        }
        let ids: Vec<_> = created.iter().map(ApiResponse::id).collect();
        let first = alter(&client, path, &ids[0], "changed").await;
        // Oldest change first, over REST and with the tool.
        let all = page(&client, path, "", None).await;
        let expected = [&ids[1], &ids[2], &ids[3], &ids[0]].map(Clone::clone);
        assert_eq!(all.ids(), expected, "{path}");
        assert_eq!(all.body["pagination"]["hasMore"], json!(false), "{path}");
        let by_tool = run(&client, tool, json!({"order": "updated"})).await;
        let rows: Vec<_> = by_tool["data"].as_array().unwrap().iter().map(|row| row["id"].clone()).collect();
        assert_eq!(rows, expected.clone().map(Value::from), "{tool}");
        // `updated_since`, in this order and in the default order.
        let since = created[2].data()["updated_at"].as_str().unwrap();
        let results = page(&client, path, &format!("&updated_since={since}"), None).await.ids();
        assert_eq!(results, expected[1..], "{path}");
        let separator = if path.contains('?') { '&' } else { '?' };
        let newest = client.get(&format!("{path}{separator}updated_since={since}")).await.expect(200);
        assert_eq!(newest.ids(), [&ids[3], &ids[2], &ids[0]].map(Clone::clone), "{path}");
        assert!(newest.body["pagination"]["nextCursor"].is_null(), "{path}");
        let by_tool = run(&client, tool, json!({ "updated_since": first["updated_at"] })).await;
        assert_eq!(by_tool["data"].as_array().unwrap().len(), 1, "{tool}: {by_tool}");
        // Pages of one record, then later changes.
        let (mut walked, mut next) = (Vec::new(), None);
        loop {
            let reply = page(&client, path, "&limit=1", next.as_deref()).await;
            walked.extend(reply.ids());
            next = Some(cursor(&reply));
            if reply.body["pagination"]["hasMore"] == json!(false) {
                break;
            }
        }
        assert_eq!(walked, expected, "{path}");
        let quiet = page(&client, path, "", next.as_deref()).await;
        assert_eq!((quiet.ids().len(), &quiet.body["pagination"]["page"]), (0, &Value::Null), "{path}");
        let changed = alter(&client, path, &ids[1], "again").await;
        let added = add(&client, path, &body, 9).await;
        let after = page(&client, path, "", Some(&cursor(&quiet))).await;
        assert_eq!(after.ids(), [id_of(&changed), added.id()], "{path}");
        let by_tool = run(&client, tool, json!({"order": "updated", "cursor": cursor(&quiet)})).await;
        assert_eq!(by_tool["data"].as_array().unwrap().len(), 2, "{tool}");
        let note = by_tool["pagination"]["note"].as_str().unwrap();
        assert!(note.contains("nextCursor") && by_tool["pagination"]["nextCursor"].is_string(), "{by_tool}");
        // Deleted records are in no list; tickets cannot be deleted.
        if tool != "list_tickets" {
            delete(&client, path, &ids[1]).await;
            assert_eq!(page(&client, path, "", Some(&cursor(&quiet))).await.ids(), [added.id()], "{path}");
        }
        // A cursor from the other order, an invalid time, an invalid order.
        let by_creation = client.get(&format!("{path}{separator}limit=1")).await;
        for query in [
            format!("cursor={}", cursor(&quiet)),
            format!("order=updated&cursor={}", cursor(&by_creation)),
            "updated_since=yesterday".to_owned(),
            "order=random".to_owned(),
        ] {
            let _ = client.get(&format!("{path}{separator}{query}")).await.expect(400);
        }
    }
    let mut deals = page(&client, "/api/v1/crm/deals", "&currency=EUR&search=d2", None).await.ids();
    deals.extend(page(&client, "/api/v1/crm/deals", "&currency=USD&search=d2", None).await.ids());
    assert_eq!(deals.len(), 1, "other filters combine with it");
}

#[tokio::test]
async fn a_change_whose_transaction_waited_is_not_skipped() {
    let (app, client) = App::with_client().await;
    for (path, _, body) in lists() {
        let (waiting, other) = (add(&client, path, &body, 20).await.id(), add(&client, path, &body, 21).await.id());
        let table = path.split('?').next().and_then(|route| route.rsplit('/').next()).unwrap();
        // Another transaction locks the record, so that its change, whose time is already taken, waits.
        let holder = OtherTransaction::begin(&app, &format!("SELECT FROM {table} WHERE id = '{waiting}' FOR UPDATE"));
        let change = {
            let (client, id) = (client.clone(), waiting.clone());
            tokio::spawn(async move { alter(&client, path, &id, "late").await })
        };
        let waits = "pg_locks JOIN pg_stat_activity USING (pid) WHERE NOT granted AND datname = current_database()";
        eventually("the change waits for the lock", async || count(&app, waits) > 0).await;
        let overtaking = alter(&client, path, &other, "early").await;
        let first_page = page(&client, path, "", None).await;
        assert_eq!(first_page.ids().last(), Some(&other), "{path}");
        holder.commit();
        let change = change.await.unwrap();
        assert!(change["updated_at"].as_str() < overtaking["updated_at"].as_str(), "{path}");
        let next = page(&client, path, "", Some(&cursor(&first_page))).await;
        assert_eq!(next.ids(), [waiting, other], "{path}");
        assert_eq!(next.body["data"][0]["version"], json!(2), "{path}");
        let quiet = page(&client, path, "", Some(&cursor(&next))).await;
        assert_eq!((quiet.ids().len(), &quiet.body["pagination"]["hasMore"]), (0, &json!(false)), "{path}");
    }
}

#[tokio::test]
async fn a_reader_pages_through_250_changes_while_others_are_made() {
    let (_app, client) = App::with_client().await;
    let items: Vec<_> = (0..250).map(|n| json!({"external_id": format!("x{n}"), "title": "d"})).collect();
    let _ = run(&client, "upsert_deals", json!({ "items": items })).await;
    let path = "/api/v1/crm/deals";
    let (mut seen, mut next) = (BTreeMap::new(), None::<String>);
    let mut changed = BTreeSet::new();
    for round in 0..100 {
        let reply = page(&client, path, "&limit=40", next.as_deref()).await;
        next = Some(cursor(&reply));
        for deal in reply.body["data"].as_array().unwrap() {
            seen.insert(deal["id"].as_str().unwrap().to_owned(), deal["version"].as_i64().unwrap());
        }
        if round < 5 {
            // A record that was already read, and one that was not.
            let read = reply.ids()[0].clone();
            let unread = client.get(&format!("{path}?external_id=x{}", 240 + round)).await.ids()[0].clone();
            for id in [read, unread] {
                let _ = client.patch(&format!("{path}/{id}"), json!({ "title": format!("{round}") })).await.expect(200);
                changed.insert(id);
            }
        } else if reply.body["pagination"]["hasMore"] == json!(false) {
            break;
        }
    }
    assert_eq!(seen.len(), 250);
    for (id, version) in &seen {
        let is_changed = changed.contains(id);
        assert_eq!(*version > 1, is_changed, "{id} at {version}");
    }
    for id in &changed {
        let now = client.get(&format!("{path}/{id}")).await.expect(200);
        assert_eq!(json!(seen[id]), now.data()["version"], "{id}");
    }
}
