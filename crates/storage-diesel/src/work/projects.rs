//! Projects.

use diesel::prelude::*;
use diesel::sql_types::BigInt;
use domain::ProjectId;
use domain::events::Cascade;
use domain::ports::{NamedProject, ProjectRepo, StoreError};
use domain::records::{Deleted, Kind, RecordKind};
use domain::work::projects::{Project, ProjectFilter};
use serde_json::Value;
use time::{Date, OffsetDateTime};
use uuid::Uuid;

use crate::console::search::{SearchedKind, search_part};
use crate::crm::batch::update_sql;
use crate::crm::named;
use crate::directory::records_erasure::erased;
use crate::directory::search_reindex::searched;
use crate::engine::convert;
use crate::engine::errors::expect_rows;
use crate::engine::insertion::Insertion;
use crate::engine::page_query::{LIVE, List, PageQuery, UPDATED_SINCE};
use crate::engine::statement::{Statement, sql};
use crate::engine::tx::PgTx;
use crate::records::{ListedTable, StoredKind, deleted_list, in_table, live_list};
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

/// Marks a project's live rows of a table as deleted; locks them in id order, like every other statement.
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

impl StoredKind for Project {
    const KIND_SQL: &'static str = "'project'";
    const TITLE: &'static str = "name";
    const DELETED: &'static List = &deleted_list!("projects", ProjectRow);

    in_table!("projects", ProjectRow, into_project);
    searched!("projects", ProjectRow, into_project);

    erased! {
        "projects", comments(): {
            name = "'erased'", description = "NULL", start_date = "NULL", end_date = "NULL", team_id = "NULL",
            lead_user_id = "NULL", template_id = "NULL", deal_id = "NULL", company_id = "NULL", github_url = "NULL",
            external_id = "NULL", search = "''"
        } keeps {
            workspace_id, id, status, priority, progress, hosted, version, created_at, updated_at, created_by_type,
            created_by_id, deleted_at, erased_at
        }
    }

    fn lexemes(&self, workspace: Uuid) -> Vec<String> {
        Prefix::of(workspace).lexemes(&self.search_words())
    }

    fn searched_kind(_: RecordKind) -> Option<SearchedKind> {
        let part = search_part!(Project, "'project'", "status");
        Some(SearchedKind { part, words: "$2::text::tsquery", comments: None })
    }

    fn insert(&self, tx: &mut PgTx<'_>) -> Result<(), StoreError> {
        let search = projects::search.eq(array_to_tsvector(self.lexemes(tx.workspace)).nullable());
        let row = (ProjectRow::of(tx.workspace, self), search);
        let insertion = Insertion::new::<projects::table, _, _>(Self::TABLE, row).on_conflict_do_nothing();
        tx.insert_one(insertion, &self.unique_values())
    }

    fn save(&self, tx: &mut PgTx<'_>) -> Result<(), StoreError> {
        let mut document = ProjectRow::of(tx.workspace, self).document();
        document.insert("words".to_owned(), self.lexemes(tx.workspace).into());
        let sql = update_sql!("projects", ProjectRow, long["description"], unique["external_id"], "", "");
        let sql = sql.bind(tx.workspace).bind(Value::from(vec![Value::from(document)]).to_string());
        let saved = tx.execute(sql.bind(vec![self.id.0]))?;
        tx.expect_saved(saved, self)
    }

    fn delete(tx: &mut PgTx<'_>, id: Uuid, now: OffsetDateTime) -> Result<bool, StoreError> {
        if !tx.mark_deleted(Self::deletion(), id, now)? {
            return Ok(false);
        }
        // Separate statements, so that they see rows inserted by previous holders of the project's lock.
        for sql in [delete_within!("cycles", ""), delete_within!("issues", "AND kind = 'task'")] {
            tx.execute(sql.bind(tx.workspace).bind(id).bind(now))?;
        }
        Ok(true)
    }

