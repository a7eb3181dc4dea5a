//! Errors.

use std::time::Duration;

use reqwest::header::HeaderMap;
use serde_json::Value;

/// Every error of this crate.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// The client or a call is misconfigured; nothing was sent.
    #[error("{0}")]
    Configuration(String),
    /// The service refused the request.
    #[error(transparent)]
    Api(Box<ApiError>),
    /// There was no response.
    #[error(transparent)]
    Connection(#[from] ConnectionError),
    /// A response that this release does not understand.
    #[error("the answer of {operation} is not as expected: {source}")]
    Answer { operation: String, source: serde_json::Error },
}

impl Error {
    pub(crate) fn configuration(message: impl Into<String>) -> Self {
        Self::Configuration(message.into())
    }

    /// The service's error, if it refused the request.
    pub fn api(&self) -> Option<&ApiError> {
        if let Self::Api(error) = self { Some(error) } else { None }
    }

    /// The reason why the service refused the request, if it did.
    pub fn kind(&self) -> Option<ErrorKind> {
        self.api().map(|error| error.kind)
    }
}

impl From<ApiError> for Error {
    fn from(error: ApiError) -> Self {
        Self::Api(Box::new(error))
    }
}

/// The service refused the request. Branch on `kind`, or on `status` and `code`; messages may change.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{status} {code}: {message}{}", shown(.details))]
#[non_exhaustive]
pub struct ApiError {
    pub kind: ErrorKind,
    /// The HTTP status; for a failed tool, the status of the same code over REST.
    pub status: u16,
    pub code: String,
    pub message: String,
    pub details: Vec<ErrorDetail>,
    /// Include it when you contact the operator of the service.
    pub request_id: Option<String>,
    /// How long to wait before a retry.
    pub retry_after: Option<Duration>,
    /// For a duplicate, the record that already has the unique value.
    pub existing_id: Option<String>,
    /// The tool that failed, if the call was a tool call.
    pub tool: Option<String>,
}

/// A problem with one value of a request.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct ErrorDetail {
    /// A member such as `tags[3]`, a parameter or a header.
    pub field: String,
    pub code: String,
    pub message: String,
}

const SHOWN_DETAILS: usize = 10;

/// The first problems, for the error's text; `details` has all.
fn shown(details: &[ErrorDetail]) -> String {
    let first = details.iter().take(SHOWN_DETAILS).map(|detail| format!("{}: {}", detail.field, detail.message));
    let left_out = details.len().saturating_sub(SHOWN_DETAILS);
    let more = (left_out > 0).then(|| format!("and {left_out} more"));
    let all: Vec<_> = first.chain(more).collect();
    if all.is_empty() { String::new() } else { format!(" ({})", all.join("; ")) }
}

/// The reason why the service refused a request.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum ErrorKind {
    /// 400, 413, 415: the request does not have the documented shape.
    BadRequest,
    /// 401: no valid key.
    Authentication,
    /// 403: the key may not do this.
    PermissionDenied,
    /// 404: no such record in the workspace.
    NotFound,
    /// 409 `duplicate`: another record has the unique value; see `existing_id`.
    Duplicate,
    /// 409 `concurrent_update`: the record is at another version.
    ConcurrentUpdate,
    /// 409: another conflict with the current state; read it first.
    Conflict,
    /// 422: a value is not acceptable; see `details`.
    Validation,
    /// 429 `rate_limit_exceeded`: too many requests; see `retry_after`.
    RateLimit,
    /// 429 `quota_exceeded` and `trial_quota_exceeded`: the quota of the plan or trial is used up.
    QuotaExceeded,
    /// 5xx.
    Server,
    /// Any other status.
    Other,
}

impl ErrorKind {
    fn of(status: u16, code: &str) -> Self {
        match (status, code) {
            (400 | 413 | 415, _) => Self::BadRequest,
            (401, _) => Self::Authentication,
            (403, _) => Self::PermissionDenied,
            (404, _) => Self::NotFound,
            (409, "duplicate") => Self::Duplicate,
            (409, "concurrent_update") => Self::ConcurrentUpdate,
            (409, _) => Self::Conflict,
            (422, _) => Self::Validation,
            (429, "rate_limit_exceeded") => Self::RateLimit,
            (429, _) => Self::QuotaExceeded,
            (500.., _) => Self::Server,
            _ => Self::Other,
        }
    }
}

/// There was no response.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{message}")]
#[non_exhaustive]
pub struct ConnectionError {
    pub message: String,
    /// Whether the service may have carried out the request: a response was lost or came too late.
    pub may_have_acted: bool,
    /// Whether the attempt timed out.
    pub is_timeout: bool,
    /// Whether the last attempt reached the service.
    pub(crate) was_sent: bool,
}

/// Reads both forms of errors: with an object in `error`, and flat.
pub(crate) fn api_error(status: u16, headers: &HeaderMap, body: &Value) -> ApiError {
    let fields = if body["error"].is_string() { body } else { &body["error"] };
    let text = |value: &Value| value.as_str().map(str::to_owned);
    let header = |name: &str| headers.get(name).and_then(|value| value.to_str().ok());
    let code = text(&body["error"]).or_else(|| text(&fields["code"])).unwrap_or_else(|| "unknown".to_owned());
    let waits = header("retry-after").and_then(|after| after.parse().ok()).or_else(|| fields["retry_after"].as_u64());
    let details = fields["details"].as_array().into_iter().flatten();
    let value = |detail: &Value, name: &str| text(&detail[name]).unwrap_or_default();
    ApiError {
        kind: ErrorKind::of(status, &code),
        status,
        message: text(&fields["message"]).unwrap_or_else(|| format!("the service answered {status}")),
        details: details
            .map(|detail| ErrorDetail {
                field: value(detail, "field"),
                code: value(detail, "code"),
                message: value(detail, "message"),
            })
            .collect(),
        request_id: text(&fields["request_id"]).or_else(|| header("x-request-id").map(str::to_owned)),
        retry_after: waits.map(Duration::from_secs),
        existing_id: text(&fields["existing_id"]),
        tool: None,
        code,
    }
}

/// Parses the text of a failed tool.
pub(crate) fn tool_error(tool: &str, text: &str, headers: &HeaderMap) -> ApiError {
    let body =
        serde_json::from_str(text).unwrap_or_else(|_| serde_json::json!({ "error": "unknown", "message": text }));
    let failure = api_error(409, headers, &body);
    // The response of a failed tool is 200. Codes that are not named here are conflicts.
    let status = match failure.code.as_str() {
        "not_found" => 404,
        "validation_failed" => 422,
        "invalid_value" => 400,
        _ => 409,
    };
    ApiError { kind: ErrorKind::of(status, &failure.code), status, tool: Some(tool.to_owned()), ..failure }
}
