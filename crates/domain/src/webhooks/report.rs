//! Events reported by other systems (interface 16.30, 16.31).

use schemars::JsonSchema;
use serde::Serialize;
use serde_json::Value as Json;
use serde_json::value::RawValue;
use uuid::Uuid;

use crate::Error;
use crate::events::{Event, MAX_NAME_LENGTH, Module, is_event_name};
use crate::identity::access::{Permit, ReportEvents};
use crate::kernel::idempotency::{IdempotentRequest, IdempotentResult};
use crate::kernel::input::schema::text_schema;
use crate::kernel::input::{Problems, Read, Value, fields};
use crate::ports::{Ports, transact_idempotent};

/// An event name in a client's report.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EventName(String);

impl Value for EventName {
    fn schema() -> Json {
        text_schema(MAX_NAME_LENGTH)
    }

    fn read(json: Json, at: &str, problems: &mut Problems) -> Read<Self> {
        let Json::String(name) = json else { return problems.malformed(at, "invalid_type", "must be a string") };
        if is_event_name(&name) {
            return Read::Value(Self(name));
        }
        problems.invalid(at, "invalid_event", "must be a noun and a verb in lower case, such as booking.confirmed")
    }
}

/// A payload: any JSON value, delivered verbatim.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ReportPayload(String);

impl ReportPayload {
    /// A payload as the exact text received, so that numbers that do not fit a Rust type stay unchanged.
    pub fn verbatim(text: &RawValue) -> Self {
        Self(text.get().to_owned())
    }
}

impl Value for ReportPayload {
    fn schema() -> Json {
        Json::Bool(true)
    }

    fn read(json: Json, _: &str, _: &mut Problems) -> Read<Self> {
        Read::Value(Self(json.to_string()))
    }
}

fields! {
    /// A reported event.
    pub struct ReportFields {
        /// The event name.
        event: EventName = required,
        /// The booking link or contract that the event is about.
        scope_id: Uuid,
        /// The payload that subscribers receive.
        payload: ReportPayload = required,
    }
}

/// The response to an accepted report.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct ReportAccepted {
    /// Always true.
    pub accepted: bool,
}

/// A caller who may report the events of a module. [`Reporter::new`] needs only the path of a request, so a caller without
/// permission is refused before the body is read.
#[derive(Debug, Clone)]
pub struct Reporter {
    permit: Permit<ReportEvents>,
    module: Module,
}

impl Reporter {
    /// # Errors
    /// [`Error::NotFound`] for an unknown module, and for one whose events the service emits itself;
    /// [`Error::MissingScopes`] or a similar error for a caller who may not report.
    pub fn new(permit: Permit<ReportEvents>, module: &str) -> Result<Self, Error> {
        let parsed = Module::parse(module).and_then(|module| Some((module, module.report_requirement()?)));
        let (module, needs) = parsed.ok_or(Error::NotFound("module"))?;
        permit.check(needs)?;
        Ok(Self { permit, module })
    }
}

/// Accepts a reported event and queues it for matching subscriptions.
///
/// # Errors
/// [`Error::Invalid`] for a `scope_id` if the module has no scope.
pub async fn report(
    ports: &Ports,
    reporter: &Reporter,
    once: Option<IdempotentRequest<ReportAccepted>>,
    fields: ReportFields,
) -> Result<IdempotentResult<ReportAccepted>, Error> {
    let module = reporter.module;
    let scope = fields.scope_id.set().copied();
    if scope.is_some() && module.scope_column().is_none() {
        return Err(Error::invalid("scope_id", "unknown_scope", format!("events of {module} have no scope")));
    }
    let (Some(name), Some(payload)) = (fields.event.set(), fields.payload.set()) else {
        return Err(Error::malformed("event", "required", "event and payload are required"));
    };
    if module.owns_noun_of(&name.0) {
        let message = "must not be an event of records that the service keeps itself, which it emits alone";
        return Err(Error::invalid("event", "invalid_event", message));
    }
    let event = Event {
        module,
        name: name.0.clone(),
        scope,
        former_scope: None,
        record: None,
        version: None,
        is_internal: false,
        by: reporter.permit.principal(),
        payload: payload.0.clone(),
        at: ports.clock.now(),
    };
    transact_idempotent(ports, &reporter.permit, once, move |tx| {
        tx.emit(std::slice::from_ref(&event))?;
        Ok(ReportAccepted { accepted: true })
    })
    .await
}
