//! Catalogue entries, and the execution of tool calls.

use std::pin::Pin;
use std::sync::Arc;

use domain::Error;
use domain::identity::access::{Caller, Permit, ToolPermit};
use domain::identity::api_keys::count_trial_call;
use domain::identity::audit::note_refused_request;
use domain::identity::members::{find_by_addresses, names_of};
use domain::kernel::idempotency::{IdempotentRequest, IdempotentResult, StoredResponse};
use domain::kernel::input::json::{Json, Map};
use domain::kernel::input::schema::{is_stated_by_schema, output_schema};
use domain::kernel::input::{Input, InputMode, Problem, Problems};
use domain::ports::{Ports, StoreError};
use domain::tools::Tool;
use telemetry::log_context::Context;

use crate::addresses::{NamedMembers, to_look_up, with_ids, without_addresses};
use crate::arguments::schema_of;
use crate::catalogue;
use crate::long_texts::{Detail, LongTexts};
use crate::named::{Names, ids_in};
use crate::outline::Outline;
use crate::outputs::{RenderedOutput, ToolOutput, bounded};
use crate::shown::{shown_arguments, shown_result, whole_arguments};

/// Maximum number of problems in a response, which keeps it readable.
const MAX_PROBLEMS: usize = 50;

/// A checked call. `P` is the permission of its use case, `A` the type of its parsed arguments.
pub(crate) struct ToolRequest<P, A> {
    pub(crate) ports: Arc<Ports>,
    pub(crate) permit: Permit<P>,
    pub(crate) arguments: A,
    tool: Tool,
    once: Option<CallKey>,
}

/// The idempotency data of a call.
#[derive(Debug, Clone)]
pub(crate) struct CallKey {
    pub(crate) key: String,
    /// Distinguishes calls that reuse the key.
    pub(crate) fingerprint: [u8; 32],
}

impl<P, A> ToolRequest<P, A> {
    /// The idempotency data of a create, if the client sent a key. The stored response is the whole record.
    pub(crate) fn once<M: LongTexts + Clone + Send>(&mut self) -> Option<IdempotentRequest<M>> {
        self.idempotent_with(|made: &M| keep(Detail::new(made.clone(), None)))
    }

    /// Like `once`, with another rendering of the stored response.
    pub(crate) fn idempotent_with<M>(&mut self, render: fn(&M) -> StoredResponse) -> Option<IdempotentRequest<M>> {
        let CallKey { key, fingerprint } = self.once.take()?;
        Some(IdempotentRequest { key, route: self.tool.as_str(), fingerprint, render })
    }
}

/// The response that is stored for replays.
pub(crate) fn keep(answer: impl ToolOutput) -> StoredResponse {
    // Outputs consist of strings, numbers and maps with string keys, which always serialise.
    let body = bounded(answer).unwrap_or_default();
    StoredResponse { status: 200, location: None, body }
}

/// The result of a tool.
pub(crate) enum ToolResult<A> {
    /// The use case ran now.
    Fresh(A),
    /// A replay; holds the stored response.
    Kept(String),
}

impl<A> ToolResult<A> {
    /// Converts the result of a use case; `show` renders a fresh one.
    pub(crate) fn of<M>(outcome: IdempotentResult<M>, show: impl FnOnce(M) -> A) -> Self {
        match outcome {
            IdempotentResult::Fresh(made) => Self::Fresh(show(made)),
            IdempotentResult::Replayed(kept) => Self::Kept(kept.body),
        }
    }
}

impl<M: LongTexts> ToolResult<Detail<M>> {
    /// The result of a create.
    pub(crate) fn made(outcome: IdempotentResult<M>) -> Self {
        Self::of(outcome, |made| Detail::new(made, None))
    }
}

type Running = Pin<Box<dyn Future<Output = Result<RenderedOutput, Error>> + Send>>;
type Prepare = dyn Fn(&Arc<Ports>, &Caller, Map<String, Json>, Option<CallKey>) -> Result<Running, Error> + Send + Sync;

