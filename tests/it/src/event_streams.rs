//! Waiting for events, and streams of them.

use std::time::Duration;

use event_feed::FeedLimits;
use http_core::HttpSettings;
use reqwest::Response;
use serde_json::{Value, json};
use test_support::{ApiResponse, App, AppOptions, Client, eventually};
use tokio::time::timeout;

use crate::event_following::{EVENTS, cursor, names, new_deal, page};

/// Timeout of a test that hangs.
const TEST_TIMEOUT: Duration = Duration::from_mins(1);

/// A client of an event stream.
pub(crate) struct EventStream {
    response: Response,
    text: String,
}

#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(crate) struct Block {
    pub(crate) id: String,
    pub(crate) event: String,
    pub(crate) data: String,
    pub(crate) comment: String,
    pub(crate) retry: String,
}

impl EventStream {
    pub(crate) async fn open(client: &Client, query: &str, last_event_id: Option<&str>) -> Self {
        let request = client.request("GET", &format!("{EVENTS}?{query}")).header("Accept", "text/event-stream");
        let request = last_event_id.into_iter().fold(request, |request, id| request.header("Last-Event-ID", id));
        let response = request.send().await.unwrap();
        assert_eq!(response.status(), 200, "{query}");
        Self { response, text: String::new() }
    }

    /// The next block; `None` at the end.
    pub(crate) async fn block(&mut self) -> Option<Block> {
        loop {
            if let Some((block, rest)) = self.text.split_once("\n\n") {
                let (block, rest) = (block.to_owned(), rest.to_owned());
                self.text = rest;
                return Some(parsed(&block));
            }
            let chunk =
                timeout(TEST_TIMEOUT, self.response.chunk()).await.unwrap_or_else(|_| panic!("the stream hangs"));
            self.text.push_str(std::str::from_utf8(&chunk.ok()??).unwrap());
        }
    }

    pub(crate) async fn event(&mut self) -> Option<Block> {
        loop {
            let block = self.block().await?;
            if !block.data.is_empty() {
                return Some(block);
            }
        }
    }

    pub(crate) async fn events(&mut self, count: usize) -> Vec<Value> {
        let mut events = Vec::new();
        for _ in 0..count {
            let block = self.event().await.unwrap_or_else(|| panic!("the stream ended"));
            events.push(serde_json::from_str(&block.data).unwrap());
        }
        events
    }
}

fn parsed(text: &str) -> Block {
    let mut block = Block::default();
    for line in text.lines() {
        let (name, value) = line.split_once(": ").unwrap_or((line, ""));
        let member = match name {
            "id" => &mut block.id,
            "event" => &mut block.event,
            "data" => &mut block.data,
            "" => &mut block.comment,
            "retry" => &mut block.retry,
            _ => panic!("{line}"),
        };
        value.clone_into(member);
    }
    block
}

#[tokio::test]
async fn a_waiting_reader_gets_a_response_when_an_event_arrives() {
    let (app, client) = App::with_client().await;
    let start = cursor(&page(&client, "").await);
    let waiting = {
        let (client, query) = (client.clone(), format!("wait=30&event=deal.won&cursor={start}"));
        tokio::spawn(async move { get_with_retries(&client, &query).await.expect(200).body })
    };
    eventually("it waits", async || follower_count(&app, &client).await == 1).await;
    let deal = new_deal(&client, "Pilot").await;
    let _ = client.patch(&format!("/api/v1/crm/deals/{deal}"), json!({"status": "closed_won"})).await.expect(200);
    let answer = timeout(TEST_TIMEOUT, waiting).await.unwrap().unwrap();
    assert_eq!(names(&answer), ["deal.won"]);
    let at_once = page(&client, &format!("wait=30&cursor={start}")).await;
    assert_eq!(names(&at_once), ["deal.created", "deal.won"]);
}

/// Retries while [`follower_count`] uses all slots.
async fn get_with_retries(client: &Client, query: &str) -> ApiResponse {
    loop {
        let reply = client.get(&format!("{EVENTS}?{query}")).await;
        if reply.status != 429 {
            return reply;
        }
    }
}

