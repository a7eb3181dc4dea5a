//! The recorded spans.

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant, SystemTime};

use crate::log_context::{Context, SpanIds};
use opentelemetry::global::{self, BoxedSpan};
use opentelemetry::trace::{
    Span, SpanBuilder, SpanContext, SpanId, SpanKind, Status, TraceContextExt, TraceFlags, TraceId, TraceState,
};
use opentelemetry::{Context as Parent, KeyValue};
use uuid::Uuid;

use crate::traces::parent;

/// The name of the instrumentation scope.
const SCOPE: &str = "workspace-service";

/// Whether the program exports traces. If it does not, checking this is all that a request pays for.
static IS_INSTALLED: AtomicBool = AtomicBool::new(false);

#[cfg(feature = "program")]
pub(crate) fn begin_recording() {
    IS_INSTALLED.store(true, Ordering::Relaxed);
}

fn is_installed() -> bool {
    IS_INSTALLED.load(Ordering::Relaxed)
}

/// A request while it is handled.
#[derive(Debug)]
pub struct RequestSpan(BoxedSpan);

/// What is known about a request when it ends.
#[derive(Debug)]
pub struct RequestOutcome<'a> {
    pub method: &'static str,
    /// The route's pattern, which contains no values from clients; `-` if there is none.
    pub route: &'a str,
    /// `None` if the client disconnected before the response.
    pub status: Option<u16>,
    pub workspace: Option<&'a str>,
    pub request_id: &'a str,
}

impl RequestSpan {
    /// Begins a span, as a child of the one in the header `traceparent` if there is one. `None` if traces are not exported.
    pub fn begin(traceparent: Option<&str>) -> Option<Self> {
        if !is_installed() {
            return None;
        }
        let parent = traceparent.and_then(parent::parse).map_or_else(Parent::new, child_of);
        let span = SpanBuilder::from_name("request").with_kind(SpanKind::Server);
        Some(Self(span.start_with_context(&global::tracer(SCOPE), &parent)))
    }

    /// The ids for child spans and log lines.
    pub fn ids(&self) -> SpanIds {
        let context = self.0.span_context();
        SpanIds {
            trace: u128::from_be_bytes(context.trace_id().to_bytes()),
            span: u64::from_be_bytes(context.span_id().to_bytes()),
            is_sampled: context.is_sampled(),
        }
    }

    /// Ends it, with attribute names from OpenTelemetry's semantic conventions.
    pub fn end(mut self, outcome: &RequestOutcome<'_>) {
        self.0.update_name(format!("{} {}", outcome.method, outcome.route));
        self.0.set_attribute(KeyValue::new("http.request.method", outcome.method));
        self.0.set_attribute(KeyValue::new("http.route", outcome.route.to_owned()));
        self.0.set_attribute(KeyValue::new("request.id", outcome.request_id.to_owned()));
        if let Some(workspace) = outcome.workspace {
            self.0.set_attribute(KeyValue::new("workspace.id", workspace.to_owned()));
        }
        if let Some(status) = outcome.status {
            self.0.set_attribute(KeyValue::new("http.response.status_code", i64::from(status)));
        }
        if outcome.status.is_none_or(|status| status >= 500) {
            self.0.set_status(Status::error(""));
        }
        self.0.end();
    }
}

/// Records a database job that ends now, as a child of the current request. Background jobs belong to no request and are not
/// recorded.
pub fn record_job(operation: &'static str, outcome: &'static str, began: Instant) {
    if !is_installed() {
        return;
    }
    let Some(ids) = Context::current().span() else { return };
    let span = SpanBuilder::from_name("database job").with_kind(SpanKind::Client).with_attributes([
        KeyValue::new("db.system.name", "postgresql"),
        KeyValue::new("db.operation.name", operation),
        KeyValue::new("outcome", outcome),
    ]);
    let is_error = !matches!(outcome, "ok" | "rejected" | "duplicate");
    record(span, &child_of(span_context(ids)), began.elapsed(), is_error);
}

/// Records an attempt at a webhook that ends now. `outcome` is the class of its response.
pub fn record_delivery(delivery: Uuid, subscription: Uuid, outcome: &'static str, took: Duration) {
    if !is_installed() {
        return;
    }
    let span = SpanBuilder::from_name("webhook attempt").with_kind(SpanKind::Client).with_attributes([
        KeyValue::new("delivery.id", delivery.to_string()),
        KeyValue::new("subscription.id", subscription.to_string()),
        KeyValue::new("outcome", outcome),
    ]);
    record(span, &Parent::new(), took, outcome != "2xx");
}

#[expect(clippy::disallowed_methods, reason = "collectors compare it with the clocks of other services")]
fn record(span: SpanBuilder, parent: &Parent, took: Duration, is_error: bool) {
    let end = SystemTime::now();
    let start = end.checked_sub(took).unwrap_or(end);
    let mut span = span.with_start_time(start).start_with_context(&global::tracer(SCOPE), parent);
    if is_error {
        span.set_status(Status::error(""));
    }
    span.end_with_timestamp(end);
}

fn child_of(parent: SpanContext) -> Parent {
    Parent::new().with_remote_span_context(parent)
}

fn span_context(ids: SpanIds) -> SpanContext {
    let flags = if ids.is_sampled { TraceFlags::SAMPLED } else { TraceFlags::default() };
    let (trace, span) = (TraceId::from_bytes(ids.trace.to_be_bytes()), SpanId::from_bytes(ids.span.to_be_bytes()));
    SpanContext::new(trace, span, flags, false, TraceState::NONE)
}