/// A tool in the catalogue.
pub(crate) struct Entry {
    pub(crate) tool: Tool,
    /// For users.
    pub(crate) title: &'static str,
    /// For models: what the tool does, when to use it, what it costs.
    pub(crate) description: &'static str,
    pub(crate) input_schema: Json,
    pub(crate) output_schema: Json,
    /// The input schema with every bound and description.
    pub(crate) whole_input: fn() -> Json,
    prepare: Box<Prepare>,
}

impl Entry {
    /// An entry with its own implementation. `shapes.rs` builds the usual ones from this.
    pub(crate) fn of<P, A, R, W>(
        tool: Tool,
        title: &'static str,
        description: &'static str,
        run: impl Fn(ToolRequest<P, A>) -> W + Copy + Send + Sync + 'static,
    ) -> Self
    where
        P: ToolPermit,
        A: Input + Send + 'static,
        R: ToolOutput + 'static,
        W: Future<Output = Result<ToolResult<R>, Error>> + Send + 'static,
    {
        let (takes, gives) = (schema_of::<A>(), output_schema::<R>());
        let shape = Arc::new(Shape { tool, takes: Outline::of(&takes), gives: Outline::of(&gives) });
        Self {
            tool,
            title,
            description,
            input_schema: shown_arguments(takes),
            output_schema: shown_result(gives),
            whole_input: || whole_arguments(schema_of::<A>()),
            prepare: Box::new(move |ports, caller, arguments, once| {
                prepare(&shape, ports, caller, arguments, once, run)
            }),
        }
    }
}

/// The outlines of a tool's arguments and result.
struct Shape {
    tool: Tool,
    takes: Outline,
    gives: Outline,
}

/// Checks the permission, then the arguments, and returns the future of the call, which has not started. Members whom the
/// arguments name by an address are looked up by that future.
fn prepare<P, A, R, W>(
    shape: &Arc<Shape>,
    ports: &Arc<Ports>,
    caller: &Caller,
    mut arguments: Map<String, Json>,
    once: Option<CallKey>,
    run: impl Fn(ToolRequest<P, A>) -> W + Send + 'static,
) -> Result<Running, Error>
where
    P: ToolPermit,
    A: Input + Send + 'static,
    R: ToolOutput + 'static,
    W: Future<Output = Result<ToolResult<R>, Error>> + Send + 'static,
{
    let tool = shape.tool;
    let permit = caller.permit_for_tool::<P>(tool);
    let permit = permit.inspect_err(|error| note_refused_request(ports, caller, Some(tool.as_str()), error))?;
    let nulls: Vec<_> = arguments.iter().filter(|(_, json)| json.is_null()).map(|(name, _)| name.clone()).collect();
    let named = NamedMembers::in_arguments(&shape.takes, &mut arguments);
    let sent = (!named.addresses.is_empty()).then(|| arguments.clone());
    let readable = without_addresses(&shape.takes, arguments);
    let arguments = match A::from_object_with(readable, InputMode::Create, Problems::in_context(ports).leniently()) {
        Ok(arguments) => arguments,
        Err(error) => return off_schema::<A>(named.explain(error), &nulls),
    };
    let mut call = ToolRequest { ports: Arc::clone(ports), permit, arguments, tool, once };
    let (shape, ports, caller) = (Arc::clone(shape), Arc::clone(ports), caller.clone());
    Ok(Box::pin(async move {
        if let Some(sent) = sent {
            let found = find_by_addresses(&ports, &caller, to_look_up(&named.addresses)).await?;
            let readable = with_ids(&shape.takes, tool, sent, &found)?;
            call.arguments =
                A::from_object_with(readable, InputMode::Create, Problems::in_context(&ports).leniently())?;
        }
        let result = run(call).await.map_err(|error| named.explain(error))?;
        finish(&shape.gives, &ports, &caller, result).await
    }))
}

