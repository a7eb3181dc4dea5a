//! Cycles of a project.

use const_format::formatcp;
use diesel::prelude::*;
use diesel::sql_types::{BigInt, Date as SqlDate, Integer};
use domain::kernel::input::CreatedFilter;
use domain::kernel::paging::PageRequest;
use domain::ports::{CycleRepo, StoreError};
use domain::work::cycles::{Cycle, CycleCounts};
use domain::{CycleId, ProjectId};
use time::{Date, OffsetDateTime};
use uuid::Uuid;

use crate::directory::records_erasure::erased;
use crate::engine::columns::columns;
use crate::engine::errors::expect_rows;
use crate::engine::insertion::Insertion;
use crate::engine::page_query::{List, Order, PageQuery};
use crate::engine::statement::{RowOf, Statement, sql};
use crate::engine::tx::PgTx;
use crate::records::{StoredKind, deleted_list, in_table, is_live};
use crate::rows::row;
use crate::schema::cycles;

row! {
    #[derive(AsChangeset)]
    #[diesel(primary_key(workspace_id, id), treat_none_as_null = true)]
    pub(crate) struct CycleRow in cycles, into_cycle -> Cycle {
        id: Uuid,
        project_id: Uuid,
        number: i32,
        name: String,
        goal: Option<String>,
        start_date: Date,
        end_date: Date,
        version: i64,
        created_at: OffsetDateTime,
        updated_at: OffsetDateTime,
    }
    actors { created_by: (created_by_type, created_by_id) }
}

const COLUMNS: &str = columns!(CycleRow);
/// A cycle's row and its issue counts.
pub(crate) type CountedColumns = (RowOf<CycleRow>, BigInt, BigInt);

impl StoredKind for Cycle {
    const KIND_SQL: &'static str = "'cycle'";
    const TITLE: &'static str = "name";
    const DELETED: &'static List = &deleted_list!("cycles", CycleRow, "project_id = $2");

    in_table!("cycles", CycleRow, into_cycle);

    // The days are kept, because they are required.
    erased! {
        "cycles", comments(): {
            name = "'erased'", goal = "NULL"
        } keeps {
            workspace_id, id, project_id, number, start_date, end_date, version, created_at, updated_at, created_by_type,
            created_by_id, deleted_at, erased_at
        }
    }

    fn insert(&self, tx: &mut PgTx<'_>) -> Result<(), StoreError> {
        let row = CycleRow::of(tx.workspace, self);
        tx.insert_one(Insertion::new::<cycles::table, _, _>(Self::TABLE, row), &[])
    }

    fn save(&self, tx: &mut PgTx<'_>) -> Result<(), StoreError> {
        let row = CycleRow::of(tx.workspace, self);
        let target = cycles::table.find((tx.workspace, self.id.0)).filter(is_live(cycles::deleted_at));
        let affected = tx.execute(diesel::update(target).set(row))?;
        expect_rows(affected, 1)
    }

    /// The lists have cycles of one project, `$2`.
    fn begin(list: &'static List, workspace: Uuid, project: &ProjectId, page: &PageRequest) -> PageQuery {
        PageQuery::new(list, workspace, page).bind(project.0)
    }

    fn filtered(query: PageQuery, _: Uuid, _: &ProjectId) -> PageQuery {
        query
    }
}

