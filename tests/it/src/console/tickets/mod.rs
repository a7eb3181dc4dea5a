//! Tickets: the inbox, conversations, drafts, and concurrent use.

mod answers;
mod inbox;

use serde_json::{Value, json};
use test_support::{App, Browser, Client, Screen};

use crate::all_callers::{customer_of, issue_of, open_ticket};

/// A ticket by a customer: its id, and a client with the portal token.
pub(super) async fn customer_ticket(app: &App, key: &Client, email: &str) -> (String, Client) {
    let reference = open_ticket(key, email).await;
    (issue_of(key, &reference).await, customer_of(app, key, &reference).await)
}

pub(super) async fn ticket(key: &Client, fields: Value) -> String {
    let mut body = json!({"kind": "ticket", "title": "A ticket"});
    body.as_object_mut().unwrap().extend(fields.as_object().unwrap().clone());
    key.create("/api/v1/issues", body).await
}

pub(super) async fn replies(customer: &Client) -> Vec<String> {
    let shown = customer.get("/api/portal/ticket").await.expect(200);
    let comments = shown.data()["comments"].as_array().unwrap().iter();
    comments.map(|comment| comment["body"].as_str().unwrap().to_owned()).collect()
}

pub(super) async fn reply(customer: &Client, body: &str) {
    let _ = customer.post("/api/portal/ticket/replies", json!({ "body": body })).await.expect(201);
}

pub(super) fn path(id: &str, end: &str) -> String {
    format!("/tickets/{id}{end}")
}

pub(super) async fn open(browser: &Browser, id: &str) -> Screen {
    browser.open(&path(id, "")).await.expect(200)
}

/// Submits the answer or the note form.
pub(super) async fn write(browser: &Browser, id: &str, end: &str, body: &str) -> Screen {
    let page = open(browser, id).await;
    browser.submit(&page, &path(id, end), &[("body", body)]).await
}

/// Unescapes an attribute's value.
pub(super) fn decoded(text: &str) -> String {
    text.replace("&#38;", "&").replace("&#x2F;", "/")
}

pub(super) fn draft_text(page: &Screen, id: &str, end: &str) -> String {
    let fields = page.fields_of(&path(id, end));
    fields.into_iter().find(|(name, _)| name == "body").map(|(_, body)| body).unwrap()
}

/// Sends a form's text to another address, like its second button.
pub(super) async fn send_to(browser: &Browser, page: &Screen, form: (&str, &str), to: &str, body: &str) -> u16 {
    let fields = page.fields_with(&path(form.0, form.1), &[("body", body)]);
    browser.send(browser.post(&path(form.0, to), &fields)).await.status
}
