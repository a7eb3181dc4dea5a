//! A call to the service, sent when it is awaited.

use std::future::IntoFuture;
use std::marker::PhantomData;
use std::time::Duration;

use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::{Map, Value};

use crate::client::{Answer, Client};
use crate::error::{Error, tool_error};
use crate::generated::operations::TOOLS;
use crate::http::{Future, HttpResponse};
use crate::retry::Repeat;
use crate::transport::{Request, Transport};

/// A call that is sent when it is awaited. `T` is the type of its response, and `K` determines its options.
#[must_use = "a call is sent when it is awaited"]
#[derive(Debug)]
pub struct Call<T, K = Plain> {
    transport: Transport,
    pub(crate) request: Result<Request, Error>,
    shape: Shape,
    kind: PhantomData<fn() -> (T, K)>,
}

/// Where the result is in the body.
#[derive(Debug)]
enum Shape {
    Whole,
    /// `{"data": …}`
    Data,
    Tool {
        name: String,
        arguments: Result<Map<String, Value>, serde_json::Error>,
    },
}

/// A call without additional options.
#[derive(Debug)]
pub enum Plain {}
/// A call that takes effect once per idempotency key.
#[derive(Debug)]
pub enum Keyed {}
/// A change or deletion of a specific version.
#[derive(Debug)]
pub enum Versioned {}
/// An upsert.
#[derive(Debug)]
pub enum Upserting {}
/// A call with every option.
#[derive(Debug)]
pub enum Any {}

/// Calls that take an idempotency key.
pub trait TakesKey {}
impl TakesKey for Keyed {}
impl TakesKey for Upserting {}
impl TakesKey for Any {}

/// Calls that take a version.
pub trait TakesVersion {}
impl TakesVersion for Versioned {}
impl TakesVersion for Any {}

impl<T, K> Call<T, K> {
    /// A call that returns the body.
    pub(crate) fn new(client: &Client, operation: &str, path: &[(&str, &str)]) -> Self {
        let path = path.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect();
        let request = Request { operation: operation.to_owned(), path, ..Request::default() };
        Self { transport: client.transport.clone(), request: Ok(request), shape: Shape::Whole, kind: PhantomData }
    }

    /// A call that returns the content of `data`.
    pub(crate) fn data(client: &Client, operation: &str, path: &[(&str, &str)]) -> Self {
        Self { shape: Shape::Data, ..Self::new(client, operation, path) }
    }

    /// Calls a tool.
    pub(crate) fn tool(client: &Client, name: &str, arguments: &(impl Serialize + ?Sized)) -> Self {
        let arguments = serde_json::to_value(arguments).and_then(serde_json::from_value);
        let tool = TOOLS.iter().find(|(tool, _)| *tool == name);
        // A tool that this release does not know is called without retries.
        let repeat = tool.map_or(Repeat::Once, |(_, repeat)| *repeat);
        let mut call = Self::new(client, "tools_call", &[]);
        call.change(|request| {
            request.repeat = Some(repeat);
            request.tool = Some(name.to_owned());
        });
        Self { shape: Shape::Tool { name: name.to_owned(), arguments }, ..call }
    }

    fn change(&mut self, change: impl FnOnce(&mut Request)) {
        if let Ok(request) = &mut self.request {
            change(request);
        }
    }

    fn with(mut self, change: impl FnOnce(&mut Request)) -> Self {
        self.change(change);
        self
    }

    fn argument(&mut self, name: &str, value: Value) {
        if let Shape::Tool { arguments: Ok(arguments), .. } = &mut self.shape {
            arguments.insert(name.to_owned(), value);
        }
    }

    pub(crate) fn with_argument(mut self, name: &str, value: impl Into<Value>) -> Self {
        self.argument(name, value.into());
        self
    }

    pub(crate) fn with_body(self, body: &(impl Serialize + ?Sized)) -> Self {
        self.with_written("the body cannot be written as JSON", serde_json::to_vec(body), |request, body| {
            request.body = Some(body);
        })
    }

    pub(crate) fn with_query(self, query: &(impl Serialize + ?Sized)) -> Self {
        self.with_written("the query cannot be written", serde_json::to_value(query), |request, query| {
            request.query = query;
        })
    }

    fn with_written<V>(
        mut self,
        problem: &str,
        written: serde_json::Result<V>,
        change: impl FnOnce(&mut Request, V),
    ) -> Self {
        match written {
            Ok(value) => self.change(|request| change(request, value)),
            Err(error) => {
                self.request = Err(Error::configuration(format!("{problem}: {error}")));
            }
        }
        self
    }

