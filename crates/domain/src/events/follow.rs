//! Reading the log in the order of its positions, and waiting for more (interface 24.3–24.5).

use std::sync::Arc;
use std::time::Duration;

use super::{EventFilter, EventMatcher, EventReach, LogPlace, LoggedEvent, ShownEvent};
use crate::Error;
use crate::identity::access::{FollowEvents, Permit};
use crate::kernel::input::Problems;
use crate::kernel::paging::{DEFAULT_LIMIT, MAX_CURSOR_PAGE_BYTES, parse_limit};
use crate::ports::{EventLogRepo, EventScan, FollowerSeat, Ports, statement};

/// The longest time that a reader may wait for new events, in seconds.
pub const MAX_WAIT_SECONDS: u64 = 30;
/// Maximum positions that one read scans. It bounds the cost of a filter that rarely matches.
const MAX_SCANNED: u32 = 5_000;
/// Maximum reads per page while no event matches.
const MAX_READS: u32 = 4;
/// Greater than every position.
const END_OF_LOG: i64 = i64::MAX / 4;
/// Maximum bytes of the payloads of a page; the rest of the page's 4 MiB is for the JSON around them.
const PAYLOAD_BYTES: u32 = 3_840 * 1024;
const _: () = assert!((PAYLOAD_BYTES as usize) + 256 * 1024 <= MAX_CURSOR_PAGE_BYTES);
const BAD_CURSOR: &str = "must be a nextCursor of this list";

/// Where to start, and how much to read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct FollowRequest {
    /// The place to start after. `None` starts at the filter's `since`, or at the oldest stored event.
    pub after: Option<LogPlace>,
    /// Maximum number of events.
    pub limit: u32,
}

impl Default for FollowRequest {
    fn default() -> Self {
        Self { after: None, limit: DEFAULT_LIMIT }
    }
}

impl FollowRequest {
    /// Parses the raw parameters. Invalid ones are reported, never clamped.
    pub fn parse(limit: Option<&str>, cursor: Option<&str>, problems: &mut Problems) -> Self {
        let after = cursor.and_then(|text| Self::parse_cursor("cursor", text, problems));
        Self { after, limit: parse_limit(limit, problems) }
    }

    /// The place of a cursor. An invalid cursor is reported as a problem of the parameter or header that it came from.
    pub fn parse_cursor(name: &str, text: &str, problems: &mut Problems) -> Option<LogPlace> {
        let place = LogPlace::parse(text);
        if place.is_none() {
            problems.shape(name, "invalid_value", BAD_CURSOR);
        }
        place
    }

    /// How long to wait for an event if there is none yet, in seconds; zero if absent.
    pub fn parse_wait(name: &str, text: Option<&str>, problems: &mut Problems) -> Duration {
        let Some(text) = text else { return Duration::ZERO };
        // `parse` would accept a plus sign.
        let is_number = !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
        let seconds = is_number.then(|| text.parse().ok()).flatten().filter(|seconds| *seconds <= MAX_WAIT_SECONDS);
        if seconds.is_none() {
            problems.shape(name, "invalid_value", format!("must be a number of seconds from 0 to {MAX_WAIT_SECONDS}"));
        }
        Duration::from_secs(seconds.unwrap_or_default())
    }
}

/// A page of the log. It may have few events or none although more match, because a page ends once it has scanned enough.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EventPage<T> {
    pub items: Vec<T>,
    /// The requested maximum number of events.
    pub limit: u32,
    /// Whether there is more after `next`.
    pub has_more: bool,
    /// The place after everything that was scanned.
    pub next: LogPlace,
}

impl<T> EventPage<T> {
    pub fn map<U>(self, show: impl FnMut(T) -> U) -> EventPage<U> {
        let Self { items, limit, has_more, next } = self;
        EventPage { items: items.into_iter().map(show).collect(), limit, has_more, next }
    }
}

/// What to read from the log.
#[derive(Debug, Clone)]
pub(super) struct ReadSpec {
    pub(super) matcher: Arc<EventMatcher>,
    pub(super) reach: Arc<EventReach>,
    pub(super) limit: u32,
    /// Approximate maximum bytes of the payloads of a page.
    pub(super) bytes: u32,
}

/// Where a read starts.
#[derive(Debug, Clone, Copy)]
enum ReadFrom {
    /// At the beginning of the requested part.
    Beginning,
    /// After the place in a client's cursor, which must be checked.
    ClientCursor(LogPlace),
    /// After the last page.
    LastPage(LogPlace),
}

impl From<FollowRequest> for ReadFrom {
    fn from(request: FollowRequest) -> Self {
        request.after.map_or(Self::Beginning, Self::ClientCursor)
    }
}

