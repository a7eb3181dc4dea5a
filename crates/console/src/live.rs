//! Live updates: a stream of what others change. A browser opens one stream for all of its pages.

use std::borrow::Cow;

use actix_web::{HttpRequest, HttpResponse, web};
use domain::events::{EventFilter, FollowRequest, Module, ShownEvent};
use domain::identity::access::{FollowEvents, Permission};
use domain::kernel::input::{Filter, Problems};
use domain::limits::Class;
use http_core::admission::AuthScheme;
use http_core::endpoint::{HandlerResult, run_guarded_with};
use http_core::errors::Surface;
use http_core::event_stream::{self, EventFrame};
use http_core::held::HeldRequest;
use http_core::query::{self, Query, QueryReader};
use http_core::request_context::RequestContext;
use http_core::{AppState, Operation};
use serde::Deserialize;
use serde_json::json;
use uuid::Uuid;

use crate::sessions;

const PATH: &str = "/live";
const CLASS: Class = Class::Console;

pub(crate) const OPERATION: Operation =
    Operation::page("GET /live", Some(FollowEvents::NEEDS), AuthScheme::Browser, CLASS, |request, state| {
        Box::pin(live(request, state))
    });

/// Where the stream begins: the time at which the page was rendered.
struct LiveQuery(EventFilter);

impl Query for LiveQuery {
    fn read(query: &mut QueryReader<'_>) -> Self {
        Self(EventFilter::from_parameters(query))
    }
}

/// Only scripts open the stream. Errors are sent as data, and stop the browser from reconnecting.
async fn live(request: HttpRequest, state: web::Data<AppState>) -> HttpResponse {
    let exchange = RequestContext::of(&request);
    exchange.set_route(PATH);
    let deadline = state.settings.deadline_of(CLASS);
    let stream = begin(request.clone(), state.clone());
    run_guarded_with(&request, deadline, stream, |failure| failure.respond(Surface::Rest, &exchange.request_id)).await
}

async fn begin(request: HttpRequest, state: web::Data<AppState>) -> HandlerResult {
    let slug = sessions::slug_of(&request);
    let (caller, token) = sessions::admit(&request, &state, slug.as_deref(), CLASS).await?;
    let permit = caller.permit::<FollowEvents>()?;
    let mut problems = Problems::in_context(&state.ports);
    let LiveQuery(filter) = query::read(request.query_string(), &mut problems);
    let after = request.headers().get("last-event-id").and_then(|value| value.to_str().ok());
    let after = after.filter(|id| !id.is_empty());
    let after = after.and_then(|text| FollowRequest::parse_cursor("Last-Event-ID", text, &mut problems));
    problems.into_result()?;
    let follow = FollowRequest { after, ..FollowRequest::default() };
    let held_request = HeldRequest::from_browser(request, state, CLASS, token);
    event_stream::begin(held_request, permit, &filter, follow, sent).await
}

/// The member whose time an event is about, for pages that show only the reader's own.
fn member_of(shown: &ShownEvent) -> Option<Uuid> {
    #[derive(Deserialize)]
    struct View {
        data: Data,
    }
    #[derive(Deserialize)]
    struct Data {
        member_id: Uuid,
    }
    let is_time = shown.event.module == Module::Time;
    is_time.then(|| serde_json::from_str::<View>(&shown.json).ok())?.map(|view| view.data.member_id)
}

/// Who did what to which record. The page requests what it shows itself.
fn sent(shown: &ShownEvent) -> EventFrame<'_> {
    let event = &shown.event;
    let record = event.record.as_ref();
    let data = json!({
        "event": event.name,
        "module": event.module.as_str(),
        "type": record.map(|(noun, _)| noun),
        "record": record.map(|(_, id)| id),
        "version": event.version,
        "member": member_of(shown),
        "actor": { "type": event.actor.kind, "id": event.actor.id, "name": event.actor.name },
    });
    EventFrame { name: "change", data: Cow::Owned(data.to_string()) }
}