    /// Timeout of each attempt, instead of the client's.
    pub fn timeout(self, timeout: Duration) -> Self {
        self.with(|request| request.options.timeout = Some(timeout))
    }

    /// Maximum number of retries, instead of the client's.
    pub fn max_retries(self, retries: u32) -> Self {
        self.with(|request| request.options.max_retries = Some(retries))
    }
}

impl<T, K: TakesKey> Call<T, K> {
    /// Makes the call safe to repeat for 24 hours. The client generates a key for each call and uses it for all attempts.
    /// Set your own to be safe across restarts of your program as well.
    pub fn idempotency_key(self, key: impl Into<String>) -> Self {
        let key = key.into();
        self.with(|request| request.options.idempotency_key = Some(key))
    }
}

impl<T, K: TakesVersion> Call<T, K> {
    /// The `version` that was read. If the record has changed since, the call fails with
    /// [`ConcurrentUpdate`](crate::ErrorKind::ConcurrentUpdate).
    pub fn if_version(mut self, version: i64) -> Self {
        if matches!(self.shape, Shape::Tool { .. }) {
            self.argument("expected_version", version.into());
            return self;
        }
        self.with(|request| request.options.if_version = Some(version))
    }
}

impl<T> Call<T, Upserting> {
    /// Only reports what would happen.
    pub fn dry_run(self, dry_run: bool) -> Self {
        self.with_argument("dry_run", dry_run)
    }
}

/// A call of any operation.
impl Call<Value, Any> {
    /// Sets a path parameter.
    pub fn path(self, name: &str, value: &str) -> Self {
        self.with(|request| request.path.push((name.to_owned(), value.to_owned())))
    }

    /// Sets the query from an object; lists repeat their parameter.
    pub fn query(self, query: &(impl Serialize + ?Sized)) -> Self {
        self.with_query(query)
    }

    /// Sets the body.
    pub fn body(self, body: &(impl Serialize + ?Sized)) -> Self {
        self.with_body(body)
    }
}

impl<T: DeserializeOwned, K> Call<T, K> {
    /// Like awaiting the call, but also returns status and headers.
    pub async fn send(self) -> Result<Answer<T>, Error> {
        let mut request = self.request?;
        if let Shape::Tool { name, arguments } = &self.shape {
            let arguments = arguments.as_ref().map_err(|error| Error::configuration(format!("{name}: {error}")))?;
            request.body = Some(serde_json::json!({ "name": name, "arguments": arguments }).to_string().into_bytes());
        }
        let received = self.transport.call(&request).await?;
        let body = match &self.shape {
            Shape::Whole => whole(&received.body),
            Shape::Data => serde_json::from_slice(&received.body).map(|response: InData<T>| response.data),
            Shape::Tool { name, .. } => serde_json::from_value(structured(name, &received)?),
        };
        let unexpected = |source| Error::Answer { operation: request.operation.clone(), source };
        let request_id = received.headers.get("x-request-id").and_then(|id| id.to_str().ok()).map(str::to_owned);
        Ok(Answer { status: received.status, request_id, body: body.map_err(unexpected)?, headers: received.headers })
    }
}

/// Treats a response without a body as `null`.
fn whole<T: DeserializeOwned>(body: &[u8]) -> Result<T, serde_json::Error> {
    serde_json::from_slice(if body.is_empty() { b"null" } else { body })
}

#[derive(serde::Deserialize)]
struct InData<T> {
    data: T,
}

/// The result of a tool.
fn structured(tool: &str, received: &HttpResponse) -> Result<Value, Error> {
    let unexpected = |source| Error::Answer { operation: tool.to_owned(), source };
    let mut result: Map<String, Value> = serde_json::from_slice(&received.body).map_err(unexpected)?;
    if result.get("isError") == Some(&Value::Bool(true)) {
        let message = result.get("content").and_then(|content| content[0]["text"].as_str()).unwrap_or_default();
        return Err(tool_error(tool, message, &received.headers).into());
    }
    let missing = || unexpected(serde::de::Error::missing_field("structuredContent"));
    result.remove("structuredContent").ok_or_else(missing)
}

impl<T: DeserializeOwned + Send + 'static, K: 'static> IntoFuture for Call<T, K> {
    type Output = Result<T, Error>;
    type IntoFuture = Future<Self::Output>;

    fn into_future(self) -> Self::IntoFuture {
        let response = self.send();
        Box::pin(async move { response.await.map(|answer| answer.body) })
    }
}
