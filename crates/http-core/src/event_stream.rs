//! Streams events as server-sent events, which browsers and many libraries read.

use std::borrow::Cow;
use std::convert::Infallible;
use std::fmt::Write;
use std::sync::Arc;
use std::time::Duration;

use actix_web::HttpResponse;
use actix_web::http::header::{ACCEPT, CONTENT_TYPE, HeaderMap};
use actix_web::rt::time::{Instant, sleep, sleep_until};
use actix_web::web::Bytes;
use domain::events::{EventFilter, EventPage, FollowRequest, Following, ShownEvent, is_passing};
use domain::identity::access::{FollowEvents, Permit};
use futures_util::stream::unfold;

use crate::endpoint::HandlerResult;
use crate::errors::HttpError;
use crate::held::{HeldMemory, HeldRequest};

/// The media type of a stream of events.
pub const EVENT_STREAM: &str = "text/event-stream";

/// Bytes rendered at once; the client may read slowly.
const PIECE_BYTES: u32 = 64 * 1024;
/// How long a client waits before it reconnects, in milliseconds.
const RETRY_MS: u32 = 2_000;
/// How often the credential is verified while nothing happens.
const VERIFY_EVERY: Duration = Duration::from_secs(2);
/// The pause after a temporary failure. The stream ends after [`MAX_FAILURES`] in a row.
const PAUSE: Duration = Duration::from_secs(1);
const MAX_FAILURES: u32 = 10;

/// An event as it is sent in a stream.
#[derive(Debug)]
pub struct EventFrame<'a> {
    /// The name that clients listen for.
    pub name: &'a str,
    /// The data, on one line.
    pub data: Cow<'a, str>,
}

/// Renders events for a stream.
pub type FrameFormat = fn(&ShownEvent) -> EventFrame<'_>;

/// Responds with a stream. Problems with the request are reported before it begins.
pub async fn begin(
    held: HeldRequest,
    permit: Permit<FollowEvents>,
    filter: &EventFilter,
    request: FollowRequest,
    frame_of: FrameFormat,
) -> HandlerResult {
    let mut following = Following::begin(held.ports(), &permit, filter, request)?.with_page_bytes(PIECE_BYTES);
    let page = held.within_deadline(following.next(held.ports(), &permit)).await?;
    let now = Instant::now();
    let stream = EventStream {
        heartbeat_at: now + held.settings().heartbeat,
        end: now + held.settings().longest_stream,
        held,
        permit,
        frame_of,
        following,
        first_page: Some(page),
        has_more: true,
        failures: 0,
        memory: None,
    };
    let pieces = unfold(stream, |mut stream| async move {
        let piece = stream.next_piece().await?;
        Some((Ok::<_, Infallible>(piece), stream))
    });
    // A proxy that buffers responses would delay the events.
    let mut answer = HttpResponse::Ok();
    answer.insert_header((CONTENT_TYPE, EVENT_STREAM)).insert_header(("X-Accel-Buffering", "no"));
    Ok(answer.streaming(pieces))
}

struct EventStream {
    held: HeldRequest,
    permit: Permit<FollowEvents>,
    frame_of: FrameFormat,
    following: Following,
    /// The first page, until it is sent.
    first_page: Option<EventPage<Arc<ShownEvent>>>,
    /// Whether more events may be available without waiting.
    has_more: bool,
    heartbeat_at: Instant,
    end: Instant,
    failures: u32,
    /// Memory of the last piece, which is written to the socket by the time the next one is requested.
    memory: Option<HeldMemory>,
}

/// Why the stream stopped waiting.
enum Wake {
    Events,
    Verify,
    Heartbeat,
    End,
}

