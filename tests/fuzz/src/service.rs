//! Targets that need a running service: queries, bodies and searches, including the statements that Postgres parses.

use std::fmt::Write;

use reqwest::StatusCode;
use test_support::{App, Client};
use tokio::runtime::Runtime;

use crate::{Check, Target};

/// How a text is sent.
#[derive(Debug, Clone, Copy)]
pub enum Request {
    /// The query of lists.
    Query,
    /// The body of creates.
    Body,
    /// The words of searches.
    Search,
}

/// Lists with filters of every kind.
const LISTS: [&str; 5] =
    ["/api/v1/crm/contacts", "/api/v1/crm/deals", "/api/v1/issues", "/api/v1/projects", "/api/public/tickets"];
/// Creates, and a bulk update.
const CREATES: [&str; 6] = [
    "/api/v1/crm/contacts",
    "/api/v1/crm/deals",
    "/api/v1/issues",
    "/api/v1/issues/bulk-update",
    "/api/public/tickets",
    "/api/auth/login",
];

const QUERIES: Target = Target {
    name: "query_strings",
    seeds: &[
        "kind=task&page=1&limit=100",
        "status=open&search=acme%20corp&assignee=none",
        "cursor=abc&limit=5",
        "min_value=0.1&max_value=1e9&email=ann%40example.com",
        "a=%ff&=&&b",
    ],
    words: &[
        "&",
        "=",
        "%",
        "%00",
        "%ff",
        "+",
        "kind=ticket",
        "status=",
        "limit=",
        "cursor=",
        "search=",
        "page=",
        "1e400",
    ],
    check: Check::Service(Request::Query),
};

const BODIES: Target = Target {
    name: "bodies",
    seeds: &[
        r#"{"title": "d", "value": 12500.50, "currency": "EUR", "tags": ["a"], "custom_fields": {"a": [1, null]}}"#,
        r#"{"email": "ann@example.com", "name": "Ann", "phone": "+49", "subject": "s", "type": "incident"}"#,
        r#"{"kind": "task", "title": "t", "due_date": "2030-02-30", "labels": ["\u0000"]}"#,
        r#"{"issueIds": ["01890a5d-ac96-774b-bcce-b302099a8057"], "patch": {"priority": "low"}}"#,
        r#"{"email": "ann@example.com", "password": "correct horse battery"}"#,
    ],
    words: &[
        "{",
        "}",
        "[",
        "]",
        ":",
        ",",
        "\"",
        "null",
        "1e999",
        "-0",
        "\\ud800",
        "\\u0000",
        "\"title\":",
        "\"value\":",
        "[[",
    ],
    check: Check::Service(Request::Body),
};

const SEARCHES: Target = Target {
    name: "searches",
    seeds: &["acme corp", "it's", "a:* & !b | (c)", "<-> 'x' \\", "ann@example.com +49", "/etc/app.conf v1.2", "%_\\%"],
    words: &["'", "''", ":*", "&", "|", "!", "<->", "<2>", "\\", "\\\\", "(", ")", "E'", "$$", "--", "/*", "%", "_"],
    check: Check::Service(Request::Search),
};

pub(crate) const TARGETS: [Target; 3] = [QUERIES, BODIES, SEARCHES];

/// A service with a workspace and a key.
pub(crate) struct World {
    runtime: Runtime,
    client: Client,
    _app: App,
}

impl World {
    pub(crate) fn start() -> Self {
        let runtime = Runtime::new().unwrap_or_else(|error| panic!("no runtime: {error}"));
        let (app, client) = runtime.block_on(async {
            let app = App::start().await;
            let client = app.workspace().await.full_access().await;
            (app, client)
        });
        Self { runtime, client, _app: app }
    }

    pub(crate) fn check(&self, request: Request, text: &str) -> Result<(), String> {
        self.runtime.block_on(async {
            match request {
                Request::Query => {
                    for path in LISTS {
                        self.send("GET", &format!("{path}?{}", in_query(text)), None).await?;
                    }
                }
                Request::Body => {
                    for path in CREATES {
                        self.send("POST", path, Some(text)).await?;
                    }
                }
                Request::Search => {
                    let words: String = url::form_urlencoded::byte_serialize(text.as_bytes()).collect();
                    self.send("GET", &format!("/api/v1/crm/contacts?search={words}"), None).await?;
                    self.send("GET", &format!("/api/v1/issues?kind=task&search={words}"), None).await?;
                    self.send("GET", &format!("/api/public/kb/search?q={words}"), None).await?;
                }
            }
            Ok(())
        })
    }

    /// Every response must be JSON and must not be an error of the service.
    async fn send(&self, method: &str, path: &str, body: Option<&str>) -> Result<(), String> {
        let mut request = self.client.request(method, path);
        if let Some(body) = body {
            request = request.header("Content-Type", "application/json").body(body.to_owned());
        }
        let reply = request.send().await.map_err(|error| format!("{method} {path}: no answer: {error}"))?;
        let status = reply.status();
        let text =
            reply.text().await.map_err(|error| format!("{method} {path}: an answer that is not text: {error}"))?;
        // A loaded machine may respond with 503.
        if status.is_server_error() && status != StatusCode::SERVICE_UNAVAILABLE {
            return Err(format!("{method} {path}: {status} {text}"));
        }
        let json: Result<serde_json::Value, _> = serde_json::from_str(&text);
        json.map(drop).map_err(|error| format!("{method} {path}: {status}, not JSON: {error}"))
    }
}

/// The text as part of an address: encodes characters that HTTP forbids, but not those with a meaning in a query.
fn in_query(text: &str) -> String {
    let mut query = String::with_capacity(text.len());
    for byte in text.bytes() {
        if byte.is_ascii_alphanumeric() || b"&=+%-._~,:;/?@!*()".contains(&byte) {
            query.push(char::from(byte));
        } else {
            // Writing to a text never fails.
            let _ = write!(query, "%{byte:02X}");
        }
    }
    // The length of an address is limited by the server.
    query.truncate(4_000);
    query
}
