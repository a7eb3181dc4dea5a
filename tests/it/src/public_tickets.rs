//! `/api/public/tickets`: intake, lists, one ticket, links.

use domain::identity::workspaces::PlanChange;
use domain::limits::{FixedLimits, LimitName, Plan};
use http_core::{HttpSettings, TrustedProxies};
use serde_json::{Value, json};
use test_support::{ApiResponse, App, AppOptions, Client};
use time::Duration;

use crate::all_callers::{intake, issue_of, link_to, open_ticket};
use crate::support::{bad, broken, check_members, text};

const PATH: &str = "/api/public/tickets";

#[tokio::test]
async fn an_intake_is_a_ticket_with_its_requester() {
    let (_app, tenant) = App::with_workspace().await;
    let client = tenant.with_scopes(&["tickets.write", "issues.read"]).await;
    let created = client.post(PATH, intake("Ada@Example.org")).await.expect(201);
    let ticket = created.data().clone();
    let reference = ticket["reference"].as_str().unwrap();
    let digits = reference.strip_prefix("TKT-").unwrap();
    assert!(digits.len() == 10 && digits.bytes().all(|digit| b"0123456789ABCDEFGHJKMNPQRSTVWXYZ".contains(&digit)));
    let (status, subject) = ("open", "It does not print");
    let created_at = &ticket["created_at"];
    let expected = json!({
        "reference": reference, "status": status, "subject": subject, "type": "question", "created_at": created_at,
    });
    assert_eq!((&ticket, created.header("location")), (&expected, &*format!("{PATH}/{reference}")));
    // The same ticket in the issues API.
    let issue = client.get(&format!("/api/v1/issues/{}", issue_of(&client, reference).await)).await.expect(200);
    assert_eq!((&issue.data()["kind"], &issue.data()["title"]), (&json!("ticket"), &json!(subject)));
    assert_eq!((&issue.data()["reference"], &issue.data()["created_at"]), (&json!(reference), created_at));
    assert_eq!(
        issue.data()["requester"],
        json!({"name": "Ada", "email": "Ada@Example.org", "type": "question", "contact_id": null})
    );
    let mut whole = expected;
    whole["description"] = Value::Null;
    whole["requester"] = json!({"name": "Ada", "email": "Ada@Example.org"});
    whole["comments"] = json!([]);
    whole["has_earlier_comments"] = json!(false);
    let stored = client.get(&format!("{PATH}/{reference}")).await.expect(200);
    assert_eq!(stored.data(), &whole);
    assert_eq!(client.get(&format!("{PATH}/{}", reference.to_lowercase())).await.expect(200).data(), &whole);
    let full = json!({
        "name": "<b>Ada</b>", "email": "b@example.org", "subject": "<script>", "description": "a <i>\n\tb", "type": "incident",
    });
    let created = client.post(PATH, full.clone()).await.expect(201);
    let stored = client.get(created.header("location")).await.expect(200);
    for member in ["subject", "description", "type"] {
        assert_eq!(stored.data()[member], full[member], "text stays text");
    }
    assert_eq!(stored.data()["requester"], json!({"name": "<b>Ada</b>", "email": "b@example.org"}));
}

#[tokio::test]
async fn comments_are_shown_according_to_the_permission_map() {
    let (_app, tenant, client) = App::with_workspace_client().await;
    let reference = open_ticket(&client, "ada@example.org").await;
    let issue = issue_of(&client, &reference).await;
    let comment = json!({"body": "Try again", "visibility": "public"});
    let _ = client.post(&format!("/api/v1/issues/{issue}/comments"), comment).await.expect(201);
    for (map, shown) in [
        (json!({"read_tickets": true}), 0),
        (json!({"read_tickets": true, "read_comments": true}), 1),
        (json!(null), 1),
    ] {
        let key = tenant.key(json!({"scopes": ["tickets.read"], "permissions": map})).await.0;
        let ticket = key.get(&format!("{PATH}/{reference}")).await.expect(200);
        assert_eq!(ticket.data()["comments"].as_array().map(Vec::len), Some(shown), "{map}");
        assert_eq!(ticket.data()["has_earlier_comments"], false);
    }
}