impl CycleRepo for PgTx<'_> {
    fn highest_number(&mut self, project: ProjectId) -> Result<i32, StoreError> {
        let sql = sql!("SELECT coalesce(max(number), 0) FROM cycles WHERE workspace_id = $1 AND project_id = $2");
        self.value(sql.returns::<Integer>().bind(self.workspace).bind(project.0))
    }

    fn counts(&mut self, id: CycleId) -> Result<CycleCounts, StoreError> {
        let (issues, completed) = self.value(counts_query(self.workspace, id))?;
        Ok(CycleCounts { issues, completed })
    }

    fn burn_up(&mut self, id: CycleId, first: Date, last: Date) -> Result<Vec<(Date, CycleCounts)>, StoreError> {
        let rows: Vec<(Date, i64, i64)> = self.load(burn_up_query(self.workspace, id, first, last))?;
        Ok(rows.into_iter().map(|(day, issues, completed)| (day, CycleCounts { issues, completed })).collect())
    }

    fn overlapping(
        &mut self,
        project: ProjectId,
        except: Option<CycleId>,
        start: Date,
        end: Date,
    ) -> Result<Option<i32>, StoreError> {
        let sql = sql!(
            "SELECT number FROM cycles
             WHERE workspace_id = $1 AND project_id = $2 AND deleted_at IS NULL
                 AND start_date <= $3 AND end_date >= $4 AND id IS DISTINCT FROM $5
             ORDER BY number LIMIT 1"
        );
        let sql = sql.returns::<Integer>().bind(self.workspace).bind(project.0).bind(end).bind(start);
        self.first(sql.bind(except.map(|id| id.0)))
    }

    fn list(
        &mut self,
        project: ProjectId,
        filter: &CreatedFilter,
        page: &PageRequest,
    ) -> Result<Vec<(Cycle, CycleCounts)>, StoreError> {
        let rows: Vec<(CycleRow, i64, i64)> = self.page(list_query(self.workspace, project, filter, page), page)?;
        rows.into_iter()
            .map(|(row, issues, completed)| Ok((row.into_cycle()?, CycleCounts { issues, completed })))
            .collect()
    }
}

pub(crate) fn counts_query(workspace: Uuid, cycle: CycleId) -> Statement<(BigInt, BigInt)> {
    let sql = sql!(
        "SELECT count(*), count(*) FILTER (WHERE status IN ('done', 'resolved', 'closed'))
         FROM issues
         WHERE workspace_id = $1 AND cycle_id = $2 AND deleted_at IS NULL"
    );
    sql.returns().bind(workspace).bind(cycle.0)
}

/// The differences between consecutive rows of the history, summed per day and accumulated over days.
pub(crate) fn burn_up_query(
    workspace: Uuid,
    cycle: CycleId,
    first: Date,
    last: Date,
) -> Statement<(SqlDate, BigInt, BigInt)> {
    let sql = sql!(
        "WITH states AS (
             SELECT issue_id, day, is_in, is_done FROM cycle_history WHERE workspace_id = $1 AND cycle_id = $2
             UNION ALL
             SELECT issues.id, made.day, made.is_in, made.is_done
             FROM issues CROSS JOIN LATERAL
                 cycle_days(issues.created_at, coalesce(issues.completed_at, issues.resolved_at), true) AS made
             WHERE issues.workspace_id = $1 AND issues.cycle_id = $2 AND issues.deleted_at IS NULL
                 AND NOT EXISTS (SELECT FROM cycle_history AS known
                     WHERE known.workspace_id = $1 AND known.cycle_id = $2 AND known.issue_id = issues.id)
         ), steps AS (
             SELECT day, is_in::integer - coalesce(lag(is_in::integer) OVER earlier, 0) AS issues,
                 is_done::integer - coalesce(lag(is_done::integer) OVER earlier, 0) AS completed
             FROM states WINDOW earlier AS (PARTITION BY issue_id ORDER BY day)
         ), days AS (
             SELECT greatest(day, $3) AS day, sum(issues) AS issues, sum(completed) AS completed
             FROM steps WHERE day <= $4 GROUP BY 1
         )
         SELECT day, (sum(issues) OVER (ORDER BY day))::bigint, (sum(completed) OVER (ORDER BY day))::bigint
         FROM days ORDER BY day"
    );
    sql.returns().bind(workspace).bind(cycle.0).bind(first).bind(last)
}

const LIST: List = List {
    select: // Counted only for the rows of the page, since the index has them in order.
    formatcp!(
        "{COLUMNS},
        (SELECT count(*) FROM issues
         WHERE issues.workspace_id = $1 AND issues.cycle_id = cycles.id AND issues.deleted_at IS NULL),
        (SELECT count(*) FROM issues
         WHERE issues.workspace_id = $1 AND issues.cycle_id = cycles.id AND issues.deleted_at IS NULL
             AND issues.status IN ('done', 'resolved', 'closed'))"
    ),
    from: "cycles",
    conditions: "workspace_id = $1 AND deleted_at IS NULL AND project_id = $2",
    order: Order::Newest,
};

pub(crate) fn list_query(
    workspace: Uuid,
    project: ProjectId,
    filter: &CreatedFilter,
    page: &PageRequest,
) -> Statement<CountedColumns> {
    Cycle::begin(&LIST, workspace, &project, page).created(filter).build()
}
