//! A fake service on loopback that returns scripted responses and records the requests.

use std::collections::HashMap;
use std::io;
use std::sync::{Arc, Mutex};

use http_body_util::{BodyExt, Full};
use hyper::body::{Bytes, Incoming};
use hyper::service::service_fn;
use hyper::{Request, Response};
use hyper_util::rt::TokioIo;
use serde_json::{Value, json};
use tokio::io::{AsyncRead, AsyncWrite};
use tokio::net::TcpListener;
use tokio::sync::Semaphore;
use tokio::task::JoinHandle;

pub(crate) const SESSION: &str = "/api/mcp/session";
pub(crate) const LIST: &str = "/api/mcp/tools/list";
pub(crate) const CALL: &str = "/api/mcp/tools/call";

/// A received request.
#[derive(Debug, Clone)]
pub(crate) struct RecordedRequest {
    pub(crate) method: String,
    pub(crate) path: String,
    pub(crate) query: String,
    pub(crate) headers: HashMap<String, String>,
    pub(crate) body: Value,
}

impl RecordedRequest {
    pub(crate) fn header(&self, name: &str) -> &str {
        self.headers.get(name).map_or("", String::as_str)
    }
}

/// The reply to a request.
#[derive(Debug, Clone)]
pub(crate) enum FakeReply {
    Json(u16, Value),
    With(u16, Vec<(&'static str, String)>, String),
    /// The connection is closed without a response.
    Hangup,
    /// No response is sent.
    Silence,
    /// The response is held until the test releases it.
    After(Arc<Semaphore>, Value),
}

type Answers = dyn Fn(&RecordedRequest, usize) -> FakeReply + Send + Sync;

#[derive(Clone)]
struct FakeState {
    answers: Arc<Answers>,
    requests: Arc<Mutex<Vec<RecordedRequest>>>,
}

pub(crate) struct Fake {
    pub(crate) url: String,
    state: FakeState,
    task: JoinHandle<()>,
}

impl Drop for Fake {
    fn drop(&mut self) {
        self.task.abort();
    }
}

impl Fake {
    /// `answers` receives a request and the number of earlier requests to its path. The session route succeeds.
    pub(crate) async fn start(answers: impl Fn(&RecordedRequest, usize) -> FakeReply + Send + Sync + 'static) -> Self {
        let answers = move |recorded: &RecordedRequest, earlier| match recorded.path.as_str() {
            SESSION => FakeReply::Json(200, json!({"workspace": {"name": "Acme"}})),
            _ => answers(recorded, earlier),
        };
        Self::start_bare(answers).await
    }

    /// Like `start`, but `answers` also handles the session route.
    pub(crate) async fn start_bare(
        answers: impl Fn(&RecordedRequest, usize) -> FakeReply + Send + Sync + 'static,
    ) -> Self {
        let state = FakeState { answers: Arc::new(answers), requests: Arc::default() };
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let url = format!("http://{}", listener.local_addr().unwrap());
        let server = state.clone();
        let task = tokio::spawn(async move {
            while let Ok((stream, _)) = listener.accept().await {
                tokio::spawn(server.clone().serve(stream));
            }
        });
        Self { url, state, task }
    }

    /// Lists the test tools, and answers every call with `answer`.
    pub(crate) async fn with_call_reply(answer: impl Fn(usize) -> FakeReply + Send + Sync + 'static) -> Self {
        Self::start(move |recorded, earlier| if recorded.path == LIST { listing() } else { answer(earlier) }).await
    }

    /// The recorded requests to a path.
    pub(crate) fn requests_to(&self, path: &str) -> Vec<RecordedRequest> {
        self.state.requests.lock().unwrap().iter().filter(|recorded| recorded.path == path).cloned().collect()
    }
}

impl FakeState {
    async fn serve(self, stream: impl AsyncRead + AsyncWrite + Send + Unpin + 'static) {
        let service = service_fn(move |request| self.clone().answer(request));
        // Clients may close the connection.
        let _ = hyper::server::conn::http1::Builder::new().serve_connection(TokioIo::new(stream), service).await;
    }

    async fn answer(self, request: Request<Incoming>) -> io::Result<Response<Full<Bytes>>> {
        let (head, body) = request.into_parts();
        let body = body.collect().await.map_err(io::Error::other)?.to_bytes();
        let headers = head.headers.iter().map(|(name, value)| (name.to_string(), value.to_str().unwrap().to_owned()));
        let recorded = RecordedRequest {
            method: head.method.to_string(),
            path: head.uri.path().to_owned(),
            query: head.uri.query().unwrap_or_default().to_owned(),
            headers: headers.collect(),
            body: serde_json::from_slice(&body).unwrap_or_default(),
        };
        let earlier = {
            let mut all = self.requests.lock().unwrap();
            let earlier = all.iter().filter(|other| other.path == recorded.path).count();
            all.push(recorded.clone());
            earlier
        };
        let (status, headers, body) = match (self.answers)(&recorded, earlier) {
            FakeReply::Json(status, value) => (status, Vec::new(), value.to_string()),
            FakeReply::With(status, headers, body) => (status, headers, body),
            FakeReply::Hangup => return Err(io::Error::other("scripted by the test")),
            FakeReply::Silence => return std::future::pending().await,
            FakeReply::After(gate, value) => {
                gate.acquire().await.unwrap().forget();
                (200, Vec::new(), value.to_string())
            }
        };
        let mut response = Response::builder().status(status);
        for (name, value) in headers {
            response = response.header(name, value);
        }
        Ok(response.body(Full::from(body)).unwrap())
    }
}

/// The result of a successful call.
pub(crate) fn success() -> Value {
    json!({"content": [{"type": "text", "text": "done"}], "structuredContent": {"id": "7"}, "isError": false})
}

/// An error with the service's flat body.
pub(crate) fn flat(status: u16, code: &str, message: &str) -> FakeReply {
    FakeReply::Json(status, json!({"error": code, "message": message}))
}

/// A 429 with `Retry-After`.
pub(crate) fn too_many_requests(code: &str, seconds: u64) -> FakeReply {
    let body = json!({"error": code, "message": "Too much.", "retry_after": seconds}).to_string();
    FakeReply::With(429, vec![("retry-after", seconds.to_string())], body)
}

/// The list of tools, always with schemas.
pub(crate) fn listing() -> FakeReply {
    FakeReply::Json(200, json!({"tools": tools(), "count": tools().len()}))
}

pub(crate) fn tools() -> Vec<Value> {
    vec![
        tool("list_deals", "crm", true),
        tool("create_deal", "crm", false),
        tool("list_projects", "projects", true),
        tool("create_project", "projects", false),
    ]
}

fn tool(name: &str, feature: &str, reads: bool) -> Value {
    json!({
        "name": name, "title": format!("Title of {name}"), "description": format!("Does {name}."),
        "feature": feature, "permission": "read_deals", "allowed": true,
        "annotations": {
            "readOnlyHint": reads, "destructiveHint": false, "idempotentHint": reads, "openWorldHint": false,
        },
        "inputSchema": {
            "$schema": "https://json-schema.org/draft/2020-12/schema", "type": "object",
            "properties": {"limit": {"type": "integer", "minimum": 1, "maximum": 100, "default": 20}},
            "additionalProperties": false,
        },
        "outputSchema": {"type": "object", "properties": {"id": {"type": ["string", "null"]}}},
    })
}
