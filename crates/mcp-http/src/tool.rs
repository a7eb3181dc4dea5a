//! Catalogue entries, and the types that tools work with: a checked call and its result.

use std::pin::Pin;
use std::sync::Arc;

use domain::Error;
use domain::identity::access::{Caller, Permit, ToolPermit};
use domain::kernel::idempotency::{IdempotentRequest, IdempotentResult, StoredResponse};
use domain::kernel::input::json::{Json, Map};
use domain::kernel::input::output_schema::output_schema;
use domain::kernel::input::{Input, InputMode, Problems, SchemaMember};
use domain::ports::Ports;
use domain::tools::Tool;
use schemars::JsonSchema;

use crate::arguments::schema_of;
use crate::long_texts::{Detail, LongTexts};
use crate::outline::Outline;
use crate::outputs::{AnyOutput, bounded};
use crate::shown::{client_arguments, client_result, full_arguments};

/// A checked call. `P` is the permission of its use case, `A` the type of its parsed arguments.
pub(crate) struct ToolRequest<P, A> {
    pub(crate) ports: Arc<Ports>,
    pub(crate) permit: Permit<P>,
    pub(crate) arguments: A,
    tool: Tool,
    idempotency: Option<CallKey>,
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
    pub(crate) fn idempotency<M: LongTexts + Clone + Send>(&mut self) -> Option<IdempotentRequest<M>> {
        self.idempotent_with(|created: &M| stored_response(Detail::new(created.clone(), None)))
    }

    /// Like `idempotency`, with another rendering of the stored response.
    pub(crate) fn idempotent_with<M>(&mut self, render: fn(&M) -> StoredResponse) -> Option<IdempotentRequest<M>> {
        let CallKey { key, fingerprint } = self.idempotency.take()?;
        Some(IdempotentRequest { key, route: self.tool.as_str(), fingerprint, render })
    }
}

/// The response that is stored for replays.
pub(crate) fn stored_response(mut output: impl AnyOutput) -> StoredResponse {
    // Outputs consist of strings, numbers and maps with string keys, which always serialise.
    let body = bounded(&mut output).unwrap_or_default();
    StoredResponse { status: 200, location: None, body }
}

/// The stored response of an output that is shown unchanged.
pub(crate) fn stored_as_is<M: AnyOutput + Clone>(created: &M) -> StoredResponse {
    stored_response(created.clone())
}

/// The result of a tool.
pub(crate) enum ToolResult<A> {
    /// The use case ran now.
    Fresh(A),
    /// A replay; holds the stored response.
    Replayed(String),
}

impl<A> ToolResult<A> {
    /// Converts the result of a use case; `render_fresh` renders a fresh one.
    pub(crate) fn of<M>(outcome: IdempotentResult<M>, render_fresh: impl FnOnce(M) -> A) -> Self {
        match outcome {
            IdempotentResult::Fresh(created) => Self::Fresh(render_fresh(created)),
            IdempotentResult::Replayed(stored) => Self::Replayed(stored.body),
        }
    }
}

impl<A: AnyOutput + 'static> ToolResult<A> {
    fn erase_type(self) -> ToolResult<Box<dyn AnyOutput>> {
        match self {
            Self::Fresh(output) => ToolResult::Fresh(Box::new(output)),
            Self::Replayed(body) => ToolResult::Replayed(body),
        }
    }
}

impl<M: LongTexts> ToolResult<Detail<M>> {
    /// The result of a create.
    pub(crate) fn created(outcome: IdempotentResult<M>) -> Self {
        Self::of(outcome, |created| Detail::new(created, None))
    }
}

/// A prepared call; it starts when it is first polled.
type Work = Pin<Box<dyn Future<Output = Result<ToolResult<Box<dyn AnyOutput>>, Error>> + Send>>;
type Start = dyn Fn(&Arc<Ports>, &Caller, Map<String, Json>, Option<CallKey>) -> Result<Work, Error> + Send + Sync;

/// A tool in the catalogue.
pub(crate) struct Entry {
    pub(crate) tool: Tool,
    /// For users.
    pub(crate) title: &'static str,
    /// For models: what the tool does, when to use it, what it costs.
    pub(crate) description: &'static str,
    pub(crate) input_schema: Json,
    pub(crate) output_schema: Json,
    /// The arguments.
    pub(crate) members: fn() -> Vec<SchemaMember>,
    /// The outlines of arguments and result.
    pub(crate) input_outline: Outline,
    pub(crate) output_outline: Outline,
    /// Checks the permission.
    pub(crate) check: fn(&Caller, Tool) -> Result<(), Error>,
    /// Reads the arguments.
    pub(crate) start: Box<Start>,
}

/// A tool with its title and description. Its methods add the implementation; `shapes.rs` has the usual ones.
pub(crate) struct NamedTool {
    tool: Tool,
    title: &'static str,
    description: &'static str,
}

/// Begins the entry of a tool.
pub(crate) const fn entry(tool: Tool, title: &'static str, description: &'static str) -> NamedTool {
    NamedTool { tool, title, description }
}

impl NamedTool {
    /// An entry that runs a function. This is compiled once per tool, so it contains only what depends on the types.
    pub(crate) fn run<P, A, R, W>(self, run: impl Fn(ToolRequest<P, A>) -> W + Copy + Send + Sync + 'static) -> Entry
    where
        P: ToolPermit,
        A: Input + Send + 'static,
        R: AnyOutput + JsonSchema + 'static,
        W: Future<Output = Result<ToolResult<R>, Error>> + Send + 'static,
    {
        let tool = self.tool;
        let start: Box<Start> = Box::new(move |ports, caller, arguments, idempotency| {
            let permit = caller.permit_for_tool(tool)?;
            let problems = Problems::in_context(ports).leniently();
            let arguments = A::from_object_with(arguments, InputMode::Create, problems)?;
            let pending = run(ToolRequest { ports: Arc::clone(ports), permit, arguments, tool, idempotency });
            Ok(Box::pin(async move { Ok(pending.await?.erase_type()) }))
        });
        let check = |caller: &Caller, tool| caller.permit_for_tool::<P>(tool).map(drop);
        self.entry(A::members, output_schema::<R>(), check, start)
    }

    fn entry(
        self,
        members: fn() -> Vec<SchemaMember>,
        output_schema: Json,
        check: fn(&Caller, Tool) -> Result<(), Error>,
        start: Box<Start>,
    ) -> Entry {
        let Self { tool, title, description } = self;
        let input_schema = schema_of(&members());
        Entry {
            tool,
            title,
            description,
            input_outline: Outline::of(&input_schema),
            output_outline: Outline::of(&output_schema),
            input_schema: client_arguments(input_schema),
            output_schema: client_result(output_schema),
            members,
            check,
            start,
        }
    }
}

impl Entry {
    /// The input schema with every bound and description.
    pub(crate) fn full_input(&self) -> Json {
        full_arguments(schema_of(&(self.members)()))
    }
}
