//! Cycles of a project.

use const_format::formatcp;
use diesel::prelude::*;
use diesel::sql_types::{BigInt, Date as SqlDate, Integer, Uuid as SqlUuid};
use domain::kernel::paging::PageRequest;
use domain::ports::{CycleRepo, StoreError};
use domain::work::cycles::{Cycle, CycleCounts};
use domain::{CycleId, ProjectId};
use time::{Date, OffsetDateTime};
use uuid::Uuid;

use crate::columns::columns;
use crate::convert;
use crate::page_query::{List, Order, PageQuery};
use crate::schema::cycles;
use crate::statement::{RowOf, Statement, sql};
use crate::tx::PgTx;

#[derive(Queryable, Selectable, Insertable)]
#[diesel(table_name = cycles, treat_none_as_default_value = false)]
pub(crate) struct CycleRow {
    workspace_id: Uuid,
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
    created_by_type: String,
    created_by_id: Option<Uuid>,
}

const COLUMNS: &str = columns!(CycleRow);
/// A cycle's row, and its counts.
pub(crate) type CountedColumns = (RowOf<CycleRow>, BigInt, BigInt);

impl CycleRow {
    fn of(workspace: Uuid, cycle: &Cycle) -> Self {
        let cycle = cycle.clone();
        Self {
            workspace_id: workspace,
            id: cycle.id.0,
            project_id: cycle.project_id.0,
            number: cycle.number,
            name: cycle.name,
            goal: cycle.goal,
            start_date: cycle.start_date,
            end_date: cycle.end_date,
            version: cycle.version,
            created_at: cycle.created_at,
            updated_at: cycle.updated_at,
            created_by_type: cycle.created_by.kind.as_str().to_owned(),
            created_by_id: cycle.created_by.id,
        }
    }

    fn into_cycle(self) -> Result<Cycle, StoreError> {
        Ok(Cycle {
            id: CycleId(self.id),
            project_id: ProjectId(self.project_id),
            number: self.number,
            name: self.name,
            goal: self.goal,
            start_date: self.start_date,
            end_date: self.end_date,
            version: self.version,
            created_at: self.created_at,
            updated_at: self.updated_at,
            created_by: convert::actor(&self.created_by_type, self.created_by_id)?,
        })
    }
}

impl CycleRepo for PgTx<'_> {
    fn insert(&mut self, cycle: &Cycle) -> Result<(), StoreError> {
        let row = CycleRow::of(self.workspace, cycle);
        self.execute(diesel::insert_into(cycles::table).values(row)).map(drop)
    }

    fn highest_number(&mut self, project: ProjectId) -> Result<i32, StoreError> {
        let sql = sql!("SELECT coalesce(max(number), 0) FROM cycles WHERE workspace_id = $1 AND project_id = $2");
        let sql = sql.returns::<Integer>().bind::<SqlUuid, _>(self.workspace);
        self.value(sql.bind::<SqlUuid, _>(project.0))
    }

    fn overlapping(&mut self, project: ProjectId, start: Date, end: Date) -> Result<Option<i32>, StoreError> {
        let sql = sql!(
            "SELECT number FROM cycles
             WHERE workspace_id = $1 AND project_id = $2 AND deleted_at IS NULL
                 AND start_date <= $3 AND end_date >= $4
             ORDER BY number LIMIT 1"
        );
        let sql = sql.returns::<Integer>().bind::<SqlUuid, _>(self.workspace).bind::<SqlUuid, _>(project.0);
        self.first(sql.bind::<SqlDate, _>(end).bind::<SqlDate, _>(start))
    }

    fn list(&mut self, project: ProjectId, page: &PageRequest) -> Result<Vec<(Cycle, CycleCounts)>, StoreError> {
        let rows: Vec<(CycleRow, i64, i64)> = self.page(list_query(self.workspace, project, page), page)?;
        rows.into_iter()
            .map(|(row, issues, completed)| Ok((row.into_cycle()?, CycleCounts { issues, completed })))
            .collect()
    }
}

const LIST: List = List {
    select: // Counted for the rows of the page alone, since the page's index has them in order.
    formatcp!(
        "{COLUMNS},
        (SELECT count(*) FROM issues
         WHERE issues.workspace_id = $1 AND issues.cycle_id = cycles.id AND issues.deleted_at IS NULL),
        (SELECT count(*) FROM issues
         WHERE issues.workspace_id = $1 AND issues.cycle_id = cycles.id AND issues.deleted_at IS NULL
             AND issues.status = 'done')"
    ),
    from: "cycles",
    conditions: "workspace_id = $1 AND deleted_at IS NULL AND project_id = $2",
    order: Order::NewestFirst,
};

pub(crate) fn list_query(workspace: Uuid, project: ProjectId, page: &PageRequest) -> Statement<CountedColumns> {
    PageQuery::new(&LIST, workspace, page).bind::<SqlUuid, _>(project.0).build()
}
