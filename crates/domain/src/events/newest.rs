//! Reading the log backwards from the newest event, for users who browse it (interface 26).

use std::sync::Arc;

use super::follow::ReadSpec;
use super::{EventFilter, EventPage, EventView, LogPlace};
use crate::Error;
use crate::identity::access::{FollowEvents, Permit};
use crate::kernel::input::Problems;
use crate::kernel::paging::{DEFAULT_LIMIT, parse_limit};
use crate::ports::{EventLogRepo, EventScan, LogBounds, Ports, statement};

/// Maximum events that a page scans: few enough for a page that a user waits for.
const MAX_SCANNED: u32 = 2_000;

/// Where to start, and how much to read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct NewestRequest {
    /// The place of the newest event to read; `None` starts at the newest event of the log.
    pub upto: Option<LogPlace>,
    /// Maximum number of events.
    pub limit: u32,
}

impl Default for NewestRequest {
    fn default() -> Self {
        Self { upto: None, limit: DEFAULT_LIMIT }
    }
}

impl NewestRequest {
    /// Parses the raw parameters. Invalid ones are reported, never clamped.
    pub fn parse(limit: Option<&str>, cursor: Option<&str>, problems: &mut Problems) -> Self {
        let upto = cursor.and_then(|text| super::FollowRequest::parse_cursor("cursor", text, problems));
        Self { upto, limit: parse_limit(limit, problems) }
    }
}

/// A page of the log, newest first: the matching events that the caller may read. It may have few events or none although more
/// match, because a page ends once it has scanned enough. `next` is where the next page starts. Runs three statements.
pub async fn list_newest(
    ports: &Ports,
    permit: &Permit<FollowEvents>,
    filter: &EventFilter,
    request: NewestRequest,
) -> Result<EventPage<EventView>, Error> {
    let spec = ReadSpec::new(permit, filter, request.limit);
    statement(ports, permit, move |tx| spec.read_newest(tx.event_log(), request.upto)).await
}

impl ReadSpec {
    fn read_newest(&self, log: &mut dyn EventLogRepo, upto: Option<LogPlace>) -> Result<EventPage<EventView>, Error> {
        // Assign positions first, so that callers read their own writes.
        let last = log.number()?;
        let upto = upto.map_or(last, |place| place.position.min(last));
        let (since, record) = (self.matcher.since, self.matcher.record);
        let LogBounds { first, has_few } = log.bounds(since, record, MAX_SCANNED)?;
        // Nothing is stored before the first event.
        let floor = first.map_or(upto, |first| first - 1);
        let by_record = record.is_some() && has_few;
        let after = if by_record { floor } else { floor.max(upto - i64::from(MAX_SCANNED)) };
        let scan = log.scan_newest(&EventScan {
            after,
            upto,
            by_record,
            matcher: Arc::clone(&self.matcher),
            reach: Arc::clone(&self.reach),
            limit: self.limit,
            bytes: self.bytes,
        })?;
        let rest = scan.events.last().filter(|_| scan.is_cut).map_or(after, |event| event.position - 1);
        let items = scan.events.into_iter().map(super::LoggedEvent::view).collect();
        Ok(EventPage { items, limit: self.limit, has_more: rest > floor, next: LogPlace::at(rest) })
    }
}