#[tokio::test]
async fn an_intake_is_checked_and_has_a_type() {
    let app = App::start().await;
    let client = app.workspace().await.with_scopes(&["tickets.write"]).await;
    let minimal = intake("a@example.org");
    let cases = vec![
        broken("name", text(121), &["name:too_long"]),
        broken("email", json!("nobody"), &["email:invalid_email"]),
        bad("type", json!("Question"), &["type:invalid_value"]),
        bad("status", json!("closed"), &["status:unknown_field"]),
    ];
    check_members(&client, PATH, &minimal, None, cases).await;
    let none = client.post(PATH, json!({})).await.expect(400);
    assert_eq!(none.details(), ["name:required", "email:required", "subject:required"]);
    let mut intake_body = minimal;
    for ticket_type in ["question", "incident", "problem", "request"] {
        intake_body["type"] = json!(ticket_type);
        assert_eq!(client.post(PATH, intake_body.clone()).await.expect(201).data()["type"], ticket_type);
    }
    intake_body["type"] = Value::Null;
    assert_eq!(client.post(PATH, intake_body).await.expect(201).data()["type"], "question");
}

fn references(reply: &ApiResponse) -> Vec<String> {
    let items = reply.body["data"].as_array().unwrap();
    items.iter().map(|item| item["reference"].as_str().unwrap().to_owned()).collect()
}

#[tokio::test]
async fn lists_are_filtered_and_newest_first() {
    let (app, client) = App::with_client().await;
    let mut created = Vec::new();
    for number in 0..5 {
        let mut body = intake(if number % 2 == 0 { "ada@example.org" } else { "bob@example.org" });
        body["type"] = json!(if number < 2 { "problem" } else { "request" });
        created.insert(0, client.post(PATH, body).await.expect(201).data()["reference"].as_str().unwrap().to_owned());
        app.advance(Duration::seconds(1)).await;
    }
    // Tickets without a requester are not in this list.
    let internal = client.post("/api/v1/issues", json!({"kind": "ticket", "title": "own"})).await.expect(201);
    let internal = internal.data()["reference"].as_str().unwrap();
    assert_eq!(client.get(&format!("{PATH}/{internal}")).await.status, 404);
    let id = issue_of(&client, &created[1]).await;
    let _ = client.patch(&format!("/api/v1/issues/{id}"), json!({"status": "pending"})).await.expect(200);
    let list = async |query: &str| references(&client.get(&format!("{PATH}?{query}")).await.expect(200));
    assert_eq!(list("").await, created);
    assert_eq!(list("email=ADA%40example.org").await, [&*created[0], &*created[2], &*created[4]]);
    assert_eq!(list("type=problem").await, created[3..]);
    assert_eq!(list("status=pending").await, [&*created[1]]);
    assert_eq!(list("status=open&type=request&email=ada@example.org").await, [&*created[0], &*created[2]]);
    assert_eq!(list("limit=2&page=2").await, created[2..4]);
    let first = client.get(&format!("{PATH}?limit=3")).await.expect(200);
    let cursor = first.body["pagination"]["nextCursor"].as_str().unwrap();
    assert_eq!(list(&format!("limit=3&cursor={cursor}")).await, created[3..]);
    for (query, detail) in [
        ("status=todo", "status:invalid_value"),
        ("status=Open", "status:invalid_value"),
        ("type=x", "type:invalid_value"),
        ("email=x", "email:invalid_value"),
        ("email=", "email:invalid_value"),
        ("limit=101", "limit:invalid_value"),
        ("search=x", "search:unknown_parameter"),
    ] {
        assert_eq!(client.get(&format!("{PATH}?{query}")).await.expect(400).details(), [detail], "{query}");
    }
    // Not visible to another workspace.
    let stranger = app.workspace().await.full_access().await;
    assert_eq!(references(&stranger.get(PATH).await.expect(200)), Vec::<String>::new());
    for path in [format!("{PATH}/{}", created[0]), format!("{PATH}/TKT-0000000000"), format!("{PATH}/nope")] {
        let reply = stranger.get(&path).await.expect(404);
        assert_eq!(reply.body["error"]["message"], "there is no such ticket", "{path}");
        let link = ApiResponse::of(stranger.request("POST", &format!("{path}/tracking-links"))).await;
        assert_eq!((link.status, link.code()), (404, "not_found"));
    }
}

