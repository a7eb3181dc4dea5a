//! Helpers for several modules.

use reqwest::RequestBuilder;
use serde_json::{Value, json};
use test_support::{ApiResponse, Client};
use tokio::task::JoinSet;

/// The path of an operation, with unknown ids, and with [`MODULE`].
pub(crate) fn path_of(pattern: &str) -> String {
    let mut path = String::new();
    for segment in pattern.split('/').skip(1) {
        path.push('/');
        path.push_str(match segment {
            "{module}" => MODULE,
            _ if segment.starts_with('{') => UNKNOWN_ID,
            _ => segment,
        });
    }
    path
}

/// A module whose events other systems report. Who may do so depends on the module.
pub(crate) const MODULE: &str = "time";

pub(crate) const UNKNOWN_ID: &str = "01890a5d-ac96-774b-bcce-b302099a8057";

/// A member of a body and the expected response: the status and, for an error, `field:code` of each detail.
pub(crate) struct Case {
    pub(crate) member: &'static str,
    pub(crate) value: Value,
    pub(crate) expected: (u16, &'static [&'static str]),
}

/// A valid value.
pub(crate) fn good(member: &'static str, value: Value) -> Case {
    Case { member, value, expected: (0, &[]) }
}

/// A value with the wrong shape (400).
pub(crate) fn bad(member: &'static str, value: Value, details: &'static [&'static str]) -> Case {
    Case { member, value, expected: (400, details) }
}

/// A value that violates a rule (422).
pub(crate) fn broken(member: &'static str, value: Value, details: &'static [&'static str]) -> Case {
    Case { member, value, expected: (422, details) }
}

/// Sends every case twice: in a create (the `minimal` body with the member) and in a patch of `patched`, if given.
/// A valid value must be returned unchanged.
pub(crate) async fn check_members(
    client: &Client,
    path: &str,
    minimal: &Value,
    patched: Option<&str>,
    cases: Vec<Case>,
) {
    for Case { member, value, expected: (status, details) } in cases {
        let mut body = minimal.clone();
        body[member] = value.clone();
        let created = client.post(path, body).await;
        check(&created, member, &value, if status == 0 { 201 } else { status }, details);
        if let Some(record) = patched {
            let reply = client.patch(record, json!({ member: value })).await;
            check(&reply, member, &value, if status == 0 { 200 } else { status }, details);
        }
    }
}

fn check(reply: &ApiResponse, member: &str, value: &Value, status: u16, details: &[&str]) {
    let excerpt: String = value.to_string().chars().take(80).collect();
    assert_eq!(reply.status, status, "{member} = {excerpt}: {}", reply.text);
    if status < 300 {
        assert_eq!(&reply.data()[member], value, "{member} = {excerpt}");
    } else {
        assert_eq!(reply.details(), details, "{member} = {excerpt}");
        let code = match (status, details.first().is_some_and(|detail| detail.ends_with(":unknown_field"))) {
            (400, true) => "unknown_field",
            (400, false) => "invalid_value",
            _ => "validation_failed",
        };
        assert_eq!(reply.code(), code, "{member} = {excerpt}");
    }
}

pub(crate) async fn send_in_parallel(requests: impl IntoIterator<Item = RequestBuilder>) -> Vec<ApiResponse> {
    requests.into_iter().map(ApiResponse::of).collect::<JoinSet<_>>().join_all().await
}

/// Sends requests at the same time, and returns the sorted statuses of the responses.
pub(crate) async fn statuses_in_parallel(requests: impl IntoIterator<Item = RequestBuilder>) -> Vec<u16> {
    let mut statuses: Vec<_> = send_in_parallel(requests).await.iter().map(|reply| reply.status).collect();
    statuses.sort_unstable();
    statuses
}

/// All pages of a list, which is a path with a query.
pub(crate) async fn all_pages(client: &Client, list: &str) -> Vec<ApiResponse> {
    let mut pages = vec![client.get(list).await.expect(200)];
    while let Some(cursor) = pages[pages.len() - 1].body["pagination"]["nextCursor"].as_str() {
        let next = client.get(&format!("{list}&cursor={cursor}")).await.expect(200);
        pages.push(next);
    }
    pages
}

/// The ids on all pages of a list.
pub(crate) async fn ids_of_pages(client: &Client, list: &str) -> Vec<String> {
    all_pages(client, list).await.iter().flat_map(ApiResponse::ids).collect()
}

/// A text of `length` multi-byte characters.
pub(crate) fn text(length: usize) -> Value {
    Value::String("ü".repeat(length))
}
