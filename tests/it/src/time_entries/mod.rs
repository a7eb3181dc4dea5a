//! Time entries over REST and tools.

mod approval;
mod changes;
mod events;
mod keys;
mod lists;
mod locks;
mod members;
mod overlap;
mod rates;
mod summary;
mod timers;
mod tools;

use serde_json::{Value, json};
use test_support::{ApiResponse, Client};

pub(super) const ENTRIES: &str = "/api/v1/time/entries";
pub(super) const WORKSPACE: &str = "/api/settings/workspace";

/// An entry between two times in January 2030, such as `("07T09:00", "07T10:30")`.
pub(super) fn times(start: &str, end: &str) -> Value {
    json!({"started_at": format!("2030-01-{start}:00Z"), "ended_at": format!("2030-01-{end}:00Z")})
}

/// An entry with a day and a duration.
pub(super) fn duration(date: &str, seconds: i64) -> Value {
    json!({"date": date, "seconds": seconds})
}

/// `body` with the fields of `more`.
pub(super) fn merged(mut body: Value, more: Value) -> Value {
    if let (Some(members), Value::Object(more)) = (body.as_object_mut(), more) {
        members.extend(more);
    }
    body
}

pub(super) async fn entry(client: &Client, body: Value) -> ApiResponse {
    client.post(ENTRIES, body).await.expect(201)
}

pub(super) fn entry_path(id: &str) -> String {
    format!("{ENTRIES}/{id}")
}

/// A step in the approval of entries.
pub(super) async fn step(client: &Client, name: &str, ids: &[&str]) -> ApiResponse {
    client.post(&format!("{ENTRIES}/{name}"), json!({ "ids": ids })).await
}

pub(super) async fn start(client: &Client, body: Value) -> ApiResponse {
    client.post(&format!("{ENTRIES}/start"), body).await
}

pub(super) async fn stop(client: &Client, body: Value) -> ApiResponse {
    client.post(&format!("{ENTRIES}/stop"), body).await
}

/// A task, optionally in a project.
pub(super) async fn task(client: &Client, project: Option<&str>) -> String {
    let body = json!({"kind": "task", "title": "t", "project_id": project});
    client.post("/api/v1/issues", body).await.expect(201).id()
}