/// See [`list`].
async fn read_page<T: Send + 'static>(
    ports: &Ports,
    permit: &Permit<FollowEvents>,
    filter: &EventFilter,
    request: FollowRequest,
    show: fn(LoggedEvent) -> T,
) -> Result<EventPage<T>, Error> {
    let spec = ReadSpec::new(permit, filter, request.limit);
    statement(ports, permit, move |tx| {
        let mut page = spec.read(tx.event_log(), request.into())?;
        for _ in 1..MAX_READS {
            if !page.items.is_empty() || !page.has_more {
                break;
            }
            page = spec.read(tx.event_log(), ReadFrom::LastPage(page.next))?;
        }
        Ok(page.map(show))
    })
    .await
}

/// Like [`list`], but with the events as JSON.
///
/// # Errors
/// The errors of [`list`].
pub async fn list_serialized(
    ports: &Ports,
    permit: &Permit<FollowEvents>,
    filter: &EventFilter,
    request: FollowRequest,
) -> Result<EventPage<ShownEvent>, Error> {
    read_page(ports, permit, filter, request, ShownEvent::from).await
}

/// A page of the log: the matching events that the caller may read, oldest first. It includes everything that was committed before
/// the call.
///
/// # Errors
/// [`Error::Malformed`] for a cursor after which events have been dropped, and errors of the store.
pub async fn list(
    ports: &Ports,
    permit: &Permit<FollowEvents>,
    filter: EventFilter,
    request: FollowRequest,
) -> Result<EventPage<LoggedEvent>, Error> {
    read_page(ports, permit, &filter, request, |event| event).await
}

impl ReadSpec {
    pub(super) fn new(permit: &Permit<FollowEvents>, filter: &EventFilter, limit: u32) -> Self {
        let matcher = Arc::new(EventMatcher::new(filter, permit.actor().id));
        Self { matcher, reach: Arc::new(EventReach::for_permit(permit)), limit, bytes: PAYLOAD_BYTES }
    }

    fn read(&self, log: &mut dyn EventLogRepo, from: ReadFrom) -> Result<EventPage<LoggedEvent>, Error> {
        // Assign positions first, so that callers read their own writes.
        let last = log.number()?;
        let has_few = self.matcher.record.map(|record| log.has_at_most(record, MAX_SCANNED)).transpose()?;
        let by_record = has_few == Some(true);
        let max_scanned = if by_record { END_OF_LOG } else { MAX_SCANNED.into() };
        let (start, window) = match from {
            ReadFrom::Beginning => {
                let since = self.matcher.since.map(|since| log.position_before(since)).transpose()?;
                let start = since.map_or(LogPlace::START, LogPlace::at);
                (start, log.window(start.position, max_scanned)?)
            }
            ReadFrom::ClientCursor(place) => locate(log, place, last, max_scanned)?,
            ReadFrom::LastPage(place) => (place, log.window(place.position, max_scanned)?),
        };
        let Some(upto) = window.last else {
            // Without new events, the place of the cursor stays the same, so that the next cursor can be checked like this one.
            let next = if start.known_event().is_some() { start } else { place_at(start.position, window.here) };
            return Ok(EventPage { items: Vec::new(), limit: self.limit, has_more: false, next });
        };
        let scanned = log.scan(&EventScan {
            after: start.position,
            upto: upto.position,
            by_record,
            matcher: Arc::clone(&self.matcher),
            reach: Arc::clone(&self.reach),
            limit: self.limit,
            bytes: self.bytes,
        })?;
        Ok(self.page(scanned.events, scanned.is_cut, upto, last, LoggedEvent::place))
    }

    fn page<T>(
        &self,
        items: Vec<T>,
        is_cut: bool,
        upto: LogPlace,
        last: i64,
        place_of: impl Fn(&T) -> LogPlace,
    ) -> EventPage<T> {
        let next = items.last().filter(|_| is_cut).map_or(upto, place_of);
        EventPage { items, limit: self.limit, has_more: is_cut || next.position < last, next }
    }

    /// A page of `recent`, which are all events after the reader's place.
    fn page_from_memory(&self, recent: &[Arc<ShownEvent>]) -> Option<EventPage<Arc<ShownEvent>>> {
        let upto = recent.last()?.event.place();
        let is_match = |shown: &&Arc<ShownEvent>| {
            let event = &shown.event;
            self.matcher.matches(event) && self.reach.covers(event.module, &event.name)
        };
        let (mut items, mut bytes, mut is_cut) = (Vec::new(), 0, false);
        for shown in recent.iter().filter(is_match) {
            bytes += shown.json.len();
            if items.len() >= self.limit as usize || (bytes > self.bytes as usize && !items.is_empty()) {
                is_cut = true;
                break;
            }
            items.push(Arc::clone(shown));
        }
        Some(self.page(items, is_cut, upto, upto.position, |shown| shown.event.place()))
    }
}

fn place_at(position: i64, event: Option<crate::EventId>) -> LogPlace {
    event.map_or(LogPlace::at(position), |event| LogPlace { position, event })
}

