//! The surface in this process, over the in-memory store.

mod checks;
mod faults;
mod log_lines;
mod records;
mod wire;

use actix_web::body::to_bytes;
use actix_web::http::Method;
use actix_web::test::{TestRequest, call_service, init_service};
use actix_web::{App, http};
use domain::api_keys::{self, NewKey};
use domain::ports::Operator;
use domain::testing::TestPorts;
use serde_json::Value;

use crate::{AppState, HttpSettings, configure};

/// The surface's state with one workspace, and a key of it.
pub(super) struct World {
    pub(super) state: AppState,
    pub(super) key: String,
}

impl World {
    pub(super) fn new() -> Self {
        Self::with_scopes(&["contacts.write", "deals.write", "projects.write", "issues.write"])
    }

    pub(super) fn with_scopes(scopes: &[&str]) -> Self {
        let test = TestPorts::new();
        let workspace = test.workspace();
        let new = NewKey {
            name: "test".to_owned(),
            scopes: scopes.iter().map(ToString::to_string).collect(),
            ..NewKey::default()
        };
        let made = test.block_on(api_keys::create(&test.ports, &Operator::of_this_process(), workspace, &new)).unwrap();
        let state = AppState { ports: test.ports, settings: HttpSettings::default() };
        Self { state, key: made.plain.reveal().to_owned() }
    }

    /// A request with the key.
    pub(super) fn request(&self, method: &str, path: &str) -> TestRequest {
        anonymous(method, path).insert_header(("Authorization", format!("Bearer {}", self.key)))
    }

    /// A request with the key and a JSON body.
    pub(super) fn json(&self, method: &str, path: &str, body: &str) -> TestRequest {
        self.request(method, path).insert_header(("Content-Type", "application/json")).set_payload(body.to_owned())
    }

    /// Answers a request.
    pub(super) async fn answer(&self, request: TestRequest) -> Reply {
        let state = self.state.clone();
        let app = init_service(App::new().configure(|config| configure(config, state))).await;
        let response = call_service(&app, request.to_request()).await;
        let (status, headers) = (response.status().as_u16(), response.headers().clone());
        let bytes = to_bytes(response.into_body()).await.ok().unwrap();
        Reply { status, headers, text: String::from_utf8(bytes.to_vec()).unwrap() }
    }
}

pub(super) fn anonymous(method: &str, path: &str) -> TestRequest {
    TestRequest::with_uri(path).method(Method::from_bytes(method.as_bytes()).unwrap())
}

/// What came back.
#[derive(Debug)]
pub(super) struct Reply {
    pub(super) status: u16,
    pub(super) headers: http::header::HeaderMap,
    pub(super) text: String,
}

impl Reply {
    pub(super) fn json(&self) -> Value {
        serde_json::from_str(&self.text).unwrap_or_else(|error| panic!("{error}: {}", self.text))
    }

    pub(super) fn header(&self, name: &str) -> &str {
        self.headers.get(name).map_or("", |value| value.to_str().unwrap())
    }

    pub(super) fn code(&self) -> String {
        self.json()["error"]["code"].as_str().unwrap_or_default().to_owned()
    }

    pub(super) fn details(&self) -> Vec<String> {
        let json = self.json();
        let details = json["error"]["details"].as_array().cloned().unwrap_or_default();
        let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
        details.iter().map(|detail| format!("{}:{}", text(&detail["field"]), text(&detail["code"]))).collect()
    }
}
