//! Cycles of a project.

use diesel::pg::Pg;
use diesel::prelude::*;
use diesel::sql_types::{BigInt, Date as SqlDate, Integer, Uuid as SqlUuid};
use domain::ProjectId;
use domain::kernel::paging::PageRequest;
use domain::ports::{CycleRepo, StoreError};
use domain::work::cycles::{Cycle, CycleCounts};
use time::{Date, OffsetDateTime};
use uuid::Uuid;

use crate::cached_sql::{CachedSql, columns_of};
use crate::page_query::PageQuery;
use crate::rows::row;
use crate::schema::cycles;
use crate::tx::PgTx;

row! {
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

type Columns = <CycleRow as Selectable<Pg>>::SelectExpression;
/// A cycle's row, and its counts.
pub(crate) type CountedColumns = (<Columns as Expression>::SqlType, BigInt, BigInt);

impl CycleRepo for PgTx<'_> {
    fn insert(&mut self, cycle: &Cycle) -> Result<(), StoreError> {
        let row = CycleRow::of(self.workspace, cycle);
        self.execute(diesel::insert_into(cycles::table).values(row)).map(drop)
    }

    fn highest_number(&mut self, project: ProjectId) -> Result<i32, StoreError> {
        let sql = CachedSql::<Integer>::new("SELECT coalesce(max(number), 0) FROM cycles WHERE workspace_id = ")
            .bind::<SqlUuid, _>(self.workspace)
            .text(" AND project_id = ")
            .bind::<SqlUuid, _>(project.0);
        self.value(sql)
    }

    fn overlapping(&mut self, project: ProjectId, start: Date, end: Date) -> Result<Option<i32>, StoreError> {
        let sql = CachedSql::<Integer>::new("SELECT number FROM cycles WHERE workspace_id = ")
            .bind::<SqlUuid, _>(self.workspace)
            .text(" AND project_id = ")
            .bind::<SqlUuid, _>(project.0)
            .text(" AND deleted_at IS NULL AND start_date <= ")
            .bind::<SqlDate, _>(end)
            .text(" AND end_date >= ")
            .bind::<SqlDate, _>(start)
            .text(" ORDER BY number LIMIT 1");
        self.first(sql)
    }

    fn list(&mut self, project: ProjectId, page: &PageRequest) -> Result<Vec<(Cycle, CycleCounts)>, StoreError> {
        let rows: Vec<(CycleRow, i64, i64)> = self.page(list_query(self.workspace, project, page), page)?;
        rows.into_iter()
            .map(|(row, issues, completed)| Ok((row.into_cycle()?, CycleCounts { issues, completed })))
            .collect()
    }
}

pub(crate) fn list_query(workspace: Uuid, project: ProjectId, page: &PageRequest) -> CachedSql<CountedColumns> {
    // Counted for the rows of the page alone, since the page's index has them in order.
    let count = |sql: CachedSql<CountedColumns>, which: &'static str| {
        sql.text(", (SELECT count(*) FROM issues WHERE issues.workspace_id = ")
            .bind::<SqlUuid, _>(workspace)
            .text(" AND issues.cycle_id = cycles.id AND issues.deleted_at IS NULL")
            .text(which)
            .text(")")
    };
    PageQuery::newest_first("cycles", workspace, page).of::<SqlUuid, _>("project_id", project.0).build_with(|sql| {
        let sql = count(sql.fragment(columns_of::<CycleRow>()), "");
        count(sql, " AND issues.status = 'done'")
    })
}
