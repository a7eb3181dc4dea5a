//! Sends requests, and retries them where that is safe.

use std::fmt::{self, Write as _};
use std::sync::Arc;
use std::time::Duration;

use reqwest::Method;
use reqwest::header::{ACCEPT, AUTHORIZATION, CONTENT_TYPE, HeaderMap, HeaderName, HeaderValue, IF_MATCH, USER_AGENT};
use serde_json::Value;

use crate::config::Settings;
use crate::error::{ConnectionError, Error, api_error};
use crate::generated::operations::{OPERATIONS, Operation};
use crate::http::{Exchange, HttpFailure, HttpRequest, HttpResponse, HttpStream};
use crate::retry::{Attempt, Outcome, Repeat, Retry, pause_after};

/// Maximum bytes of an error response to read.
const MAX_ERROR_BYTES: usize = 1 << 20;

const IDEMPOTENCY_KEY: HeaderName = HeaderName::from_static("idempotency-key");
const AGENT: &str = concat!("workspace-service-sdk-rust/", env!("CARGO_PKG_VERSION"));

/// The content of a call.
#[derive(Clone, Debug, Default)]
pub(crate) struct Request {
    pub(crate) operation: String,
    /// The name of the tool, for a tool call.
    pub(crate) tool: Option<String>,
    pub(crate) path: Vec<(String, String)>,
    /// An object; lists repeat their parameter.
    pub(crate) query: Value,
    pub(crate) body: Option<Vec<u8>>,
    /// Depends on the tool; `None` uses the operation's.
    pub(crate) repeat: Option<Repeat>,
    pub(crate) options: Options,
}

/// The options of a single request.
#[derive(Clone, Debug, Default)]
pub(crate) struct Options {
    pub(crate) timeout: Option<Duration>,
    pub(crate) max_retries: Option<u32>,
    pub(crate) idempotency_key: Option<String>,
    pub(crate) if_version: Option<i64>,
}

#[derive(Clone)]
pub(crate) struct Transport {
    pub(crate) settings: Arc<Settings>,
    http: Arc<dyn Exchange>,
}

impl fmt::Debug for Transport {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("Transport").field("base_url", &self.settings.base_url).finish_non_exhaustive()
    }
}

impl Transport {
    pub(crate) fn new(settings: Settings, http: Arc<dyn Exchange>) -> Self {
        Self { settings: Arc::new(settings), http }
    }

    /// Returns the response if it is successful.
    pub(crate) async fn call(&self, request: &Request) -> Result<HttpResponse, Error> {
        let (sent, repeat) = self.prepared(request)?;
        let max_retries = request.options.max_retries.unwrap_or(self.settings.max_retries);
        let (mut number, mut may_have_acted) = (0, false);
        loop {
            let error = match self.http.send(sent.clone()).await {
                Ok(answer) if is_success(answer.status) => return Ok(answer),
                Ok(answer) => Error::from(refusal(answer.status, &answer.headers, &answer.body)),
                Err(failed) => ConnectionError::from(failed).into(),
            };
            let outcome = outcome(&error);
            number += 1;
            may_have_acted |= outcome.is_uncertain(repeat);
            let attempt = Attempt {
                repeat,
                number,
                may_have_acted,
                max_retry_after: self.settings.max_retry_after,
                random: (self.settings.random)(),
            };
            match pause_after(outcome, attempt) {
                Some(pause) if number <= max_retries => {
                    let operation = request.tool.as_ref().unwrap_or(&request.operation).clone();
                    let retry = Retry { operation, attempt: number + 1, pause, reason: outcome.reason() };
                    self.settings.on_retry.announce(&retry);
                    tokio::time::sleep(pause).await;
                }
                _ => return Err(acted(error, may_have_acted)),
            }
        }
    }

    /// The response with its body unread; there are no retries.
    pub(crate) async fn open(&self, request: &Request, headers: HeaderMap) -> Result<HttpStream, Error> {
        let (mut sent, _) = self.prepared(request)?;
        sent.headers.extend(headers);
        let timeout = sent.timeout;
        let mut opened = self.http.open(sent).await.map_err(ConnectionError::from)?;
        if is_success(opened.status) {
            return Ok(opened);
        }
        let mut body = Vec::new();
        let read = async {
            while let Some(Ok(piece)) = futures_util::StreamExt::next(&mut opened.pieces).await {
                if body.len() + piece.len() > MAX_ERROR_BYTES {
                    break;
                }
                body.extend(piece);
            }
        };
        // The error alone is enough here.
        let _ = tokio::time::timeout(timeout, read).await;
        Err(refusal(opened.status, &opened.headers, &body).into())
    }

    fn prepared(&self, request: &Request) -> Result<(HttpRequest, Repeat), Error> {
        let id = &request.operation;
        let operation = OPERATIONS.iter().find(|(name, _)| name == id);
        let (_, operation) = operation.ok_or_else(|| Error::configuration(format!("there is no operation {id}")))?;
        let repeat = request.repeat.unwrap_or_else(|| operation.repeat());
        let sent = HttpRequest {
            method: operation.method(),
            url: format!(
                "{}{}{}",
                self.settings.base_url,
                filled(id, operation.path, &request.path)?,
                query_string(&request.query)
            ),
            headers: self.headers(id, operation, &request.options, repeat)?,
            body: request.body.clone().or_else(|| (operation.method == "POST").then(|| b"{}".to_vec())),
            timeout: request.options.timeout.unwrap_or(self.settings.timeout),
        };
        Ok((sent, repeat))
    }

