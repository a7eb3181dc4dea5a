//! Following the event log.

use std::collections::VecDeque;
use std::time::Duration;

use futures_util::{StreamExt, stream};
use reqwest::header::{ACCEPT, CONTENT_TYPE, HeaderMap, HeaderName, HeaderValue};
use serde_json::{Value, json};

use crate::call::Call;
use crate::client::Client;
use crate::error::{ConnectionError, Error};
use crate::generated::resources::Events;
use crate::http::{Pieces, endless, late};
use crate::page::Items;
use crate::retry::{Retry, capped_backoff};
use crate::sse::Parser;
use crate::transport::Request;
use crate::types::{Event, EventsListQuery, LogEvent, Pagination};

/// Seconds for which the service holds a response while there are no events.
const WAIT: u64 = 30;
/// A stream without data for this long is closed; the service sends something every 15 seconds.
const QUIET: Duration = Duration::from_secs(45);
const BETWEEN_STREAMS: Duration = Duration::from_secs(2);
const MAX_PAUSE: Duration = Duration::from_secs(30);
const MUTE_STREAMS: u32 = 2;
/// Maximum size of an event in bytes; real events are far smaller.
const MAX_EVENT_BYTES: usize = 16 << 20;
const LAST_EVENT_ID: HeaderName = HeaderName::from_static("last-event-id");

/// An event, and the cursor to continue after it.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct FollowedEvent {
    pub event: LogEvent,
    /// Store it together with the effects of the event.
    pub cursor: Option<String>,
}

/// How events are received.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum EventTransport {
    /// Over an open connection; switches to `Poll` if something on the way buffers streams.
    #[default]
    Stream,
    /// By long polling.
    Poll,
}

/// Where following starts, and how events are received.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct FollowOptions {
    /// The cursor of the last event that was processed.
    pub cursor: Option<String>,
    pub transport: EventTransport,
}

impl FollowOptions {
    /// Starts after the event with this cursor.
    pub fn after(cursor: impl Into<Option<String>>) -> Self {
        Self { cursor: cursor.into(), ..Self::default() }
    }
}

impl Events {
    /// Yields every past event, then each new one, for as long as it is polled.
    ///
    /// Starts after the cursor, at `since` of the query, or at the oldest event that is kept. Temporary errors lead to a
    /// reconnect after the last event; other errors end it.
    pub fn follow(&self, query: &EventsListQuery, options: FollowOptions) -> Items<FollowedEvent> {
        let options = FollowOptions { cursor: options.cursor.or_else(|| query.cursor.clone()), ..options };
        let filter = serde_json::to_value(EventsListQuery { cursor: None, ..query.clone() });
        let filter = filter.map_err(|error| Error::configuration(format!("the query cannot be written: {error}")));
        let following = Following::new(self.0.clone(), options);
        let following = filter.map(|filter| Following { filter, ..following });
        let events = stream::try_unfold(following, |following| async move {
            let mut following = following?;
            let event = following.next().await?;
            Ok(Some((event, Ok(following))))
        });
        Items(events.boxed())
    }
}

/// The state of a loop over events.
struct Following {
    client: Client,
    filter: Value,
    mode: EventTransport,
    cursor: Option<String>,
    /// Received events, each with the cursor after it.
    ready: VecDeque<FollowedEvent>,
    open: Option<Pieces>,
    parser: Parser,
    /// Pause before the next connection.
    pause: Duration,
    failures: u32,
    mute: u32,
}

impl Following {
    fn new(client: Client, options: FollowOptions) -> Self {
        Self {
            client,
            filter: Value::Null,
            mode: options.transport,
            cursor: options.cursor,
            ready: VecDeque::new(),
            open: None,
            parser: Parser::default(),
            pause: Duration::ZERO,
            failures: 0,
            mute: 0,
        }
    }

    async fn next(&mut self) -> Result<FollowedEvent, Error> {
        loop {
            if let Some(event) = self.ready.pop_front() {
                self.cursor.clone_from(&event.cursor);
                return Ok(event);
            }
            if self.open.is_none() && !self.pause.is_zero() {
                tokio::time::sleep(std::mem::take(&mut self.pause)).await;
            }
            let result = match (&self.open, self.mode) {
                (Some(_), _) => self.read().await,
                (None, EventTransport::Stream) => self.connect().await,
                (None, EventTransport::Poll) => self.poll().await,
            };
            if let Err(error) = result {
                self.failed(error)?;
            }
        }
    }

