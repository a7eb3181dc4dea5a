//! Time entries, and the rates of members.

use bigdecimal::BigDecimal;
use diesel::prelude::*;
use diesel::sql_types::{Date as SqlDate, Nullable, Timestamptz, Uuid as SqlUuid};
use domain::ports::{StoreError, TimeEntryRepo};
use domain::work::time_entries::{
    Attribution, EntryTarget, RatePlace, RateReach, TimeEntry, TimeEntryFilter, TimeGroup, TimeRate, TimeSummaryRows,
    TimeTotals,
};
use domain::{ProjectId, TimeEntryId, UserId, WorkspaceId};
use time::{Date, OffsetDateTime};
use uuid::Uuid;

use super::{time_rates, time_summaries};
use crate::directory::records_erasure::erased;
use crate::distribution::Class;
use crate::engine::columns::columns;
use crate::engine::errors::expect_rows;
use crate::engine::insertion::Insertion;
use crate::engine::page_query::{List, PageQuery, UPDATED_SINCE};
use crate::engine::statement::{RowOf, Statement, sql};
use crate::engine::tx::PgTx;
use crate::kernel::workspace_lock::lock_workspace;
use crate::records::{ListedTable, StoredKind, deleted_list, in_table, is_live, live_list};
use crate::rows::row;
use crate::schema::time_entries;

row! {
    #[derive(AsChangeset)]
    #[diesel(primary_key(workspace_id, id), treat_none_as_null = true)]
    pub(crate) struct TimeEntryRow in time_entries, into_entry -> TimeEntry {
        id: Uuid,
        member_id: Uuid,
        task_id: Option<Uuid>,
        ticket_id: Option<Uuid>,
        project_id: Option<Uuid>,
        deal_id: Option<Uuid>,
        date: Date,
        started_at: Option<OffsetDateTime>,
        ended_at: Option<OffsetDateTime>,
        seconds: Option<i32>,
        billable: bool,
        note: String,
        status: String,
        in_project_id: Option<Uuid>,
        for_company_id: Option<Uuid>,
        rate: Option<BigDecimal>,
        rate_currency: Option<String>,
        version: i64,
        created_at: OffsetDateTime,
        updated_at: OffsetDateTime,
    }
    actors { created_by: (created_by_type, created_by_id) }
}

impl StoredKind for TimeEntry {
    const KIND_SQL: &'static str = "'time_entry'";
    // The start of the note, or else the length and the day, as the console shows them.
    const TITLE: &'static str = "coalesce(nullif(left(split_part(note, chr(10), 1), 100), ''), concat_ws(', ', \
        (seconds / 3600)::text || ':' || lpad(mod(seconds / 60, 60)::text, 2, '0'), to_char(date, 'FMDD Mon YYYY')))";
    const DELETED: &'static List = &deleted_list!("time_entries", TimeEntryRow);

    in_table!("time_entries", TimeEntryRow, into_entry, own restoration);

    // The member, time and duration do not reveal what was done.
    erased! {
        "time_entries", comments(): {
            note = "''", task_id = "NULL", ticket_id = "NULL", project_id = "NULL", deal_id = "NULL", in_project_id = "NULL",
            for_company_id = "NULL", rate = "NULL", rate_currency = "NULL"
        } keeps {
            workspace_id, id, member_id, date, started_at, ended_at, seconds, billable, status, version, created_at,
            updated_at, created_by_type, created_by_id, deleted_at, erased_at
        }
    }

    /// The end and the status, too: a timer that was still running when it was deleted is restored as stopped.
    fn restoration(&self, workspace: Uuid) -> Statement {
        let sql = sql!(
            "UPDATE time_entries
             SET deleted_at = NULL, version = $3, updated_at = $4, ended_at = $5, seconds = $6, status = $7
             WHERE workspace_id = $1 AND id = $2 AND deleted_at IS NOT NULL AND erased_at IS NULL"
        );
        let sql = sql.bind(workspace).bind(self.id.0).bind(self.version).bind(self.updated_at);
        sql.bind(self.ended_at).bind(self.seconds).bind(self.status.as_str())
    }