/// The number of followers, measured by how many more requests are accepted.
async fn follower_count(app: &App, client: &Client) -> usize {
    let credential = client.key().map(ToOwned::to_owned).unwrap();
    let caller = domain::identity::access::authenticate(&app.ports, &credential, None).await.unwrap();
    let mut seats = Vec::new();
    while let Ok(seat) = app.ports.event_feed.follow(caller.workspace().id, caller.credential().id()) {
        seats.push(seat);
    }
    FeedLimits::default().per_credential - seats.len()
}

#[tokio::test]
async fn a_wait_may_exceed_the_request_deadline_and_advances_the_cursor() {
    let deadline = Duration::from_millis(1_500);
    let app = App::start_with(HttpSettings { deadline, ..HttpSettings::default() }).await;
    let client = app.workspace().await.full_access().await;
    // Generous, for a busy machine.
    let other = app.another(AppOptions::default()).await;
    let patient = other.with_key(client.key().unwrap());
    let _ = new_deal(&patient, "Pilot").await;
    let answer = page(&client, "wait=3&event=deal.won").await;
    assert_eq!((names(&answer), &answer["pagination"]["hasMore"]), (vec![], &json!(false)));
    assert_eq!(cursor(&answer), cursor(&page(&patient, "").await), "after the part that did not match");
}

#[tokio::test]
async fn a_stream_starts_with_past_events_and_continues_with_new_ones() {
    let (_app, client) = App::with_client().await;
    let first = new_deal(&client, "First").await;
    let mut stream = EventStream::open(&client, "event=deal.created", None).await;
    let header =
        |name: &str| stream.response.headers().get(name).and_then(|value| value.to_str().ok()).unwrap_or_default();
    assert_eq!((header("content-type"), header("cache-control")), ("text/event-stream", "no-store"));
    assert_eq!(stream.block().await.unwrap().retry, "2000");
    let block = stream.event().await.unwrap();
    assert_eq!(block.event, "deal.created");
    let listed = page(&client, "event=deal.created&limit=1").await;
    let event: Value = serde_json::from_str(&block.data).unwrap();
    assert_eq!((&event, &event["record"]["id"]), (&listed["data"][0], &json!(first)));
    let _ = client.patch(&format!("/api/v1/crm/deals/{first}"), json!({"title": "Other"})).await.expect(200);
    let second = new_deal(&client, "Second").await;
    let next = stream.event().await.unwrap();
    assert!(next.data.contains(&second), "{next:?}");
    drop(stream);
    let third = new_deal(&client, "Third").await;
    // The address still contains the first cursor.
    let mut resumed =
        EventStream::open(&client, &format!("event=deal.created&cursor={}", block.id), Some(&next.id)).await;
    assert!(resumed.event().await.unwrap().data.contains(&third));
    let list = page(&client, &format!("event=deal.created&cursor={}", block.id)).await;
    assert_eq!(names(&list).len(), 2, "the same cursors");
}

#[tokio::test]
async fn heartbeats_keep_an_idle_stream_open_and_advance_its_cursor() {
    let settings = HttpSettings {
        heartbeat: Duration::from_millis(100),
        deadline: Duration::from_secs(2),
        stall_timeout: Duration::from_secs(1),
        ..HttpSettings::default()
    };
    let app = App::start_with(settings).await;
    let client = app.workspace().await.full_access().await;
    // Generous, for a busy machine.
    let other = app.another(AppOptions::default()).await;
    let patient = other.with_key(client.key().unwrap());
    let _ = new_deal(&patient, "Pilot").await;
    let mut stream = EventStream::open(&client, "event=deal.won", None).await;
    let began = tokio::time::Instant::now();
    let _ = stream.block().await.unwrap();
    // Longer than the deadline and than the read timeout of clients.
    while began.elapsed() < Duration::from_millis(2_500) {
        assert_eq!(stream.block().await.unwrap().comment, "heartbeat");
    }
    let end = cursor(&page(&patient, "").await);
    assert_eq!(stream.block().await.unwrap().id, end);
    assert_eq!(follower_count(&app, &client).await, 1);
    drop(stream);
    eventually("its slot is free", async || follower_count(&app, &client).await == 0).await;
}

