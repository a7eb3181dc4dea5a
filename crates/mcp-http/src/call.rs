//! The execution of tool calls, and their MCP results for plain and Streamable HTTP.

use std::collections::BTreeSet;
use std::pin::Pin;
use std::sync::Arc;

use domain::Error;
use domain::identity::access::Caller;
use domain::identity::api_keys::count_trial_call;
use domain::identity::audit::note_refused_request;
use domain::identity::members::{find_by_addresses, names_of};
use domain::kernel::input::Problem;
use domain::kernel::input::json::{Json, Map};
use domain::kernel::input::schema::is_stated_by_schema;
use domain::ports::{Ports, StoreError};
use domain::tools::Tool;
use serde::Serialize;
use telemetry::log_context::Context;
use uuid::Uuid;

use crate::addresses::{NamedMembers, addresses_to_look_up, with_ids, without_addresses};
use crate::misdirected::CalledRecord;
use crate::named::{Document, Names};
use crate::outline::Outline;
use crate::outputs::{AnyOutput, RenderedOutput};
use crate::tool::{CallKey, Entry, ToolResult};
use crate::tools;

/// Maximum number of problems in a response, which keeps it readable.
const MAX_PROBLEMS: usize = 50;

type PendingCall = Pin<Box<dyn Future<Output = Result<RenderedOutput, Error>> + Send>>;

/// Checks the permission, then the arguments, and returns the future of the call, which has not started. The future also
/// looks up members that the arguments name by e-mail address.
fn prepare(
    entry: &'static Entry,
    ports: &Arc<Ports>,
    caller: &Caller,
    mut arguments: Map<String, Json>,
    idempotency: Option<CallKey>,
) -> Result<PendingCall, Error> {
    let tool = entry.tool;
    let checked = (entry.check)(caller, tool);
    checked.inspect_err(|error| note_refused_request(ports, caller, Some(tool.as_str()), error))?;
    let nulls: Vec<_> = arguments.iter().filter(|(_, json)| json.is_null()).map(|(name, _)| name.clone()).collect();
    let member_arguments = NamedMembers::in_arguments(&entry.input_outline, &mut arguments);
    let original = (!member_arguments.addresses.is_empty()).then(|| (arguments.clone(), idempotency.clone()));
    let placeholder_arguments = without_addresses(&entry.input_outline, arguments);
    let work = match (entry.start)(ports, caller, placeholder_arguments, idempotency) {
        Ok(work) => work,
        Err(error) => return reject_or_fail(entry, member_arguments.explain(error), &nulls),
    };
    let (ports, caller) = (Arc::clone(ports), caller.clone());
    Ok(Box::pin(async move {
        let work = match original {
            None => work,
            Some((original, idempotency)) => {
                drop(work);
                let ids_by_address =
                    find_by_addresses(&ports, &caller, addresses_to_look_up(&member_arguments.addresses)).await?;
                (entry.start)(
                    &ports,
                    &caller,
                    with_ids(&entry.input_outline, tool, original, &ids_by_address)?,
                    idempotency,
                )?
            }
        };
        let result = work.await.map_err(|error| member_arguments.explain(error))?;
        finish(&entry.output_outline, &ports, &caller, result).await
    }))
}

/// Renders a result and adds the names of its members and authors, with one lookup.
async fn finish(
    output_outline: &Outline,
    ports: &Ports,
    caller: &Caller,
    result: ToolResult<Box<dyn AnyOutput>>,
) -> Result<RenderedOutput, Error> {
    let internal = |error: serde_json::Error| Error::from(StoreError::Internal(error.to_string()));
    let (structured, fresh) = match result {
        ToolResult::Fresh(fresh) => (fresh.json().map_err(internal)?, Some(fresh)),
        ToolResult::Replayed(structured) => (structured, None),
    };
    let mut ids = BTreeSet::new();
    let document = Document::read(output_outline, &structured, &mut ids).map_err(internal)?;
    let names = if ids.is_empty() {
        Names::new()
    } else {
        // The call has taken effect: a failed lookup of names must not make it fail.
        names_of(ports, caller, ids.into_iter().collect()).await.unwrap_or_else(|error| {
            log::warn!("could not read the names for a result: {error}");
            Names::new()
        })
    };
    RenderedOutput::of(&document, fresh, output_outline, &names).map_err(internal)
}

/// Arguments that do not match the schema are rejected; arguments that break a rule outside the schema fail the call.
fn reject_or_fail(entry: &Entry, error: Error, nulls: &[String]) -> Result<PendingCall, Error> {
    // `null` has its own JSON type: if a value is required, it violates the schema, not only a rule.
    let violates_schema = |problem: &Problem| is_stated_by_schema(problem.code) || nulls.contains(&problem.field);
    match error {
        Error::Malformed(problems) => Err(Error::InvalidArguments(for_response(entry, problems))),
        Error::Invalid(problems) if problems.iter().any(violates_schema) => Err(Error::InvalidArguments(problems)),
        other => Ok(Box::pin(async { Err(other) })),
    }
}

