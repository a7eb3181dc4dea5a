//! What a request to follow says: filter, place, how long to wait, and whether to stream.

use std::time::Duration;

use actix_web::http::header::{ACCEPT, HeaderMap, HeaderName};
use domain::events::{EventFilter, FollowRequest, LogPlace, MAX_WAIT_SECONDS};
use domain::kernel::input::{Filter, Parameters, Problems};
use http_core::conditions::Headers;
use http_core::description::{Described, Parameter, limit, of_members};
use http_core::event_stream::EVENT_STREAM;
use http_core::query::{Query, QueryReader};
use serde_json::json;

const LAST_EVENT_ID: HeaderName = HeaderName::from_static("last-event-id");

/// The query parameters.
pub(crate) struct FollowQuery {
    pub(super) filter: EventFilter,
    pub(super) request: FollowRequest,
    /// Zero: not at all.
    pub(super) wait: Duration,
}

impl Query for FollowQuery {
    fn read(query: &mut QueryReader<'_>) -> Self {
        let filter = EventFilter::from_parameters(query);
        let (limit, cursor) = (Parameters::single(query, "limit"), Parameters::single(query, "cursor"));
        let request = FollowRequest::parse(limit.as_deref(), cursor.as_deref(), query.problems());
        let wait = query.parsed_by("wait", parse_wait);
        Self { filter, request, wait }
    }
}

impl Described for FollowQuery {
    fn parameters() -> Vec<Parameter> {
        let wait = json!({ "type": "integer", "minimum": 0, "maximum": MAX_WAIT_SECONDS, "default": 0 });
        let mut parameters = of_members(EventFilter::parameters());
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

fn parse_wait(name: &str, text: Option<&str>, problems: &mut Problems) -> Duration {
    let Some(text) = text else { return Duration::ZERO };
    // `parse` would accept a plus sign.
    let is_number = !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    let seconds = is_number.then(|| text.parse().ok()).flatten().filter(|seconds| *seconds <= MAX_WAIT_SECONDS);
    if seconds.is_none() {
        problems.shape(name, "invalid_value", format!("must be a number of seconds from 0 to {MAX_WAIT_SECONDS}"));
    }
    Duration::from_secs(seconds.unwrap_or_default())
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
        let place = |value: &actix_web::http::header::HeaderValue| {
            FollowRequest::parse_cursor("Last-Event-ID", value.to_str().unwrap_or_default(), problems)
        };
        Self { wants_stream, last_event_id: text.and_then(place) }
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
    /// Where to begin: a client that connects again sends the address with the cursor that it began with.
    pub(super) fn resumed(&self, request: FollowRequest) -> FollowRequest {
        FollowRequest { behind: self.last_event_id.or(request.behind), ..request }
    }
}

/// Whether the client accepts a stream, by name: `*/*` asks for none.
fn wants_stream(headers: &HeaderMap) -> bool {
    let ranges = headers.get_all(ACCEPT).filter_map(|value| value.to_str().ok()).flat_map(|text| text.split(','));
    ranges.into_iter().any(|range| {
        let (name, parameters) = range.split_once(';').unwrap_or((range, ""));
        let refused = parameters.split(';').filter_map(|parameter| parameter.trim().strip_prefix("q=")).any(is_zero);
        name.trim().eq_ignore_ascii_case(EVENT_STREAM) && !refused
    })
}

fn is_zero(quality: &str) -> bool {
    quality.trim().parse::<f32>().is_ok_and(|quality| quality <= 0.0)
}

#[cfg(test)]
mod tests {
    use actix_web::http::header::HeaderValue;

    use super::*;

    #[test]
    fn only_who_names_it_gets_a_stream() {
        for (accept, wants) in [
            ("text/event-stream", true),
            ("Text/Event-Stream; q=0.5", true),
            ("application/json, text/event-stream", true),
            ("text/event-stream;q=0", false),
            ("text/event-stream;q=0.000", false),
            ("*/*", false),
            ("text/*", false),
            ("application/json", false),
        ] {
            let mut headers = HeaderMap::new();
            headers.insert(ACCEPT, HeaderValue::from_str(accept).unwrap());
            assert_eq!(wants_stream(&headers), wants, "{accept}");
        }
        assert!(!wants_stream(&HeaderMap::new()));
    }

    #[test]
    fn a_wait_is_a_number_of_seconds() {
        for (text, seconds) in [(None, Some(0)), (Some("0"), Some(0)), (Some("30"), Some(30)), (Some("31"), None)]
            .into_iter()
            .chain(["", "+1", "-1", "1.5", "x", "99999999999999999999999"].map(|bad| (Some(bad), None)))
        {
            let mut problems = Problems::default();
            let wait = parse_wait("wait", text, &mut problems);
            assert_eq!(problems.is_empty().then_some(wait.as_secs()), seconds, "{text:?}");
        }
    }
}
