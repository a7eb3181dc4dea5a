//! The MCP result of a call, for `tools/call` over plain HTTP and for Streamable HTTP.

use domain::kernel::input::Problem;
use serde::Serialize;
use serde_json::value::RawValue;
use uuid::Uuid;

use crate::outputs::RenderedOutput;
use crate::tool::CallOutcome;

#[derive(Serialize)]
struct Text<'a> {
    #[serde(rename = "type")]
    kind: &'static str,
    text: &'a str,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct CallResult<'a> {
    content: [Text<'a>; 1],
    #[serde(skip_serializing_if = "Option::is_none")]
    structured_content: Option<&'a RawValue>,
    is_error: bool,
}

#[derive(Serialize)]
struct Refusal<'a> {
    error: &'static str,
    message: &'a str,
    #[serde(skip_serializing_if = "<[Problem]>::is_empty")]
    details: &'a [Problem],
    #[serde(skip_serializing_if = "Option::is_none")]
    existing_id: Option<Uuid>,
}

/// The text of a failed call: the code, message and details that REST uses.
pub(crate) fn refusal_text(error: &domain::Error) -> String {
    let message = error.client_message();
    let (details, existing_id) = (&*error.details(), error.existing_id());
    let refusal = Refusal { error: error.code().as_str(), message: &message, details, existing_id };
    serde_json::to_string(&refusal).unwrap_or(message)
}

/// The body of `tools/call`.
pub(crate) fn body_of(outcome: &CallOutcome) -> Result<String, serde_json::Error> {
    match outcome {
        CallOutcome::Done(finished) => done(finished),
        CallOutcome::Refused(error) => {
            let text = refusal_text(error);
            let content = [Text { kind: "text", text: &text }];
            serde_json::to_string(&CallResult { content, structured_content: None, is_error: true })
        }
    }
}

fn done(finished: &RenderedOutput) -> Result<String, serde_json::Error> {
    let structured: &RawValue = serde_json::from_str(&finished.structured)?;
    let content = [Text { kind: "text", text: finished.text() }];
    serde_json::to_string(&CallResult { content, structured_content: Some(structured), is_error: false })
}
