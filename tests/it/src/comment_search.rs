//! Searches that find records by comments.

use domain::identity::workspaces::Role;
use serde_json::{Value, json};
use test_support::{ApiResponse, App, Client};

use crate::all_callers::{customer_of, issue_of, open_ticket};
use crate::database::execute;
use crate::erasure::{ERASURES, finished};
use crate::tools::run;

/// The ids of the issues that a list finds over REST.
async fn search(client: &Client, kind: &str, query: &str) -> Vec<String> {
    client.get(&format!("/api/v1/issues?kind={kind}&search={query}")).await.expect(200).ids()
}

fn ids(answer: &Value) -> Vec<String> {
    answer["data"].as_array().unwrap().iter().map(|one| one["id"].as_str().unwrap().to_owned()).collect()
}

#[tokio::test]
async fn tickets_are_found_by_answers_and_replies() {
    let app = App::start().await;
    let (tenant, other) = (app.workspace().await, app.workspace().await);
    let client = tenant.full_access().await;
    let reference = open_ticket(&client, "ada@example.com").await;
    let ticket = issue_of(&client, &reference).await;
    let comments = format!("/api/v1/issues/{ticket}/comments");
    let answer = json!({"body": "We refunded 12.50 € to O’Brien.", "visibility": "public"});
    let answer = client.create(&comments, answer).await;
    let _ = client.post(&comments, json!({"body": "Zephyr is on holiday"})).await.expect(201);
    execute(&app, "UPDATE comments SET created_at = created_at - interval '31 days'");
    let another = client.create("/api/v1/issues", json!({"kind": "ticket", "title": "Refund"})).await;
    assert_eq!(search(&client, "ticket", "refund").await, [another.clone(), ticket.clone()]);
    assert_eq!(search(&client, "ticket", "refunded+o'brien").await, [ticket.as_str()]);
    assert_eq!(search(&client, "ticket", "zephyr").await, [ticket.as_str()], "an internal note");
    assert_eq!(search(&client, "ticket", "zephyr+refunded").await, [""; 0], "no text has both words");
    assert_eq!(search(&client, "task", "refund").await, [""; 0]);
    let first = client.get("/api/v1/issues?kind=ticket&search=refund&limit=1").await.expect(200);
    let cursor = first.body["pagination"]["nextCursor"].as_str().unwrap();
    let second = client.get(&format!("/api/v1/issues?kind=ticket&search=refund&limit=1&cursor={cursor}")).await;
    assert_eq!((first.ids(), second.ids()), (vec![another], vec![ticket.clone()]));
    assert_eq!(search(&other.full_access().await, "ticket", "refund").await, [""; 0]);

    // An edited comment is found only by its new words, and a deleted one not at all.
    let one = format!("{comments}/{answer}");
    let _ = client.patch(&one, json!({"body": "We sent a voucher"})).await.expect(200);
    assert_eq!(search(&client, "ticket", "refunded").await, [""; 0]);
    assert_eq!(search(&client, "ticket", "voucher").await, [ticket.as_str()]);
    let _ = client.delete(&one).await.expect(200);
    assert_eq!(search(&client, "ticket", "voucher").await, [""; 0]);

    // Members find the customer's reply. The customer finds nothing, because customers have no search.
    let customer = customer_of(&app, &client, &reference).await;
    let reply = customer.request("POST", "/api/portal/ticket/replies").header("Idempotency-Key", "r");
    let reply = ApiResponse::of(reply.json(&json!({"body": "Wonderful kettle"}))).await;
    assert_eq!(reply.status, 201, "{}", reply.text);
    assert_eq!(search(&client, "ticket", "wonderful").await, [ticket]);
    assert_eq!(customer.get("/api/v1/issues?kind=ticket&search=wonderful").await.status, 401);
}