    fn headers(&self, id: &str, operation: &Operation, options: &Options, repeat: Repeat) -> Result<HeaderMap, Error> {
        let mut headers = HeaderMap::new();
        headers.insert(ACCEPT, HeaderValue::from_static("application/json"));
        headers.insert(CONTENT_TYPE, HeaderValue::from_static("application/json"));
        headers.insert(AUTHORIZATION, self.settings.authorization.clone());
        headers.insert(USER_AGENT, HeaderValue::from_static(AGENT));
        if operation.takes_key && repeat != Repeat::Reads {
            let key = match &options.idempotency_key {
                Some(key) => key.clone(),
                None => (self.settings.new_key)()?,
            };
            let key = HeaderValue::try_from(key);
            headers.insert(IDEMPOTENCY_KEY, key.map_err(|_| Error::configuration("the idempotency key is malformed"))?);
        } else if !operation.takes_key && options.idempotency_key.is_some() {
            return Err(Error::configuration(format!("{id} takes no idempotency key")));
        }
        if let Some(version) = options.if_version {
            if !operation.takes_version {
                return Err(Error::configuration(format!("{id} takes no version")));
            }
            let version = HeaderValue::try_from(format!("\"{version}\""));
            headers.insert(IF_MATCH, version.map_err(|_| Error::configuration("the version is malformed"))?);
        }
        Ok(headers)
    }
}

impl Operation {
    fn repeat(&self) -> Repeat {
        match self.method {
            "GET" => Repeat::Reads,
            "POST" if !self.takes_key => Repeat::Once,
            _ => Repeat::Writes,
        }
    }

    fn method(&self) -> Method {
        match self.method {
            "GET" => Method::GET,
            "PATCH" => Method::PATCH,
            "DELETE" => Method::DELETE,
            "PUT" => Method::PUT,
            _ => Method::POST,
        }
    }
}

fn is_success(status: u16) -> bool {
    (200..300).contains(&status)
}

fn refusal(status: u16, headers: &HeaderMap, body: &[u8]) -> crate::ApiError {
    api_error(status, headers, &serde_json::from_slice(body).unwrap_or(Value::Null))
}

fn outcome(error: &Error) -> Outcome<'_> {
    match error {
        Error::Api(error) => {
            Outcome::Answered { status: error.status, code: &error.code, retry_after: error.retry_after }
        }
        Error::Connection(error) if !error.was_sent => Outcome::Unreached,
        _ => Outcome::Lost,
    }
}

impl From<HttpFailure> for ConnectionError {
    fn from(failed: HttpFailure) -> Self {
        Self {
            message: failed.message,
            may_have_acted: false,
            is_timeout: failed.is_timeout,
            was_sent: !failed.is_unreached,
        }
    }
}

/// The error, with `may_have_acted` for all attempts.
fn acted(error: Error, may_have_acted: bool) -> Error {
    match error {
        Error::Connection(error) => Error::Connection(ConnectionError { may_have_acted, ..error }),
        error => error,
    }
}

fn filled(id: &str, path: &str, values: &[(String, String)]) -> Result<String, Error> {
    let part = |part: &str| {
        let Some(name) = part.strip_prefix('{').and_then(|name| name.strip_suffix('}')) else {
            return Ok(part.to_owned());
        };
        let value = values.iter().find(|(known, _)| known == name).map_or("", |(_, value)| value.as_str());
        if matches!(value, "" | "." | "..") {
            return Err(Error::configuration(format!("{id} needs {name}")));
        }
        Ok(encoded(value))
    };
    Ok(path.split('/').map(part).collect::<Result<Vec<_>, _>>()?.join("/"))
}

/// A list repeats its parameter; `null` is not sent.
fn query_string(query: &Value) -> String {
    let mut pairs = Vec::new();
    for (name, value) in query.as_object().into_iter().flatten() {
        let values = if let Value::Array(values) = value { values.as_slice() } else { std::slice::from_ref(value) };
        for value in values.iter().filter(|value| !value.is_null()) {
            let text = value.as_str().map_or_else(|| value.to_string(), str::to_owned);
            pairs.push(format!("{}={}", encoded(name), encoded(&text)));
        }
    }
    if pairs.is_empty() { String::new() } else { format!("?{}", pairs.join("&")) }
}

/// Percent-encodes everything except unreserved characters.
fn encoded(text: &str) -> String {
    let mut encoded = String::with_capacity(text.len());
    for byte in text.bytes() {
        match byte {
            b'A'..=b'Z' | b'a'..=b'z' | b'0'..=b'9' | b'-' | b'_' | b'.' | b'~' => encoded.push(char::from(byte)),
            other => {
                let _ = write!(encoded, "%{other:02X}");
            }
        }
    }
    encoded
}
