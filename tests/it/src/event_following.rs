//! Following the event log: pages, filters, cursors, and visibility.

use domain::EventId;
use domain::events::LogPlace;
use domain::identity::workspaces::Role;
use serde_json::{Value, json};
use test_support::{App, Client};
use uuid::Uuid;

use crate::all_callers::{issue_of, open_ticket};
use crate::database::execute;
use crate::tools::run;

pub(crate) const EVENTS: &str = "/api/v1/events";

pub(crate) async fn page(client: &Client, query: &str) -> Value {
    client.get(&format!("{EVENTS}?{query}")).await.expect(200).body
}

pub(crate) fn names(page: &Value) -> Vec<&str> {
    page["data"].as_array().unwrap().iter().map(|event| event["event"].as_str().unwrap()).collect()
}

pub(crate) fn cursor(page: &Value) -> String {
    page["pagination"]["nextCursor"].as_str().unwrap().to_owned()
}

pub(crate) async fn new_deal(client: &Client, title: &str) -> String {
    client.create("/api/v1/crm/deals", json!({ "title": title })).await
}

#[tokio::test]
async fn an_event_names_the_actor_and_the_changes() {
    let (_app, tenant) = App::with_workspace().await;
    let (client, key) = tenant.key(json!({"scopes": ["deals.write"]})).await;
    let empty = page(&client, "").await;
    assert_eq!((names(&empty), &empty["pagination"]["hasMore"]), (vec![], &json!(false)));
    let deal = new_deal(&client, "Pilot").await;
    let changed = client.request("PATCH", &format!("/api/v1/crm/deals/{deal}")).header("X-Request-Id", "abc-1");
    let changed = test_support::ApiResponse::of(changed.json(&json!({"title": "Roll-out"}))).await.expect(200);
    let _ = run(&client, "update_deal", json!({"id": deal, "status": "closed_won"})).await;
    let all = page(&client, &format!("cursor={}", cursor(&empty))).await;
    assert_eq!(names(&all), ["deal.created", "deal.updated", "deal.won"]);
    let (updated, won_deal) = (&all["data"][1], &all["data"][2]);
    let actor = json!({"type": "api_key", "id": key, "name": "test"});
    let record = json!({"type": "deal", "id": deal});
    assert_eq!((&updated["actor"], &updated["record"], &updated["module"]), (&actor, &record, &json!("crm")));
    assert_eq!(updated["request_id"], "abc-1");
    assert_eq!(updated["tool"], json!(null));
    assert_eq!(updated["version"], 2);
    assert_eq!(updated["changes"], json!({"title": {"from": "Pilot", "to": "Roll-out"}}));
    assert_eq!((&updated["data"], &updated["created_at"]), (changed.data(), &changed.data()["updated_at"]));
    assert_eq!((&won_deal["tool"], &won_deal["version"]), (&json!("update_deal"), &json!(3)));
    let members: Vec<_> = won_deal.as_object().unwrap().keys().map(String::as_str).collect();
    let expected =
        ["actor", "changes", "created_at", "data", "event", "id", "module", "record", "request_id", "tool", "version"];
    assert_eq!(members, expected);
}

#[tokio::test]
async fn pages_are_consecutive_and_a_cursor_stays_valid_at_the_end() {
    let (_app, client) = App::with_client().await;
    let mut deals = Vec::new();
    for number in 0..5 {
        deals.push(new_deal(&client, &format!("D{number}")).await);
    }
    let (mut seen, mut cursor_value, mut pages) = (Vec::new(), String::new(), 0);
    loop {
        let part = page(&client, &format!("limit=2{cursor_value}")).await;
        let ids =
            part["data"].as_array().unwrap().iter().map(|event| event["record"]["id"].as_str().unwrap().to_owned());
        seen.extend(ids);
        pages += 1;
        cursor_value = format!("&cursor={}", cursor(&part));
        let pagination = &part["pagination"];
        assert_eq!((&pagination["page"], &pagination["limit"]), (&json!(null), &json!(2)));
        if pagination["hasMore"] == false {
            break;
        }
    }
    assert_eq!((seen, pages), (deals, 3));
    let nothing = page(&client, &format!("limit=2{cursor_value}")).await;
    assert_eq!((names(&nothing), format!("&cursor={}", cursor(&nothing))), (vec![], cursor_value.clone()));
    let last = new_deal(&client, "Last").await;
    let more = page(&client, &format!("limit=2{cursor_value}")).await;
    assert_eq!((names(&more), &more["data"][0]["record"]["id"]), (vec!["deal.created"], &json!(last)));
}

