//! The error reported to the client when a request to the service fails.

use hyper::StatusCode;
use rmcp::ErrorData;
use rmcp::model::{CallToolResult, ContentBlock};
use serde::Deserialize;
use serde_json::json;

use crate::options::Options;
use crate::retry::{self, RetryOutcome};
use crate::upstream::{UpstreamError, UpstreamResponse};

/// Maximum length of a text of the service, in characters.
const MAX_TEXT: usize = 2_000;
/// Maximum number of details in an error.
const MAX_DETAILS: usize = 50;

/// An error message, and who can act on it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Problem {
    pub(crate) kind: Kind,
    pub(crate) text: String,
    code: Option<String>,
    status: Option<u16>,
    wait_seconds: Option<u64>,
}

/// Who can act on a problem.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Kind {
    /// The model: it can use other arguments or another record, or retry later.
    Call,
    /// The model: the key has no such tool.
    Tool,
    /// The user who configured the adapter.
    Setup,
}

/// The flat error body of the service; every member may be missing.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
struct Flat {
    error: Option<String>,
    message: Option<String>,
    details: Vec<Detail>,
    retry_after: Option<u64>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
struct Detail {
    field: String,
    message: String,
}

impl Problem {
    fn new(kind: Kind, text: impl Into<String>) -> Self {
        Self { kind, text: text.into(), code: None, status: None, wait_seconds: None }
    }

    /// The tool is not offered here.
    pub(crate) fn not_offered(text: String) -> Self {
        Self::new(Kind::Tool, text)
    }

    /// A response with status 200 whose body cannot be parsed.
    pub(crate) fn unreadable(options: &Options, error: &serde_json::Error) -> Self {
        log::warn!("cannot parse a response from the service: {error}");
        let text =
            format!("The response of {} cannot be read: check that this is the URL of the service.", options.api_url);
        Self::new(Kind::Call, text)
    }

    /// Appends whether the call may have taken effect.
    pub(crate) fn with_effect(mut self, may_have_acted: bool) -> Self {
        if self.kind == Kind::Call {
            self.text.push_str(if may_have_acted {
                "\nThe call may have taken effect: check before calling again."
            } else {
                "\nThe call changed nothing."
            });
        }
        self
    }

    /// Returns the problem as the error of a request that is not a call.
    pub(crate) fn into_error(self) -> ErrorData {
        log::warn!("{}", self.text);
        let data = json!({"status": self.status, "code": self.code, "retry_after": self.wait_seconds});
        let is_invalid_params = self.kind == Kind::Tool || self.status == Some(400);
        let constructor = if is_invalid_params { ErrorData::invalid_params } else { ErrorData::internal_error };
        constructor(self.text, self.status.is_some().then_some(data))
    }

