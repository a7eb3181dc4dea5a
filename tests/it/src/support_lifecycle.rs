//! The life cycle of a ticket over HTTP, with its e-mails and events.

use serde_json::json;
use test_support::{App, Received};

use crate::all_callers::{intake, issue_of, open_session};
use crate::webhook_events::subscribe;

fn events(received: &[Received]) -> Vec<&str> {
    let mut names: Vec<_> = received.iter().map(Received::event).collect();
    names.sort_unstable();
    names
}

#[tokio::test]
async fn a_ticket_from_intake_to_close() {
    let (app, tenant, hook) = App::with_receiver().await;
    subscribe(&tenant, &hook, "support", json!(["*"])).await;
    let client = tenant.full_access().await;
    let created = client.post("/api/public/tickets", intake("ada@example.org")).await.expect(201);
    let reference = created.data()["reference"].as_str().unwrap().to_owned();
    let issue = format!("/api/v1/issues/{}", issue_of(&client, &reference).await);
    let member = tenant.member("m@example.com").await;
    let _ = client.patch(&issue, json!({ "assignee_id": member })).await.expect(200);
    let comments = format!("{issue}/comments");
    let _ = client.post(&comments, json!({"body": "He is <angry>"})).await.expect(201);
    let _ = client.post(&comments, json!({"body": "Is it <plugged> in?", "visibility": "public"})).await.expect(201);
    let _ = client.patch(&issue, json!({"status": "pending"})).await.expect(200);
    // The customer's e-mail contains the reply as text, and no internal comment.
    let token = app.inbox.token("ada@example.org", 1).await;
    let inbox = app.inbox.to("ada@example.org");
    assert_eq!(inbox.len(), 1);
    assert_eq!(inbox[0].subject(), format!("Re: your ticket {reference}"));
    assert!(inbox[0].text().starts_with("Is it <plugged> in?\n") && !inbox[0].text().contains("angry"));
    let session = open_session(&app, &token).await.expect(201);
    let customer = app.with_key(session.data()["token"].as_str().unwrap());
    let reply = customer.post("/api/portal/ticket/replies", json!({"body": "It is."})).await.expect(201);
    assert_eq!(client.get(&issue).await.data()["status"], "open");
    let _ = client.patch(&issue, json!({"status": "resolved"})).await.expect(200);
    let _ = customer.post("/api/portal/ticket/replies", json!({"body": "It is not."})).await.expect(201);
    let view = customer.get("/api/portal/ticket").await.expect(200);
    assert_eq!((&view.data()["status"], view.data()["comments"].as_array().unwrap().len()), (&json!("open"), 3));
    let received = hook.wait_for(9).await;
    assert_eq!(
        events(&received),
        [
            "ticket.assigned",
            "ticket.comment_added",
            "ticket.comment_added",
            "ticket.comment_added",
            "ticket.created",
            "ticket.status_changed",
            "ticket.status_changed",
            "ticket.status_changed",
            "ticket.status_changed",
        ]
    );
    let event = received.iter().find(|one| one.body["payload"]["data"]["id"] == reply.data()["id"]).unwrap();
    let opened = received.iter().find(|one| one.event() == "ticket.created").unwrap();
    let requester = json!({"name": "Ada", "email": "ada@example.org", "type": "question", "contact_id": null});
    assert_eq!(opened.body["payload"]["data"]["requester"], requester);
    let payload = &event.body["payload"];
    assert_eq!(payload["actor"], json!({"type": "customer", "id": null, "name": "Ada"}));
    assert_eq!(payload["data"]["author"], json!({"type": "customer", "id": null}));
    let by_customer =
        |one: &&Received| one.event() == "ticket.status_changed" && one.body["payload"]["actor"]["type"] == "customer";
    let reopened: Vec<_> = received.iter().filter(by_customer).collect();
    assert_eq!(reopened.len(), 2);
    assert!(reopened.iter().all(|one| one.body["payload"]["changes"]["status"]["to"] == "open"));
    assert!(received.iter().all(|one| !one.text.contains("angry")), "internal comments are not sent");
    // Customers get no e-mails about their own replies.
    assert_eq!(app.inbox.to("ada@example.org").len(), 1);
}
