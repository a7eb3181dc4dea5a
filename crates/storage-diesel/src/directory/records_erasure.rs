//! Erasure of what records contain: the one place that says of each column whether it is erased, and as what.
//!
//! The statements take pairs of workspace and id, so that one step erases records of many workspaces.

use diesel::sql_types::{Array, BigInt, Timestamptz, Uuid as SqlUuid};
use domain::ports::{RecordErasureRepo, StoreError};
use domain::records::{DeletableKind, RecordKind};
use time::OffsetDateTime;
use uuid::Uuid;

use crate::distribution::Locking;
use crate::engine::statement::{Statement, sql};
use crate::engine::tx::PgTx;

/// Removes at most `$3` comments on records.
macro_rules! comments {
    () => {
        None
    };
    ($table:literal, $column:literal) => {
        Some(sql!(
            "DELETE FROM {table} USING (
                 SELECT comment.workspace_id, comment.id
                 FROM unnest($1::uuid[], $2::uuid[]) AS gone (workspace_id, id)
                 JOIN {table} AS comment ON comment.workspace_id = gone.workspace_id AND comment.{column} = gone.id
                 LIMIT $3
             ) AS chosen
             WHERE {table}.workspace_id = chosen.workspace_id AND {table}.id = chosen.id",
            table = $table,
            column = $column
        ))
    };
}

macro_rules! due {
    ($table:literal) => {
        Locking::new(
            sql!(
                "SELECT workspace_id, id FROM {table}
                 WHERE deleted_at IS NOT NULL AND erased_at IS NULL AND deleted_at <= $1
                 ORDER BY deleted_at LIMIT $2 FOR UPDATE SKIP LOCKED",
                table = $table
            ),
            sql!(
                "SELECT workspace_id FROM {table}
                 WHERE deleted_at IS NOT NULL AND erased_at IS NULL AND deleted_at <= $1
                 ORDER BY deleted_at LIMIT $2",
                table = $table
            ),
            || {
                sql!(
                    "SELECT workspace_id, id FROM {table}
                 WHERE workspace_id = $3 AND deleted_at IS NOT NULL AND erased_at IS NULL AND deleted_at <= $1
                 ORDER BY deleted_at LIMIT $2 FOR UPDATE SKIP LOCKED",
                    table = $table
                )
            },
        )
    };
}

/// Declares, for each kind of record, its table, where the comments on it are, which columns are erased to which
/// expression, and which are kept: ids of the row and its place, times, numbers and choices, which tell nothing of anybody.
/// A test compares this with the schema.
macro_rules! erased {
    ($(
        $($kind:ident)|+ in $table:literal, comments($($comments:literal by $column:literal)?):
        { $($erased:ident = $neutral:literal),* $(,)? } keeps { $($kept:ident),* $(,)? }
    )*) => {
        /// The tables, with the columns that are erased and those that are kept.
        #[cfg(test)]
        pub(crate) const TABLES: &[(&str, &[&str], &[&str])] =
            &[$( ($table, &[$(stringify!($erased)),*], &[$(stringify!($kept)),*]) ),*];

        /// Removes comments; `None` if records of the kind have none.
        fn comments_of(kind: RecordKind) -> Option<Statement> {
            match kind { $( $(RecordKind::$kind)|+ => comments!($($comments, $column)?), )* }
        }

        /// Makes the members neutral and marks the records as erased.
        fn members_of(kind: RecordKind) -> Statement {
            match kind { $(
                $(RecordKind::$kind)|+ => {
                    const MEMBERS: &str = concat!($(stringify!($erased), " = ", $neutral, ", "),*);
                    sql!(
                        "UPDATE {table} SET {members} deleted_at = coalesce(deleted_at, $3), erased_at = $3
                         FROM unnest($1::uuid[], $2::uuid[]) AS gone (workspace_id, id)
                         WHERE {table}.workspace_id = gone.workspace_id AND {table}.id = gone.id
                             AND {table}.erased_at IS NULL",
                        table = $table,
                        members = MEMBERS
                    )
                }
            )* }
        }

        /// Those to be erased, the longest deleted first. What another caller has locked is skipped.
        pub(crate) fn due_query(kind: RecordKind, before: OffsetDateTime, limit: i64) -> Locking<(SqlUuid, SqlUuid)> {
            let sql = match kind { $(
                $(RecordKind::$kind)|+ => due!($table),
            )* };
            sql.bind::<Timestamptz, _>(before).bind::<BigInt, _>(limit)
        }
    };
}

