//! Reads a part of the log by filter. The size of the part bounds the cost, regardless of the filter.

use diesel::sql_types::{BigInt, Nullable, Uuid as SqlUuid};
use domain::events::{ActorChoice, Module};
use domain::ports::EventScan;
use time::OffsetDateTime;
use uuid::Uuid;

use super::log::{EVENT_COLUMNS, EventTypes};
use crate::engine::statement::{Statement, sql};

/// The types of a window: see `WindowRow`.
type WindowTypes = (Nullable<SqlUuid>, Nullable<BigInt>, Nullable<BigInt>, Nullable<SqlUuid>);

/// The conditions on an event, and the row that a scan returns: the event, and the position of the next match.
const MATCHES: &str = "($6::text[] IS NULL OR module = ANY ($6)) AND ($7::text[] IS NULL OR event = ANY ($7)) \
                       AND ($8::text IS NULL OR actor_type = $8) AND ($9::uuid IS NULL OR actor_id = $9) \
                       AND ($10::timestamptz IS NULL OR created_at >= $10) AND ($11::uuid IS NULL OR record_id = $11) \
                       AND ($12::text[] IS NULL OR module = ANY ($12) OR (event = ANY ($13) AND module = ANY ($14))) \
                       AND ($15::uuid IS NULL OR actor_id IS DISTINCT FROM $15)";
/// Sizes are known without reading values that are stored out of line.
const NEXT_AND_BYTES: &str = "lead(place.position) OVER (ORDER BY place.position) AS next, \
                      sum(event_bytes(payload)) OVER (ORDER BY place.position) AS bytes, \
                      row_number() OVER (ORDER BY place.position) AS number";
/// Like the above, for reading backwards.
const NEXT_AND_BYTES_BACKWARDS: &str = "lead(place.position) OVER (ORDER BY place.position DESC) AS next, \
                           sum(event_bytes(payload)) OVER (ORDER BY place.position DESC) AS bytes, \
                           row_number() OVER (ORDER BY place.position DESC) AS number";
const SCANNED: &str = "position, id, module, event, record_type, record_id, version, internal, actor_type, actor_id, \
                       actor_name, request_id, tool, payload, created_at, next";

pub(crate) fn window_query(workspace: Uuid, position: i64, most: i64) -> Statement<WindowTypes> {
    // Workspace, position, how many positions. The events in the keys are read from the index.
    let sql = sql!(
        "SELECT (SELECT event_id FROM event_positions WHERE workspace_id = $1 AND position = $2 LIMIT 1),
             first.position, last.position, last.event_id
         FROM (SELECT) AS one
         LEFT JOIN LATERAL (SELECT position FROM event_positions WHERE workspace_id = $1 AND position > $2
             ORDER BY position LIMIT 1) AS first ON true
         LEFT JOIN LATERAL (SELECT position, event_id FROM event_positions
             WHERE workspace_id = $1 AND position >= first.position AND position < first.position + $3
             ORDER BY position DESC LIMIT 1) AS last ON true"
    );
    sql.returns().bind(workspace).bind(position).bind(most)
}

pub(crate) fn count_query(workspace: Uuid, record: Uuid, most: u32) -> Statement<BigInt> {
    // Workspace, record, how many, and one more.
    let sql = sql!(
        "SELECT count(*) FROM (SELECT FROM events WHERE workspace_id = $1 AND record_id = $2 LIMIT $3 + 1) AS few"
    );
    sql.returns().bind(workspace).bind(record).bind(i64::from(most))
}

pub(crate) fn bounds_query(
    workspace: Uuid,
    since: Option<OffsetDateTime>,
    record: Option<Uuid>,
    few: u32,
) -> Statement<(Nullable<BigInt>, BigInt)> {
    // Workspace, time, record, how many, and one more.
    let sql = sql!(
        "SELECT
             (SELECT position FROM event_positions
              WHERE workspace_id = $1
                  AND position > (SELECT CASE WHEN $2::timestamptz IS NULL THEN 0 ELSE event_position_before($1, $2) END)
              ORDER BY position LIMIT 1),
             (SELECT count(*) FROM (SELECT FROM events WHERE workspace_id = $1 AND record_id = $3 LIMIT $4 + 1) AS few)"
    );
    sql.returns().bind(workspace).bind(since).bind(record).bind(i64::from(few))
}

/// Like the above, after a position.
pub(crate) fn bounds_behind_query(
    workspace: Uuid,
    behind: i64,
    record: Option<Uuid>,
    few: u32,
) -> Statement<(Nullable<BigInt>, BigInt)> {
    let sql = sql!(
        "SELECT
             (SELECT position FROM event_positions WHERE workspace_id = $1 AND position > $2 ORDER BY position LIMIT 1),
             (SELECT count(*) FROM (SELECT FROM events WHERE workspace_id = $1 AND record_id = $3 LIMIT $4 + 1) AS few)"
    );
    sql.returns().bind(workspace).bind(behind).bind(record).bind(i64::from(few))
}

