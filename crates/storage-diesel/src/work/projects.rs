//! Projects.

use const_format::formatcp;
use diesel::prelude::*;
use diesel::sql_types::{Array, BigInt, Text, Timestamptz, Uuid as SqlUuid};
use domain::ProjectId;
use domain::events::Cascade;
use domain::kernel::paging::PageRequest;
use domain::kernel::totals::CountedPart;
use domain::ports::{ProjectRepo, StoreError};
use domain::work::projects::{Project, ProjectFilter};
use serde_json::Value;
use time::{Date, OffsetDateTime};
use uuid::Uuid;

use crate::crm::batch::update_sql;
use crate::deleted::{self, DeletedRow, is_live};
use crate::engine::columns::columns;
use crate::engine::convert;
use crate::engine::insertion::Insertion;
use crate::engine::page_query::{LIVE, List, Order, PageQuery, UPDATED_SINCE};
use crate::engine::statement::{RowOf, Statement, sql};
use crate::engine::summary::{self, TOTALS, TotalsSql};
use crate::engine::tx::{PgTx, deletion};
use crate::kernel::unique;
use crate::rows::row;
use crate::schema::{array_to_tsvector, projects};
use crate::support::lexemes::Prefix;
use crate::work::cascades;

row! {
    pub(crate) struct ProjectRow in projects, into_project -> Project, document {
        id: Uuid,
        name: String,
        description: Option<String>,
        status: String,
        priority: String,
        progress: i32,
        start_date: Option<Date>,
        end_date: Option<Date>,
        team_id: Option<Uuid>,
        lead_user_id: Option<Uuid>,
        template_id: Option<Uuid>,
        deal_id: Option<Uuid>,
        company_id: Option<Uuid>,
        github_url: Option<String>,
        external_id: Option<String>,
        hosted: bool,
        version: i64,
        created_at: OffsetDateTime,
        updated_at: OffsetDateTime,
    }
    actors { created_by: (created_by_type, created_by_id) }
}

/// Marks a project's live rows of a table as deleted; locked in the order of their ids, as everywhere.
macro_rules! delete_within {
    ($table:literal, $which:literal) => {
        sql!(
            "UPDATE {table} SET deleted_at = $3
             WHERE workspace_id = $1 AND id = ANY (ARRAY(
                 SELECT id FROM {table}
                 WHERE workspace_id = $1 AND project_id = $2 AND deleted_at IS NULL {which}
                 ORDER BY id
                 FOR UPDATE
             ))",
            table = $table,
            which = $which
        )
    };
}

impl ProjectRepo for PgTx<'_> {
    fn insert(&mut self, project: &Project) -> Result<(), StoreError> {
        let lexemes = Prefix::of(self.workspace).lexemes(&project.search_words());
        let row = (ProjectRow::of(self.workspace, project), projects::search.eq(array_to_tsvector(lexemes).nullable()));
        let insertion = Insertion::new::<projects::table, _, _>("projects", row).unless_taken();
        self.insert_one(insertion, &unique::values_of_project(project))
    }

    fn get(&mut self, id: ProjectId) -> Result<Option<Project>, StoreError> {
        let query = projects::table.find((self.workspace, id.0)).filter(is_live(projects::deleted_at));
        self.first(query.select(ProjectRow::as_select()))?.map(ProjectRow::into_project).transpose()
    }

    fn get_for_update(&mut self, id: ProjectId) -> Result<Option<Project>, StoreError> {
        let query = projects::table.find((self.workspace, id.0)).filter(is_live(projects::deleted_at));
        let query = query.select(ProjectRow::as_select()).for_no_key_update();
        self.first(query)?.map(ProjectRow::into_project).transpose()
    }

    fn save(&mut self, project: &Project) -> Result<(), StoreError> {
        let mut document = ProjectRow::of(self.workspace, project).document();
        document.insert("words".to_owned(), Prefix::of(self.workspace).lexemes(&project.search_words()).into());
        let sql = update_sql!("projects", ProjectRow, long["description"], unique["external_id"], "", "");
        let sql = sql.bind::<SqlUuid, _>(self.workspace);
        let sql = sql.bind::<Text, _>(Value::from(vec![Value::from(document)]).to_string());
        let affected = self.execute(sql.bind::<Array<SqlUuid>, _>(vec![project.id.0]))?;
        self.expect_saved(affected, &unique::values_of_project(project), project.id.0)
    }

    fn delete(&mut self, id: ProjectId, now: OffsetDateTime) -> Result<bool, StoreError> {
        if !self.mark_deleted(deletion!("projects"), id.0, now)? {
            return Ok(false);
        }
        // Separate statements, which see rows inserted by previous holders of the project's lock.
        for sql in [delete_within!("cycles", ""), delete_within!("issues", "AND kind = 'task'")] {
            let sql = sql.bind::<SqlUuid, _>(self.workspace).bind::<SqlUuid, _>(id.0).bind::<Timestamptz, _>(now);
            self.execute(sql)?;
        }
        Ok(true)
    }

    fn note_deleted(&mut self, id: ProjectId, deleted_at: OffsetDateTime) -> Result<Cascade, StoreError> {
        cascades::note_deleted(self, id, deleted_at)
    }

    fn deleted_with(&mut self, id: ProjectId, deleted_at: OffsetDateTime) -> Result<Cascade, StoreError> {
        let (tasks, cycles): (i64, i64) = self.value(deleted_with_query(self.workspace, id, deleted_at))?;
        Ok(Cascade { tasks: convert::count(tasks)?, cycles: convert::count(cycles)? })
    }

    fn list(&mut self, filter: &ProjectFilter, page: &PageRequest) -> Result<Vec<Project>, StoreError> {
        if filter.matches_nothing() {
            return Ok(Vec::new());
        }
        let rows: Vec<ProjectRow> = self.page(list_query(self.workspace, filter, page), page)?;
        rows.into_iter().map(ProjectRow::into_project).collect()
    }

    fn totals(&mut self, filter: &ProjectFilter) -> Result<Vec<CountedPart>, StoreError> {
        summary::load_totals(self, totals_query(self.workspace, filter))
    }
}

