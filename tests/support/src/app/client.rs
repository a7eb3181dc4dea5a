//! An HTTP client, and its responses.

use reqwest::header::HeaderMap;
use reqwest::{Method, RequestBuilder};
use serde_json::Value;

use super::contract::SentRequest;

/// Sends requests with one credential, or with none.
#[derive(Debug, Clone)]
pub struct Client {
    http: reqwest::Client,
    base_url: String,
    key: Option<String>,
}

/// A response with its complete body.
#[derive(Debug, Clone)]
pub struct ApiResponse {
    pub status: u16,
    pub headers: HeaderMap,
    /// The body, verbatim.
    pub text: String,
    /// The body as JSON; null if it is not JSON.
    pub body: Value,
}

impl Client {
    /// A client of the service at `base_url`.
    pub fn new(base_url: &str, key: Option<&str>) -> Self {
        Self { http: reqwest::Client::new(), base_url: base_url.to_owned(), key: key.map(ToOwned::to_owned) }
    }

    pub fn key(&self) -> Option<&str> {
        self.key.as_deref()
    }

    /// A request builder for a test to extend.
    ///
    /// # Panics
    /// If the method is not a token.
    pub fn request(&self, method: &str, path: &str) -> RequestBuilder {
        let method = Method::from_bytes(method.as_bytes()).unwrap_or_else(|_| panic!("{method} is not a method"));
        let request = self.http.request(method, format!("{}{path}", self.base_url));
        match &self.key {
            Some(key) => request.bearer_auth(key),
            None => request,
        }
    }

    pub async fn get(&self, path: &str) -> ApiResponse {
        ApiResponse::of(self.request("GET", path)).await
    }

    pub async fn post(&self, path: &str, body: Value) -> ApiResponse {
        ApiResponse::of(self.request("POST", path).json(&body)).await
    }

    /// Creates a record, and returns its id.
    ///
    /// # Panics
    /// If it is refused.
    pub async fn create(&self, path: &str, body: Value) -> String {
        self.post(path, body).await.expect(201).id()
    }

    pub async fn patch(&self, path: &str, body: Value) -> ApiResponse {
        ApiResponse::of(self.request("PATCH", path).json(&body)).await
    }

    pub async fn delete(&self, path: &str) -> ApiResponse {
        ApiResponse::of(self.request("DELETE", path)).await
    }
}

impl ApiResponse {
    /// Sends a request and reads the response.
    ///
    /// # Panics
    /// If there is no response, or the exchange does not match the OpenAPI document.
    pub async fn of(request: RequestBuilder) -> Self {
        let (http, request) = request.build_split();
        let request = request.unwrap_or_else(|error| panic!("no request: {error:?}"));
        let sent_request = SentRequest::of(&request);
        let response = http.execute(request).await.unwrap_or_else(|error| panic!("no response: {error:?}"));
        let (status, headers) = (response.status().as_u16(), response.headers().clone());
        let text = response.text().await.unwrap_or_else(|error| panic!("incomplete response: {error:?}"));
        let body = serde_json::from_str(&text).unwrap_or(Value::Null);
        let reply = Self { status, headers, text, body };
        sent_request.compare(status, reply.header("content-type"), &reply.body);
        reply
    }

    /// Checks the status, and returns the response.
    ///
    /// # Panics
    /// If it has another status.
    #[must_use = "check the reply, or drop it with let _ if only the status matters"]
    #[track_caller]
    pub fn expect(self, status: u16) -> Self {
        assert_eq!(self.status, status, "{}", self.text);
        self
    }

    /// A header's text; empty if absent.
    pub fn header(&self, name: &str) -> &str {
        self.headers.get(name).and_then(|value| value.to_str().ok()).unwrap_or_default()
    }

    /// The record: `data`, or the whole body if it has no such member.
    pub fn data(&self) -> &Value {
        self.body.get("data").unwrap_or(&self.body)
    }

    /// The record's id.
    ///
    /// # Panics
    /// If there is none.
    pub fn id(&self) -> String {
        self.data()["id"].as_str().unwrap_or_else(|| panic!("no id in {}", self.text)).to_owned()
    }

    /// The ids of a list, in order.
    pub fn ids(&self) -> Vec<String> {
        let items = self.body["data"].as_array().map(Vec::as_slice).unwrap_or_default();
        items.iter().filter_map(|item| item["id"].as_str().map(ToOwned::to_owned)).collect()
    }

    /// The error code of the REST envelope.
    pub fn code(&self) -> &str {
        self.body["error"]["code"].as_str().unwrap_or_default()
    }

    /// `field:code` of each detail of an error, in order.
    pub fn details(&self) -> Vec<String> {
        let details = self.body["error"]["details"].as_array().map(Vec::as_slice).unwrap_or_default();
        let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
        details.iter().map(|detail| format!("{}:{}", text(&detail["field"]), text(&detail["code"]))).collect()
    }
}

/// Checks some members of an object.
///
/// # Panics
/// If one has another value.
#[track_caller]
pub fn assert_members(object: &Value, expected: &Value) {
    for (name, value) in expected.as_object().unwrap_or_else(|| panic!("{expected} is not an object")) {
        assert_eq!(&object[name], value, "{name} of {object}");
    }
}