pub(crate) fn scan_query(workspace: Uuid, scan: &EventScan) -> Statement<(EventTypes, Nullable<BigInt>)> {
    // Workspace, after, up to, limit, bytes; then the conditions: modules, names, kind and id of the actor, since, record;
    // what may be read: modules, single events, and the modules of these events; the excluded actor. Each event is looked up by
    // its key, in order.
    let by_position = sql!(
        "SELECT {SCANNED} FROM (
             SELECT place.position, {EVENT_COLUMNS}, {NEXT_AND_BYTES}
             FROM (SELECT position, event_id FROM event_positions
                   WHERE workspace_id = $1 AND position > $2 AND position <= $3 ORDER BY position) AS place
             CROSS JOIN LATERAL (SELECT * FROM events WHERE workspace_id = $1 AND id = place.event_id OFFSET 0) AS events
             WHERE {MATCHES}
             ORDER BY place.position LIMIT $4) AS page
         WHERE bytes <= $5 OR number = 1 ORDER BY position"
    );
    // Reads the record's events by their index, and the position of each by event.
    let by_record = sql!(
        "SELECT {SCANNED} FROM (
             SELECT place.position, {EVENT_COLUMNS}, {NEXT_AND_BYTES}
             FROM (SELECT * FROM events WHERE workspace_id = $1 AND record_id = $11 OFFSET 0) AS events
             CROSS JOIN LATERAL (SELECT position FROM event_positions
                 WHERE workspace_id = $1 AND event_id = events.id OFFSET 0) AS place
             WHERE place.position > $2 AND place.position <= $3 AND {MATCHES}
             ORDER BY place.position LIMIT $4) AS page
         WHERE bytes <= $5 OR number = 1 ORDER BY position"
    );
    bound(if scan.by_record { by_record } else { by_position }, workspace, scan, None)
}

/// Like [`scan_query`], from the newest to the oldest, without events of modules that only a newer release knows. A follower of the log must
/// not miss those, so its reads fail until an instance of that release serves them.
pub(crate) fn newest_query(workspace: Uuid, scan: &EventScan) -> Statement<(EventTypes, Nullable<BigInt>)> {
    let by_position = sql!(
        "SELECT {SCANNED} FROM (
             SELECT place.position, {EVENT_COLUMNS}, {NEXT_AND_BYTES_BACKWARDS}
             FROM (SELECT position, event_id FROM event_positions
                   WHERE workspace_id = $1 AND position > $2 AND position <= $3 ORDER BY position DESC) AS place
             CROSS JOIN LATERAL (SELECT * FROM events WHERE workspace_id = $1 AND id = place.event_id OFFSET 0) AS events
             WHERE {MATCHES}
             ORDER BY place.position DESC LIMIT $4) AS page
         WHERE bytes <= $5 OR number = 1 ORDER BY position DESC"
    );
    let by_record = sql!(
        "SELECT {SCANNED} FROM (
             SELECT place.position, {EVENT_COLUMNS}, {NEXT_AND_BYTES_BACKWARDS}
             FROM (SELECT * FROM events WHERE workspace_id = $1 AND record_id = $11 OFFSET 0) AS events
             CROSS JOIN LATERAL (SELECT position FROM event_positions
                 WHERE workspace_id = $1 AND event_id = events.id OFFSET 0) AS place
             WHERE place.position > $2 AND place.position <= $3 AND {MATCHES}
             ORDER BY place.position DESC LIMIT $4) AS page
         WHERE bytes <= $5 OR number = 1 ORDER BY position DESC"
    );
    bound(if scan.by_record { by_record } else { by_position }, workspace, scan, Some(Module::ALL))
}

/// `all` limits a caller who may read everything to these modules; `None` includes modules that this release does not know.
fn bound(
    sql: Statement,
    workspace: Uuid,
    scan: &EventScan,
    all: Option<&[Module]>,
) -> Statement<(EventTypes, Nullable<BigInt>)> {
    let sql = sql.returns().bind(workspace).bind(scan.after).bind(scan.upto).bind(i64::from(scan.limit));
    conditions(sql.bind(i64::from(scan.bytes)), scan, all)
}

fn conditions<ST>(sql: Statement<ST>, scan: &EventScan, all: Option<&[Module]>) -> Statement<ST> {
    let (matcher, reach) = (&*scan.matcher, &*scan.reach);
    let (kind, actor) = match matcher.actor {
        None => (None, None),
        Some(ActorChoice::Kind(kind)) => (Some(kind.as_str()), None),
        Some(ActorChoice::Id(id)) => (None, Some(id)),
    };
    let modules = (!matcher.modules.is_empty()).then(|| codes_of(&matcher.modules));
    let sql = sql.bind(modules).bind(matcher.names.clone()).bind(kind).bind(actor).bind(matcher.since);
    let sql = sql.bind(matcher.record);
    let readable = if reach.is_everything() { all } else { Some(reach.modules()) };
    sql.bind(readable.map(codes_of)).bind(reach.events().to_vec()).bind(codes_with_events()).bind(matcher.excluded)
}

pub(crate) fn codes_of(modules: &[Module]) -> Vec<&'static str> {
    modules.iter().map(|module| module.as_str()).collect()
}

/// The codes of all modules with events.
pub(crate) fn codes_with_events() -> Vec<&'static str> {
    Module::ALL.iter().filter(|module| !module.events().is_empty()).map(|module| module.as_str()).collect()
}