#[tokio::test]
async fn comments_are_not_searched_for_callers_who_may_not_read_them() {
    let (_app, tenant, client) = App::with_workspace_client().await;
    let ticket = client.create("/api/v1/issues", json!({"kind": "ticket", "title": "Printer"})).await;
    let _ = client.post(&format!("/api/v1/issues/{ticket}/comments"), json!({"body": "Zephyr"})).await.expect(201);
    let scopes = json!(["issues.read", "tickets.read"]);
    for (map, is_found) in [
        (json!({"read_tickets": true}), false),
        (json!({"read_tickets": true, "read_comments": true}), true),
        (json!({"read_tickets": true, "read_tasks": true, "read_comments": true}), true),
    ] {
        let (key, _) = tenant.key(json!({"scopes": scopes, "permissions": map})).await;
        let by_comment = ids(&run(&key, "list_tickets", json!({"search": "zephyr"})).await);
        assert_eq!(by_comment.len(), usize::from(is_found), "{map}");
        let counted = run(&key, "summarize_tickets", json!({"search": "zephyr"})).await;
        assert_eq!(counted["total"]["count"], json!(usize::from(is_found)), "{map}");
        assert_eq!(ids(&run(&key, "list_tickets", json!({"search": "print"})).await), std::slice::from_ref(&ticket));
    }
}

/// The records of a response with the comments that matched.
fn matched(answer: &Value) -> Vec<(String, Option<Value>)> {
    let rows = answer["data"].as_array().unwrap().iter();
    rows.map(|row| (row["id"].as_str().unwrap().to_owned(), row.get("matched_comment").cloned())).collect()
}

#[tokio::test]
async fn rows_contain_the_matching_comment_of_a_ticket() {
    let (_app, tenant, client) = App::with_workspace_client().await;
    let text = client.create("/api/v1/issues", json!({"kind": "ticket", "title": "Printer"})).await;
    let by_title = client.create("/api/v1/issues", json!({"kind": "ticket", "title": "Zephyr"})).await;
    let comments = |ticket: &str| format!("/api/v1/issues/{ticket}/comments");
    let _ = client.post(&comments(&text), json!({"body": "A zephyr, internally"})).await.expect(201);
    let answer = json!({"body": "We sent <b>zephyrs</b>\n& more", "visibility": "public"});
    let answer = client.create(&comments(&text), answer).await;
    let _ = client.post(&comments(&text), json!({"body": "Thanks"})).await.expect(201);
    let _ = client.post(&comments(&by_title), json!({"body": "Zephyr too"})).await.expect(201);
    let by_comment = Some(json!({"id": answer, "excerpt": "We sent <b>zephyrs</b> & more"}));
    let text = (text, by_comment);
    let newest = [(by_title, None), text.clone()];
    let list = "/api/v1/issues?kind=ticket";
    assert_eq!(matched(&client.get(&format!("{list}&search=zephyr")).await.expect(200).body), newest);
    let by_change = client.get(&format!("{list}&search=zephyr&order=updated")).await.expect(200);
    assert_eq!(by_change.ids().len(), 2);
    assert!(matched(&by_change.body).contains(&text), "{}", by_change.text);
    assert_eq!(matched(&run(&client, "list_tickets", json!({"search": "zephyr"})).await), newest);

    // The field is absent without a search, and if the record itself contains the words.
    for query in ["", "&search=print", "&order=updated"] {
        let page = client.get(&format!("{list}{query}")).await.expect(200);
        assert!(matched(&page.body).iter().all(|(_, comment)| comment.is_none()), "{query}: {}", page.text);
    }
    assert_eq!(client.get(&format!("/api/v1/issues/{}", text.0)).await.expect(200).data().get("matched_comment"), None);

    // Callers who may not read comments see none.
    let scopes = json!(["issues.read", "tickets.read"]);
    for (map, expected) in [
        (json!({"read_tickets": true}), &newest[..1]),
        (json!({"read_tickets": true, "read_comments": true}), &newest[..]),
    ] {
        let (key, _) = tenant.key(json!({"scopes": scopes, "permissions": map})).await;
        assert_eq!(matched(&run(&key, "list_tickets", json!({"search": "zephyr"})).await), expected, "{map}");
    }
}