/// Renders a result with the names of those whom it names, looked up together.
async fn finish<R: ToolOutput>(
    gives: &Outline,
    ports: &Ports,
    caller: &Caller,
    result: ToolResult<R>,
) -> Result<RenderedOutput, Error> {
    let internal = |error: serde_json::Error| Error::from(StoreError::Internal(error.to_string()));
    let (structured, answer) = match result {
        ToolResult::Fresh(answer) => (serde_json::to_string(&answer).map_err(internal)?, Some(answer)),
        ToolResult::Kept(structured) => (structured, None),
    };
    let ids = ids_in(gives, &structured).map_err(internal)?;
    let names = if ids.is_empty() {
        Names::new()
    } else {
        // The call has taken effect by now: it must not fail because of a name.
        names_of(ports, caller, ids.into_iter().collect()).await.unwrap_or_else(|error| {
            log::warn!("could not read the names for a result: {error}");
            Names::new()
        })
    };
    RenderedOutput::of(&structured, answer, gives, &names).map_err(internal)
}

/// Arguments that do not match the schema are rejected; violations of a rule that no schema states are a failed call.
fn off_schema<I: Input>(error: Error, nulls: &[String]) -> Result<Running, Error> {
    // `null` has its own JSON type: if a value is required, it violates the schema, not only a rule.
    let is_off = |problem: &Problem| is_stated_by_schema(problem.code) || nulls.contains(&problem.field);
    match error {
        Error::Malformed(problems) => Err(Error::InvalidArguments(reported::<I>(problems))),
        Error::Invalid(problems) if problems.iter().any(is_off) => Err(Error::InvalidArguments(problems)),
        other => Ok(Box::pin(async { Err(other) })),
    }
}

/// The problems for the response: truncated, and with the list of arguments for an unknown one.
fn reported<I: Input>(mut problems: Vec<Problem>) -> Vec<Problem> {
    problems.truncate(MAX_PROBLEMS);
    if problems.iter().any(is_unknown_argument) {
        let names: Vec<_> = I::members().iter().map(|member| member.name).collect();
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
    /// A rule or the state of a record did not allow it: a failure of the tool, for the model to read.
    Refused(Error),
}

/// Calls a tool: checks permission and arguments, counts a trial's quota, then runs the use case.
///
/// # Errors
/// Everything that is not a failure of the tool: [`Error::ToolDenied`], [`Error::EventsUnreadable`],
/// [`Error::InvalidArguments`], quotas, the store.
pub(crate) async fn call(
    ports: &Arc<Ports>,
    caller: &Caller,
    tool: Tool,
    arguments: Map<String, Json>,
    once: Option<CallKey>,
) -> Result<CallOutcome, Error> {
    ports.activity.note_tool_use(caller, ports.clock.now());
    let entry = catalogue::entry(tool);
    let running = (entry.prepare)(ports, caller, arguments, once)?;
    count_trial_call(ports, caller).await?;
    match Context::current().with_operation(tool.as_str()).scope(running).await {
        Ok(finished) => Ok(CallOutcome::Done(finished)),
        // The allowed values can depend on the record, such as those of a status.
        Err(Error::Malformed(problems)) => Err(Error::InvalidArguments(problems)),
        Err(error) if is_the_tools_own(&error) => Ok(CallOutcome::Refused(error)),
        Err(error) => Err(error),
    }
}

fn is_the_tools_own(error: &Error) -> bool {
    matches!(
        error,
        Error::Invalid(_)
            | Error::NotFound(_)
            | Error::Duplicate { .. }
            | Error::InvalidStateChange(_)
            | Error::Conflict(_)
            | Error::ConcurrentUpdate { .. }
            | Error::CrossedComments { .. }
            | Error::Store(StoreError::Duplicate { .. })
    )
}
