//! Sends a sequence of requests in a new workspace. Requests can use values from earlier responses.

use std::time::{Duration, Instant};

use anyhow::{Context, Result, ensure};
use serde_json::{Value as Json, json};
use test_support::program::{PASSWORD, Service};

use super::http::{Client, Response};
use super::{pause, steps};
use crate::clients::service::make_key;

/// A page that embeds the widget.
const PAGE: &str = "https://help.example.com";
/// Timeout for a response that background work completes.
const SETTLES_WITHIN: Duration = Duration::from_secs(30);
const POLL_INTERVAL: Duration = Duration::from_millis(300);

/// A request. `{name}` in its path and body stands for the value that an earlier step kept under that name.
#[derive(Debug)]
pub(super) struct Step {
    method: &'static str,
    path: &'static str,
    body: Json,
    /// A name and the JSON pointer of its value in the response; without a pointer, the record's id.
    keeps: Option<(&'static str, Option<&'static str>)>,
    settles: bool,
}

impl Step {
    fn new(method: &'static str, path: &'static str, body: Json) -> Self {
        Self { method, path, body, keeps: None, settles: false }
    }

    /// Keeps the id of the record in the response.
    pub(super) fn keep(self, name: &'static str) -> Self {
        Self { keeps: Some((name, None)), ..self }
    }

    pub(super) fn keep_at(self, name: &'static str, pointer: &'static str) -> Self {
        Self { keeps: Some((name, Some(pointer))), ..self }
    }

    pub(super) fn with_body(self, body: Json) -> Self {
        Self { body, ..self }
    }

    /// Repeats the request until its response no longer changes: background work adds to it.
    pub(super) fn settled(self) -> Self {
        Self { settles: true, ..self }
    }

    /// Method and path, and for a tool call the tool's name.
    pub(super) fn name(&self) -> String {
        let tool = self.body["name"].as_str().filter(|_| self.path == steps::TOOL_CALLS);
        format!("{} {}{}", self.method, self.path, tool.map(|tool| format!(" {tool}")).unwrap_or_default())
    }

    #[cfg(test)]
    pub(super) const fn route(&self) -> (&'static str, &'static str) {
        (self.method, self.path)
    }
}

pub(super) fn get(path: &'static str) -> Step {
    Step::new("GET", path, Json::Null)
}

pub(super) fn post(path: &'static str, body: Json) -> Step {
    Step::new("POST", path, body)
}

pub(super) fn patch(path: &'static str, body: Json) -> Step {
    Step::new("PATCH", path, body)
}

pub(super) fn delete(path: &'static str) -> Step {
    Step::new("DELETE", path, Json::Null)
}

/// A tool call.
pub(super) fn tool(name: &'static str, arguments: &Json) -> Step {
    post(steps::TOOL_CALLS, json!({"name": name, "arguments": arguments}))
}

/// The state of the sequence in one workspace.
pub(super) struct Drive {
    address: String,
    saved: Vec<(&'static str, String)>,
}

impl Drive {
    /// Creates the workspace, with a key and an owner who is also an operator.
    pub(super) fn begin(service: &Service, slug: &str) -> Result<Self> {
        let key = make_key(service, slug)?;
        let email = format!("owner@{slug}.example");
        service.program.create_user(slug, &email, "owner", &["--operator"])?;
        let saved = vec![("key", key), ("slug", slug.to_owned()), ("email", email), ("password", PASSWORD.to_owned())];
        Ok(Self { address: service.address.to_string(), saved })
    }

    pub(super) fn send(&mut self, step: &Step) -> Result<Response> {
        let mut response = self.send_once(step)?;
        if !step.settles {
            return Ok(response);
        }
        let began = Instant::now();
        loop {
            pause(POLL_INTERVAL);
            let before = std::mem::replace(&mut response, self.send_once(step)?);
            if before == response {
                return Ok(response);
            }
            ensure!(
                began.elapsed() < SETTLES_WITHIN,
                "{}: its responses do not stay the same: {response:?}",
                step.name()
            );
        }
    }

    /// Sends the request without waiting for the response to settle.
    pub(super) fn send_once(&mut self, step: &Step) -> Result<Response> {
        let body = (!step.body.is_null()).then(|| serde_json::from_str(&self.filled(&step.body.to_string())));
        let caller = caller_of(step.path).map(|name| self.saved(name)).transpose()?.unwrap_or_default();
        let client = Client { address: self.address.clone(), key: caller.to_owned() };
        let headers: &[_] = match step.path {
            path if path.starts_with(steps::WIDGET) => &[("Origin", PAGE)],
            // Other event streams never end.
            "/api/mcp" => &[("Accept", "application/json, text/event-stream")],
            _ => &[],
        };
        let response = client.send_with(step.method, &self.filled(step.path), body.transpose()?.as_ref(), headers)?;
        if let Some((name, pointer)) = step.keeps {
            let value = match pointer {
                Some(pointer) => response.body.pointer(pointer).and_then(Json::as_str).map(str::to_owned),
                None => response.id(),
            };
            let value = value.with_context(|| format!("{}: no {name} in {response:?}", step.name()))?;
            self.saved.retain(|(key, _)| *key != name);
            self.saved.push((name, value));
        }
        Ok(response)
    }

    fn saved(&self, name: &str) -> Result<&str> {
        let entry = self.saved.iter().find(|(key, _)| *key == name);
        Ok(&entry.with_context(|| format!("no earlier step kept {name}"))?.1)
    }

    fn filled(&self, text: &str) -> String {
        self.saved.iter().fold(text.to_owned(), |text, (name, value)| text.replace(&format!("{{{name}}}"), value))
    }
}

/// The name under which the caller's credential is kept.
fn caller_of(path: &str) -> Option<&'static str> {
    let starts = |with: &[&str]| with.iter().any(|with| path.starts_with(with));
    if starts(&["/api/portal/ticket"]) {
        Some("customer")
    } else if starts(&["/api/portal/", steps::WIDGET, "/api/auth/login", "/api/auth/password-resets"]) {
        None
    } else if starts(&["/api/settings/", "/api/account", "/api/auth/", "/api/operator/", "/api/v1/time/"]) {
        Some("owner")
    } else {
        Some("key")
    }
}