#[tokio::test]
async fn each_filter_finds_matching_events() {
    let (_app, tenant, client) = App::with_workspace_client().await;
    let user = tenant.user(Role::Owner).await;
    let deal = new_deal(&client, "Pilot").await;
    let _ = user.client.patch(&format!("/api/v1/crm/deals/{deal}"), json!({"status": "closed_lost"})).await.expect(200);
    let project = user.client.create("/api/v1/projects", json!({"name": "Launch"})).await;
    let task = json!({"title": "Copy", "kind": "task", "project_id": project});
    let task = client.post("/api/v1/issues", task).await.expect(201);
    let since = task.data()["created_at"].as_str().unwrap().replace(':', "%3A");
    let _ =
        client.post("/api/modules/time/events", json!({"event": "entry.made", "payload": {"n": 1}})).await.expect(202);
    let (by_user, by_other) = (format!("actor={}", user.id), format!("actor={}", Uuid::nil()));
    let (of_deal, since, far) =
        (format!("record_id={deal}"), format!("since={since}"), "since=2100-01-01T00%3A00%3A00Z".to_owned());
    let no_record = format!("record_id={}", Uuid::nil());
    for (query, expected) in [
        ("", &["deal.created", "deal.lost", "project.created", "task.created", "entry.made"][..]),
        ("module=crm", &["deal.created", "deal.lost"]),
        ("module=crm&module=time", &["deal.created", "deal.lost", "entry.made"]),
        ("event=deal.lost&event=issue.created", &["deal.lost", "task.created"]),
        ("event=entry.made", &["entry.made"]),
        (&of_deal, &["deal.created", "deal.lost"]),
        (&format!("{of_deal}&event=deal.lost"), &["deal.lost"]),
        (&no_record, &[]),
        (&by_user, &["deal.lost", "project.created"]),
        (&by_other, &[]),
        ("actor=user", &["deal.lost", "project.created"]),
        ("actor=api_key&module=projects", &["task.created"]),
        ("actor=system", &[]),
        ("exclude_actor=me", &["deal.lost", "project.created"]),
        (&format!("exclude_{by_user}"), &["deal.created", "task.created", "entry.made"]),
        (
            &format!("exclude_{by_other}"),
            &["deal.created", "deal.lost", "project.created", "task.created", "entry.made"],
        ),
        (&since, &["task.created", "entry.made"]),
        (&far, &[]),
    ] {
        assert_eq!(names(&page(&client, query).await), expected, "{query}");
    }
    let reported = page(&client, "module=time").await;
    let entry = &reported["data"][0];
    assert_eq!((&entry["record"], &entry["data"], &entry["changes"]), (&json!(null), &json!({"n": 1}), &json!({})));
    let listed = run(&client, "list_events", json!({"record_id": deal, "actor": "user"})).await;
    assert_eq!((&listed["data"][0]["event"], listed["data"].as_array().unwrap().len()), (&json!("deal.lost"), 1));
    let others = run(&client, "list_events", json!({"module": ["crm"], "exclude_actor": "me"})).await;
    assert_eq!((&others["data"][0]["event"], others["data"].as_array().unwrap().len()), (&json!("deal.lost"), 1));
    let next = listed["pagination"]["nextCursor"].as_str().unwrap();
    let rest = run(&client, "list_events", json!({"cursor": next, "module": ["crm"]})).await;
    assert_eq!((&rest["data"], &rest["pagination"]["hasMore"]), (&json!([]), &json!(false)));
}

#[tokio::test]
async fn meaningless_parameters_are_refused() {
    let (_app, client) = App::with_client().await;
    let _ = new_deal(&client, "Pilot").await;
    let deals = client.get("/api/v1/crm/deals?limit=1").await.expect(200);
    assert_eq!(deals.body["pagination"]["hasMore"], json!(false));
    let of_deals = domain_cursor_of_deals();
    for (query, problem) in [
        ("event=deal.wom", "event:invalid_value"),
        ("event=Deal", "event:invalid_value"),
        ("event=task.created&module=crm", "event:invalid_value"),
        ("module=sales", "module:invalid_value"),
        ("record_id=7", "record_id:invalid_uuid"),
        ("actor=ann", "actor:invalid_value"),
        ("since=yesterday", "since:invalid_timestamp"),
        ("limit=101", "limit:invalid_value"),
        ("wait=31", "wait:invalid_value"),
        ("wait=-1", "wait:invalid_value"),
        ("cursor=x", "cursor:invalid_value"),
        (&of_deals, "cursor:invalid_value"),
        ("page=1", "page:unknown_parameter"),
        ("wait=1&wait=2", "wait:invalid_value"),
    ] {
        assert_eq!(client.get(&format!("{EVENTS}?{query}")).await.expect(400).details(), [problem], "{query}");
    }
    let stream = client.request("GET", EVENTS).header("Accept", "text/event-stream").header("Last-Event-ID", "7");
    assert_eq!(test_support::ApiResponse::of(stream).await.expect(400).details(), ["Last-Event-ID:invalid_value"]);
}

/// A cursor from the list of deals, which has another format.
fn domain_cursor_of_deals() -> String {
    format!("cursor=AQ{}", "A".repeat(33))
}