    fn insert(&self, tx: &mut PgTx<'_>) -> Result<(), StoreError> {
        let row = TimeEntryRow::of(tx.workspace, self);
        tx.insert_one(Insertion::new::<time_entries::table, _, _>(Self::TABLE, row), &[])
    }

    fn save(&self, tx: &mut PgTx<'_>) -> Result<(), StoreError> {
        let row = TimeEntryRow::of(tx.workspace, self);
        let target = time_entries::table.find((tx.workspace, self.id.0)).filter(is_live(time_entries::deleted_at));
        let affected = tx.execute(diesel::update(target).set(row))?;
        expect_rows(affected, 1)
    }

    fn filtered(query: PageQuery, _: Uuid, filter: &TimeEntryFilter) -> PageQuery {
        query
            // First: no other filter leaves fewer rows.
            .any_id("id", filter.ids.0.iter().map(|id| id.0).collect())
            .equal("task_id = $n", filter.task_id.map(|id| id.0))
            .equal("ticket_id = $n", filter.ticket_id.map(|id| id.0))
            .equal("deal_id = $n", filter.deal_id.map(|id| id.0))
            .equal("in_project_id = $n", filter.project_id.map(|id| id.0))
            .equal("for_company_id = $n", filter.company_id.map(|id| id.0))
            .any_id("member_id", filter.member.0.iter().map(|id| id.0).collect())
            .any_text("status", filter.status.0.iter().map(|status| status.as_str()).collect())
            .equal("billable = $n", filter.billable)
            .bound("date >= $n", filter.from)
            .bound("date <= $n", filter.to)
            .created(&filter.created())
            .bound(UPDATED_SINCE, filter.updated_since)
    }
}

impl ListedTable for TimeEntry {
    const LIST: &'static List = &live_list!("time_entries", TimeEntryRow);
}

const COLUMNS: &str = columns!(TimeEntryRow);

impl TimeEntryRepo for PgTx<'_> {
    fn lock(&mut self) -> Result<(), StoreError> {
        lock_workspace(self, Class::Sharded)
    }

    fn running_of(&mut self, member: UserId) -> Result<Option<TimeEntry>, StoreError> {
        let sql = running_query(self.workspace, member);
        Ok(TimeEntry::read(self, sql, 1)?.pop())
    }

    fn running_since(&mut self, since: OffsetDateTime, limit: u32) -> Result<Vec<TimeEntry>, StoreError> {
        let sql = running_since_query(self.workspace, since, limit);
        TimeEntry::read(self, sql, limit as usize)
    }

    fn running_until_day(&mut self, last: Date, limit: u32) -> Result<Vec<TimeEntry>, StoreError> {
        let sql = running_until_day_query(self.workspace, last, limit);
        TimeEntry::read(self, sql, limit as usize)
    }

    fn last_end(
        &mut self,
        member: UserId,
        after: OffsetDateTime,
        until: OffsetDateTime,
    ) -> Result<Option<OffsetDateTime>, StoreError> {
        self.value(last_end_query(self.workspace, member, (after, until)))
    }

    fn overlapping(
        &mut self,
        member: UserId,
        except: TimeEntryId,
        start: OffsetDateTime,
        end: Option<OffsetDateTime>,
    ) -> Result<Option<(TimeEntryId, Date)>, StoreError> {
        let found: Option<(Uuid, Date)> =
            self.first(overlapping_query(self.workspace, member, except, (start, end)))?;
        Ok(found.map(|(id, day)| (TimeEntryId(id), day)))
    }

    fn attribution(&mut self, target: EntryTarget) -> Result<Attribution, StoreError> {
        let ids: Option<(Option<Uuid>, Option<Uuid>)> = self.first(attribution_query(self.workspace, target))?;
        let (project, company) = ids.unwrap_or_default();
        Ok(Attribution { project: project.map(Into::into), company: company.map(Into::into) })
    }

    fn get_many_for_update(&mut self, ids: &[TimeEntryId]) -> Result<Vec<TimeEntry>, StoreError> {
        let ids: Vec<_> = ids.iter().map(|id| id.0).collect();
        let query = time_entries::table
            .filter(time_entries::workspace_id.eq(self.workspace))
            .filter(time_entries::id.eq_any(ids))
            .filter(is_live(time_entries::deleted_at))
            .order(time_entries::id)
            .select(TimeEntryRow::as_select())
            .for_no_key_update();
        self.load(query)?.into_iter().map(TimeEntryRow::into_entry).collect()
    }

    fn save_statuses(&mut self, entries: &[TimeEntry]) -> Result<(), StoreError> {
        if entries.is_empty() {
            return Ok(());
        }
        let affected = self.execute(save_statuses_query(self.workspace, entries))?;
        expect_rows(affected, entries.len())
    }

    fn summarize(
        &mut self,
        filter: &TimeEntryFilter,
        group_by: &[TimeGroup],
        reach: RateReach,
    ) -> Result<TimeSummaryRows, StoreError> {
        time_summaries::load(self, time_summaries::summary_query(self.workspace, filter, group_by, reach))
    }

    fn total(&mut self, filter: &TimeEntryFilter) -> Result<TimeTotals, StoreError> {
        let (seconds, billable_seconds) = self.value(time_summaries::total_query(self.workspace, filter))?;
        Ok(TimeTotals { seconds, billable_seconds })
    }

    fn rate_for(&mut self, member: UserId, project: Option<ProjectId>) -> Result<Option<TimeRate>, StoreError> {
        time_rates::rate_for(self, member, project)
    }

    fn rates(&mut self, limit: u32) -> Result<Vec<TimeRate>, StoreError> {
        time_rates::rates(self, limit)
    }

    fn put_rate(&mut self, rate: &TimeRate, most: u32) -> Result<bool, StoreError> {
        time_rates::put(self, rate, most)
    }

    fn remove_rate(&mut self, place: RatePlace) -> Result<bool, StoreError> {
        time_rates::remove(self, place)
    }
}

