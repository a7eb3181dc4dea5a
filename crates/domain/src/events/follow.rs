//! Reading the log in the order of its positions, and waiting for more (interface 24.3–24.5).

use std::sync::Arc;
use std::time::Duration;

use super::{EventFilter, EventMatcher, EventReach, LogPlace, LoggedEvent, ShownEvent};
use crate::Error;
use crate::identity::access::{FollowEvents, Permit};
use crate::kernel::input::Problems;
use crate::kernel::paging::{DEFAULT_LIMIT, MAX_CURSOR_PAGE_BYTES, parse_limit};
use crate::ports::{EventLogRepo, EventScan, FollowerSeat, Ports, statement};

/// How long a reader may wait for something to come, in seconds.
pub const MAX_WAIT_SECONDS: u64 = 30;
/// How many positions one read looks at, at most: what a rare filter costs.
const LOOKED_AT: u32 = 5_000;
/// How often a read goes on that has found nothing.
const READS: u32 = 4;
/// Beyond every position.
const ALL: i64 = i64::MAX / 4;
/// Bytes of the payloads of a page; what is around them needs the rest of a page's 4 MiB.
pub(super) const PAYLOAD_BYTES: u32 = 3_840 * 1024;
const _: () = assert!((PAYLOAD_BYTES as usize) + 256 * 1024 <= MAX_CURSOR_PAGE_BYTES);
const BAD_CURSOR: &str = "must be a nextCursor of this list";

/// Where to begin, and how much to read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct FollowRequest {
    /// Behind this place; `None`: from the filter's `since`, or from the oldest event that is kept.
    pub behind: Option<LogPlace>,
    /// Maximum number of events.
    pub limit: u32,
}

impl Default for FollowRequest {
    fn default() -> Self {
        Self { behind: None, limit: DEFAULT_LIMIT }
    }
}

impl FollowRequest {
    /// Parses the raw parameters. Invalid ones are reported, never clamped.
    pub fn parse(limit: Option<&str>, cursor: Option<&str>, problems: &mut Problems) -> Self {
        let behind = cursor.and_then(|text| Self::parse_cursor("cursor", text, problems));
        Self { behind, limit: parse_limit(limit, problems) }
    }

    /// The place of a cursor; another text is reported as a problem of the parameter or header that has it.
    pub fn parse_cursor(name: &str, text: &str, problems: &mut Problems) -> Option<LogPlace> {
        let place = LogPlace::parse(text);
        if place.is_none() {
            problems.shape(name, "invalid_value", BAD_CURSOR);
        }
        place
    }

    /// How long to wait for an event if there is none yet, in seconds; zero if it is not given.
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

/// A part of the log. A page may have few events or none although there are more: it ends where it has looked at enough.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EventPage<T> {
    pub items: Vec<T>,
    /// The requested maximum number of events.
    pub limit: u32,
    /// Whether there is more behind `next`.
    pub has_more: bool,
    /// Behind everything that was looked at.
    pub next: LogPlace,
}

impl<T> EventPage<T> {
    /// Converts the events.
    pub fn map<U>(self, show: impl FnMut(T) -> U) -> EventPage<U> {
        let Self { items, limit, has_more, next } = self;
        EventPage { items: items.into_iter().map(show).collect(), limit, has_more, next }
    }
}

/// What a reader asks for.
#[derive(Debug, Clone)]
struct Asked {
    matcher: Arc<EventMatcher>,
    reach: Arc<EventReach>,
    limit: u32,
    /// Bytes of the payloads of a page, about.
    bytes: u32,
}

/// Where a reader is.
#[derive(Debug, Clone, Copy)]
enum At {
    /// At the beginning of what was asked for.
    Beginning,
    /// Where a cursor of the client says, which is checked.
    Cursor(LogPlace),
    /// Where the last page ended.
    Place(LogPlace),
}

impl From<FollowRequest> for At {
    fn from(request: FollowRequest) -> Self {
        request.behind.map_or(Self::Beginning, Self::Cursor)
    }
}

/// A page of the log: see [`list`].
async fn pages<T: Send + 'static>(
    ports: &Ports,
    permit: &Permit<FollowEvents>,
    filter: &EventFilter,
    request: FollowRequest,
    show: fn(LoggedEvent) -> T,
) -> Result<EventPage<T>, Error> {
    let asked = Asked::of(permit, filter, request.limit);
    statement(ports, permit, move |tx| {
        let mut page = asked.read(tx.event_log(), request.into())?;
        for _ in 1..READS {
            if !page.items.is_empty() || !page.has_more {
                break;
            }
            page = asked.read(tx.event_log(), At::Place(page.next))?;
        }
        Ok(page.map(show))
    })
    .await
}

/// Like [`list`], as JSON.
///
/// # Errors
/// Those of [`list`].
pub async fn list_shown(
    ports: &Ports,
    permit: &Permit<FollowEvents>,
    filter: &EventFilter,
    request: FollowRequest,
) -> Result<EventPage<ShownEvent>, Error> {
    pages(ports, permit, filter, request, ShownEvent::from).await
}

/// A page of the log: the events that the caller may read and that match, the oldest first. What was committed before is in it.
///
/// # Errors
/// [`Error::Malformed`] for a cursor behind which events have been dropped. Those of the store.
pub async fn list(
    ports: &Ports,
    permit: &Permit<FollowEvents>,
    filter: EventFilter,
    request: FollowRequest,
) -> Result<EventPage<LoggedEvent>, Error> {
    pages(ports, permit, &filter, request, |event| event).await
}

impl Asked {
    fn of(permit: &Permit<FollowEvents>, filter: &EventFilter, limit: u32) -> Self {
        let matcher = Arc::new(EventMatcher::of(filter, permit.actor().id));
        Self { matcher, reach: Arc::new(EventReach::of(permit)), limit, bytes: PAYLOAD_BYTES }
    }

