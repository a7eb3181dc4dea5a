//! What every list of records takes: times of creation, ids, and the members to show.

use domain::identity::workspaces::Role;
use serde_json::{Value, json};
use test_support::App;
use time::Duration;

use crate::filters::{Case, check, made};
use crate::support::NOWHERE;
use crate::tools::done;

/// The lists of records: the route, its tool, and a body that creates the record of this number.
type ListOf = (&'static str, &'static str, fn(usize) -> Value);

const LISTS: [ListOf; 6] = [
    ("/api/v1/crm/contacts", "list_contacts", |number| json!({"email": format!("c{number}@example.com")})),
    ("/api/v1/crm/companies", "list_companies", |_| json!({"name": "c"})),
    ("/api/v1/crm/deals", "list_deals", |_| json!({"title": "d"})),
    ("/api/v1/projects", "list_projects", |_| json!({"name": "p"})),
    ("/api/v1/issues", "list_tasks", |_| json!({"title": "t"})),
    ("/api/v1/issues?kind=ticket", "list_tickets", |_| json!({"title": "t", "kind": "ticket"})),
];

/// The path of a list with further parameters.
fn with(path: &str, query: &str) -> String {
    format!("{path}{}{query}", if path.contains('?') { '&' } else { '?' })
}

#[tokio::test]
async fn every_list_is_filtered_by_the_time_of_creation() {
    let app = App::start().await;
    let client = app.workspace().await.full_access().await;
    for (path, tool, body) in LISTS {
        let (mut ids, mut times) = (Vec::new(), Vec::new());
        for number in 0..3 {
            let reply = client.post(path.split('?').next().unwrap(), body(number)).await.expect(201);
            let record = if reply.body["data"].is_object() { &reply.body["data"] } else { &reply.body };
            ids.push(record["id"].as_str().unwrap().to_owned());
            times.push(record["created_at"].as_str().unwrap().to_owned());
            app.advance(Duration::SECOND).await;
        }
        let (since, before) = (&times[1], &times[2]);
        let cases = vec![
            Case("created_since=2020-01-01T00:00:00Z", json!({"created_since": "2020-01-01"}), &[2, 1, 0]),
            Case("created_before=2020-01-01T00:00:00Z", json!({"created_before": "2020-01-01T00:00:00Z"}), &[]),
        ];
        check(&client, (path, tool), &ids, cases).await;
        let query = format!("created_since={since}");
        let cases = vec![Case(&query, json!({"created_since": since}), &[2, 1])];
        check(&client, (path, tool), &ids, cases).await;
        let query = format!("created_since={since}&created_before={before}");
        let cases = vec![Case(&query, json!({"created_since": since, "created_before": before}), &[1])];
        check(&client, (path, tool), &ids, cases).await;
        for (query, detail) in [
            (format!("created_since={since}&created_before={since}"), "created_before:invalid_value"),
            ("created_since=yesterday".to_owned(), "created_since:invalid_timestamp"),
        ] {
            assert_eq!(client.get(&with(path, &query)).await.expect(400).details(), [detail], "{path} {query}");
        }
    }
}

#[tokio::test]
async fn every_list_is_filtered_by_up_to_a_hundred_ids() {
    let app = App::start().await;
    let client = app.workspace().await.full_access().await;
    for (path, _, body) in LISTS {
        let mut ids = Vec::new();
        for number in 0..4 {
            let reply = client.post(path.split('?').next().unwrap(), body(number)).await.expect(201);
            let record = if reply.body["data"].is_object() { &reply.body["data"] } else { &reply.body };
            ids.push(record["id"].as_str().unwrap().to_owned());
        }
        let list = async |query: String| client.get(&with(path, &query)).await;
        let found = list(format!("ids={}", ids[1])).await.expect(200);
        assert_eq!(found.ids(), ids[1..2], "{path}");
        let found = list(format!("ids={}&ids={NOWHERE}&ids={}&ids={}", ids[0], ids[3].to_uppercase(), ids[0])).await;
        assert_eq!(found.expect(200).ids(), [ids[3].clone(), ids[0].clone()], "{path}");
        let three = format!("ids={}&ids={}&ids={}&limit=2", ids[0], ids[1], ids[2]);
        let page = list(three.clone()).await.expect(200);
        assert_eq!(page.ids(), [ids[2].clone(), ids[1].clone()], "{path}");
        let cursor = page.body["pagination"]["nextCursor"].as_str().unwrap();
        assert_eq!(list(format!("{three}&cursor={cursor}")).await.expect(200).ids(), ids[..1], "{path}");
        let many = |count: usize| (0..count).map(|_| format!("ids={}", app.ports.ids.new_id())).collect::<Vec<_>>();
        assert_eq!(list(many(100).join("&")).await.expect(200).ids(), [""; 0], "{path}");
        for (query, detail) in [(many(101).join("&"), "ids:too_many"), ("ids=x".to_owned(), "ids:invalid_uuid")] {
            assert_eq!(list(query).await.expect(400).details(), [detail], "{path}");
        }
    }
}

