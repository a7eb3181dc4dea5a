//! The surface in this process, over the in-memory store.

mod checks;
mod faults;
mod log_lines;
mod records;
mod wire;

use std::sync::Arc;

use actix_web::body::to_bytes;
use actix_web::http::Method;
use actix_web::test::{TestRequest, call_service, init_service};
use actix_web::{App, http};
use domain::api_keys;
use domain::limits::FixedLimits;
use domain::ports::{Operator, Ports, Settings};
use domain::testing::{TestPorts, key_fields};
use domain::workspaces::{self, LimitName, PlanChange};
use serde_json::{Value, json};

use crate::{AppState, HttpSettings, MetricsPage, configure};

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
        let mut test = TestPorts::new();
        // Tests of the surface ask as often as they like, unless they are about limits.
        let plenty = FixedLimits { anonymous: 1_000_000, critical: 1_000_000, bulk: 1_000_000 };
        test.ports.settings = Arc::new(Settings { limits: plenty, ..Settings::default() });
        let workspace = test.workspace();
        let operator = Operator::of_this_process();
        let workspace = test.block_on(workspaces::find(&test.ports, &operator, &workspace.to_string())).unwrap();
        let change = PlanChange { plan: None, limits: vec![(LimitName::RequestsPerMinute, Some(1_000_000))] };
        let permit = operator.permit(workspace);
        let workspace = test.block_on(workspaces::change_plan(&test.ports, &permit, change)).unwrap();
        let fields = key_fields(json!({"name": "test", "scopes": scopes}));
        let made = test.block_on(api_keys::create(&test.ports, &operator.permit(workspace), fields)).unwrap();
        let state = AppState {
            ports: Arc::new(test.ports),
            settings: HttpSettings::default(),
            metrics: MetricsPage::default(),
        };
        Self { state, key: made.plain.reveal().to_owned() }
    }

    /// The ports, to put something else into.
    pub(super) fn ports(&mut self) -> &mut Ports {
        Arc::make_mut(&mut self.state.ports)
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
