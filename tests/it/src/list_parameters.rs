//! Parameters of every list of records: times of creation, ids, and the members to show.

use domain::identity::workspaces::Role;
use serde_json::{Value, json};
use test_support::{App, Client, SURFACES};
use time::Duration;

use crate::all_callers::intake;
use crate::filters::{Case, check, create_all};
use crate::support::UNKNOWN_ID;
use crate::tools::run;

/// The lists of records: the route, its tool, and the body that creates record number n.
type ListOf = (&'static str, &'static str, fn(usize) -> Value);

const LISTS: [ListOf; 6] = [
    ("/api/v1/crm/contacts", "list_contacts", |number| json!({"email": format!("c{number}@example.com")})),
    ("/api/v1/crm/companies", "list_companies", |_| json!({"name": "c"})),
    ("/api/v1/crm/deals", "list_deals", |_| json!({"title": "d"})),
    ("/api/v1/projects", "list_projects", |_| json!({"name": "p"})),
    ("/api/v1/issues", "list_tasks", |_| json!({"title": "t", "kind": "task"})),
    ("/api/v1/issues?kind=ticket", "list_tickets", |_| json!({"title": "t", "kind": "ticket"})),
];

/// The path of a list with further parameters.
fn with(path: &str, query: &str) -> String {
    format!("{path}{}{query}", if path.contains('?') { '&' } else { '?' })
}

