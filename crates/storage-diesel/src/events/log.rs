//! The event log for readers, and the positions of its events.

use async_trait::async_trait;
use diesel::Queryable;
use diesel::sql_types::{BigInt, Bool, Nullable, Text, Timestamptz, Uuid as SqlUuid};
use domain::events::{EventActor, EventRetention, HistoryQuery, LogPlace, LoggedEvent, Module};
use domain::kernel::paging::{MAX_CURSOR_PAGE_BYTES, PageRequest, Position};
use domain::ports::{EventLogRepo, EventLogs, EventMonths, EventScan, LogBounds, LogWindow, Scanned, StoreError};
use domain::{EventId, WorkspaceId};
use time::{Duration, OffsetDateTime};
use uuid::Uuid;

use super::chunk_rows::{self, Stored};
use super::{months, scan};
use crate::engine::convert::parse_stored;
use crate::engine::statement::{Statement, sql};
use crate::engine::store::PgStore;
use crate::engine::tx::PgTx;

/// Maximum number of events that get their positions in one transaction.
const BATCH: i64 = 5_000;
/// An upper bound on the difference between the clocks of instances.
const MAX_CLOCK_SKEW: Duration = Duration::days(1);

impl EventLogRepo for PgTx<'_> {
    fn number(&mut self) -> Result<i64, StoreError> {
        loop {
            let sql = sql!("SELECT numbered, last FROM number_events($1, $2)").returns::<(BigInt, BigInt)>();
            let (numbered, last) = self.value::<_, (i64, i64)>(sql.bind(self.workspace).bind(BATCH))?;
            if numbered < BATCH {
                return Ok(last);
            }
        }
    }

    fn after(&mut self, position: i64, most: u32) -> Result<Vec<LoggedEvent>, StoreError> {
        let rows = self.load(after_query(self.workspace, position, most))?;
        events(self, rows)
    }

    fn position_before(&mut self, since: OffsetDateTime) -> Result<i64, StoreError> {
        let sql = sql!("SELECT event_position_before($1, $2)").returns::<BigInt>();
        self.value(sql.bind(self.workspace).bind(since))
    }

    fn history(&mut self, query: &HistoryQuery, page: &PageRequest) -> Result<Vec<LoggedEvent>, StoreError> {
        let rows = self.load(history_query(self.workspace, query, page))?;
        events(self, rows)
    }

    fn window(&mut self, position: i64, most: i64) -> Result<LogWindow, StoreError> {
        let row: WindowRow = self.value(scan::window_query(self.workspace, position, most))?;
        let (event_here, first, position, event) = row;
        let last = position.zip(event).map(|(position, event)| LogPlace { position, event: EventId(event) });
        Ok(LogWindow { here: event_here.map(EventId), first, last })
    }

    fn bounds(
        &mut self,
        since: Option<OffsetDateTime>,
        record: Option<Uuid>,
        few: u32,
    ) -> Result<LogBounds, StoreError> {
        let sql = if self.is_cluster {
            // On nodes with rows of the log, functions cannot read it.
            let start = since.map(|since| self.position_before(since)).transpose()?.unwrap_or_default();
            scan::bounds_behind_query(self.workspace, start, record, few)
        } else {
            scan::bounds_query(self.workspace, since, record, few)
        };
        let (first, count): (Option<i64>, i64) = self.value(sql)?;
        Ok(LogBounds { first, has_few: count <= i64::from(few) })
    }

    fn has_at_most(&mut self, record: Uuid, most: u32) -> Result<bool, StoreError> {
        let count: i64 = self.value(scan::count_query(self.workspace, record, most))?;
        Ok(count <= i64::from(most))
    }

    fn scan(&mut self, scan: &EventScan) -> Result<Scanned, StoreError> {
        let rows = self.load(scan::scan_query(self.workspace, scan))?;
        scanned(self, rows)
    }

    fn scan_newest(&mut self, scan: &EventScan) -> Result<Scanned, StoreError> {
        let rows = self.load(scan::newest_query(self.workspace, scan))?;
        scanned(self, rows)
    }

    fn earliest(&mut self, after: i64, last: i64, at: OffsetDateTime) -> Result<Option<OffsetDateTime>, StoreError> {
        let earliest: Option<Uuid> = self.first(earliest_query(self.workspace, after, last, at))?;
        earliest.map(time_of).transpose()
    }
}

/// The result of a scan, from rows that also have the position of the next match.
fn scanned(tx: &mut PgTx<'_>, rows: Vec<(EventRow, Option<i64>)>) -> Result<Scanned, StoreError> {
    let is_cut = rows.last().is_some_and(|(_, next)| next.is_some());
    let events = events(tx, rows.into_iter().map(|(row, _)| row).collect())?;
    Ok(Scanned { events, is_cut })
}

