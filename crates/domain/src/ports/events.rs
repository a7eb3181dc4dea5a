//! Storage of the event log. Events are appended by [`Tx::emit`](super::Tx::emit).

use async_trait::async_trait;
use time::OffsetDateTime;

use super::StoreError;
use crate::WorkspaceId;
use crate::events::{EventRetention, HistoryQuery, LoggedEvent};
use crate::kernel::paging::PageRequest;

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
}

/// The months for which the log has storage of their own.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct EventMonths {
    /// The beginning of the first of them.
    pub oldest: OffsetDateTime,
    /// How many of them begin in the future.
    pub ahead: u32,
}