    fn restore(tx: &mut PgTx<'_>, deleted: &Deleted<Self>) -> Result<(), StoreError> {
        let project = &deleted.record;
        expect_rows(tx.execute(project.restoration(tx.workspace))?, 1)?;
        // This comes first: it finds the rows by their time of deletion, which the statements below clear. No other transaction can
        // restore a row in between, because it does not see the project as live.
        cascades::note_restored(tx, project, deleted.deleted_at)?;
        for sql in restoration_statements(tx.workspace, project.id, deleted.deleted_at, project.updated_at) {
            tx.execute(sql)?;
        }
        Ok(())
    }

    fn filtered(query: PageQuery, workspace: Uuid, filter: &ProjectFilter) -> PageQuery {
        let prefix = Prefix::of(workspace);
        query
            // First, because it is the most selective filter.
            .any_id("id", filter.ids.0.iter().map(|id| id.0).collect())
            .equal("external_id = $n", filter.external_id.as_ref().map(|id| id.as_str().to_owned()))
            .any_text("status", filter.status.0.iter().map(|status| status.as_str()).collect())
            .created(&filter.created())
            .bound(UPDATED_SINCE, filter.updated_since)
            .search(filter.search.as_ref().and_then(|query| prefix.query(query)), LIVE)
    }
}

impl ListedTable for Project {
    const LIST: &'static List = &live_list!("projects", ProjectRow);
}

impl ProjectRepo for PgTx<'_> {
    fn named(&mut self, names: &[String]) -> Result<Vec<NamedProject>, StoreError> {
        named::load_projects(self, names)
    }

    fn note_deleted(&mut self, id: ProjectId, deleted_at: OffsetDateTime) -> Result<Cascade, StoreError> {
        cascades::note_deleted(self, id, deleted_at)
    }

    fn deleted_with(&mut self, id: ProjectId, deleted_at: OffsetDateTime) -> Result<Cascade, StoreError> {
        let (tasks, cycles): (i64, i64) = self.value(deleted_with_query(self.workspace, id, deleted_at))?;
        Ok(Cascade { tasks: convert::count(tasks)?, cycles: convert::count(cycles)? })
    }
}

/// Restores the rows of a table that were deleted with the project, recognized by the same time of deletion. The deletion counts as a
/// version, although it is not stored, so the version of a restored row is two higher.
macro_rules! restored_within {
    ($table:literal) => {
        sql!(
            "UPDATE {table} SET deleted_at = NULL, version = version + 2,
                 updated_at = greatest(greatest(updated_at + interval '1 microsecond', $3) + interval '1 microsecond', $4)
             WHERE workspace_id = $1 AND id = ANY (ARRAY(
                 SELECT id FROM {table}
                 WHERE workspace_id = $1 AND project_id = $2 AND deleted_at = $3 AND deleted_at > '-infinity' AND erased_at IS NULL
                 ORDER BY id
                 FOR NO KEY UPDATE
             ))",
            table = $table
        )
    };
}

/// The statements that restore the cycles and tasks deleted with a project.
pub(crate) fn restoration_statements(
    workspace: Uuid,
    project: ProjectId,
    deleted_at: OffsetDateTime,
    restored_at: OffsetDateTime,
) -> [Statement; 2] {
    [restored_within!("cycles"), restored_within!("issues")]
        .map(|sql| sql.bind(workspace).bind(project.0).bind(deleted_at).bind(restored_at).planned_each_time())
}

/// Counts the tasks and cycles that a restore of the project would restore. Its conditions are those of `restored_within!`.
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
    sql.returns().bind(workspace).bind(project.0).bind(deleted_at).planned_each_time()
}

pub(crate) fn insert_many(tx: &mut PgTx<'_>, records: &[Project]) -> Result<(), StoreError> {
    let row = |project: &Project| {
        let search = projects::search.eq(array_to_tsvector(project.lexemes(tx.workspace)).nullable());
        (ProjectRow::of(tx.workspace, project), search)
    };
    let rows: Vec<_> = records.iter().map(row).collect();
    tx.execute(diesel::insert_into(projects::table).values(rows)).map(drop)
}