#[tokio::test]
async fn every_list_is_filtered_by_the_time_of_creation() {
    let (app, client) = App::with_client().await;
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

/// Checks the times of creation of a list whose records are created at another path; `body` gives the body for a number.
async fn check_created(app: &App, client: &Client, (list, made_at): (&str, &str), body: fn(usize) -> Value) {
    let mut times = Vec::new();
    for number in 0..3 {
        let reply = client.post(made_at, body(number)).await;
        assert!([201, 202].contains(&reply.status), "{made_at}: {}", reply.text);
        times.push(reply.data()["created_at"].as_str().unwrap().to_owned());
        app.advance(Duration::SECOND).await;
    }
    let found = async |query: String| {
        let reply = client.get(&with(list, &query)).await.expect(200);
        reply.data().as_array().unwrap().iter().map(|record| record["created_at"].clone()).collect::<Vec<_>>()
    };
    let one = format!("created_since={}&created_before={}", times[1], times[2]);
    assert_eq!(found(one).await, [json!(times[1])], "{list}");
    assert_eq!(found(format!("created_since={}", times[1])).await.len(), 2, "{list}");
    assert_eq!(found("created_since=2000-01-01T00:00:00Z&limit=1".to_owned()).await.len(), 1, "{list}");
    check_refused(client, list).await;
}

/// Checks the errors about invalid times of creation, and that a list is empty for old times.
async fn check_refused(client: &Client, list: &str) {
    let time = "2000-01-01T00:00:00Z";
    for (query, detail) in [
        (format!("created_since={time}&created_before={time}"), "created_before:invalid_value"),
        ("created_before=yesterday".to_owned(), "created_before:invalid_timestamp"),
    ] {
        assert_eq!(client.get(&with(list, &query)).await.expect(400).details(), [detail], "{list}?{query}");
    }
    let old = client.get(&with(list, &format!("created_before={time}"))).await.expect(200);
    assert_eq!(old.data(), &json!([]), "{list}");
}

#[tokio::test]
async fn lists_of_other_objects_are_filtered_by_the_time_of_creation_too() {
    let (app, tenant) = App::with_workspace().await;
    let owner = tenant.user(Role::Owner).await.client;
    let create = async |path: &str, body: Value| owner.create(path, body).await;
    let company = create("/api/v1/crm/companies", json!({"name": "c"})).await;
    let deal = create("/api/v1/crm/deals", json!({"title": "d"})).await;
    let issue = create("/api/v1/issues", json!({"title": "t", "kind": "task"})).await;
    let project = create("/api/v1/projects", json!({"name": "p"})).await;
    let other = create("/api/v1/projects", json!({"name": "q"})).await;
    let comment = |_: usize| json!({"body": "b"});
    for path in [
        format!("/api/v1/crm/companies/{company}/comments"),
        format!("/api/v1/crm/deals/{deal}/comments"),
        format!("/api/v1/issues/{issue}/comments"),
    ] {
        check_created(&app, &owner, (&path, &path), comment).await;
    }
    let cycles = format!("/api/v1/projects/{project}/cycles");
    let cycle = |number: usize| {
        let day = format!("2030-01-0{}", number + 1);
        json!({"name": "c", "start_date": day, "end_date": day})
    };
    check_created(&app, &owner, (&cycles, &cycles), cycle).await;
    for _ in 0..2 {
        let _ = create("/api/v1/issues", json!({"title": "t", "kind": "task", "project_id": project})).await;
        app.advance(Duration::SECOND).await;
    }
    let issues = format!("/api/v1/projects/{project}/issues");
    let all = owner.get(&issues).await.expect(200);
    let since = all.data()[0]["created_at"].as_str().unwrap();
    assert_eq!(owner.get(&with(&issues, &format!("created_since={since}"))).await.expect(200).ids(), all.ids()[..1]);
    assert_eq!(owner.get(&with(&issues, &format!("created_before={since}"))).await.expect(200).ids(), all.ids()[1..]);
    check_refused(&owner, &issues).await;
    check_refused(&owner, &format!("/api/v1/projects/{other}/issues")).await;
}

#[tokio::test]
async fn lists_of_settings_are_filtered_by_the_time_of_creation_too() {
    let (app, tenant) = App::with_workspace().await;
    let owner = tenant.user(Role::Owner).await.client;
    let keys = |number: usize| json!({"name": format!("k{number}"), "preset": "crm"});
    check_created(&app, &owner, ("/api/settings/api-keys", "/api/settings/api-keys"), keys).await;
    let members = |number: usize| json!({"email": format!("m{number}@example.com"), "role": "member"});
    check_created(&app, &owner, ("/api/settings/members", "/api/settings/members"), members).await;
    let hooks = |_: usize| json!({"module": "crm", "url": "https://example.com/", "events": ["*"]});
    check_created(&app, &owner, ("/api/settings/webhooks", "/api/settings/webhooks"), hooks).await;
    let webhook = format!("/api/settings/webhooks/{}", owner.post("/api/settings/webhooks", hooks(0)).await.id());
    let deliveries = format!("{webhook}/deliveries");
    check_created(&app, &owner, (&deliveries, &format!("{webhook}/test")), |_| json!({})).await;
    check_refused(&owner, &format!("{webhook}/replays")).await;
    let directory = owner.get("/api/v1/members?created_since=2000-01-01T00:00:00Z").await.expect(200);
    assert!(!directory.ids().is_empty());
    check_refused(&owner, "/api/v1/members").await;
    check_refused(&owner, "/api/v1/members?search=a").await;
    let operator = tenant.operator(Role::Viewer).await.client;
    let id = tenant.workspace.id.to_string();
    let hits = operator.get("/api/operator/workspaces?created_since=2000-01-01T00:00:00Z&limit=100").await.expect(200);
    assert!(hits.ids().contains(&id));
    check_refused(&operator, "/api/operator/workspaces").await;
    let tickets = tenant.with_scopes(&["tickets.read", "tickets.write"]).await;
    let body = |number: usize| intake(&format!("a{number}@example.org"));
    check_created(&app, &tickets, ("/api/public/tickets", "/api/public/tickets"), body).await;
}

/// Lists with other time filters, and parts of the event log.
const WITH_OTHER_TIMES: [&str; 2] = ["/api/settings/audit-log", "/history"];

#[test]
fn every_paged_list_accepts_times_of_creation() {
    let document = api_docs::openapi::document(http_core::operations(SURFACES));
    let name_of = |parameter: &Value| match parameter["$ref"].as_str() {
        Some(reference) => document.pointer(&reference[1..]).unwrap()["name"].clone(),
        None => parameter["name"].clone(),
    };
    for (path, operations) in document["paths"].as_object().unwrap() {
        let parameters = operations["get"]["parameters"].as_array().cloned().unwrap_or_default();
        let names: Vec<_> = parameters.iter().map(name_of).collect();
        if names.contains(&json!("page")) && !WITH_OTHER_TIMES.iter().any(|other| path.ends_with(other)) {
            assert!(names.contains(&json!("created_since")) && names.contains(&json!("created_before")), "{path}");
        }
    }
}

#[tokio::test]
async fn every_list_is_filtered_by_up_to_a_hundred_ids() {
    let (app, client) = App::with_client().await;
    for (path, _, body) in LISTS {
        let mut ids = Vec::new();
        for number in 0..4 {
            let reply = client.post(path.split('?').next().unwrap(), body(number)).await.expect(201);
            let record = if reply.body["data"].is_object() { &reply.body["data"] } else { &reply.body };
            ids.push(record["id"].as_str().unwrap().to_owned());
        }
        let list = async |query: String| client.get(&with(path, &query)).await;
        let results = list(format!("ids={}", ids[1])).await.expect(200);
        assert_eq!(results.ids(), ids[1..2], "{path}");
        let results =
            list(format!("ids={}&ids={UNKNOWN_ID}&ids={}&ids={}", ids[0], ids[3].to_uppercase(), ids[0])).await;
        assert_eq!(results.expect(200).ids(), [ids[3].clone(), ids[0].clone()], "{path}");
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
async fn every_list_shows_the_requested_members() {
    let (_app, client) = App::with_client().await;
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
        // Every member can be requested.
        let all: Vec<_> = record.as_object().unwrap().keys().map(String::as_str).collect();
        let partial = client.get(&with(path, &format!("limit=1&fields={}", all.join(",")))).await.expect(200);
        assert_eq!(partial.body, whole, "{path}");
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
    let (_app, client) = App::with_client().await;
    let path = "/api/v1/crm/deals";
    let ids = create_all(&client, path, &[json!({"title": "one"}), json!({"title": "two"})]).await;
    let _ = run(&client, "add_comment", json!({"deal_id": ids[0], "body": "about zebras"})).await;
    let results = client.get(&format!("{path}?search=zebras&fields=title")).await.expect(200).body;
    let members: Vec<_> = results["data"][0].as_object().unwrap().keys().map(String::as_str).collect();
    assert_eq!(members, ["id", "matched_comment", "title"]);
    let _ = client.delete(&format!("{path}/{}", ids[1])).await.expect(200);
    let results = client.get(&format!("{path}?deleted=true&fields=title")).await.expect(200).body;
    let members: Vec<_> = results["data"][0].as_object().unwrap().keys().map(String::as_str).collect();
    assert_eq!(members, ["deleted_at", "id", "title"]);
}

#[tokio::test]
async fn lists_of_articles_accept_the_same_parameters() {
    let (_app, tenant) = App::with_workspace().await;
    let owner = tenant.user(Role::Owner).await.client;
    let path = "/api/settings/kb/articles";
    let ids = create_all(&owner, path, &[json!({"title": "a"}), json!({"title": "b"})]).await;
    let list = async |query: &str| owner.get(&format!("{path}?{query}")).await;
    assert_eq!(list(&format!("ids={}", ids[0])).await.expect(200).ids(), ids[..1]);
    assert_eq!(list("created_since=2000-01-01T00:00:00Z").await.expect(200).ids().len(), 2);
    assert_eq!(list("created_before=2000-01-01T00:00:00Z").await.expect(200).ids(), [""; 0]);
    let shown = list("fields=slug&limit=1").await.expect(200).body["data"][0].clone();
    assert_eq!(shown, json!({"id": ids[1], "slug": "b"}));
}
