//! The records that wait for a member, and recent changes: one statement each. Every part of a statement reads the head of an index.

use bigdecimal::BigDecimal;
use const_format::formatcp;
use diesel::sql_types::{Nullable, Numeric, Text, Timestamptz, Uuid as SqlUuid};
use domain::console::{CHANGES_LOOKED_AT, HomeQuery, HomeRecord, MAX_CHANGES, MAX_OF_A_PART, RecentChange};
use domain::events::{EventActor, EventReach};
use domain::ports::{HomeRepo, StoreError};
use domain::records::RecordKind;
use domain::with_kinds;
use time::OffsetDateTime;
use uuid::Uuid;

use crate::engine::convert::{from_numeric, parse_stored};
use crate::engine::statement::{Statement, sql};
use crate::engine::tx::PgTx;
use crate::events::scan::{codes_of, codes_with_events};
use crate::kinds::union_all;
use crate::records::StoredKind;

/// Kind, id, title, detail, time, value and currency.
type WaitingColumns = (Text, SqlUuid, Text, Nullable<Text>, Nullable<Timestamptz>, Nullable<Numeric>, Nullable<Text>);
type WaitingRow = (String, Uuid, String, Option<String>, Option<OffsetDateTime>, Option<BigDecimal>, Option<String>);
/// Event, kind and id of the record, its title; kind, id and name of the actor; tool and time.
type ChangeColumns = (Text, Text, SqlUuid, Nullable<Text>, Text, Nullable<SqlUuid>, Text, Nullable<Text>, Timestamptz);
type ChangeRow = (String, String, Uuid, Option<String>, String, Option<Uuid>, String, Option<String>, OffsetDateTime);

/// The position of a ticket in the inbox, in the exact words of its index: negative if the customer is waiting.
const TURN: &str = "coalesce(waiting_since - timestamptz '2500-01-01 00:00:00+00', timestamptz '2500-01-01 00:00:00+00' \
    - coalesce(last_message_at, greatest(customer_wrote_at, answered_at), created_at))";

impl HomeRepo for PgTx<'_> {
    fn waiting(&mut self, query: &HomeQuery) -> Result<Vec<HomeRecord>, StoreError> {
        let rows: Vec<WaitingRow> = self.load(waiting_query(self.workspace, query))?;
        rows.into_iter().map(into_record).collect()
    }

    fn changes(&mut self, reach: &EventReach) -> Result<Vec<RecentChange>, StoreError> {
        let rows: Vec<ChangeRow> = self.load(changes_query(self.workspace, reach))?;
        rows.into_iter().map(into_change).collect()
    }
}

fn into_record((kind, id, title, detail, at, value, currency): WaitingRow) -> Result<HomeRecord, StoreError> {
    let value = value.as_ref().map(from_numeric).transpose()?.zip(currency);
    Ok(HomeRecord { kind: parse_stored(&kind, RecordKind::parse)?, id, title, detail, at, value })
}

fn into_change(row: ChangeRow) -> Result<RecentChange, StoreError> {
    let (event, kind, record, title, actor_kind, actor, name, tool, at) = row;
    let actor = EventActor { kind: actor_kind, id: actor, name };
    Ok(RecentChange { event, kind: parse_stored(&kind, RecordKind::parse)?, record, title, actor, tool, at })
}

pub(crate) fn waiting_query(workspace: Uuid, query: &HomeQuery) -> Statement<WaitingColumns> {
    // Workspace, user; whether to include tasks, tickets and deals; the range of days in which deals are expected to close.
    let sql = sql!(
        "(SELECT 'task'::text, id, title, status, due_at, NULL::numeric, NULL::text FROM issues
          WHERE $3 AND workspace_id = $1 AND kind = 'task' AND assignee_id = $2 AND deleted_at IS NULL
              AND status IN ('backlog', 'todo', 'in_progress', 'in_review')
          ORDER BY due_at, id LIMIT {MAX_OF_A_PART})
         UNION ALL
         (SELECT 'ticket', id, title, reference, waiting_since, NULL, NULL FROM issues
          WHERE $4 AND workspace_id = $1 AND kind = 'ticket' AND number > 0 AND deleted_at IS NULL
              AND status IN ('open', 'pending', 'on_hold') AND {TURN} < interval '0'
          ORDER BY {TURN}, id LIMIT {MAX_OF_A_PART})
         UNION ALL
         (SELECT 'deal', id, title, stage, expected_close_date::timestamp AT TIME ZONE 'UTC', value, currency FROM deals
          WHERE $5 AND workspace_id = $1 AND status = 'open' AND deleted_at IS NULL
              AND expected_close_date BETWEEN $6 AND $7
          ORDER BY expected_close_date, id LIMIT {MAX_OF_A_PART})"
    );
    let sql = sql.returns().bind(workspace).bind(query.user.0).bind(query.has_tasks).bind(query.has_tickets);
    sql.bind(query.has_deals).bind(query.closing.0).bind(query.closing.1)
}

macro_rules! title {
    ($kind:ty) => {
        formatcp!(
            "SELECT {title} AS title FROM {table}
             WHERE record_type = {kind} AND workspace_id = $1 AND id = record_id AND deleted_at IS NULL AND {seen}",
            title = <$kind as StoredKind>::TITLE,
            table = <$kind as StoredKind>::TABLE,
            kind = <$kind as StoredKind>::KIND_SQL,
            seen = <$kind as StoredKind>::SEEN_BY_ALL
        )
    };
}

const TITLES: &str = with_kinds!(union_all!(title));

pub(crate) fn changes_query(workspace: Uuid, reach: &EventReach) -> Statement<ChangeColumns> {
    // Workspace, limit; what the caller may read: modules, single events, and the modules of these events; the known kinds of records, since
    // a newer release may have logged events of others.
    let sql = sql!(
        "SELECT event, record_type, record_id, record.title, actor_type, actor_id, actor_name, tool, change.created_at
         FROM (
             SELECT id, event, record_type, record_id, actor_type, actor_id, actor_name, tool, created_at FROM (
                 SELECT id, module, event, record_type, record_id, actor_type, actor_id, actor_name, tool, created_at
                 FROM events WHERE workspace_id = $1 ORDER BY id DESC LIMIT {CHANGES_LOOKED_AT}
             ) AS latest
             WHERE record_id IS NOT NULL AND record_type = ANY ($6)
                 AND ($3::text[] IS NULL OR module = ANY ($3) OR (event = ANY ($4) AND module = ANY ($5)))
             ORDER BY id DESC LIMIT $2
         ) AS change
         LEFT JOIN LATERAL ({TITLES}) AS record ON true
         ORDER BY change.id DESC"
    );
    let sql = sql.returns().bind(workspace).bind(i64::from(MAX_CHANGES));
    let sql = sql.bind((!reach.is_everything()).then(|| codes_of(reach.modules()))).bind(reach.events().to_vec());
    sql.bind(codes_with_events()).bind_each(RecordKind::ALL, |kind| kind.as_str())
}