pub(crate) fn running_query(workspace: Uuid, member: UserId) -> Statement<RowOf<TimeEntryRow>> {
    let sql = sql!(
        "SELECT {COLUMNS} FROM time_entries
         WHERE workspace_id = $1 AND member_id = $2 AND status = 'running' AND deleted_at IS NULL"
    );
    sql.returns().bind(workspace).bind(member.0)
}

pub(crate) fn running_since_query(
    workspace: Uuid,
    since: OffsetDateTime,
    limit: u32,
) -> Statement<RowOf<TimeEntryRow>> {
    let sql = sql!(
        "SELECT {COLUMNS} FROM time_entries
         WHERE workspace_id = $1 AND status = 'running' AND deleted_at IS NULL AND started_at <= $2
         ORDER BY started_at LIMIT $3"
    );
    sql.returns().bind(workspace).bind(since).bind(i64::from(limit))
}

pub(crate) fn running_until_day_query(workspace: Uuid, last: Date, limit: u32) -> Statement<RowOf<TimeEntryRow>> {
    let sql = sql!(
        "SELECT {COLUMNS} FROM time_entries
         WHERE workspace_id = $1 AND status = 'running' AND deleted_at IS NULL AND date <= $2
         ORDER BY member_id LIMIT $3"
    );
    sql.returns().bind(workspace).bind(last).bind(i64::from(limit))
}

pub(crate) fn workspaces(tx: &mut PgTx<'_>, since: OffsetDateTime, limit: u32) -> Result<Vec<WorkspaceId>, StoreError> {
    let rows = tx.load::<_, Uuid>(workspaces_query(since, limit))?;
    Ok(rows.into_iter().map(WorkspaceId).collect())
}

/// The workspaces whose timers have run for too long. There are few such timers at a time.
pub(crate) fn workspaces_query(since: OffsetDateTime, limit: u32) -> Statement<SqlUuid> {
    let sql = sql!(
        "SELECT DISTINCT workspace_id FROM (
             SELECT workspace_id FROM time_entries
             WHERE status = 'running' AND deleted_at IS NULL AND started_at <= $1
             ORDER BY started_at LIMIT $2
         ) AS forgotten"
    );
    sql.returns().bind(since).bind(i64::from(limit))
}

