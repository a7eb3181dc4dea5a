//! The inbox: tickets with their unread state, and counts of waiting tickets.

use const_format::formatcp;
use diesel::sql_types::{BigInt, Bool, Text};
use domain::kernel::paging::PageRequest;
use domain::ports::StoreError;
use domain::work::issues::{
    AssigneeGroup, InboxReader, InboxTicket, Issue, IssueFilter, MAX_COUNTED, MAX_READS, WaitingPart,
};
use domain::{IssueId, UserId};
use uuid::Uuid;

use crate::engine::columns::columns;
use crate::engine::page_query::List;
use crate::engine::statement::{RowOf, Statement, sql};
use crate::engine::tx::PgTx;
use crate::records::{ListedTable, StoredKind};
use crate::rows::Column;
use crate::work::issues::IssueRow;

const COLUMNS: &str = columns!(IssueRow);

/// Tickets for the reader `$3`, for whom messages up to `$4` count as read.
const INBOX: List = List {
    select: formatcp!(
        "{COLUMNS}, coalesce(last_message_at > greatest($4, (
            SELECT seen_at FROM ticket_reads
            WHERE ticket_reads.workspace_id = $1 AND ticket_reads.user_id = $3 AND ticket_reads.ticket_id = issues.id
        )), false) AS is_unread"
    ),
    ..*Issue::LIST
};

pub(crate) fn list_query(
    workspace: Uuid,
    filter: &IssueFilter,
    page: &PageRequest,
    reading: InboxReader,
) -> Statement<(RowOf<IssueRow>, Bool)> {
    let query = Issue::begin(&INBOX, workspace, filter, page).bind(reading.user.0).bind(reading.unread_since);
    Issue::listed(query, workspace, filter)
}

pub(crate) fn list(
    tx: &mut PgTx<'_>,
    filter: &IssueFilter,
    page: &PageRequest,
    reading: InboxReader,
) -> Result<Vec<InboxTicket>, StoreError> {
    if filter.matches_nothing() {
        return Ok(Vec::new());
    }
    let rows: Vec<(IssueRow, bool)> = tx.page(list_query(tx.workspace, filter, page, reading), page)?;
    rows.into_iter().map(|(row, is_unread)| Ok(InboxTicket { ticket: row.into_issue()?, is_unread })).collect()
}

/// Writes nothing if there is no unread message.
pub(crate) fn open_query(workspace: Uuid, ticket: IssueId, reading: InboxReader) -> Statement<RowOf<IssueRow>> {
    let sql = sql!(
        "WITH unread AS MATERIALIZED (
             SELECT last_message_at FROM issues
             WHERE workspace_id = $1 AND kind = 'ticket' AND id = $3 AND num_nonnulls(deleted_at) = 0
                 AND last_message_at > greatest($4, (
                     SELECT seen_at FROM ticket_reads WHERE workspace_id = $1 AND user_id = $2 AND ticket_id = $3
                 ))
         ), surplus AS (
             DELETE FROM ticket_reads
             WHERE workspace_id = $1 AND user_id = $2 AND ticket_id <> $3 AND EXISTS (SELECT FROM unread)
                 AND seen_at <= greatest($4, (
                     SELECT seen_at FROM ticket_reads WHERE workspace_id = $1 AND user_id = $2
                     ORDER BY seen_at DESC OFFSET {MAX_READS} LIMIT 1
                 ))
         ), seen AS (
             INSERT INTO ticket_reads AS known (workspace_id, user_id, ticket_id, seen_at)
             SELECT $1, $2, $3, last_message_at FROM unread
             ON CONFLICT (workspace_id, user_id, ticket_id) DO UPDATE SET seen_at = excluded.seen_at
                 WHERE known.seen_at < excluded.seen_at
         )
         SELECT {COLUMNS} FROM issues
         WHERE workspace_id = $1 AND kind = 'ticket' AND id = $3 AND num_nonnulls(deleted_at) = 0"
    );
    sql.returns().bind(workspace).bind(reading.user.0).bind(ticket.0).bind(reading.unread_since)
}

const NOBODY: &str = "nobody";
const ASKING: &str = "asking";

/// The limits are literals, because a bound limit would be planned as a tenth of the table.
pub(crate) fn count_waiting_query(workspace: Uuid, member: UserId) -> Statement<(Text, Text, BigInt)> {
    let sql = sql!(
        "SELECT status, CASE WHEN assignee_id IS NULL THEN '{NOBODY}' WHEN assignee_id = $2 THEN '{ASKING}' ELSE 'other' END
                 AS holder, count(*)
         FROM (
             (SELECT status, assignee_id FROM issues
              WHERE workspace_id = $1 AND kind = 'ticket' AND status = 'open' AND deleted_at IS NULL
              ORDER BY created_at DESC, id DESC LIMIT {MAX_COUNTED})
             UNION ALL
             (SELECT status, assignee_id FROM issues
              WHERE workspace_id = $1 AND kind = 'ticket' AND status = 'pending' AND deleted_at IS NULL
              ORDER BY created_at DESC, id DESC LIMIT {MAX_COUNTED})
             UNION ALL
             (SELECT status, assignee_id FROM issues
              WHERE workspace_id = $1 AND kind = 'ticket' AND status = 'on_hold' AND deleted_at IS NULL
              ORDER BY created_at DESC, id DESC LIMIT {MAX_COUNTED})
         ) AS waiting
         GROUP BY status, holder"
    );
    sql.returns().bind(workspace).bind(member.0)
}

pub(crate) fn count_waiting(tx: &mut PgTx<'_>, member: UserId) -> Result<Vec<WaitingPart>, StoreError> {
    let rows: Vec<(String, String, i64)> = tx.load(count_waiting_query(tx.workspace, member))?;
    let part = |(status, holder, count): (String, String, i64)| {
        let holder = match holder.as_str() {
            NOBODY => AssigneeGroup::Unassigned,
            ASKING => AssigneeGroup::Caller,
            _ => AssigneeGroup::Other,
        };
        Ok(WaitingPart { status: Column::into_member(status)?, holder, count: count.unsigned_abs() })
    };
    rows.into_iter().map(part).collect()
}