    /// Returns the problem as the result of a call.
    pub(crate) fn into_result(self) -> Result<CallToolResult, ErrorData> {
        match self.kind {
            Kind::Call => Ok(CallToolResult::error(vec![ContentBlock::text(self.text)])),
            Kind::Tool | Kind::Setup => Err(self.into_error()),
        }
    }
}

/// Returns the body of a response with status 200, or the problem to report.
pub(crate) fn check_response(
    options: &Options,
    path: &str,
    outcome: RetryOutcome,
) -> Result<hyper::body::Bytes, Problem> {
    let may_have_acted = outcome.may_have_acted;
    match outcome.last {
        Ok(response) if response.status.is_success() => Ok(response.body),
        Ok(response) => Err(from_response(options, path, &response, may_have_acted)),
        Err(error) => Err(from_error(options, &error)),
    }
}

fn from_error(options: &Options, error: &UpstreamError) -> Problem {
    let api_url = &options.api_url;
    let text = match error {
        UpstreamError::NotReached(reason) => format!("The service at {api_url} cannot be reached ({reason})."),
        UpstreamError::Lost(reason) => format!("The connection to the service at {api_url} broke ({reason})."),
        UpstreamError::TimedOut => format!("The service at {api_url} timed out."),
        UpstreamError::TooLarge => "The response of the service is larger than 1 MiB; request less at once.".to_owned(),
    };
    Problem::new(Kind::Call, text)
}

fn from_response(options: &Options, path: &str, response: &UpstreamResponse, may_have_acted: bool) -> Problem {
    let flat: Flat = serde_json::from_slice(&response.body).unwrap_or_default();
    let status = response.status;
    let message = flat.message.as_deref().map(|message| plain(options, message));
    let wait_seconds = response.retry_after.map(|wait| wait.as_secs()).or(flat.retry_after);
    let (kind, text) = match (status, flat.error.as_deref()) {
        (StatusCode::UNAUTHORIZED, _) => (Kind::Setup, KEY_REFUSED.to_owned()),
        (status, _) if status.is_redirection() => (Kind::Setup, redirected(options, path, response)),
        (StatusCode::FORBIDDEN, _) => {
            (Kind::Tool, message.unwrap_or_else(|| "The API key lacks permission.".to_owned()))
        }
        (StatusCode::NOT_FOUND, Some("unknown_tool")) => {
            (Kind::Tool, message.unwrap_or_else(|| "There is no such tool.".to_owned()))
        }
        (StatusCode::NOT_FOUND | StatusCode::METHOD_NOT_ALLOWED, _) => {
            let text = format!(
                "{} has no tools for AI clients ({status}); set --api-url to the URL of the service",
                options.api_url
            );
            (Kind::Setup, text)
        }
        (StatusCode::TOO_MANY_REQUESTS, _) => (Kind::Call, too_many(message, wait_seconds)),
        (StatusCode::CONFLICT, _) if retry::is_still_running(response) && may_have_acted => {
            (Kind::Call, "The service is still processing the first attempt of this call.".to_owned())
        }
        (status, _) if status.is_server_error() => {
            let suffix = message.map(|message| format!(": {message}")).unwrap_or_default();
            (Kind::Call, format!("The service failed ({status}){suffix}"))
        }
        _ => (
            Kind::Call,
            with_details(
                options,
                message.unwrap_or_else(|| format!("The service rejected the request ({status}).")),
                &flat,
            ),
        ),
    };
    Problem { kind, text, code: flat.error, status: Some(status.as_u16()), wait_seconds }
}

const KEY_REFUSED: &str = "The service rejects the API key: it is missing, expired or revoked. Set a valid one as \
    SERVICE_MCP_API_KEY (or --api-key) where this adapter is configured, and restart it; an admin or owner of the \
    workspace creates keys in the settings of the service.";

fn redirected(options: &Options, path: &str, response: &UpstreamResponse) -> String {
    let api_url = &options.api_url;
    let target = response.location.as_deref().and_then(|location| api_url.base_of_redirect(path, location));
    match target {
        Some(target) => {
            format!(
                "{api_url} redirects to {target}; set --api-url to it. The API key is never sent to a redirect target."
            )
        }
        None => format!("{api_url} redirects; set --api-url to the URL of the service itself"),
    }
}

fn too_many(message: Option<String>, wait_seconds: Option<u64>) -> String {
    let message = message.unwrap_or_else(|| "Too many requests.".to_owned());
    match wait_seconds {
        Some(seconds) => format!("{message} Wait {seconds} seconds before calling again."),
        None => format!("{message} Wait before calling again."),
    }
}

fn with_details(options: &Options, text: String, flat: &Flat) -> String {
    let details = flat.details.iter().take(MAX_DETAILS);
    let lines =
        details.map(|detail| format!("- {}: {}", plain(options, &detail.field), plain(options, &detail.message)));
    let omitted = flat.details.len().saturating_sub(MAX_DETAILS);
    let more = (omitted > 0).then(|| format!("and {omitted} more"));
    std::iter::once(text).chain(lines).chain(more).collect::<Vec<_>>().join("\n")
}

/// A text from the service, truncated and without the key.
fn plain(options: &Options, text: &str) -> String {
    options.key.redact(text).chars().take(MAX_TEXT).collect()
}