#[tokio::test]
async fn a_stream_ends_after_its_maximum_duration() {
    let longest_stream = Duration::from_millis(300);
    let app = App::start_with(HttpSettings { longest_stream, ..HttpSettings::default() }).await;
    let client = app.workspace().await.full_access().await;
    let mut stream = EventStream::open(&client, "", None).await;
    assert_eq!(stream.event().await, None);
}

#[tokio::test]
async fn a_revoked_key_ends_its_stream() {
    let (_app, tenant) = App::with_workspace().await;
    let (client, id) = tenant.key(json!({"scopes": ["deals.write"]})).await;
    let other = tenant.full_access().await;
    let _ = new_deal(&client, "Pilot").await;
    let mut stream = EventStream::open(&client, "", None).await;
    assert_eq!(stream.event().await.unwrap().event, "deal.created");
    tenant.revoke(id).await;
    eventually("it is revoked", async || client.get(EVENTS).await.status == 401).await;
    let _ = new_deal(&other, "Secret").await;
    assert_eq!(stream.event().await, None, "no more events, and the end");
}

#[tokio::test]
async fn a_wait_of_a_revoked_key_is_refused_at_its_end() {
    let (app, tenant) = App::with_workspace().await;
    let (client, id) = tenant.key(json!({"scopes": ["deals.write"]})).await;
    let waiting = {
        let client = client.clone();
        tokio::spawn(async move { get_with_retries(&client, "wait=10").await })
    };
    eventually("it waits", async || follower_count(&app, &client).await > 0).await;
    tenant.revoke(id).await;
    assert_eq!(waiting.await.unwrap().status, 401);
}

/// HTTP/1.0 does not support chunks, which streams need.
#[tokio::test]
async fn a_client_of_http_1_0_gets_the_list() {
    let (_app, client) = App::with_client().await;
    let _ = new_deal(&client, "Pilot").await;
    let request =
        client.request("GET", EVENTS).header("Accept", "text/event-stream").version(reqwest::Version::HTTP_10);
    let answer = request.send().await.unwrap();
    assert_eq!(answer.headers()["content-type"], "application/json");
    assert!(!answer.headers().contains_key("transfer-encoding"));
    let body: Value = answer.json().await.unwrap();
    assert_eq!(body["data"][0]["event"], "deal.created");
}

#[tokio::test]
async fn followers_are_bounded_and_a_closed_stream_makes_room() {
    let followers = FeedLimits { per_credential: 2, per_workspace: 3, ..FeedLimits::default() };
    let app = App::start_as(AppOptions { followers, ..AppOptions::default() }).await;
    let tenant = app.workspace().await;
    let (first, second) = (tenant.full_access().await, tenant.full_access().await);
    let open = async |client: &Client| EventStream::open(client, "", None).await;
    let streams = (open(&first).await, open(&first).await);
    let refused = first.get(&format!("{EVENTS}?wait=1")).await.expect(429);
    assert_eq!((&refused.body["error"], refused.header("retry-after")), (&json!("rate_limit_exceeded"), "5"));
    assert!(refused.text.contains("this key or session has reached its limit of 2 followers"), "{}", refused.text);
    let third = open(&second).await;
    let refused = second.get(&format!("{EVENTS}?wait=1")).await.expect(429);
    assert!(refused.text.contains("this workspace has reached its limit of 3 followers"), "{}", refused.text);
    let _ = page(&first, "").await;
    drop(third);
    eventually("a slot is free", async || second.get(&format!("{EVENTS}?wait=0&limit=1")).await.status == 200).await;
    eventually("a slot is free", async || {
        let request = second.request("GET", EVENTS).header("Accept", "text/event-stream");
        request.send().await.unwrap().status() == 200
    })
    .await;
    drop(streams);
}

#[tokio::test]
async fn streams_end_when_the_service_stops() {
    let (app, client) = App::with_client().await;
    let mut stream = EventStream::open(&client, "", None).await;
    let _ = new_deal(&client, "Pilot").await;
    assert_eq!(stream.event().await.unwrap().event, "deal.created");
    app.ports.event_feed.close();
    assert_eq!(stream.event().await, None);
    assert_eq!(names(&page(&client, "wait=30&event=deal.won").await), Vec::<&str>::new(), "answered at once");
}
