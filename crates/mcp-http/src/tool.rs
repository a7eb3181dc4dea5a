//! An entry of the catalogue, and the one way from a name and arguments to a result.

use std::pin::Pin;
use std::sync::Arc;

use domain::Error;
use domain::identity::access::{Caller, Permit, ToolPermit};
use domain::identity::api_keys::count_trial_call;
use domain::kernel::idempotency::{IdempotentRequest, IdempotentResult, StoredResponse};
use domain::kernel::input::json::{Json, Map};
use domain::kernel::input::schema::{is_stated_by_schema, output_schema};
use domain::kernel::input::{Input, InputMode, Problem};
use domain::ports::{Ports, StoreError};
use domain::tools::Tool;
use log_context::Context;

use crate::arguments::schema_of;
use crate::catalogue;
use crate::long_texts::{Detail, LongTexts};
use crate::outputs::{RenderedOutput, ToolOutput};

/// Problems that one answer tells of: more are not read by anybody.
const MAX_PROBLEMS: usize = 50;

/// A call that may go on: `P` is what its use case asks for, `A` what its arguments are parsed into.
pub(crate) struct ToolRequest<P, A> {
    pub(crate) ports: Arc<Ports>,
    pub(crate) permit: Permit<P>,
    pub(crate) arguments: A,
    tool: Tool,
    once: Option<CallKey>,
}

/// What makes a call happen at most once.
#[derive(Debug, Clone)]
pub(crate) struct CallKey {
    /// The client's key.
    pub(crate) key: String,
    /// Tells one call from another.
    pub(crate) fingerprint: [u8; 32],
}

impl<P, A> ToolRequest<P, A> {
    /// What makes a record come to be at most once, if the client asked for that.
    pub(crate) fn once<M: LongTexts + Clone + Send>(&mut self) -> Option<IdempotentRequest<M>> {
        self.idempotent_with(|made: &M| keep(Detail::new(made.clone(), None)))
    }

    /// The same for what is answered in a way of its own.
    pub(crate) fn idempotent_with<M>(&mut self, render: fn(&M) -> StoredResponse) -> Option<IdempotentRequest<M>> {
        let CallKey { key, fingerprint } = self.once.take()?;
        Some(IdempotentRequest { key, route: self.tool.as_str(), fingerprint, render })
    }
}

/// An answer as it is kept for a repeated call.
pub(crate) fn keep(answer: impl ToolOutput) -> StoredResponse {
    // Answers are made of texts, numbers and maps with texts for keys: nothing in them fails to be JSON.
    let body = RenderedOutput::of(answer).map(|finished| finished.structured).unwrap_or_default();
    StoredResponse { status: 200, location: None, body }
}

/// What a call came to.
pub(crate) enum ToolResult<A> {
    /// It was done now.
    Fresh(A),
    /// It was done before; this was the answer.
    Kept(String),
}

impl<A> ToolResult<A> {
    /// What a use case came to, with the way to show what it made.
    pub(crate) fn of<M>(outcome: IdempotentResult<M>, show: impl FnOnce(M) -> A) -> Self {
        match outcome {
            IdempotentResult::Fresh(made) => Self::Fresh(show(made)),
            IdempotentResult::Replayed(kept) => Self::Kept(kept.body),
        }
    }
}

impl<M: LongTexts> ToolResult<Detail<M>> {
    /// A record that was made.
    pub(crate) fn made(outcome: IdempotentResult<M>) -> Self {
        Self::of(outcome, |made| Detail::new(made, None))
    }
}

type Running = Pin<Box<dyn Future<Output = Result<RenderedOutput, Error>> + Send>>;
type Prepare = dyn Fn(&Arc<Ports>, &Caller, Map<String, Json>, Option<CallKey>) -> Result<Running, Error> + Send + Sync;

/// A tool in the catalogue.
pub(crate) struct Entry {
    pub(crate) tool: Tool,
    /// What people read.
    pub(crate) title: &'static str,
    /// What models read: what it does, when to use it, what it costs.
    pub(crate) description: &'static str,
    pub(crate) input_schema: fn() -> Json,
    pub(crate) output_schema: fn() -> Json,
    prepare: Box<Prepare>,
}

