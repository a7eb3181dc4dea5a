//! Storage of the event log, and its followers. Events are appended by [`Tx::emit`](super::Tx::emit).

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
/// Positions order events for followers. They are assigned after the commit, by one caller at a time, so that a reader that has
/// reached a position never misses an event that commits later. The events of a record have positions in the order of its versions.
pub trait EventLogRepo {
    /// Assigns positions to committed events without one, and returns the last assigned position, 0 if there is none. Concurrent
    /// calls wait for each other.
    fn number(&mut self) -> Result<i64, StoreError>;
    /// At most `most` events after a position, in order. One statement.
    fn after(&mut self, position: i64, most: u32) -> Result<Vec<LoggedEvent>, StoreError>;
    /// A position before all events that happened at or after `since`. One statement.
    fn position_before(&mut self, since: OffsetDateTime) -> Result<i64, StoreError>;
    /// The events of a record, newest first, one more than the limit, without their positions. They include committed events that
    /// have no position yet. A page by cursor may end early, with the event that takes the payloads above
    /// [`MAX_CURSOR_PAGE_BYTES`](crate::kernel::paging::MAX_CURSOR_PAGE_BYTES), but not with its first event. One statement.
    fn history(&mut self, query: &HistoryQuery, page: &PageRequest) -> Result<Vec<LoggedEvent>, StoreError>;
    /// The time of the earliest event with a position after `after`, up to `last`, unless all of them happened after `at`. One
    /// statement.
    fn earliest(&mut self, after: i64, last: i64, at: OffsetDateTime) -> Result<Option<OffsetDateTime>, StoreError>;
    /// The part of the log after a position, at most `most` positions long. One statement.
    fn window(&mut self, position: i64, most: i64) -> Result<LogWindow, StoreError>;
    /// The first stored event that happened at or after `since`, and whether the record has at most `few` events, reading no more
    /// of them. One statement.
    fn bounds(
        &mut self,
        since: Option<OffsetDateTime>,
        record: Option<Uuid>,
        few: u32,
    ) -> Result<LogBounds, StoreError>;
    /// Whether the record has at most `most` events. One statement, which reads no more than that.
    fn has_at_most(&mut self, record: Uuid, most: u32) -> Result<bool, StoreError>;
    /// The first matching events of a part of the log. One statement, which reads each event of the part at most once.
    fn scan(&mut self, scan: &EventScan) -> Result<Scanned, StoreError>;
    /// Like [`EventLogRepo::scan`], from the newest event of the part to its oldest. One statement.
    fn scan_newest(&mut self, scan: &EventScan) -> Result<Scanned, StoreError>;
}

/// The part of the log after a position.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct LogWindow {
    /// The event at the position itself; `None` if the log does not have it, because it was dropped or does not exist yet.
    pub here: Option<EventId>,
    /// The first position of the part.
    pub first: Option<i64>,
    /// The last position of the window.
    pub last: Option<LogPlace>,
}

/// Where a part of the log starts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct LogBounds {
    /// The first position of the part; `None` if it is empty.
    pub first: Option<i64>,
    /// Whether the given record has few events.
    pub has_few: bool,
}

/// A part of the log, and what to read of it.
#[derive(Debug, Clone)]
pub struct EventScan {
    /// Exclusive.
    pub after: i64,
    /// Inclusive.
    pub upto: i64,
    /// Whether to find the events by the matcher's record, which has few events, instead of scanning the part.
    pub by_record: bool,
    pub matcher: Arc<EventMatcher>,
    /// What the reader may read; other events are skipped.
    pub reach: Arc<EventReach>,
    pub limit: u32,
    /// Maximum bytes of all payloads together; the first event is read whatever its size.
    pub bytes: u32,
}

/// The result of scanning a part of the log.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Scanned {
    pub events: Vec<LoggedEvent>,
    /// Whether the part has more matching events.
    pub is_cut: bool,
}

/// The event logs of all workspaces.
#[async_trait]
pub trait EventLogs: Send + Sync {
    /// Assigns positions to a workspace's events, as [`EventLogRepo::number`] does. The store notifies waiting readers of new
    /// positions: on Postgres, in every instance.
    async fn number(&self, workspace: WorkspaceId) -> Result<i64, StoreError>;
    /// At most `limit` workspaces that have committed events without positions.
    async fn unnumbered(&self, limit: u32) -> Result<Vec<WorkspaceId>, StoreError>;
    /// Prepares the storage of the next three months, and drops months past the retention that have no pending deliveries. Returns
    /// `None` if another transaction holds a lock; it does not block that transaction, and the caller should retry soon.
    async fn maintain_months(
        &self,
        now: OffsetDateTime,
        keep: EventRetention,
    ) -> Result<Option<EventMonths>, StoreError>;
    /// The last assigned positions of these workspaces. A workspace without events is left out.
    async fn last_positions(&self, workspaces: Vec<WorkspaceId>) -> Result<Vec<(WorkspaceId, i64)>, StoreError>;
    /// Reads a part of a workspace's log, as [`EventLogRepo::scan`] does.
    async fn scan(&self, workspace: WorkspaceId, scan: EventScan) -> Result<Scanned, StoreError>;
}

/// The months for which the log has prepared storage.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct EventMonths {
    /// The start of the oldest month.
    pub oldest: OffsetDateTime,
    /// How many months start in the future.
    pub ahead: u32,
}

/// The followers of the log in this process, which share the newest events and the notifications of new ones.
pub trait EventFeed: Send + Sync {
    /// Registers a follower; dropping the seat ends its registration.
    ///
    /// # Errors
    /// [`Error::TooManyFollowers`].
    fn follow(&self, workspace: WorkspaceId, credential: Uuid) -> Result<Box<dyn FollowerSeat>, Error>;
    /// Ends all current and future waiting, because the process is about to stop.
    fn close(&self);
}

/// Held while a follower reads from the database; followers of the same workspace take turns.
pub type Turn = Box<dyn Send>;

/// One follower's seat.
#[async_trait]
pub trait FollowerSeat: Send + Sync {
    /// All events after a position, in order, at least one; `None` if memory does not have them.
    fn recent(&self, position: i64) -> Option<Vec<Arc<ShownEvent>>>;
    /// Waits for a turn to read from the database.
    async fn turn(&self) -> Turn;
    /// Waits until the log has events after the position. False if the process is about to stop.
    async fn wait_after(&mut self, position: i64) -> bool;
}
