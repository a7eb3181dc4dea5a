//! The examples of the OpenAPI document: recorded requests and responses.
//!
//! A small company uses every operation once. `RECORD_EXAMPLES=true cargo test -p it openapi_examples` writes the exchanges to
//! `docs/openapi.examples.json`, from which `cargo xtask openapi` takes them. Ids and times change with every recording, so
//! this is only done when a response has changed.

mod administration;
mod people;
mod records;
mod support;
mod time;
mod webhooks;

use std::collections::BTreeMap;
use std::sync::Mutex;

use http_core::operations;
use reqwest::RequestBuilder;
use serde_json::{Value, json};
use test_support::{ApiResponse, App, Client, SURFACES, pattern_of};

const COMMITTED: &str = include_str!("../../../../docs/openapi.examples.json");
const PATH: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/openapi.examples.json");

/// Members whose values are shortened: they are valid only in throwaway databases, but look like secrets.
const SECRET: [&str; 7] = ["key", "secret", "token", "access_token", "recovery_codes", "otpauth_url", "url"];
const SECRET_LENGTH: usize = 8;
/// Maximum number of list items in an example.
const MAX_ITEMS: usize = 2;

/// The first exchange of each operation.
#[derive(Default)]
struct Recorder(Mutex<BTreeMap<String, Value>>);

impl Recorder {
    /// Sends a request that must succeed.
    async fn send(&self, request: RequestBuilder) -> ApiResponse {
        let (client, built) = request.build_split();
        let built = built.unwrap();
        let (method, path) = (built.method().to_string(), built.url().path().to_owned());
        let body = built.body().and_then(|body| body.as_bytes()).map(|bytes| serde_json::from_slice(bytes).unwrap());
        let reply = ApiResponse::of(RequestBuilder::from_parts(client, built)).await;
        assert!(reply.status < 300, "{method} {path}: {}", reply.text);
        let pattern = pattern_of(&path).unwrap_or_else(|| panic!("no route for {path}"));
        let name = format!("{method} {pattern}");
        let mut exchange = json!({ "status": reply.status, "response": shown(&reply.body, None) });
        if let Some(body) = body {
            exchange["request"] = shown(&body, None);
        }
        self.0.lock().unwrap().entry(name).or_insert(exchange);
        reply
    }

    async fn get(&self, client: &Client, path: &str) -> ApiResponse {
        self.send(client.request("GET", path)).await
    }

    async fn post(&self, client: &Client, path: &str, body: Value) -> ApiResponse {
        self.send(client.request("POST", path).json(&body)).await
    }

    async fn patch(&self, client: &Client, path: &str, body: Value) -> ApiResponse {
        self.send(client.request("PATCH", path).json(&body)).await
    }

    async fn delete(&self, client: &Client, path: &str) -> ApiResponse {
        self.send(client.request("DELETE", path)).await
    }
}

/// The value with only the first items of lists and the beginning of secrets. Addresses contain tokens after `#`.
fn shown(value: &Value, name: Option<&str>) -> Value {
    match value {
        // Schemas within a response are long, and refer to their own parts.
        Value::Object(members) if name == Some("schema") => json!({ "type": members["type"] }),
        Value::Object(members) => {
            members.iter().map(|(name, value)| (name.clone(), shown(value, Some(name)))).collect()
        }
        Value::Array(items) => items.iter().take(MAX_ITEMS).map(|item| shown(item, name)).collect(),
        Value::String(text) if name.is_some_and(|name| SECRET.contains(&name)) => match text.split_once('#') {
            Some((address, _)) => format!("{address}#…").into(),
            None if text.starts_with("http") => without_port(text).into(),
            None => format!("{}…", text.chars().take(SECRET_LENGTH).collect::<String>()).into(),
        },
        other => other.clone(),
    }
}

/// An address without its port: receivers listen on a different port in each recording.
fn without_port(url: &str) -> String {
    let local = url.strip_prefix("http://127.0.0.1:");
    let path = local.map(|local| local.trim_start_matches(|character: char| character.is_ascii_digit()));
    path.map_or_else(|| url.to_owned(), |path| format!("https://hooks.example.com{path}"))
}

#[test]
fn examples_contain_no_port_of_a_recording() {
    assert_eq!(without_port("https://hooks.example.com/hook"), "https://hooks.example.com/hook");
    assert_eq!(without_port("https://example.com:8443/a"), "https://example.com:8443/a");
    assert!(!COMMITTED.contains("127.0.0.1:"), "record the examples again");
}

async fn record() -> BTreeMap<String, Value> {
    let app = App::delivering().await;
    let recorder = Recorder::default();
    let tenant = app.workspace().await;
    records::record(&recorder, &tenant).await;
    support::record(&recorder, &app, &tenant).await;
    administration::record(&recorder, &app, &tenant).await;
    time::record(&recorder, &tenant).await;
    people::record(&recorder, &app, &tenant).await;
    webhooks::record(&recorder, &tenant).await;
    recorder.0.into_inner().unwrap()
}

#[tokio::test]
async fn every_operation_has_a_recorded_example() {
    let recorded = record().await;
    let document = api_docs::openapi::document(operations(SURFACES));
    for (path, methods) in document["paths"].as_object().unwrap() {
        for method in methods.as_object().unwrap().keys() {
            let name = format!("{} {path}", method.to_uppercase());
            assert!(recorded.contains_key(&name), "{name} is not used here");
        }
    }
    if std::env::var_os("RECORD_EXAMPLES").is_some() {
        std::fs::write(PATH, format!("{:#}\n", json!(recorded))).unwrap();
        return;
    }
    let committed: BTreeMap<String, Value> = serde_json::from_str(COMMITTED).unwrap();
    assert!(committed.keys().eq(recorded.keys()), "record the examples again");
    for (name, example) in &committed {
        let (method, pattern) = name.split_once(' ').unwrap();
        let status = u16::try_from(example["status"].as_u64().unwrap()).unwrap();
        test_support::compare_example(method, pattern, status, example);
    }
}
