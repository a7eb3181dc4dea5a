use std::time::Duration;

use serde_json::{Value, json};

use super::support::{Reply, answered, headers, lost, nothing, scripted, shared, timed_out, unreached};
use crate::sse::Parser;
use crate::types::{EventsListQuery, LogEvent};
use crate::{Client, Error, ErrorKind, EventTransport, FollowOptions};

fn event(id: &str) -> Value {
    json!({
        "id": id, "module": "crm", "event": "custom.happened", "created_at": "2029-12-31T23:59:59.000000Z", "record": null,
        "actor": { "type": "user", "id": null, "name": "Ada" }, "request_id": null, "tool": null, "version": null,
        "changes": {}, "data": {},
    })
}

fn text(ids: &[&str]) -> Vec<u8> {
    let events: Vec<_> =
        ids.iter().map(|id| format!("id: {id}\nevent: custom.happened\ndata: {}\n\n", event(id))).collect();
    let events = events.concat();
    format!("retry: 2000\n\n{events}").into_bytes()
}

fn stream(ids: &[&str]) -> Reply {
    Reply::Answer(200, headers(&[("content-type", "text/event-stream")]), text(ids))
}

fn page(ids: &[&str], cursor: &str) -> Reply {
    let data: Vec<_> = ids.iter().map(|id| event(id)).collect();
    let pagination = json!({ "page": null, "limit": 100, "hasMore": false, "nextCursor": cursor });
    answered(200, &json!({ "data": data, "pagination": pagination }))
}

/// The first events with their cursors.
async fn first(client: &Client, count: usize, options: FollowOptions) -> Vec<(String, Option<String>)> {
    let mut events = client.events().follow(&EventsListQuery::default(), options);
    let mut received = Vec::new();
    for _ in 0..count {
        let event = events.next().await.unwrap().unwrap();
        received.push((event.event.id().to_owned(), event.cursor));
    }
    received
}

fn pairs(pairs: &[(&str, Option<&str>)]) -> Vec<(String, Option<String>)> {
    pairs.iter().map(|(id, cursor)| ((*id).to_owned(), cursor.map(str::to_owned))).collect()
}

#[test]
fn streams_are_parsed_from_chunks() {
    for case in shared("testdata/streams.json")["cases"].as_array().unwrap() {
        let mut parser = Parser::default();
        let pieces = case["pieces"].as_array().unwrap().iter().map(|piece| piece.as_str().unwrap());
        let messages = pieces.flat_map(|piece| parser.push(piece.as_bytes())).collect::<Vec<_>>();
        let ids: Vec<_> =
            messages.iter().map(|one| json!({ "event": one.event, "data": one.data, "id": one.id })).collect();
        assert_eq!(Value::Array(ids), case["messages"], "{}", case["name"]);
        assert_eq!((json!(parser.last_id), json!(parser.retry)), (case["last_id"].clone(), case["retry"].clone()));
    }
}

#[test]
fn chunks_may_split_multibyte_characters() {
    let mut parser = Parser::default();
    let text = "data: Gr\u{fc}\u{df}e\n\n".as_bytes();
    let messages: Vec<_> = text.chunks(1).flat_map(|piece| parser.push(piece)).collect();
    assert_eq!(messages[0].data, "Gr\u{fc}\u{df}e");
}

#[tokio::test(start_paused = true)]
async fn a_stream_that_ends_is_resumed_after_the_last_event() {
    let (client, exchange) = scripted([stream(&["a", "b"]), unreached(), nothing(503), stream(&["c"])]);
    let ids = first(&client, 3, FollowOptions::default()).await;
    assert_eq!(ids, pairs(&[("a", Some("a")), ("b", Some("b")), ("c", Some("c"))]));
    let b = || Some("b".to_owned());
    assert_eq!(exchange.headers("last-event-id"), [None, b(), b(), b()]);
    assert_eq!(exchange.pauses(), [2000, 500, 1000]);
}

#[tokio::test(start_paused = true)]
async fn following_resumes_after_a_stored_cursor() {
    let (client, exchange) = scripted([stream(&["c"])]);
    first(&client, 1, FollowOptions::after("b".to_owned())).await;
    assert_eq!(exchange.headers("last-event-id"), [Some("b".to_owned())]);
    assert_eq!(exchange.headers("accept"), [Some("text/event-stream".to_owned())]);
}

#[tokio::test(start_paused = true)]
async fn without_streams_it_polls_pages_and_never_skips_unseen_events() {
    let (client, exchange) = scripted([page(&[], "p0"), page(&["a", "b"], "p1"), page(&[], "p2"), page(&["c"], "p3")]);
    let ids = first(&client, 3, FollowOptions::default()).await;
    assert_eq!(ids, pairs(&[("a", None), ("b", Some("p1")), ("c", Some("p3"))]));
    let wait = "limit=100&wait=30";
    assert_eq!(exchange.sorted_queries(), ["", wait, &format!("cursor=p1&{wait}"), &format!("cursor=p2&{wait}")]);
}

#[tokio::test(start_paused = true)]
async fn after_two_silent_streams_in_a_row_it_polls_pages() {
    for silent in [timed_out(), Reply::Silence(Vec::new())] {
        let (client, exchange) = scripted([silent.clone(), silent, page(&["a"], "p")]);
        let ids = first(&client, 1, FollowOptions::default()).await;
        assert_eq!(ids.len(), 1);
        assert_eq!(exchange.sorted_queries().len(), 3);
    }
}

#[tokio::test(start_paused = true)]
async fn a_stream_that_falls_silent_is_reopened() {
    let (client, exchange) = scripted([Reply::Silence(text(&["a"])), stream(&["b"])]);
    let ids = first(&client, 2, FollowOptions::default()).await;
    assert_eq!(ids, pairs(&[("a", Some("a")), ("b", Some("b"))]));
    assert_eq!(exchange.pauses(), [45_500]);
}

#[tokio::test(start_paused = true)]
async fn pages_are_requested_again_after_temporary_errors() {
    let (client, exchange) = scripted([lost(), nothing(502), page(&["a"], "p")]);
    let options = FollowOptions { transport: EventTransport::Poll, ..FollowOptions::default() };
    first(&client, 1, options).await;
    assert_eq!(exchange.pauses(), [500, 1000]);
    assert_eq!(exchange.requests()[0].timeout, Duration::from_secs(70));
}

#[tokio::test(start_paused = true)]
async fn permanent_errors_end_following() {
    let refusal = json!({ "error": { "code": "unauthorized", "message": "m", "request_id": "r" } });
    let (client, _) = scripted([answered(401, &refusal)]);
    let mut events = client.events().follow(&EventsListQuery::default(), FollowOptions::default());
    let error: Error = events.next().await.unwrap().unwrap_err();
    assert_eq!(error.kind(), Some(ErrorKind::Authentication));
    assert!(events.next().await.is_none());
}

#[test]
fn events_of_other_systems_and_of_erased_records_are_parsed() {
    let other: crate::types::Event = serde_json::from_value(event("a")).unwrap();
    assert!(matches!(LogEvent::from(other), LogEvent::Other(_)));
    let mut erased = event("b");
    erased["event"] = json!("deal.won");
    erased["data"] = json!({ "id": "d" });
    let erased: crate::types::Event = serde_json::from_value(erased).unwrap();
    let read = LogEvent::from(erased);
    assert!(matches!(read, LogEvent::Other(_)));
    assert_eq!(read.name(), "deal.won");
}