#[tokio::test]
async fn callers_who_may_not_read_a_record_do_not_see_its_events() {
    let (app, tenant, all) = App::with_workspace_client().await;
    let deal = new_deal(&all, "Pilot").await;
    let _ = all.post("/api/v1/crm/contacts", json!({"email": "ada@example.com"})).await.expect(201);
    let ticket = issue_of(&all, &open_ticket(&all, "grace@example.org").await).await;
    let comments = format!("/api/v1/issues/{ticket}/comments");
    let _ = all.post(&comments, json!({"body": "We are on it", "visibility": "public"})).await.expect(201);
    let _ = all.post(&comments, json!({"body": "She is upset", "visibility": "internal"})).await.expect(201);
    let _ = all.post("/api/modules/time/events", json!({"event": "entry.made", "payload": {}})).await.expect(202);
    let map = |reads: &[&str]| -> Value { reads.iter().map(|name| ((*name).to_owned(), json!(true))).collect() };
    let key =
        async |scopes: Value, reads: &[&str]| tenant.key(json!({"scopes": scopes, "permissions": map(reads)})).await.0;
    let seller = tenant.with_scopes(&["deals.read"]).await;
    let timer = tenant.with_scopes(&["time.read"]).await;
    let reader = key(json!(["tickets.read"]), &["read_tickets"]).await;
    let agent = key(json!(["tickets.read"]), &["read_tickets", "read_comments"]).await;
    // The permission map of an old key applies only to tools: over REST its scopes apply.
    let unmapped = key(json!(["deals.read"]), &[]).await;
    let (earlier, id) = tenant.key(json!({"scopes": ["deals.read"], "permissions": {}})).await;
    execute(&app, &format!("UPDATE api_keys SET narrows_rest = false WHERE id = '{id}'"));
    for (who, client, expected) in [
        ("seller", &seller, &["deal.created"][..]),
        ("timer", &timer, &["entry.made"]),
        ("reader", &reader, &["ticket.created"]),
        ("agent", &agent, &["ticket.created", "ticket.comment_added", "ticket.comment_added"]),
        ("unmapped", &unmapped, &[]),
        ("earlier", &earlier, &["deal.created"]),
    ] {
        assert_eq!(names(&page(client, "").await), expected, "{who}");
    }
    assert_eq!(names(&page(&timer, &format!("record_id={deal}")).await), Vec::<&str>::new());
    let viewer = tenant.user(Role::Viewer).await;
    assert!(names(&page(&viewer.client, "").await).contains(&"deal.created"));
    let stock = tenant.with_scopes(&["stock.read"]).await;
    assert_eq!(stock.get(EVENTS).await.expect(403).code(), "forbidden");
    let other = app.workspace().await.full_access().await;
    assert_eq!(names(&page(&other, &format!("record_id={deal}")).await), Vec::<&str>::new());
    let listed = run(&reader, "list_events", json!({})).await;
    assert_eq!(listed["data"].as_array().unwrap().len(), 1, "{listed}");
    let listed = run(&agent, "list_events", json!({})).await;
    let visibilities: Vec<_> = listed["data"].as_array().unwrap().iter().map(|row| row["visibility"].clone()).collect();
    assert_eq!(visibilities, [json!(null), json!("public"), json!("internal")], "internal notes and answers differ");
    let logged = page(&agent, "event=ticket.comment_added").await;
    assert_eq!(logged["data"][1]["data"]["visibility"], "internal");
    assert_eq!(crate::tools::call(&unmapped, "list_events", json!({})).await.status, 403);
}

fn place_of(page: &Value) -> LogPlace {
    LogPlace::parse(&cursor(page)).unwrap()
}

#[tokio::test]
async fn a_reader_misses_nothing_after_the_log_is_restored_from_a_backup() {
    let (_app, client) = App::with_client().await;
    let before = new_deal(&client, "Before").await;
    let known = place_of(&page(&client, "").await);
    let after = new_deal(&client, "After").await;
    // Simulates that position 1 was another event, which the backup did not have, and that the log was longer.
    let lost = EventId(known.event.0);
    let wrong_event = LogPlace { position: 2, event: lost };
    for log_place in [wrong_event, LogPlace { position: 900, event: lost }] {
        let hits = page(&client, &format!("cursor={}", log_place.cursor())).await;
        let ids: Vec<_> = hits["data"].as_array().unwrap().iter().map(|event| event["record"]["id"].clone()).collect();
        assert_eq!(ids, [json!(before), json!(after)], "{log_place:?}");
    }
}

#[tokio::test]
async fn a_reader_learns_that_older_events_were_deleted() {
    let (app, tenant, client) = App::with_workspace_client().await;
    let mut cursors = Vec::new();
    for title in ["A", "B", "C"] {
        let _ = new_deal(&client, title).await;
        cursors.push(cursor(&page(&client, "").await));
    }
    // Has the same effect as dropping a month's partition.
    let first_two = format!("workspace_id = '{}' AND position <= 2", tenant.workspace.id);
    execute(&app, &format!("DELETE FROM event_positions WHERE {first_two}"));
    let reply = client.get(&format!("{EVENTS}?cursor={}", cursors[0])).await.expect(400);
    assert_eq!(reply.details(), ["cursor:invalid_value"]);
    assert_eq!(names(&page(&client, &format!("cursor={}", cursors[1])).await), ["deal.created"], "nothing was missed");
    assert_eq!(names(&page(&client, &format!("cursor={}", cursors[2])).await), Vec::<&str>::new());
    assert_eq!(names(&page(&client, "").await), ["deal.created"], "starts at the oldest stored event");
}
