//! Requests to the service.

use anyhow::{Context, Result};
use serde_json::Value as Json;
use test_support::request::{bearer, request};

/// A caller with a key, which may be empty.
#[derive(Clone)]
pub(super) struct Client {
    pub(super) address: String,
    pub(super) key: String,
}

/// The header lines of a request without a key.
const JSON: &str = "Content-Type: application/json\r\n";

type Header<'a> = (&'a str, &'a str);

/// A response: the status, and the body or null.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Response {
    pub(super) status: u16,
    pub(super) body: Json,
}

impl Response {
    pub(super) fn as_json(&self) -> Json {
        serde_json::json!({"status": self.status, "body": self.body})
    }

    /// The id of the record in the body.
    pub(super) fn id(&self) -> Option<String> {
        // Some bodies are the record itself, without `data`.
        self.body["data"]["id"].as_str().or_else(|| self.body["id"].as_str()).map(str::to_owned)
    }
}

impl Client {
    pub(super) fn send(&self, method: &str, path: &str, body: Option<&Json>) -> Result<Response> {
        self.send_with(method, path, body, &[])
    }

    pub(super) fn send_with(
        &self,
        method: &str,
        path: &str,
        body: Option<&Json>,
        headers: &[Header<'_>],
    ) -> Result<Response> {
        let body = body.map(Json::to_string).unwrap_or_default();
        let caller = if self.key.is_empty() { JSON.to_owned() } else { bearer(&self.key) };
        let lines: Vec<_> = headers.iter().map(|(name, value)| format!("{name}: {value}\r\n")).collect();
        let response = request(&self.address, method, path, &(caller + &lines.concat()), &body);
        let response = response.with_context(|| format!("{method} {path}: no response"))?;
        Ok(Response { status: response.status, body: response.body })
    }
}