erased! {
    Contact in "contacts", comments("record_comments" by "contact_id"): {
        email = "'erased'", email_key = "'erased'", first_name = "NULL", last_name = "NULL", phone = "NULL",
        job_title = "NULL", company_id = "NULL", company_name = "NULL", assigned_to = "NULL", lead_source = "NULL", industry = "NULL",
        notes = "NULL", tags = "'{}'", custom_fields = "'{}'", external_id = "NULL", country = "NULL", state = "NULL",
        city = "NULL", social_linkedin = "NULL", search = "''"
    } keeps {
        workspace_id, id, contact_type, status, version, created_at, updated_at, created_by_type, created_by_id,
        deleted_at, erased_at, search_stale
    }
    Company in "companies", comments("record_comments" by "company_id"): {
        name = "'erased'", domain = "NULL", assigned_to = "NULL", industry = "NULL", phone = "NULL", website = "NULL", notes = "NULL",
        external_id = "NULL", search = "''"
    } keeps {
        workspace_id, id, version, created_at, updated_at, created_by_type, created_by_id, deleted_at, erased_at
    }
    Deal in "deals", comments("record_comments" by "deal_id"): {
        title = "'erased'", description = "NULL", contact_id = "NULL", company_id = "NULL", assigned_to = "NULL",
        value = "NULL", probability = "NULL", expected_close_date = "NULL", actual_close_date = "NULL",
        lost_reason = "NULL", source = "NULL", tags = "'{}'", custom_fields = "'{}'", external_id = "NULL",
        price_book_id = "NULL", package_id = "NULL", rep_id = "NULL", developer_id = "NULL", commission_pct = "NULL",
        territory = "NULL", search = "''"
    } keeps {
        workspace_id, id, status, stage, currency, version, created_at, updated_at, created_by_type, created_by_id,
        deleted_at, erased_at
    }
    Project in "projects", comments(): {
        name = "'erased'", description = "NULL", start_date = "NULL", end_date = "NULL", team_id = "NULL",
        lead_user_id = "NULL", template_id = "NULL", deal_id = "NULL", company_id = "NULL", github_url = "NULL",
        external_id = "NULL", search = "''"
    } keeps {
        workspace_id, id, status, priority, progress, hosted, version, created_at, updated_at, created_by_type,
        created_by_id, deleted_at, erased_at
    }
    // Its days are kept: each cycle has some.
    Cycle in "cycles", comments(): {
        name = "'erased'", goal = "NULL"
    } keeps {
        workspace_id, id, project_id, number, start_date, end_date, version, created_at, updated_at, created_by_type,
        created_by_id, deleted_at, erased_at
    }
    // Parents and epics are kept: a loop of issues is found through erased ones too.
    Task | Ticket in "issues", comments("comments" by "issue_id"): {
        title = "'erased'", description = "NULL", assignee_id = "NULL", due_at = "NULL", start_date = "NULL",
        cycle_id = "NULL", estimate_hours = "NULL", deal_id = "NULL", contact_id = "NULL", company_id = "NULL",
        labels = "'{}'", requester_name = "NULL", requester_email = "NULL", requester_email_key = "NULL",
        ticket_type = "NULL", requester_contact_id = "NULL", search = "''"
    } keeps {
        workspace_id, id, kind, number, reference, status, priority, project_id, parent_id, epic_id, completed_at,
        resolved_at, customer_wrote_at, answered_at, waiting_since, last_message_at, version, created_at, updated_at,
        created_by_type, created_by_id, deleted_at, erased_at, search_stale
    }
    Article in "kb_articles", comments(): {
        title = "'erased'", slug = "'erased'", body = "NULL", tags = "'{}'", words = "''", shown = "NULL", search = "''"
    } keeps {
        workspace_id, id, status, published_at, words_by, version, created_at, updated_at, created_by_type,
        created_by_id, deleted_at, erased_at
    }
}