    async fn connect(&mut self) -> Result<(), Error> {
        let mut headers = HeaderMap::new();
        headers.insert(ACCEPT, HeaderValue::from_static("text/event-stream"));
        if let Some(cursor) = &self.cursor {
            let cursor = HeaderValue::try_from(cursor.as_str());
            headers.insert(LAST_EVENT_ID, cursor.map_err(|_| Error::configuration("the cursor is malformed"))?);
        }
        let request = Request { operation: "events_list".to_owned(), query: self.filter.clone(), ..Request::default() };
        let opened = self.client.transport.open(&request, headers).await?;
        let kind = opened.headers.get(CONTENT_TYPE).and_then(|kind| kind.to_str().ok()).unwrap_or_default();
        if kind.starts_with("text/event-stream") {
            self.pause = BETWEEN_STREAMS;
            self.parser = Parser::default();
            self.open = Some(opened.pieces);
        } else {
            self.mode = EventTransport::Poll;
        }
        Ok(())
    }

    /// Reads the next chunk of a stream.
    async fn read(&mut self) -> Result<(), Error> {
        let Some(pieces) = &mut self.open else { return Ok(()) };
        let piece = match tokio::time::timeout(QUIET, pieces.next()).await {
            Ok(Some(Ok(piece))) => piece,
            Ok(None) => {
                self.open = None;
                return Ok(());
            }
            Ok(Some(Err(failed))) => return Err(ConnectionError::from(failed).into()),
            Err(_) => return Err(ConnectionError::from(late()).into()),
        };
        (self.failures, self.mute) = (0, 0);
        for message in self.parser.push(&piece) {
            let event: Event = serde_json::from_str(&message.data).map_err(unexpected)?;
            let cursor = message.id.or_else(|| self.cursor.clone());
            self.ready.push_back(FollowedEvent { event: event.into(), cursor });
        }
        if self.parser.buffered() > MAX_EVENT_BYTES {
            return Err(ConnectionError::from(endless()).into());
        }
        if let Some(retry) = self.parser.retry {
            self.pause = Duration::from_millis(retry).min(MAX_PAUSE);
        }
        if self.ready.is_empty() && self.parser.last_id.is_some() {
            self.cursor.clone_from(&self.parser.last_id);
        }
        Ok(())
    }

    /// There are no cursors within a page. Resuming from the cursor before it may repeat events, but misses none.
    async fn poll(&mut self) -> Result<(), Error> {
        let mut query = self.filter.clone();
        query["limit"] = json!(100);
        query["wait"] = json!(WAIT);
        query["cursor"] = json!(self.cursor);
        let timeout = Duration::from_secs(WAIT) + self.client.transport.settings.timeout;
        let call = Call::<PageOfEvents>::new(&self.client, "events_list", &[]).with_query(&query);
        let page = call.timeout(timeout).max_retries(0).await?;
        (self.failures, self.pause) = (0, Duration::ZERO);
        let after = page.pagination.next_cursor.or_else(|| self.cursor.clone());
        let before = std::mem::replace(&mut self.cursor, after.clone());
        self.ready
            .extend(page.data.into_iter().map(|event| FollowedEvent { event: event.into(), cursor: before.clone() }));
        if let Some(last) = self.ready.back_mut() {
            last.cursor = after;
        }
        Ok(())
    }

    /// Returns permanent errors; otherwise sets how long to wait.
    fn failed(&mut self, error: Error) -> Result<(), Error> {
        self.open = None;
        let retry_after = match &error {
            Error::Connection(lost) => {
                if lost.is_timeout && self.mode == EventTransport::Stream {
                    self.mute += 1;
                }
                Duration::ZERO
            }
            Error::Api(refusal) if refusal.status == 429 || refusal.status >= 500 => {
                let retry_after = refusal.retry_after.unwrap_or_default();
                // Such a wait is for a quota.
                if retry_after > self.client.transport.settings.max_retry_after {
                    return Err(error);
                }
                retry_after
            }
            _ => return Err(error),
        };
        if self.mute >= MUTE_STREAMS {
            self.mode = EventTransport::Poll;
        }
        self.failures += 1;
        let settings = &self.client.transport.settings;
        self.pause = retry_after.max(capped_backoff(self.failures, (settings.random)(), MAX_PAUSE));
        let reason = match &error {
            Error::Api(refusal) => format!("{} {}", refusal.status, refusal.code),
            other => other.to_string(),
        };
        let operation = "events_list".to_owned();
        settings.on_retry.announce(&Retry { operation, attempt: self.failures + 1, pause: self.pause, reason });
        Ok(())
    }
}

#[derive(serde::Deserialize)]
struct PageOfEvents {
    data: Vec<Event>,
    pagination: Pagination,
}

fn unexpected(source: serde_json::Error) -> Error {
    Error::Answer { operation: "events_list".to_owned(), source }
}