#[tokio::test]
async fn every_list_shows_the_members_that_are_asked_for() {
    let app = App::start().await;
    let client = app.workspace().await.full_access().await;
    for (path, _, body) in LISTS {
        for number in 0..2 {
            let _ = client.post(path.split('?').next().unwrap(), body(number)).await.expect(201);
        }
        let whole = client.get(&with(path, "limit=1")).await.expect(200).body;
        let part = client.get(&with(path, "limit=1&fields=version,created_at,version")).await.expect(200).body;
        let record = &whole["data"][0];
        let expected = json!({"id": record["id"], "version": record["version"], "created_at": record["created_at"]});
        assert_eq!(part["data"], json!([expected]), "{path}");
        assert_eq!(part["pagination"], whole["pagination"], "{path}");
        let cursor = whole["pagination"]["nextCursor"].as_str().unwrap();
        let next = client.get(&with(path, &format!("fields=id&limit=1&cursor={cursor}"))).await.expect(200);
        assert_eq!(next.body["data"][0].as_object().map(serde_json::Map::len), Some(1), "{path}");
        // Every member can be asked for.
        let all: Vec<_> = record.as_object().unwrap().keys().map(String::as_str).collect();
        let again = client.get(&with(path, &format!("limit=1&fields={}", all.join(",")))).await.expect(200);
        assert_eq!(again.body, whole, "{path}");
        for fields in ["", "nope", "version,", "version,nope", "Version"] {
            let reply = client.get(&with(path, &format!("fields={fields}"))).await.expect(400);
            assert_eq!(reply.details(), ["fields:invalid_value"], "{path} {fields}");
            assert!(reply.text.contains("version, created_at, updated_at, created_by"), "{}", reply.text);
        }
        let twice = client.get(&with(path, "fields=id&fields=version")).await.expect(400);
        assert_eq!(twice.details(), ["fields:invalid_value"], "{path}");
    }
    let other = client.get("/api/v1/members?fields=id").await.expect(400);
    assert_eq!(other.details(), ["fields:unknown_parameter"]);
}

#[tokio::test]
async fn deleted_and_commented_records_show_why_they_are_listed() {
    let app = App::start().await;
    let client = app.workspace().await.full_access().await;
    let path = "/api/v1/crm/deals";
    let ids = made(&client, path, &[json!({"title": "one"}), json!({"title": "two"})]).await;
    let _ = done(&client, "add_comment", json!({"deal_id": ids[0], "body": "about zebras"})).await;
    let found = client.get(&format!("{path}?search=zebras&fields=title")).await.expect(200).body;
    let shown: Vec<_> = found["data"][0].as_object().unwrap().keys().map(String::as_str).collect();
    assert_eq!(shown, ["id", "matched_comment", "title"]);
    let _ = client.delete(&format!("{path}/{}", ids[1])).await.expect(200);
    let found = client.get(&format!("{path}?deleted=true&fields=title")).await.expect(200).body;
    let shown: Vec<_> = found["data"][0].as_object().unwrap().keys().map(String::as_str).collect();
    assert_eq!(shown, ["deleted_at", "id", "title"]);
}

#[tokio::test]
async fn lists_of_articles_take_the_same() {
    let app = App::start().await;
    let tenant = app.workspace().await;
    let owner = tenant.user(Role::Owner).await.client;
    let path = "/api/settings/kb/articles";
    let ids = made(&owner, path, &[json!({"title": "a"}), json!({"title": "b"})]).await;
    let list = async |query: &str| owner.get(&format!("{path}?{query}")).await;
    assert_eq!(list(&format!("ids={}", ids[0])).await.expect(200).ids(), ids[..1]);
    assert_eq!(list("created_since=2000-01-01T00:00:00Z").await.expect(200).ids().len(), 2);
    assert_eq!(list("created_before=2000-01-01T00:00:00Z").await.expect(200).ids(), [""; 0]);
    let shown = list("fields=slug&limit=1").await.expect(200).body["data"][0].clone();
    assert_eq!(shown, json!({"id": ids[1], "slug": "b"}));
}