/// The events of rows, with their long values.
fn events(tx: &mut PgTx<'_>, rows: Vec<EventRow>) -> Result<Vec<LoggedEvent>, StoreError> {
    let (workspace, mut rows) = (tx.workspace, rows);
    let mut payloads: Vec<_> = rows.iter_mut().map(|row| Some(std::mem::take(&mut row.payload))).collect();
    let stored = rows.iter().zip(&mut payloads);
    let stored = stored.map(|(row, payload)| Stored { workspace, event: row.id, record: row.record_id, payload });
    chunk_rows::complete(tx, stored.collect())?;
    let event = |(row, payload): (EventRow, Option<String>)| {
        EventRow { payload: chunk_rows::completed_payload(row.id, payload)?, ..row }.into_event()
    };
    rows.into_iter().zip(payloads).map(event).collect()
}

/// The event at the position; the first position after that; the last position of the window, and its event.
type WindowRow = (Option<Uuid>, Option<i64>, Option<i64>, Option<Uuid>);

#[async_trait]
impl EventLogs for PgStore {
    async fn number(&self, workspace: WorkspaceId) -> Result<i64, StoreError> {
        self.run_autocommit_in(workspace, |tx| tx.number()).await
    }

    async fn unnumbered(&self, limit: u32) -> Result<Vec<WorkspaceId>, StoreError> {
        self.run_autocommit(move |tx| {
            let rows: Vec<Uuid> = tx.load(tx.placed(unnumbered_query(limit)))?;
            Ok(rows.into_iter().map(WorkspaceId).collect())
        })
        .await
    }

    async fn maintain_months(
        &self,
        now: OffsetDateTime,
        keep: EventRetention,
    ) -> Result<Option<EventMonths>, StoreError> {
        self.run_autocommit(move |tx| months::maintain(tx, now, keep)).await
    }

    async fn last_positions(&self, workspaces: Vec<WorkspaceId>) -> Result<Vec<(WorkspaceId, i64)>, StoreError> {
        let ids: Vec<Uuid> = workspaces.into_iter().map(|workspace| workspace.0).collect();
        self.run_autocommit(move |tx| {
            let sql = sql!("SELECT workspace_id, last_position FROM event_sequences WHERE workspace_id = ANY ($1)");
            let rows: Vec<(Uuid, i64)> = tx.load(sql.returns::<(SqlUuid, BigInt)>().bind(ids.clone()))?;
            Ok(rows.into_iter().map(|(id, last)| (WorkspaceId(id), last)).collect())
        })
        .await
    }

    async fn scan(&self, workspace: WorkspaceId, scan: EventScan) -> Result<Scanned, StoreError> {
        self.run_autocommit_in(workspace, move |tx| tx.scan(&scan)).await
    }
}

/// The columns of `events` in an [`EventRow`], after the position.
pub(crate) const EVENT_COLUMNS: &str = "events.id, module, event, record_type, record_id, version, internal, actor_type, \
                                        actor_id, actor_name, request_id, tool, payload, created_at";

/// The SQL types of an event's position and columns.
pub(crate) type EventTypes = (
    BigInt,
    SqlUuid,
    Text,
    Text,
    Nullable<Text>,
    Nullable<SqlUuid>,
    Nullable<BigInt>,
    Bool,
    Text,
    Nullable<SqlUuid>,
    Text,
    Nullable<Text>,
    Nullable<Text>,
    Text,
    Timestamptz,
);

/// An event of the log with its position.
#[derive(Queryable)]
pub(crate) struct EventRow {
    position: i64,
    id: Uuid,
    module: String,
    event: String,
    record_type: Option<String>,
    record_id: Option<Uuid>,
    version: Option<i64>,
    internal: bool,
    actor_type: String,
    actor_id: Option<Uuid>,
    actor_name: String,
    request_id: Option<String>,
    tool: Option<String>,
    payload: String,
    created_at: OffsetDateTime,
}

impl EventRow {
    fn into_event(self) -> Result<LoggedEvent, StoreError> {
        Ok(LoggedEvent {
            position: self.position,
            id: EventId(self.id),
            module: parse_stored(&self.module, Module::parse)?,
            name: self.event,
            record: self.record_type.zip(self.record_id),
            version: self.version,
            is_internal: self.internal,
            actor: EventActor { kind: self.actor_type, id: self.actor_id, name: self.actor_name },
            request_id: self.request_id,
            tool: self.tool,
            payload: self.payload,
            created_at: self.created_at,
        })
    }
}

pub(crate) fn after_query(workspace: Uuid, position: i64, most: u32) -> Statement<EventTypes> {
    // Workspace, position, limit. Each event is looked up by its key, regardless of the planner's statistics.
    let sql = sql!(
        "SELECT place.position, {EVENT_COLUMNS}
         FROM (SELECT position, event_id FROM event_positions
               WHERE workspace_id = $1 AND position > $2 ORDER BY position LIMIT $3) AS place
         CROSS JOIN LATERAL (SELECT * FROM events WHERE workspace_id = $1 AND id = place.event_id OFFSET 0) AS events
         ORDER BY place.position"
    );
    sql.returns().bind(workspace).bind(position).bind(i64::from(most))
}