impl EventStream {
    /// The next part of the stream; `None` at its end.
    async fn next_piece(&mut self) -> Option<Bytes> {
        self.memory = None;
        if let Some(page) = self.first_page.take() {
            let piece = format!("retry: {RETRY_MS}\n\n");
            return self.piece(piece, page).await;
        }
        loop {
            if !self.has_more {
                match self.wait().await {
                    Wake::Events => {}
                    Wake::End => return None,
                    Wake::Verify => {
                        if self.held.verification_is_free() {
                            self.verify().await?;
                        }
                        continue;
                    }
                    Wake::Heartbeat => {
                        self.verify().await?;
                        return Some(self.heartbeat());
                    }
                }
            }
            if Instant::now() >= self.end {
                return None;
            }
            self.verify().await?;
            let page = self.read().await?;
            let Some(page) = page else { continue };
            if !page.items.is_empty() {
                return self.piece(String::new(), page).await;
            }
            self.has_more = page.has_more;
            if Instant::now() >= self.heartbeat_at {
                return Some(self.heartbeat());
            }
        }
    }

    async fn wait(&mut self) -> Wake {
        let verify_at = Instant::now() + VERIFY_EVERY;
        tokio::select! {
            has_events = self.following.wait() => if has_events { Wake::Events } else { Wake::End },
            () = sleep_until(self.heartbeat_at) => Wake::Heartbeat,
            () = sleep_until(self.end) => Wake::End,
            () = sleep_until(verify_at) => Wake::Verify,
            () = self.held.disconnected() => Wake::End,
        }
    }

    /// Refreshes the permissions; `None` if the credential may no longer follow events.
    async fn verify(&mut self) -> Option<()> {
        loop {
            match self.held.within_deadline(self.held.verify()).await {
                Ok(permit) => {
                    self.permit = permit;
                    return Some(());
                }
                Err(error) => self.pause_after(&error).await?,
            }
        }
    }

    /// Reads a page; `Some(None)` if the read should be retried.
    async fn read(&mut self) -> Option<Option<EventPage<Arc<ShownEvent>>>> {
        match self.held.within_deadline(self.following.next(self.held.ports(), &self.permit)).await {
            Ok(page) => {
                self.failures = 0;
                Some(Some(page))
            }
            Err(error) => {
                self.pause_after(&error).await?;
                self.has_more = true;
                Some(None)
            }
        }
    }

    /// `None` if the failure is permanent or has lasted too long.
    async fn pause_after(&mut self, error: &HttpError) -> Option<()> {
        let is_temporary = match error {
            HttpError::Domain(error) => is_passing(error),
            HttpError::Deadline(_) | HttpError::Busy => true,
            _ => false,
        };
        self.failures += 1;
        if !is_temporary || self.failures > MAX_FAILURES {
            return None;
        }
        sleep(PAUSE).await;
        Some(())
    }

    async fn piece(&mut self, mut text: String, page: EventPage<Arc<ShownEvent>>) -> Option<Bytes> {
        self.has_more = page.has_more;
        for shown in &page.items {
            let EventFrame { name, data } = (self.frame_of)(shown);
            // Writing to a string cannot fail.
            let _ = write!(text, "id: {}\nevent: {name}\ndata: {data}\n\n", shown.event.place().cursor());
        }
        loop {
            match self.held.reserve(text.len()) {
                Ok(memory) => {
                    self.memory = memory;
                    break;
                }
                Err(error) => self.pause_after(&error).await?,
            }
        }
        self.failures = 0;
        self.postpone_heartbeat();
        Some(text.into())
    }

    /// A comment that keeps the connection open. Its id lets a client that reconnects skip events that did not match.
    fn heartbeat(&mut self) -> Bytes {
        self.postpone_heartbeat();
        let place = self.following.place().map_or_else(String::new, |place| format!("id: {}\n", place.cursor()));
        format!(": heartbeat\n{place}\n").into()
    }

    fn postpone_heartbeat(&mut self) {
        self.heartbeat_at = Instant::now() + self.held.settings().heartbeat;
    }
}

/// Whether the client accepts an event stream by name; `*/*` does not count.
pub fn wants_stream(headers: &HeaderMap) -> bool {
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
    fn a_stream_is_sent_only_to_clients_that_name_its_media_type() {
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
}