/// The problems for the response: truncated, and with the list of arguments for an unknown one.
fn for_response(entry: &Entry, mut problems: Vec<Problem>) -> Vec<Problem> {
    problems.truncate(MAX_PROBLEMS);
    if problems.iter().any(is_unknown_argument) {
        let names: Vec<_> = (entry.members)().iter().map(|member| member.name).collect();
        for problem in problems.iter_mut().filter(|problem| is_unknown_argument(problem)) {
            problem.message = match names.as_slice() {
                [] => "unknown argument; the tool takes none".to_owned(),
                names => format!("unknown argument; the tool takes {}", names.join(", ")),
            };
        }
    }
    problems
}

/// Whether a problem is an unknown top-level argument.
fn is_unknown_argument(problem: &Problem) -> bool {
    problem.code == "unknown_field" && !problem.field.contains('.')
}

/// The outcome of an admitted call.
#[derive(Debug)]
pub(crate) enum CallOutcome {
    Done(RenderedOutput),
    /// A rule or the state of a record did not allow it: a tool failure, for the model to read. The text, if any, replaces the
    /// error's message.
    Refused(Error, Option<String>),
}

/// Calls a tool: checks permission and arguments, counts the call against a trial's quota, then runs the use case.
/// Fails with everything that is not a tool failure: [`Error::ToolDenied`], [`Error::EventsUnreadable`],
/// [`Error::InvalidArguments`], quotas, errors of the store.
pub(crate) async fn call(
    ports: &Arc<Ports>,
    caller: &Caller,
    tool: Tool,
    arguments: Map<String, Json>,
    idempotency: Option<CallKey>,
) -> Result<CallOutcome, Error> {
    ports.activity.note_tool_use(caller, ports.clock.now());
    let record = CalledRecord::of(&arguments);
    let pending = prepare(tools::entry_of(tool), ports, caller, arguments, idempotency)?;
    count_trial_call(ports, caller).await?;
    let output = Context::current().with_operation(tool.as_str()).scope(pending).await;
    match output {
        Ok(output) => Ok(CallOutcome::Done(output)),
        // Allowed values can depend on the record, such as the statuses of its kind.
        Err(Error::Malformed(problems)) => Err(Error::InvalidArguments(problems)),
        // The required permission can depend on the arguments. Unlike a user, a model cannot sign in for more.
        Err(Error::GrantNeeded { needs }) => {
            Err(Error::Forbidden(format!("this key cannot do this: it needs the permission {needs}")))
        }
        Err(error @ Error::NotFound(_)) => {
            let explanation = match &record {
                Some(record) => record.explain(ports, caller, tool).await,
                None => None,
            };
            Ok(CallOutcome::Refused(error, explanation))
        }
        Err(error) if is_tool_failure(&error) => Ok(CallOutcome::Refused(error, None)),
        Err(error) => Err(error),
    }
}

fn is_tool_failure(error: &Error) -> bool {
    matches!(
        error,
        Error::Invalid(_)
            | Error::Duplicate { .. }
            | Error::InvalidStateChange(_)
            | Error::Conflict(_)
            | Error::Overlap { .. }
            | Error::ConcurrentUpdate { .. }
            | Error::CrossedComments { .. }
            | Error::Store(StoreError::Duplicate { .. })
    )
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

/// The text of a failed call: the code, message and details that REST uses. `explanation` replaces the message.
pub(crate) fn refusal_text(error: &domain::Error, explanation: Option<&str>) -> String {
    let message = explanation.map_or_else(|| error.client_message(), str::to_owned);
    let (details, existing_id) = (&*error.details(), error.existing_id());
    let refusal = Refusal { error: error.code().as_str(), message: &message, details, existing_id };
    serde_json::to_string(&refusal).unwrap_or(message)
}

/// The body of `tools/call` over plain HTTP.
pub(crate) fn body_of(outcome: &CallOutcome) -> serde_json::Result<String> {
    let content =
        |text: &str| Ok(format!(r#"{{"content":[{{"type":"text","text":{}}}]"#, serde_json::to_string(text)?));
    Ok(match outcome {
        CallOutcome::Done(output) => {
            let (content, structured) = (content(&output.text)?, &output.structured);
            format!(r#"{content},"structuredContent":{structured},"isError":false}}"#)
        }
        CallOutcome::Refused(error, explanation) => {
            format!(r#"{},"isError":true}}"#, content(&refusal_text(error, explanation.as_deref()))?)
        }
    })
}