#[tokio::test]
async fn a_requester_is_linked_to_the_contact_with_the_address() {
    let (_app, client) = App::with_client().await;
    let contact = client.create("/api/v1/crm/contacts", json!({"email": "Ada@Example.org"})).await;
    for (email, linked) in [("aDA@example.ORG", true), ("bob@example.org", false)] {
        let reference = open_ticket(&client, email).await;
        let issue = client.get(&format!("/api/v1/issues/{}", issue_of(&client, &reference).await)).await.expect(200);
        let expected = linked.then_some(&*contact);
        assert_eq!(issue.data()["requester"]["contact_id"].as_str(), expected, "{email}");
    }
}

#[tokio::test]
async fn internal_comments_are_never_shown_and_public_ones_are_bounded() {
    let (_app, client) = App::with_client().await;
    let reference = open_ticket(&client, "ada@example.org").await;
    let comments = format!("/api/v1/issues/{}/comments", issue_of(&client, &reference).await);
    let _ = client.post(&comments, json!({"body": "inside"})).await.expect(201);
    for number in 0..101 {
        let _ = client.post(&comments, json!({"body": format!("{number}"), "visibility": "public"})).await.expect(201);
    }
    let stored = client.get(&format!("{PATH}/{reference}")).await.expect(200);
    assert!(!stored.text.contains("inside"));
    let shown = stored.data()["comments"].as_array().unwrap();
    let bodies: Vec<_> = shown.iter().map(|comment| comment["body"].as_str().unwrap().to_owned()).collect();
    assert_eq!(bodies, (1..=100).map(|number| number.to_string()).collect::<Vec<_>>(), "the newest, oldest first");
    assert_eq!((&stored.data()["has_earlier_comments"], &shown[0]["author"]), (&json!(true), &json!("support")));
    let members: Vec<_> = shown[0].as_object().unwrap().keys().map(String::as_str).collect();
    assert_eq!(members, ["author", "body", "created_at", "edited_at", "id"], "nothing about the author");
}

#[tokio::test]
async fn a_link_shows_its_token_and_is_never_stored() {
    let (app, tenant) = App::with_workspace().await;
    let client = tenant.with_scopes(&["tickets.write"]).await;
    let reference = open_ticket(&client, "ada@example.org").await;
    let path = format!("{PATH}/{reference}/tracking-links");
    let ask = || ApiResponse::of(client.request("POST", &path).header("Idempotency-Key", "k"));
    let before = app.ports.clock.now();
    let created = ask().await.expect(201);
    let token = created.data()["token"].as_str().unwrap();
    assert_eq!(created.data()["url"], format!("https://work.example.com/portal#token={token}"));
    let expires = |from| domain::kernel::input::format_timestamp(from + Duration::minutes(30));
    let shown = created.data()["expires_at"].as_str().unwrap();
    assert!(*expires(before) <= *shown && *shown <= *expires(app.ports.clock.now()), "{shown}");
    assert_ne!(ask().await.expect(201).data()["token"], token);
    let narrow = tenant.with_scopes(&["tickets.read", "issues.write"]).await;
    assert_eq!(ApiResponse::of(narrow.request("POST", &path)).await.status, 403);
}

/// Default limits, with the tests as a trusted proxy.
async fn limited() -> App {
    let proxies = TrustedProxies::parse(["127.0.0.1"]).unwrap();
    let settings = HttpSettings { trusted_proxies: proxies, ..HttpSettings::default() };
    let app = App::start_as(AppOptions { settings, limits: FixedLimits::default(), ..AppOptions::default() }).await;
    app.begin_window(Duration::HOUR).await;
    app
}

async fn send_from(client: &Client, address: &str, method: &str, path: &str) -> ApiResponse {
    let request = client.request(method, path).header("X-Forwarded-For", address);
    ApiResponse::of(if method == "POST" { request.json(&intake("ada@example.org")) } else { request }).await
}