/// Finds the place of a client's cursor in the log.
///
/// In a log that was restored from a backup, positions after the backup are assigned again, to other events. The reader then goes
/// back to the time of the event that it knows, so that it misses no event.
fn locate(
    log: &mut dyn EventLogRepo,
    place: LogPlace,
    last: i64,
    max_scanned: i64,
) -> Result<(LogPlace, crate::ports::LogWindow), Error> {
    let window = log.window(place.position, max_scanned)?;
    let is_same = match (place.known_event(), window.here) {
        (Some(expected), Some(actual)) => expected == actual,
        _ => place.position <= last,
    };
    if !is_same {
        let time = place.time_before();
        let start = LogPlace::at(time.map(|time| log.position_before(time)).transpose()?.unwrap_or(0));
        let window = log.window(start.position, max_scanned)?;
        return Ok((start, window));
    }
    let oldest = window.first.unwrap_or(last + 1);
    if window.here.is_none() && oldest > place.position + 1 {
        let message = "the events after it are no longer kept: start again without a cursor, at the oldest event";
        return Err(Error::malformed("cursor", "invalid_value", message));
    }
    Ok((place, window))
}

/// A reader that waits for further events.
pub struct Following {
    spec: ReadSpec,
    from: ReadFrom,
    seat: Box<dyn FollowerSeat>,
}

impl Following {
    /// Takes a seat among the followers of the workspace's log.
    ///
    /// # Errors
    /// [`Error::TooManyFollowers`].
    pub fn begin(
        ports: &Ports,
        permit: &Permit<FollowEvents>,
        filter: &EventFilter,
        request: FollowRequest,
    ) -> Result<Self, Error> {
        let credential = permit.credential().map(|credential| credential.id()).unwrap_or_default();
        let seat = ports.event_feed.follow(permit.workspace_id(), credential)?;
        Ok(Self { spec: ReadSpec::new(permit, filter, request.limit), from: request.into(), seat })
    }

    /// Limits pages to about this many bytes, for a client that gets the events one by one.
    #[must_use]
    pub fn with_page_bytes(mut self, bytes: u32) -> Self {
        self.spec.bytes = bytes.min(PAYLOAD_BYTES);
        self
    }

    /// Reads what comes after the last page, from memory or from the database. Pass a recent permit: events that it can no longer
    /// read are left out.
    ///
    /// # Errors
    /// The errors of [`list`].
    pub async fn next(
        &mut self,
        ports: &Ports,
        permit: &Permit<FollowEvents>,
    ) -> Result<EventPage<Arc<ShownEvent>>, Error> {
        let reach = EventReach::for_permit(permit);
        if reach != *self.spec.reach {
            self.spec.reach = Arc::new(reach);
        }
        let in_memory = match self.from {
            ReadFrom::LastPage(place) => {
                self.seat.recent(place.position).and_then(|recent| self.spec.page_from_memory(&recent))
            }
            ReadFrom::Beginning | ReadFrom::ClientCursor(_) => None,
        };
        let page = match in_memory {
            Some(page) => page,
            None => self.read(ports, permit).await?,
        };
        self.from = ReadFrom::LastPage(page.next);
        if let Some(credential) = permit.credential().filter(|_| !page.items.is_empty()) {
            // The reader may read the changed record immediately, so a replica must have the change.
            ports.store.note_write(credential.holder()).await;
        }
        Ok(page)
    }

    async fn read(&self, ports: &Ports, permit: &Permit<FollowEvents>) -> Result<EventPage<Arc<ShownEvent>>, Error> {
        let _turn = self.seat.turn().await;
        let (spec, from) = (self.spec.clone(), self.from);
        statement(ports, permit, move |tx| {
            Ok(spec.read(tx.event_log(), from)?.map(|event| Arc::new(ShownEvent::from(event))))
        })
        .await
    }

    /// Waits until the log has an event after the last page. Returns false if the service is about to stop.
    pub async fn wait(&mut self) -> bool {
        match self.from {
            ReadFrom::LastPage(place) => self.seat.wait_after(place.position).await,
            ReadFrom::Beginning | ReadFrom::ClientCursor(_) => true,
        }
    }

    /// The place after the last page.
    pub const fn place(&self) -> Option<LogPlace> {
        match self.from {
            ReadFrom::LastPage(place) => Some(place),
            ReadFrom::Beginning | ReadFrom::ClientCursor(_) => None,
        }
    }
}

impl std::fmt::Debug for Following {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.debug_struct("Following").field("from", &self.from).finish_non_exhaustive()
    }
}

/// Whether an error is temporary, so a follower should retry.
pub const fn is_passing(error: &Error) -> bool {
    matches!(error, Error::Store(error) if error.is_passing())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_wait_is_a_number_of_seconds() {
        for (text, seconds) in [(None, Some(0)), (Some("0"), Some(0)), (Some("30"), Some(30)), (Some("31"), None)]
            .into_iter()
            .chain(["", "+1", "-1", "1.5", "x", "99999999999999999999999"].map(|bad| (Some(bad), None)))
        {
            let mut problems = Problems::default();
            let wait = FollowRequest::parse_wait("wait", text, &mut problems);
            assert_eq!(problems.is_empty().then_some(wait.as_secs()), seconds, "{text:?}");
        }
    }
}
