//! Storage of the event log, and who follows it. Events are appended by [`Tx::emit`](super::Tx::emit).

use std::sync::Arc;

use async_trait::async_trait;
use time::OffsetDateTime;
use uuid::Uuid;

use super::StoreError;
use crate::events::{EventMatcher, EventReach, EventRetention, HistoryQuery, LogPlace, LoggedEvent, ShownEvent};
use crate::kernel::paging::PageRequest;
use crate::{Error, EventId, WorkspaceId};

/// The event log of the workspace.
///
/// Positions order events for followers. They are given after the commit, by one caller at a time, so that nobody who has
/// read up to a position misses an event that commits later. The events of a record have positions in the order of its
/// versions.
pub trait EventLogRepo {
    /// Gives positions to committed events that have none, and returns the last position given so far; 0 if none was. Waits
    /// for another caller who does the same.
    fn number(&mut self) -> Result<i64, StoreError>;
    /// At most `most` events behind a position, in order. One statement.
    fn after(&mut self, position: i64, most: u32) -> Result<Vec<LoggedEvent>, StoreError>;
    /// A position behind which all events made at or after `since` are. One statement.
    fn position_before(&mut self, since: OffsetDateTime) -> Result<i64, StoreError>;
    /// The events of a record, newest first, one more than the limit; committed ones that have no position yet are among
    /// them, and none shows its position. A page behind a place may end with the event, the second or a later one, with which
    /// the payloads exceed [`MAX_CURSOR_PAGE_BYTES`](crate::kernel::paging::MAX_CURSOR_PAGE_BYTES). One statement.
    fn history(&mut self, of: &HistoryQuery, page: &PageRequest) -> Result<Vec<LoggedEvent>, StoreError>;
    /// The time of the earliest event with a position behind `after`, up to `last`, unless all of them were made after
    /// `at`. One statement.
    fn earliest(&mut self, after: i64, last: i64, at: OffsetDateTime) -> Result<Option<OffsetDateTime>, StoreError>;
    /// What there is behind a position, up to `most` positions of it. One statement.
    fn window(&mut self, position: i64, most: i64) -> Result<LogWindow, StoreError>;
    /// Where the events made at or after `since` begin, of those that are kept; and whether the record has at most `few`
    /// events, of which no more are read. One statement.
    fn bounds(
        &mut self,
        since: Option<OffsetDateTime>,
        record: Option<Uuid>,
        few: u32,
    ) -> Result<LogBounds, StoreError>;
    /// Whether the record has at most so many events. One statement, which reads no more.
    fn has_at_most(&mut self, record: Uuid, most: u32) -> Result<bool, StoreError>;
    /// The first events of a part of the log that match. One statement, which reads each event of the part at most once.
    fn scan(&mut self, scan: &EventScan) -> Result<Scanned, StoreError>;
    /// Like [`EventLogRepo::scan`], from the newest event of the part to its oldest. One statement.
    fn scan_newest(&mut self, scan: &EventScan) -> Result<Scanned, StoreError>;
}

/// What there is behind a position.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct LogWindow {
    /// The event at the position itself; `None` if the log does not have it (any more, or yet).
    pub here: Option<EventId>,
    /// The first position behind it.
    pub first: Option<i64>,
    /// The last one that belongs to the window.
    pub last: Option<LogPlace>,
}

/// Where a part of the log begins.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct LogBounds {
    /// The first position of the part; `None` if it is empty.
    pub first: Option<i64>,
    /// Whether the record that was named has few events.
    pub has_few: bool,
}

/// A part of the log, and what to read of it.
#[derive(Debug, Clone)]
pub struct EventScan {
    /// Behind this position,
    pub after: i64,
    /// up to and with this one.
    pub upto: i64,
    /// Whether the matcher's record has few events, so that they are found by it, wherever they are.
    pub by_record: bool,
    pub matcher: Arc<EventMatcher>,
    /// What may be read; other events are as if they were not there.
    pub reach: Arc<EventReach>,
    pub limit: u32,
    /// How many bytes the payloads may have together; the first event is read whatever it has.
    pub bytes: u32,
}

/// What was read of a part of the log.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Scanned {
    pub events: Vec<LoggedEvent>,
    /// Whether more match in the same part.
    pub is_cut: bool,
}

/// The event logs of all workspaces.
#[async_trait]
pub trait EventLogs: Send + Sync {
    /// Gives positions to a workspace's events, as [`EventLogRepo::number`] does. What `notified` reports afterwards is up to
    /// the store: on Postgres every instance learns of it.
    async fn number(&self, workspace: WorkspaceId) -> Result<i64, StoreError>;
    /// At most `limit` workspaces that have committed events without positions.
    async fn unnumbered(&self, limit: u32) -> Result<Vec<WorkspaceId>, StoreError>;
    /// Prepares the storage of the coming three months, and drops the months that ended longer ago than events are kept and
    /// in which nothing waits to be delivered. Returns `None` if somebody is in the way, who is not made to wait: to be tried
    /// again soon.
    async fn maintain_months(
        &self,
        now: OffsetDateTime,
        keep: EventRetention,
    ) -> Result<Option<EventMonths>, StoreError>;
    /// The last positions given in these workspaces. A workspace without events is left out.
    async fn last_positions(&self, workspaces: Vec<WorkspaceId>) -> Result<Vec<(WorkspaceId, i64)>, StoreError>;
    /// Reads a part of a workspace's log, as [`EventLogRepo::scan`] does.
    async fn scan(&self, workspace: WorkspaceId, scan: EventScan) -> Result<Scanned, StoreError>;
}

/// The months for which the log has storage of their own.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct EventMonths {
    /// The beginning of the first of them.
    pub oldest: OffsetDateTime,
    /// How many of them begin in the future.
    pub ahead: u32,
}

/// Who follows the log in this process, and what they share: the newest events, and news of further ones.
pub trait EventFeed: Send + Sync {
    /// A seat for one more follower, who gives it back by dropping it.
    ///
    /// # Errors
    /// [`Error::TooManyFollowers`].
    fn follow(&self, workspace: WorkspaceId, credential: Uuid) -> Result<Box<dyn FollowerSeat>, Error>;
    /// Ends all waiting from here on: the process is about to stop.
    fn close(&self);
}

/// Held while a follower reads from the database; several of a workspace take turns.
pub type Turn = Box<dyn Send>;

/// One follower's seat.
#[async_trait]
pub trait FollowerSeat: Send + Sync {
    /// All events behind a position, in order, at least one; `None` if memory does not have them.
    fn recent(&self, position: i64) -> Option<Vec<Arc<ShownEvent>>>;
    /// Waits for a turn to read from the database.
    async fn turn(&self) -> Turn;
    /// Waits until the log has events behind the position. False if the process is about to stop.
    async fn wait_after(&mut self, position: i64) -> bool;
}