/// The events of records without their content, as `erased_payload` of the domain has it; at most `$3` that have any. An
/// event that was done has an end that no other has: the object of its data ends another one.
fn events_query() -> Statement {
    sql!(
        "UPDATE events SET payload = format('{{\"actor\":%s,\"changes\":{{}},\"data\":{{\"id\":%s}},\"erased\":true}}',
                 coalesce(event_skeleton(payload) ->> 'actor', 'null'),
                 coalesce((event_skeleton(payload) #> '{{data,id}}')::text, 'null'))
           FROM (
               SELECT event.workspace_id, event.id
               FROM unnest($1::uuid[], $2::uuid[]) AS gone (workspace_id, id)
               JOIN events AS event ON event.workspace_id = gone.workspace_id AND event.record_id = gone.id
               WHERE event.payload NOT LIKE '%,\"erased\":true}}'
               LIMIT $3
           ) AS chosen
           WHERE events.workspace_id = chosen.workspace_id AND events.id = chosen.id"
    )
}

/// Removes at most `$3` chunks of long values, to which no event of the records refers any more.
fn chunks_query() -> Statement {
    sql!(
        "DELETE FROM event_chunks USING (
             SELECT chunk.workspace_id, chunk.record_id, chunk.month, chunk.digest
             FROM unnest($1::uuid[], $2::uuid[]) AS gone (workspace_id, id)
             JOIN event_chunks AS chunk ON chunk.workspace_id = gone.workspace_id AND chunk.record_id = gone.id
             LIMIT $3
         ) AS chosen
         WHERE event_chunks.workspace_id = chosen.workspace_id AND event_chunks.record_id = chosen.record_id
             AND event_chunks.month = chosen.month AND event_chunks.digest = chosen.digest"
    )
}

/// Removes at most `$3` drafts of comments on records.
fn drafts_query() -> Statement {
    sql!(
        "DELETE FROM drafts USING (
             SELECT draft.workspace_id, draft.user_id, draft.record_id, draft.visibility
             FROM unnest($1::uuid[], $2::uuid[]) AS gone (workspace_id, id)
             JOIN drafts AS draft ON draft.workspace_id = gone.workspace_id AND draft.record_id = gone.id
             LIMIT $3
         ) AS chosen
         WHERE drafts.workspace_id = chosen.workspace_id AND drafts.user_id = chosen.user_id
             AND drafts.record_id = chosen.record_id AND drafts.visibility = chosen.visibility"
    )
}

/// Records by workspace and id.
pub(crate) struct Gone {
    pub(crate) workspaces: Vec<Uuid>,
    pub(crate) ids: Vec<Uuid>,
}

/// What removes comments and drafts, what takes the content of events and then their long values, and what makes the members neutral, for plan tests too.
pub(crate) fn statements(kind: RecordKind, gone: &Gone, at: OffsetDateTime, most: i64) -> [Option<Statement>; 5] {
    let bound = |sql: Statement| {
        sql.bind::<Array<SqlUuid>, _>(gone.workspaces.clone()).bind::<Array<SqlUuid>, _>(gone.ids.clone())
    };
    [
        comments_of(kind).map(|sql| bound(sql).bind::<BigInt, _>(most).planned_each_time()),
        Some(bound(drafts_query()).bind::<BigInt, _>(most).planned_each_time()),
        Some(bound(events_query()).bind::<BigInt, _>(most).planned_each_time()),
        Some(bound(chunks_query()).bind::<BigInt, _>(most).planned_each_time()),
        Some(bound(members_of(kind)).bind::<Timestamptz, _>(at).planned_each_time()),
    ]
}

/// Erases records: what is about them first, so that a step that ends early leaves them to be done.
pub(super) fn erase(
    tx: &mut PgTx<'_>,
    kind: RecordKind,
    gone: &Gone,
    at: OffsetDateTime,
    most: u32,
) -> Result<u64, StoreError> {
    let most = u64::from(most);
    let mut rows = 0;
    for sql in statements(kind, gone, at, i64::try_from(most).unwrap_or(i64::MAX)).into_iter().flatten() {
        rows += tx.execute(sql)? as u64;
        if rows >= most {
            break;
        }
    }
    Ok(rows)
}

impl RecordErasureRepo for PgTx<'_> {
    fn erase(&mut self, kind: RecordKind, ids: &[Uuid], at: OffsetDateTime, most: u32) -> Result<u64, StoreError> {
        let gone = Gone { workspaces: vec![self.workspace; ids.len()], ids: ids.to_vec() };
        erase(self, kind, &gone, at, most)
    }
}

/// Erases records that were deleted at or before `before`, at most about `limit` rows: kind by kind, until that many are
/// changed.
pub(super) fn step(
    tx: &mut PgTx<'_>,
    before: OffsetDateTime,
    at: OffsetDateTime,
    limit: u32,
) -> Result<u64, StoreError> {
    let mut rows = 0;
    for kind in DeletableKind::all().map(DeletableKind::kind) {
        let left = limit.saturating_sub(u32::try_from(rows).unwrap_or(u32::MAX));
        if left == 0 {
            break;
        }
        let due: Vec<(Uuid, Uuid)> = due_query(kind, before, i64::from(left)).load(tx, left as usize)?;
        if due.is_empty() {
            continue;
        }
        let (workspaces, ids) = due.into_iter().unzip();
        rows += erase(tx, kind, &Gone { workspaces, ids }, at, left)?;
    }
    Ok(rows)
}