    fn read(&self, log: &mut dyn EventLogRepo, at: At) -> Result<EventPage<LoggedEvent>, Error> {
        // First, so that the caller reads what they have written.
        let last = log.number()?;
        let few_of = self.matcher.record.map(|record| log.has_at_most(record, LOOKED_AT)).transpose()?;
        let by_record = few_of == Some(true);
        let most = if by_record { ALL } else { LOOKED_AT.into() };
        let (start, window) = match at {
            At::Beginning => {
                let since = self.matcher.since.map(|since| log.position_before(since)).transpose()?;
                let start = since.map_or(LogPlace::START, LogPlace::at);
                (start, log.window(start.position, most)?)
            }
            At::Cursor(place) => found(log, place, last, most)?,
            At::Place(place) => (place, log.window(place.position, most)?),
        };
        let Some(upto) = window.last else {
            // The place of a cursor is kept while nothing comes, so that the next one can be checked like this one.
            let next = if start.known_event().is_some() { start } else { placed(start.position, window.here) };
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

    /// A page of events in memory, which are all that there are behind the reader's place.
    fn pick(&self, recent: &[Arc<ShownEvent>]) -> Option<EventPage<Arc<ShownEvent>>> {
        let upto = recent.last()?.event.place();
        let is_meant = |shown: &&Arc<ShownEvent>| {
            let event = &shown.event;
            self.matcher.matches(event) && self.reach.covers(event.module, &event.name)
        };
        let (mut items, mut bytes, mut is_cut) = (Vec::new(), 0, false);
        for shown in recent.iter().filter(is_meant) {
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

fn placed(position: i64, event: Option<crate::EventId>) -> LogPlace {
    event.map_or(LogPlace::at(position), |event| LogPlace { position, event })
}

/// Finds a client's place again.
///
/// Where the log was restored from a backup, its positions behind the backup are given again, to other events: then the
/// reader goes back to the time of the event that they knew, and misses none.
fn found(
    log: &mut dyn EventLogRepo,
    place: LogPlace,
    last: i64,
    most: i64,
) -> Result<(LogPlace, crate::ports::LogWindow), Error> {
    let window = log.window(place.position, most)?;
    let is_same = match (place.known_event(), window.here) {
        (Some(known), Some(here)) => known == here,
        _ => place.position <= last,
    };
    if !is_same {
        let time = place.time_before();
        let start = LogPlace::at(time.map(|time| log.position_before(time)).transpose()?.unwrap_or(0));
        let window = log.window(start.position, most)?;
        return Ok((start, window));
    }
    let kept_from = window.first.unwrap_or(last + 1);
    if window.here.is_none() && kept_from > place.position + 1 {
        let message = "the events after it are no longer kept: start again without a cursor, at the oldest event";
        return Err(Error::malformed("cursor", "invalid_value", message));
    }
    Ok((place, window))
}

/// A reader who waits for more.
pub struct Following {
    asked: Asked,
    at: At,
    seat: Box<dyn FollowerSeat>,
}

impl Following {
    /// Takes a seat among those who follow the workspace's log.
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
        Ok(Self { asked: Asked::of(permit, filter, request.limit), at: request.into(), seat })
    }

    /// The same in pages of about so many bytes, for a client to which they are sent one by one.
    #[must_use]
    pub fn in_pages_of(mut self, bytes: u32) -> Self {
        self.asked.bytes = bytes.min(PAYLOAD_BYTES);
        self
    }

    /// Reads what there is behind the last page: from memory, or from the database. The permit is a recent one: what it may
    /// not read any more is not shown.
    ///
    /// # Errors
    /// Those of [`list`].
    pub async fn next(
        &mut self,
        ports: &Ports,
        permit: &Permit<FollowEvents>,
    ) -> Result<EventPage<Arc<ShownEvent>>, Error> {
        let reach = EventReach::of(permit);
        if reach != *self.asked.reach {
            self.asked.reach = Arc::new(reach);
        }
        let in_memory = match self.at {
            At::Place(place) => self.seat.recent(place.position).and_then(|recent| self.asked.pick(&recent)),
            At::Beginning | At::Cursor(_) => None,
        };
        let page = match in_memory {
            Some(page) => page,
            None => self.read(ports, permit).await?,
        };
        self.at = At::Place(page.next);
        if let Some(credential) = permit.credential().filter(|_| !page.items.is_empty()) {
            // Who is told of a change may read the record at once.
            ports.store.note_write(credential.holder()).await;
        }
        Ok(page)
    }

    async fn read(&self, ports: &Ports, permit: &Permit<FollowEvents>) -> Result<EventPage<Arc<ShownEvent>>, Error> {
        let _turn = self.seat.turn().await;
        let (asked, at) = (self.asked.clone(), self.at);
        statement(ports, permit, move |tx| {
            Ok(asked.read(tx.event_log(), at)?.map(|event| Arc::new(ShownEvent::from(event))))
        })
        .await
    }

    /// Waits until there is something behind the last page, whatever it is. False if the service is about to stop.
    pub async fn wait(&mut self) -> bool {
        match self.at {
            At::Place(place) => self.seat.beyond(place.position).await,
            At::Beginning | At::Cursor(_) => true,
        }
    }

    /// The place behind the last page.
    pub const fn place(&self) -> Option<LogPlace> {
        match self.at {
            At::Place(place) => Some(place),
            At::Beginning | At::Cursor(_) => None,
        }
    }
}

impl std::fmt::Debug for Following {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.debug_struct("Following").field("at", &self.at).finish_non_exhaustive()
    }
}

/// Whether a failure may be over in a moment, so that a follower goes on afterwards.
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
