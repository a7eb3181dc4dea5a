//! `/events`: reading the event log, waiting for events, and streaming them (interface 24.3, 24.4).

mod parameters;
mod wait;

use std::borrow::{Borrow, Cow};
use std::time::Duration;

use actix_web::HttpResponse;
use actix_web::http::Version;
use actix_web::http::header::ContentType;
use domain::events::{self, EventPage, EventView, MAX_WAIT_SECONDS, ShownEvent};
use domain::identity::access::FollowEvents;
use http_core::description::{Answer, AnswerDescription, ListOf, Schemas};
use http_core::endpoint::{Endpoint, EndpointRequest, HandlerResult};
use http_core::event_stream::{self, EVENT_STREAM, EventFrame};
use serde_json::json;

use parameters::{FollowHeaders, FollowQuery};

pub(crate) struct List;

impl Endpoint for List {
    const ROUTE: &'static str = "GET /api/v1/events";
    const IS_ADDITIONAL: bool = true;
    const HOLDS: Duration = Duration::from_secs(MAX_WAIT_SECONDS);
    type Access = FollowEvents;
    type Path = ();
    type Query = FollowQuery;
    type Headers = FollowHeaders;
    type Body = ();
    type Answer = EventsAnswer;

    fn summary() -> Cow<'static, str> {
        "List the events of the workspace, or follow them".into()
    }

    async fn handle(call: EndpointRequest<Self>) -> HandlerResult {
        let held = call.held()?;
        // A stream is sent in chunks, which HTTP/1.0 does not have: such a client gets the list.
        let takes_chunks = held.version() > Version::HTTP_10;
        let EndpointRequest { permit, query, headers, .. } = call;
        let request = headers.resume(query.request);
        if headers.wants_stream && takes_chunks {
            return event_stream::begin(held, permit, &query.filter, request, frame).await;
        }
        if !query.wait.is_zero() {
            return wait::wait_for_events(&held, permit, &query.filter, request, query.wait).await;
        }
        let page = held.within_deadline(events::list_serialized(held.ports(), &permit, &query.filter, request)).await?;
        Ok(answer(&page))
    }
}

/// A page of the log, or a stream of events.
pub(crate) struct EventsAnswer;

impl Answer for EventsAnswer {
    fn answers(schemas: &mut Schemas) -> Vec<AnswerDescription> {
        let mut answers = ListOf::<EventView>::answers(schemas);
        for answer in &mut answers {
            answer.content.push((EVENT_STREAM, json!({ "type": "string" })));
        }
        answers
    }
}

/// An event in a stream: under its own name, with the data that the list shows.
fn frame(shown: &ShownEvent) -> EventFrame<'_> {
    EventFrame { name: &shown.event.name, data: Cow::Borrowed(&shown.json) }
}

/// A page of the log. It always has a cursor, even at the end, because later events follow.
fn answer<S: Borrow<ShownEvent>>(page: &EventPage<S>) -> HttpResponse {
    let EventPage { items, limit, has_more, next } = page;
    let size: usize = items.iter().map(|item| item.borrow().json.len() + 1).sum();
    let mut body = String::with_capacity(size + 200);
    body.push_str("{\"data\":[");
    for (index, item) in items.iter().enumerate() {
        if index > 0 {
            body.push(',');
        }
        body.push_str(&item.borrow().json);
    }
    // Cursors contain no characters that JSON escapes.
    let cursor = next.cursor();
    let end = format!(
        "],\"pagination\":{{\"page\":null,\"limit\":{limit},\"hasMore\":{has_more},\"nextCursor\":\"{cursor}\"}}}}"
    );
    body.push_str(&end);
    HttpResponse::Ok().content_type(ContentType::json()).body(body)
}
