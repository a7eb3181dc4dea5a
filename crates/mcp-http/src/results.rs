//! The MCP result of a call, for `tools/call` over plain HTTP and for Streamable HTTP.

use domain::kernel::input::Problem;
use serde::Serialize;
use uuid::Uuid;

use crate::call::CallOutcome;

#[derive(Serialize)]
struct Refusal<'a> {
    error: &'static str,
    message: &'a str,
    #[serde(skip_serializing_if = "<[Problem]>::is_empty")]
    details: &'a [Problem],
    #[serde(skip_serializing_if = "Option::is_none")]
    existing_id: Option<Uuid>,
}

/// The text of a failed call: the code, message and details that REST uses. `explanation` replaces the message.
pub(crate) fn refusal_text(error: &domain::Error, explanation: Option<&str>) -> String {
    let message = explanation.map_or_else(|| error.client_message(), str::to_owned);
    let (details, existing_id) = (&*error.details(), error.existing_id());
    let refusal = Refusal { error: error.code().as_str(), message: &message, details, existing_id };
    serde_json::to_string(&refusal).unwrap_or(message)
}

/// The body of `tools/call`.
pub(crate) fn body_of(outcome: &CallOutcome) -> serde_json::Result<String> {
    let content =
        |text: &str| Ok(format!(r#"{{"content":[{{"type":"text","text":{}}}]"#, serde_json::to_string(text)?));
    Ok(match outcome {
        CallOutcome::Done(finished) => {
            let (content, structured) = (content(finished.text())?, &finished.structured);
            format!(r#"{content},"structuredContent":{structured},"isError":false}}"#)
        }
        CallOutcome::Refused(error, explanation) => {
            format!(r#"{},"isError":true}}"#, content(&refusal_text(error, explanation.as_deref()))?)
        }
    })
}