/// Reads few entries, because none lasts longer than 24 hours, as in [`overlapping_query`].
pub(crate) fn last_end_query(
    workspace: Uuid,
    member: UserId,
    (after, until): (OffsetDateTime, OffsetDateTime),
) -> Statement<Nullable<Timestamptz>> {
    let sql = sql!(
        "SELECT max(ended_at) FROM time_entries
         WHERE workspace_id = $1 AND member_id = $2 AND deleted_at IS NULL
             AND started_at > $3::timestamptz - interval '24 hours' AND started_at <= $4
             AND ended_at > $3 AND ended_at <= $4"
    );
    sql.returns().bind(workspace).bind(member.0).bind(after).bind(until)
}

/// An entry that has ended lasted 24 hours at most, so that only those are read that began within a day before the range. A running timer
/// may be older.
pub(crate) fn overlapping_query(
    workspace: Uuid,
    member: UserId,
    except: TimeEntryId,
    (start, end): (OffsetDateTime, Option<OffsetDateTime>),
) -> Statement<(SqlUuid, SqlDate)> {
    let sql = sql!(
        "(SELECT id, date FROM time_entries
          WHERE workspace_id = $1 AND member_id = $2 AND deleted_at IS NULL AND id <> $3
              AND started_at > $4::timestamptz - interval '24 hours' AND started_at < coalesce($5::timestamptz, 'infinity')
              AND ended_at > $4 AND seconds > 0
          ORDER BY started_at LIMIT 1)
         UNION ALL
         (SELECT id, date FROM time_entries
          WHERE workspace_id = $1 AND member_id = $2 AND deleted_at IS NULL AND id <> $3
              AND status = 'running' AND started_at < coalesce($5::timestamptz, 'infinity'))
         LIMIT 1"
    );
    sql.returns().bind(workspace).bind(member.0).bind(except.0).bind(start).bind(end)
}

pub(crate) fn attribution_query(
    workspace: Uuid,
    target: EntryTarget,
) -> Statement<(Nullable<SqlUuid>, Nullable<SqlUuid>)> {
    let (sql, id) = match target {
        EntryTarget::Issue(id) => {
            let sql = sql!(
                "SELECT issues.project_id, coalesce(issues.company_id, projects.company_id, contacts.company_id, deals.company_id)
                 FROM issues
                 LEFT JOIN projects ON projects.workspace_id = $1 AND projects.id = issues.project_id
                 LEFT JOIN contacts ON contacts.workspace_id = $1
                     AND contacts.id = coalesce(issues.contact_id, issues.requester_contact_id)
                 LEFT JOIN deals ON deals.workspace_id = $1 AND deals.id = issues.deal_id
                 WHERE issues.workspace_id = $1 AND issues.id = $2"
            );
            (sql, id.0)
        }
        EntryTarget::Project(id) => {
            (sql!("SELECT id, company_id FROM projects WHERE workspace_id = $1 AND id = $2"), id.0)
        }
        EntryTarget::Deal(id) => {
            (sql!("SELECT NULL::uuid, company_id FROM deals WHERE workspace_id = $1 AND id = $2"), id.0)
        }
    };
    sql.returns().bind(workspace).bind(id)
}

pub(crate) fn save_statuses_query(workspace: Uuid, entries: &[TimeEntry]) -> Statement {
    let sql = sql!(
        "UPDATE time_entries SET status = changed.status, version = changed.version, updated_at = changed.updated_at
         FROM unnest($2::uuid[], $3::text[], $4::bigint[], $5::timestamptz[]) AS changed (id, status, version, updated_at)
         WHERE time_entries.workspace_id = $1 AND time_entries.id = changed.id"
    );
    let sql = sql.bind(workspace).bind_each(entries, |entry| entry.id.0);
    let sql = sql.bind_each(entries, |entry| entry.status.as_str()).bind_each(entries, |entry| entry.version);
    sql.bind_each(entries, |entry| entry.updated_at)
}

pub(crate) fn insert_many(tx: &mut PgTx<'_>, records: &[TimeEntry]) -> Result<(), StoreError> {
    let rows: Vec<_> = records.iter().map(|entry| TimeEntryRow::of(tx.workspace, entry)).collect();
    tx.execute(diesel::insert_into(time_entries::table).values(rows)).map(drop)
}
