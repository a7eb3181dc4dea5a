//! Helpers that call tools.

use serde_json::{Value, json};
use test_support::{ApiResponse, App, Client, Tenant};

use super::table::PERMISSIONS;

pub(super) const CALL: &str = "/api/mcp/tools/call";
pub(super) const LIST: &str = "/api/mcp/tools/list";
pub(super) const SESSION: &str = "/api/mcp/session";

pub(crate) async fn call(client: &Client, name: &str, arguments: Value) -> ApiResponse {
    client.post(CALL, json!({"name": name, "arguments": arguments})).await
}

pub(crate) async fn call_once(client: &Client, key: &str, name: &str, arguments: &Value) -> ApiResponse {
    let request = client.request("POST", CALL).header("Idempotency-Key", key);
    ApiResponse::of(request.json(&json!({"name": name, "arguments": arguments}))).await
}

/// Calls a tool that must succeed, and returns its result.
pub(crate) async fn run(client: &Client, name: &str, arguments: Value) -> Value {
    let excerpt: String = arguments.to_string().chars().take(300).collect();
    let reply = call(client, name, arguments).await;
    assert_eq!((reply.status, &reply.body["isError"]), (200, &json!(false)), "{name} {excerpt}: {}", reply.text);
    reply.body["structuredContent"].clone()
}

/// The result in the form of its text, without members that have no value. Free-form values stay unchanged.
pub(super) fn without_nulls(value: Value) -> Value {
    match value {
        Value::Object(members) => {
            let present = members.into_iter().filter(|(_, value)| !value.is_null()).map(|(name, value)| {
                let is_free = matches!(&*name, "custom_fields" | "body" | "scope");
                let value = if is_free { value } else { without_nulls(value) };
                (name, value)
            });
            Value::Object(present.collect())
        }
        Value::Array(items) => items.into_iter().map(without_nulls).collect(),
        other => other,
    }
}

/// Calls a tool that creates a record, and returns the record's id.
pub(crate) async fn create(client: &Client, name: &str, arguments: Value) -> String {
    run(client, name, arguments).await["id"].as_str().unwrap().to_owned()
}

/// Calls a tool that must fail, and returns its error.
pub(crate) async fn fail(client: &Client, name: &str, arguments: Value) -> Value {
    refusal(&call(client, name, arguments).await)
}

#[track_caller]
pub(super) fn refusal(reply: &ApiResponse) -> Value {
    assert_eq!((reply.status, &reply.body["isError"]), (200, &json!(true)), "{}", reply.text);
    assert_eq!(reply.body.get("structuredContent"), None);
    serde_json::from_str(reply.body["content"][0]["text"].as_str().unwrap()).unwrap()
}

/// `field:code` of each detail of a flat error or a failed tool.
pub(crate) fn details(body: &Value) -> Vec<String> {
    let details = body["details"].as_array().cloned().unwrap_or_default();
    details
        .iter()
        .map(|it| format!("{}:{}", it["field"].as_str().unwrap_or_default(), it["code"].as_str().unwrap_or_default()))
        .collect()
}

/// A client that can call every tool.
pub(crate) async fn with_all_tools(tenant: &Tenant) -> Client {
    let scopes: Vec<_> = domain::identity::access::Scope::all().map(|scope| scope.to_string()).collect();
    tenant.key(json!({"scopes": scopes, "permissions": map_of(&PERMISSIONS)})).await.0
}

/// Starts the service, and creates a workspace and a key that can call every tool.
pub(crate) async fn start_with_all_tools() -> (App, Tenant, Client) {
    let (app, tenant) = App::with_workspace().await;
    let client = with_all_tools(&tenant).await;
    (app, tenant, client)
}

/// A permission map that grants these.
pub(super) fn map_of(permissions: &[&str]) -> Value {
    permissions
        .iter()
        .map(|permission| ((*permission).to_owned(), json!(true)))
        .collect::<serde_json::Map<_, _>>()
        .into()
}

/// The schema of a member, which may be shared within the tool.
pub(super) fn resolved<'a>(schema: &'a Value, of: &'a Value) -> &'a Value {
    match of["$ref"].as_str().and_then(|reference| reference.strip_prefix("#/$defs/")) {
        Some(name) => &schema["$defs"][name],
        None => of,
    }
}

/// The whole catalogue, with schemas.
pub(crate) async fn catalogue(client: &Client) -> Vec<Value> {
    let reply = client.get(&format!("{LIST}?includeDenied=true&includeSchemas=true")).await.expect(200);
    reply.body["tools"].as_array().unwrap().clone()
}