impl Entry {
    /// A tool that does its own thing with a call. Those of the usual shapes are made in `shapes.rs`, out of this.
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
        Self {
            tool,
            title,
            description,
            input_schema: schema_of::<A>,
            output_schema: output_schema::<R>,
            prepare: Box::new(move |ports, caller, arguments, once| prepare(tool, ports, caller, arguments, once, run)),
        }
    }
}

/// Everything before a call begins: permission, then the arguments' shape. Nothing runs yet.
fn prepare<P, A, R, W>(
    tool: Tool,
    ports: &Arc<Ports>,
    caller: &Caller,
    arguments: Map<String, Json>,
    once: Option<CallKey>,
    run: impl Fn(ToolRequest<P, A>) -> W + Send + 'static,
) -> Result<Running, Error>
where
    P: ToolPermit,
    A: Input + Send + 'static,
    R: ToolOutput + 'static,
    W: Future<Output = Result<ToolResult<R>, Error>> + Send + 'static,
{
    let permit = caller.permit_for_tool::<P>(tool)?;
    let nulls: Vec<_> = arguments.iter().filter(|(_, json)| json.is_null()).map(|(name, _)| name.clone()).collect();
    let arguments = match A::from_object(arguments, InputMode::Create) {
        Ok(arguments) => arguments,
        Err(error) => return off_schema::<A>(error, &nulls),
    };
    let call = ToolRequest { ports: Arc::clone(ports), permit, arguments, tool, once };
    Ok(Box::pin(async move {
        match run(call).await? {
            ToolResult::Fresh(answer) => {
                RenderedOutput::of(answer).map_err(|error| StoreError::Internal(error.to_string()).into())
            }
            ToolResult::Kept(structured) => Ok(RenderedOutput { structured, is_replayed: true }),
        }
    }))
}

/// Arguments off the schema do not begin a call; those that break a rule that no schema states are the call's own failure.
fn off_schema<I: Input>(error: Error, nulls: &[String]) -> Result<Running, Error> {
    // Null is of no type but its own: where a value is needed, it is off the schema, and not only against a rule.
    let is_off = |problem: &Problem| is_stated_by_schema(problem.code) || nulls.contains(&problem.field);
    match error {
        Error::Malformed(problems) => Err(Error::InvalidArguments(reported::<I>(problems))),
        Error::Invalid(problems) if problems.iter().any(is_off) => Err(Error::InvalidArguments(problems)),
        other => Ok(Box::pin(async { Err(other) })),
    }
}

/// The problems as a caller reads them: bounded, and with all that the tool takes where something else was sent.
fn reported<I: Input>(mut problems: Vec<Problem>) -> Vec<Problem> {
    problems.truncate(MAX_PROBLEMS);
    if problems.iter().any(is_unknown_argument) {
        let names: Vec<_> = I::members().iter().map(|member| member.name).collect();
        for problem in problems.iter_mut().filter(|problem| is_unknown_argument(problem)) {
            problem.message = format!("this is not an argument; the arguments are {}", names.join(", "));
        }
    }
    problems
}

/// Whether a problem is a member of the arguments themselves that there is not.
fn is_unknown_argument(problem: &Problem) -> bool {
    problem.code == "unknown_field" && !problem.field.contains('.')
}

/// What became of a call that was let in.
#[derive(Debug)]
pub(crate) enum CallOutcome {
    /// It did what it is for.
    Done(RenderedOutput),
    /// A rule, or the state of things, said no: the tool's own failure, for the model to read.
    Refused(Error),
}

/// Calls a tool: permission, arguments, a trial's quota, and then the tool itself.
///
/// # Errors
/// What is no failure of the tool's own: [`Error::ToolDenied`], [`Error::InvalidArguments`], quotas, and the store's.
pub(crate) async fn call(
    ports: &Arc<Ports>,
    caller: &Caller,
    tool: Tool,
    arguments: Map<String, Json>,
    once: Option<CallKey>,
) -> Result<CallOutcome, Error> {
    let entry = catalogue::entry(tool);
    let running = (entry.prepare)(ports, caller, arguments, once)?;
    count_trial_call(ports, caller).await?;
    match Context::current().with_operation(tool.as_str()).scope(running).await {
        Ok(finished) => Ok(CallOutcome::Done(finished)),
        // The shape of a value can depend on the record, such as the words of a status.
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
            | Error::Duplicate(_)
            | Error::InvalidStateChange(_)
            | Error::Conflict(_)
            | Error::ConcurrentUpdate { .. }
            | Error::Store(StoreError::Duplicate { .. })
    )
}