/// The conditions are those by which they are restored.
pub(crate) fn deleted_with_query(
    workspace: Uuid,
    project: ProjectId,
    deleted_at: OffsetDateTime,
) -> Statement<(BigInt, BigInt)> {
    let sql = sql!(
        "SELECT (SELECT count(*) FROM issues
                 WHERE workspace_id = $1 AND project_id = $2 AND deleted_at = $3 AND deleted_at > '-infinity'
                     AND erased_at IS NULL),
             (SELECT count(*) FROM cycles
                 WHERE workspace_id = $1 AND project_id = $2 AND deleted_at = $3 AND deleted_at > '-infinity'
                     AND erased_at IS NULL)"
    );
    let sql = sql.returns().bind::<SqlUuid, _>(workspace).bind::<SqlUuid, _>(project.0);
    sql.bind::<Timestamptz, _>(deleted_at).planned_each_time()
}

const LIST: List = List {
    select: columns!(ProjectRow),
    from: "projects",
    conditions: "workspace_id = $1 AND deleted_at IS NULL",
    order: Order::Newest,
};

pub(crate) fn totals_query(workspace: Uuid, filter: &ProjectFilter) -> Statement<TotalsSql> {
    let query = filtered(PageQuery::new(&LIST, workspace, &PageRequest::first(1)), workspace, filter);
    query.totals(TOTALS)
}

pub(crate) fn list_query(workspace: Uuid, filter: &ProjectFilter, page: &PageRequest) -> Statement<RowOf<ProjectRow>> {
    filtered(PageQuery::new(&LIST, workspace, page).sorted_by(filter.sorted_by()), workspace, filter).build()
}

fn filtered(query: PageQuery, workspace: Uuid, filter: &ProjectFilter) -> PageQuery {
    let prefix = Prefix::of(workspace);
    query
        // First: no other filter leaves fewer rows.
        .any_id("id", filter.ids.0.iter().map(|id| id.0).collect())
        .equal::<Text, _>("external_id = $n", filter.external_id.as_ref().map(|id| id.as_str().to_owned()))
        .any_text("status", filter.status.0.iter().map(|status| status.as_str()).collect())
        .created(&filter.created())
        .bound::<Timestamptz, _>(UPDATED_SINCE, filter.updated_since)
        .search(filter.search.as_ref().and_then(|query| prefix.query(query)), LIVE)
}

pub(crate) fn insert_many(tx: &mut PgTx<'_>, records: &[Project]) -> Result<(), StoreError> {
    let prefix = Prefix::of(tx.workspace);
    let row = |project: &Project| {
        let lexemes = prefix.lexemes(&project.search_words());
        (ProjectRow::of(tx.workspace, project), projects::search.eq(array_to_tsvector(lexemes).nullable()))
    };
    let rows: Vec<_> = records.iter().map(row).collect();
    tx.execute(diesel::insert_into(projects::table).values(rows)).map(drop)
}

/// The deleted ones of [`LIST`].
const DELETED: List = List {
    select: formatcp!("{DELETED_COLUMNS}, deleted_at"),
    conditions: "workspace_id = $1 AND deleted_at > '-infinity' AND erased_at IS NULL",
    ..LIST
};

const DELETED_COLUMNS: &str = columns!(ProjectRow);

pub(crate) fn deleted_query(
    workspace: Uuid,
    filter: &ProjectFilter,
    since: OffsetDateTime,
    page: &PageRequest,
) -> Statement<DeletedRow<ProjectRow>> {
    deleted::list_query(filtered(PageQuery::new(&DELETED, workspace, page), workspace, filter), since)
}