#[tokio::test]
async fn an_address_has_its_limits_per_workspace_regardless_of_the_key() {
    let app = limited().await;
    let (tenant, other) = (app.workspace_of(Plan::Enterprise).await, app.workspace_of(Plan::Starter).await);
    let (one, two) = (tenant.full_access().await, tenant.full_access().await);
    for left in (0..10).rev() {
        let client = if left % 2 == 0 { &one } else { &two };
        let created = send_from(client, "198.51.100.1", "POST", PATH).await.expect(201);
        assert_eq!(created.header("x-ratelimit-limit"), "10");
        assert_eq!(created.header("x-ratelimit-remaining"), &*left.to_string());
    }
    let refused = send_from(&one, "198.51.100.1", "POST", PATH).await.expect(429);
    assert_eq!(refused.body["error"], "rate_limit_exceeded");
    assert!((1..=3_600).contains(&refused.body["retry_after"].as_i64().unwrap()));
    // Creating links counts only towards the plan's limit.
    let reference = references(&send_from(&one, "198.51.100.2", "GET", PATH).await.expect(200)).remove(0);
    for _ in 0..12 {
        link_to(&one, &reference).await;
    }
    let _ = send_from(&one, "198.51.100.3", "POST", PATH).await.expect(201);
    let _ = send_from(&other.full_access().await, "198.51.100.1", "POST", PATH).await.expect(201);
    // An IPv6 /64 network counts as one address, and both GET routes share a class.
    for (number, left) in (0..5).rev().enumerate() {
        let path = if number % 2 == 0 { PATH.to_owned() } else { format!("{PATH}/{reference}") };
        let got = send_from(&one, &format!("2001:db8:1:2::{number}"), "GET", &path).await.expect(200);
        assert_eq!((got.header("x-ratelimit-limit"), got.header("x-ratelimit-remaining")), ("5", &*left.to_string()));
    }
    assert_eq!(send_from(&two, "2001:db8:1:2:ffff::1", "GET", PATH).await.status, 429);
    assert_eq!(send_from(&two, "2001:db8:1:3::1", "GET", PATH).await.status, 200);
    let search = "/api/public/kb/search?q=a";
    for left in (0..5).rev() {
        let got = send_from(&one, "2001:db8:1:2::1", "GET", search).await.expect(200);
        assert_eq!(got.header("x-ratelimit-remaining"), left.to_string());
    }
    assert_eq!(send_from(&one, "2001:db8:1:2::1", "GET", search).await.status, 429);
    app.advance(Duration::minutes(1)).await;
    assert_eq!(send_from(&one, "2001:db8:1:2::1", "GET", search).await.status, 200);
    assert_eq!(send_from(&one, "198.51.100.1", "POST", PATH).await.status, 429);
    app.advance(Duration::hours(1)).await;
    assert_eq!(send_from(&one, "198.51.100.1", "POST", PATH).await.status, 201);
}

#[tokio::test]
async fn a_workspace_can_have_its_own_public_limits() {
    let app = limited().await;
    let limits = vec![
        (LimitName::PublicTicketsPerHour, Some(2)),
        (LimitName::PublicFetchesPerMinute, Some(1)),
        (LimitName::PublicKbSearchesPerMinute, Some(3)),
    ];
    let tenant = app.workspace_of(Plan::Starter).await.change_plan(PlanChange { plan: None, limits }).await;
    let client = tenant.full_access().await;
    for (method, path, limit) in [("POST", PATH, 2), ("GET", PATH, 1), ("GET", "/api/public/kb/search?q=a", 3)] {
        for remaining in (0..limit).rev() {
            let reply = send_from(&client, "198.51.100.1", method, path).await;
            assert!(reply.status < 300, "{}", reply.text);
            assert_eq!(reply.header("x-ratelimit-remaining"), remaining.to_string(), "{method} {path}");
        }
        assert_eq!(send_from(&client, "198.51.100.1", method, path).await.status, 429, "{method} {path}");
    }
}

#[tokio::test]
async fn limits_precede_the_scope_and_the_plans_limit_the_addresss() {
    let app = limited().await;
    let tenant = app.workspace_of(Plan::Starter).await.limit_to(&[(LimitName::RequestsPerMinute, 2)]).await;
    let narrow = tenant.with_scopes(&["time.read"]).await;
    assert_eq!(send_from(&narrow, "198.51.100.1", "POST", PATH).await.status, 403);
    let refused = send_from(&narrow, "198.51.100.1", "POST", PATH).await.expect(429);
    assert_eq!(refused.header("x-ratelimit-limit"), "1");
    let other = tenant.full_access().await;
    let created = send_from(&other, "198.51.100.1", "POST", PATH).await.expect(201);
    assert_eq!(created.header("x-ratelimit-remaining"), "8", "requests rejected by the plan's limit did not count");
}
