//! Test support: surfaces in the test's process, with their own database.

use std::fmt::Debug;
use std::sync::Arc;

use actix_web::App;
use actix_web::body::to_bytes;
use actix_web::http::Method;
use actix_web::http::header::HeaderMap;
use actix_web::test::{TestRequest, call_service, init_service};
use domain::identity::api_keys;
use domain::identity::workspaces::{self, PlanChange};
use domain::limits::{FixedLimits, LimitName};
use domain::ports::{Ports, Settings};
use domain::testing::{self, key_fields};
use serde_json::{Value, json};
use test_databases::{TestDatabase, TestPorts};

use crate::{AppState, HttpSettings, Routes, configure};

/// Surfaces and their state, with one workspace and one API key.
#[derive(Debug)]
pub struct TestApp {
    pub state: AppState,
    pub key: String,
    surfaces: &'static [&'static Routes],
    /// Dropped last.
    _database: TestDatabase,
}

impl TestApp {
    /// A fixture whose key has the scopes that most tests need.
    pub fn new(surfaces: &'static [&'static Routes]) -> Self {
        Self::with_scopes(surfaces, &["contacts.write", "crm.write", "deals.write", "projects.write", "issues.write"])
    }

    /// A fixture whose key has these scopes.
    pub fn with_scopes(surfaces: &'static [&'static Routes], scopes: &[&str]) -> Self {
        let mut test = TestPorts::new();
        // High limits: most tests are not about rate limits.
        let high_limits = FixedLimits {
            anonymous: 1_000_000,
            critical: 1_000_000,
            bulk: 1_000_000,
            account: 1_000_000,
            console: 1_000_000,
        };
        test.ports.settings = Arc::new(Settings { limits: high_limits, ..Settings::default() });
        let workspace = test.workspace();
        let operator = testing::operator();
        let workspace = expect_ok(test.block_on(workspaces::find(&test.ports, &operator, &workspace.to_string())));
        let unchanged = [LimitName::CrmQuotaPerMonth, LimitName::EventBytesPerDay];
        let raised = LimitName::ALL.iter().filter(|name| !unchanged.contains(name));
        let change = PlanChange { plan: None, limits: raised.map(|name| (*name, Some(1_000_000))).collect() };
        let permit = operator.permit(workspace);
        let workspace = expect_ok(test.block_on(workspaces::change_plan(&test.ports, &permit, change)));
        let fields = key_fields(json!({"name": "test", "scopes": scopes}));
        let created = expect_ok(test.block_on(api_keys::create(&test.ports, &operator.permit(workspace), fields)));
        let probe = Arc::clone(&test.ports.directory);
        let state = AppState::new(Arc::new(test.ports), probe, HttpSettings::default(), Arc::new(String::new));
        Self { state, key: created.plain.reveal().to_owned(), surfaces, _database: test.database }
    }

    /// The same fixture with other bounds.
    #[must_use]
    pub fn with_settings(self, settings: HttpSettings) -> Self {
        Self { state: AppState::new(self.state.ports, self.state.probe, settings, self.state.metrics), ..self }
    }

    /// The ports, to replace one.
    pub fn ports(&mut self) -> &mut Ports {
        Arc::make_mut(&mut self.state.ports)
    }

    /// A request with the key.
    pub fn request(&self, method: &str, path: &str) -> TestRequest {
        anonymous(method, path).insert_header(("Authorization", format!("Bearer {}", self.key)))
    }

    /// A request with the key and a JSON body.
    pub fn json(&self, method: &str, path: &str, body: &str) -> TestRequest {
        self.request(method, path).insert_header(("Content-Type", "application/json")).set_payload(body.to_owned())
    }

    /// Sends a request through the surfaces.
    ///
    /// # Panics
    /// If the response body is not text.
    pub async fn answer(&self, request: TestRequest) -> TestResponse {
        let state = self.state.clone();
        let app = init_service(App::new().configure(|config| configure(config, state, self.surfaces))).await;
        let response = call_service(&app, request.to_request()).await;
        let (status, headers) = (response.status().as_u16(), response.headers().clone());
        let bytes = to_bytes(response.into_body()).await.unwrap_or_else(|_| panic!("the response body is incomplete"));
        TestResponse { status, headers, text: expect_ok(String::from_utf8(bytes.to_vec())) }
    }
}

/// A request without a credential.
pub fn anonymous(method: &str, path: &str) -> TestRequest {
    TestRequest::with_uri(path).method(expect_ok(Method::from_bytes(method.as_bytes())))
}

#[derive(Debug)]
pub struct TestResponse {
    pub status: u16,
    pub headers: HeaderMap,
    /// The body.
    pub text: String,
}

impl TestResponse {
    /// The body.
    ///
    /// # Panics
    /// If it is not JSON.
    pub fn json(&self) -> Value {
        serde_json::from_str(&self.text).unwrap_or_else(|error| panic!("{error}: {}", self.text))
    }

    /// A header; empty if it is absent.
    pub fn header(&self, name: &str) -> &str {
        self.headers.get(name).map_or("", |value| expect_ok(value.to_str()))
    }

    /// The code of an error in the REST envelope.
    pub fn code(&self) -> String {
        self.json()["error"]["code"].as_str().unwrap_or_default().to_owned()
    }

    /// The details of an error in the REST envelope, as `field:code`.
    pub fn details(&self) -> Vec<String> {
        let json = self.json();
        let details = json["error"]["details"].as_array().cloned().unwrap_or_default();
        let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
        details.iter().map(|detail| format!("{}:{}", text(&detail["field"]), text(&detail["code"]))).collect()
    }
}

fn expect_ok<T, E: Debug>(result: Result<T, E>) -> T {
    result.unwrap_or_else(|error| panic!("{error:?}"))
}