pub(crate) fn history_query(workspace: Uuid, query: &HistoryQuery, page: &PageRequest) -> Statement<EventTypes> {
    let end = query.now.saturating_add(MAX_CLOCK_SKEW);
    let end = id_of(u64::try_from(end.unix_timestamp()).unwrap_or_default());
    let (before, bytes) = match page.position {
        Position::After(_, id) => (id.min(end), i64::try_from(MAX_CURSOR_PAGE_BYTES).unwrap_or(i64::MAX)),
        Position::Page(_) | Position::AfterValue(..) | Position::AfterChange(_) | Position::AfterKey(_) => {
            (end, i64::MAX)
        }
    };
    // Workspace, record, nouns, whether with comments; first event, place, limit, offset, bytes.
    let sql = sql!(
        "SELECT 0::bigint, {EVENT_COLUMNS} FROM record_history($1, $2, $3, $4, $5, $6, $7, $8, $9) AS events ORDER BY id DESC"
    );
    let sql = sql.returns().bind(workspace).bind(query.record).bind(query.nouns.clone()).bind(query.has_comments);
    let sql = sql.bind(earliest_event_of(query.record)).bind(before).bind(i64::from(page.limit) + 1);
    sql.bind(i64::from(page.offset())).bind(bytes)
}

/// A lower bound on the ids of a record's events. Both ids are UUIDs of version 7, which begin with their times, and a record's
/// id is generated before its first event. An id of another version has no time.
fn earliest_event_of(record: Uuid) -> Uuid {
    let time = record.get_timestamp().filter(|_| record.get_version_num() == 7).map(|time| time.to_unix());
    time.map_or(Uuid::nil(), |(seconds, _)| id_of(seconds.saturating_sub(MAX_CLOCK_SKEW.unsigned_abs().as_secs())))
}

/// An id of an event at the time, in seconds since 1970.
fn id_of(seconds: u64) -> Uuid {
    uuid::Builder::from_unix_timestamp_millis(seconds.saturating_mul(1_000), &[0; 10]).into_uuid()
}

pub(crate) fn earliest_query(workspace: Uuid, after: i64, last: i64, at: OffsetDateTime) -> Statement<SqlUuid> {
    // Workspace, positions, time. Ids begin with their times.
    let sql = sql!(
        "SELECT event_id FROM (
             SELECT event_id FROM event_positions WHERE workspace_id = $1 AND position > $2 AND position <= $3
             -- So that the positions decide what is read.
             OFFSET 0
         ) AS asked
         WHERE event_id < event_id_floor($4::timestamptz + interval '1 microsecond')
         ORDER BY event_id LIMIT 1"
    );
    sql.returns().bind(workspace).bind(after).bind(last).bind(at)
}

/// The time of an event: the database's function `event_id` writes milliseconds into the id and, behind the UUID's version,
/// the microseconds times four.
fn time_of(event: Uuid) -> Result<OffsetDateTime, StoreError> {
    let (first_half, _) = event.as_u64_pair();
    let (milliseconds, microseconds) = (i128::from(first_half >> 16), i128::from(first_half & 0xfff) / 4);
    OffsetDateTime::from_unix_timestamp_nanos((milliseconds * 1_000 + microseconds) * 1_000)
        .map_err(|error| StoreError::Internal(format!("an event id without a time: {error}")))
}

pub(crate) fn unnumbered_query(limit: u32) -> Statement<SqlUuid> {
    // A cluster cannot walk across shards, but few events wait for their positions.
    let in_cluster =
        sql!("SELECT workspace_id FROM events_unnumbered GROUP BY workspace_id ORDER BY workspace_id LIMIT $1");
    // Walks from workspace to workspace, however many events each has.
    let sql = sql!(
        "WITH RECURSIVE walk AS (
             (SELECT workspace_id FROM events_unnumbered ORDER BY workspace_id LIMIT 1)
             UNION ALL
             SELECT (SELECT workspace_id FROM events_unnumbered WHERE workspace_id > walk.workspace_id
                     ORDER BY workspace_id LIMIT 1)
             FROM walk WHERE walk.workspace_id IS NOT NULL
         )
         SELECT workspace_id FROM walk WHERE workspace_id IS NOT NULL LIMIT $1"
    );
    sql.or_in_cluster(Some(in_cluster)).returns().bind(i64::from(limit))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_history_begins_with_the_day_before_its_record() {
        let record = Uuid::parse_str("01a20438-86e8-719e-8d8e-8b5bcd03acf5").unwrap();
        let (day_before, ..) = earliest_event_of(record).get_timestamp().unwrap().to_unix();
        let (day, ..) = record.get_timestamp().unwrap().to_unix();
        assert_eq!(day - day_before, 86_400);
        assert_eq!(earliest_event_of(Uuid::from_u128(7)), Uuid::nil());
        assert_eq!(earliest_event_of(Uuid::parse_str("1b4e28ba-2fa1-4d17-883f-0016d3cca427").unwrap()), Uuid::nil());
    }
}