#[tokio::test]
async fn rows_contain_the_matching_comment_of_crm_records() {
    let (_app, client) = App::with_client().await;
    for (kind, path, fields) in [
        ("contact", "contacts", json!({"email": "ann@example.com"})),
        ("company", "companies", json!({"name": "Acme"})),
        ("deal", "deals", json!({"title": "Big", "value": 5.5})),
    ] {
        let id = client.create(&format!("/api/v1/crm/{path}"), fields).await;
        let mut comment = json!({"body": "Prefers letters"});
        comment[format!("{kind}_id")] = json!(id);
        let comment = run(&client, "add_comment", comment).await["id"].clone();
        let expected = [(id.clone(), Some(json!({"id": comment, "excerpt": "Prefers letters"})))];
        let page = client.get(&format!("/api/v1/crm/{path}?search=letter")).await.expect(200);
        assert_eq!(matched(&page.body), expected);
        let mut row = page.body["data"][0].clone();
        row.as_object_mut().unwrap().remove("matched_comment");
        let listed = client.get(&format!("/api/v1/crm/{path}")).await.expect(200);
        assert_eq!(listed.body["data"], json!([row]), "the other fields are those of every list");
        let results = run(&client, &format!("list_{path}"), json!({"search": "letter"})).await;
        assert_eq!(matched(&results), expected);
    }
}

#[tokio::test]
async fn crm_records_are_found_by_comments() {
    let (_app, client) = App::with_client().await;
    let company = client.create("/api/v1/crm/companies", json!({"name": "Acme"})).await;
    let deal = client.create("/api/v1/crm/deals", json!({"title": "Big", "value": 5})).await;
    for path in [format!("/api/v1/crm/companies/{company}"), format!("/api/v1/crm/deals/{deal}")] {
        let _ = client.post(&format!("{path}/comments"), json!({"body": "Prefers letters"})).await.expect(201);
    }
    for (path, id) in [("companies", &company), ("deals", &deal)] {
        let path = format!("/api/v1/crm/{path}?search=letter");
        assert_eq!(client.get(&path).await.expect(200).ids(), std::slice::from_ref(id));
    }
    let _ = client.delete(&format!("/api/v1/crm/deals/{deal}")).await.expect(200);
    assert_eq!(client.get("/api/v1/crm/deals?search=letter").await.expect(200).ids(), [""; 0]);
}

#[tokio::test]
async fn text_by_an_erased_person_is_not_found() {
    let (_app, tenant) = App::with_workspace().await;
    let (owner, client) = (tenant.user(Role::Owner).await.client, tenant.full_access().await);
    let person = json!({"email": "quux@person.example", "first_name": "Zephyrine", "last_name": "Quux"});
    let contact = client.create("/api/v1/crm/contacts", person).await;
    let reference = open_ticket(&client, "quux@person.example").await;
    let ticket = issue_of(&client, &reference).await;
    let comments = format!("/api/v1/issues/{ticket}/comments");
    let answer = json!({"body": "Dear Zephyrine Quux, it was shipped", "visibility": "public"});
    let _ = client.post(&comments, answer).await.expect(201);
    let _ = run(&client, "add_comment", json!({"contact_id": contact, "body": "Asked about allergies"})).await;
    assert_eq!(search(&client, "ticket", "zephyrine+shipped").await, [ticket.as_str()]);
    let erasure = owner.post(ERASURES, json!({"contact_id": contact})).await.expect(201);
    let _ = finished(&owner, erasure.data()["id"].as_str().unwrap()).await;
    assert_eq!(search(&client, "ticket", "zephyrine").await, [""; 0]);
    assert_eq!(search(&client, "ticket", "erased+shipped").await, [ticket]);
    assert_eq!(client.get("/api/v1/crm/contacts?search=allergies").await.expect(200).ids(), [""; 0]);
}
