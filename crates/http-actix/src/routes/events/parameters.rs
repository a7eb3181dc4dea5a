//! The parameters of a request to follow the log: filter, position, how long to wait, and whether to stream.

use std::time::Duration;

use actix_web::http::header::{HeaderMap, HeaderName};
use domain::events::{EventFilter, FollowRequest, LogPlace, MAX_WAIT_SECONDS};
use domain::kernel::input::{Filter, Parameters, Problems};
use http_core::conditions::Headers;
use http_core::description::{Described, Parameter, limit, parameters_of};
use http_core::event_stream::wants_stream;
use http_core::query::{Query, QueryReader};
use serde_json::json;

const LAST_EVENT_ID: HeaderName = HeaderName::from_static("last-event-id");

/// The query parameters.
pub(crate) struct FollowQuery {
    pub(super) filter: EventFilter,
    pub(super) request: FollowRequest,
    /// Zero does not wait.
    pub(super) wait: Duration,
}

impl Query for FollowQuery {
    fn read(query: &mut QueryReader<'_>) -> Self {
        let filter = EventFilter::from_parameters(query);
        let (limit, cursor) = (Parameters::single(query, "limit"), Parameters::single(query, "cursor"));
        let request = FollowRequest::parse(limit.as_deref(), cursor.as_deref(), query.problems());
        let wait = query.parsed_by("wait", FollowRequest::parse_wait);
        Self { filter, request, wait }
    }
}

impl Described for FollowQuery {
    fn parameters() -> Vec<Parameter> {
        let wait = json!({ "type": "integer", "minimum": 0, "maximum": MAX_WAIT_SECONDS, "default": 0 });
        let mut parameters = parameters_of(EventFilter::parameters());
        parameters.extend([
            limit(),
            Parameter::new(
                "cursor",
                "The `pagination.nextCursor` of an earlier response; lists the events after it.",
                json!({ "type": "string", "minLength": 1 }),
            ),
            Parameter::new("wait", "Seconds to wait for an event if there is none yet.", wait),
        ]);
        parameters
    }
}

/// The headers.
#[derive(Debug)]
pub(crate) struct FollowHeaders {
    pub(super) wants_stream: bool,
    last_event_id: Option<LogPlace>,
}

impl Headers for FollowHeaders {
    fn read(headers: &HeaderMap, problems: &mut Problems) -> Self {
        let wants_stream = wants_stream(headers);
        let text = headers.get(LAST_EVENT_ID).filter(|value| wants_stream && !value.is_empty());
        let parse = |value: &actix_web::http::header::HeaderValue| {
            FollowRequest::parse_cursor("Last-Event-ID", value.to_str().unwrap_or_default(), problems)
        };
        Self { wants_stream, last_event_id: text.and_then(parse) }
    }
}

impl Described for FollowHeaders {
    fn parameters() -> Vec<Parameter> {
        let description = "The `id` of the last event received. A stream (`Accept: text/event-stream`) continues after \
                           it.";
        vec![Parameter::new("Last-Event-ID", description, json!({ "type": "string" }))]
    }
}

impl FollowHeaders {
    /// Where to begin. A client that reconnects repeats the original address with its first cursor, so `Last-Event-ID` wins.
    pub(super) fn resume(&self, request: FollowRequest) -> FollowRequest {
        FollowRequest { after: self.last_event_id.or(request.after), ..request }
    }
}
