//! Projects.

use diesel::prelude::*;
use diesel::sql_types::{Timestamptz, Uuid as SqlUuid};
use domain::kernel::paging::PageRequest;
use domain::ports::{ProjectRepo, StoreError};
use domain::work::projects::{Priority, Project, ProjectStatus};
use domain::{CompanyId, DealId, ProjectId, UserId};
use time::{Date, OffsetDateTime};
use uuid::Uuid;

use crate::columns::columns;
use crate::convert;
use crate::errors::expect_rows;
use crate::page_query::{List, Order, PageQuery};
use crate::schema::projects;
use crate::statement::{RowOf, SameText, Statement, sql};
use crate::tx::{PgTx, deletion};

#[derive(Queryable, Selectable, Insertable, AsChangeset)]
#[diesel(table_name = projects, primary_key(workspace_id, id))]
#[diesel(treat_none_as_default_value = false, treat_none_as_null = true)]
pub(crate) struct ProjectRow {
    workspace_id: Uuid,
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
    created_by_type: String,
    created_by_id: Option<Uuid>,
}

impl ProjectRow {
    fn of(workspace: Uuid, project: &Project) -> Self {
        let project = project.clone();
        Self {
            workspace_id: workspace,
            id: project.id.0,
            name: project.name,
            description: project.description,
            status: project.status.as_str().to_owned(),
            priority: project.priority.as_str().to_owned(),
            progress: project.progress,
            start_date: project.start_date,
            end_date: project.end_date,
            team_id: project.team_id,
            lead_user_id: project.lead_user_id.map(|id| id.0),
            template_id: project.template_id,
            deal_id: project.deal_id.map(|id| id.0),
            company_id: project.company_id.map(|id| id.0),
            github_url: project.github_url,
            external_id: project.external_id,
            hosted: project.hosted,
            version: project.version,
            created_at: project.created_at,
            updated_at: project.updated_at,
            created_by_type: project.created_by.kind.as_str().to_owned(),
            created_by_id: project.created_by.id,
        }
    }

    fn into_project(self) -> Result<Project, StoreError> {
        Ok(Project {
            id: ProjectId(self.id),
            name: self.name,
            description: self.description,
            status: convert::word(&self.status, ProjectStatus::from_word)?,
            priority: convert::word(&self.priority, Priority::from_word)?,
            progress: self.progress,
            start_date: self.start_date,
            end_date: self.end_date,
            team_id: self.team_id,
            lead_user_id: self.lead_user_id.map(UserId),
            template_id: self.template_id,
            deal_id: self.deal_id.map(DealId),
            company_id: self.company_id.map(CompanyId),
            github_url: self.github_url,
            external_id: self.external_id,
            hosted: self.hosted,
            version: self.version,
            created_at: self.created_at,
            updated_at: self.updated_at,
            created_by: convert::actor(&self.created_by_type, self.created_by_id)?,
        })
    }
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
        let row = ProjectRow::of(self.workspace, project);
        self.execute(diesel::insert_into(projects::table).values(row)).map(drop)
    }

    fn get(&mut self, id: ProjectId) -> Result<Option<Project>, StoreError> {
        let query = projects::table.find((self.workspace, id.0)).filter(projects::deleted_at.is_null());
        self.first(query.select(ProjectRow::as_select()))?.map(ProjectRow::into_project).transpose()
    }

    fn get_for_update(&mut self, id: ProjectId) -> Result<Option<Project>, StoreError> {
        let query = projects::table.find((self.workspace, id.0)).filter(projects::deleted_at.is_null());
        let query = query.select(ProjectRow::as_select()).for_no_key_update();
        self.first(query)?.map(ProjectRow::into_project).transpose()
    }

    fn save(&mut self, project: &Project) -> Result<(), StoreError> {
        let row = ProjectRow::of(self.workspace, project);
        let target = projects::table.find((self.workspace, project.id.0)).filter(projects::deleted_at.is_null());
        let affected = self.execute(SameText(diesel::update(target).set(row)))?;
        expect_rows(affected, 1)
    }

    fn delete(&mut self, id: ProjectId, now: OffsetDateTime) -> Result<bool, StoreError> {
        if !self.mark_deleted(deletion!("projects"), id.0, now)? {
            return Ok(false);
        }
        // Statements of their own: they see what those made who held the project a moment ago.
        for sql in [delete_within!("cycles", ""), delete_within!("issues", "AND kind = 'task'")] {
            let sql = sql.bind::<SqlUuid, _>(self.workspace).bind::<SqlUuid, _>(id.0).bind::<Timestamptz, _>(now);
            self.execute(sql)?;
        }
        Ok(true)
    }

    fn list(&mut self, page: &PageRequest) -> Result<Vec<Project>, StoreError> {
        let rows: Vec<ProjectRow> = self.page(list_query(self.workspace, page), page)?;
        rows.into_iter().map(ProjectRow::into_project).collect()
    }
}

const LIST: List = List {
    select: columns!(ProjectRow),
    from: "projects",
    conditions: "workspace_id = $1 AND deleted_at IS NULL",
    order: Order::NewestFirst,
};

pub(crate) fn list_query(workspace: Uuid, page: &PageRequest) -> Statement<RowOf<ProjectRow>> {
    PageQuery::new(&LIST, workspace, page).build()
}

/// Adds many at once.
pub(crate) fn insert_many(tx: &mut PgTx<'_>, records: &[Project]) -> Result<(), StoreError> {
    let rows: Vec<_> = records.iter().map(|project| ProjectRow::of(tx.workspace, project)).collect();
    tx.execute(diesel::insert_into(projects::table).values(rows)).map(drop)
}
