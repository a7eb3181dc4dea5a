//! Deleted records: found, listed and restored.

use diesel::ExpressionMethods;
use diesel::sql_types::{BigInt, Nullable, Timestamptz, Uuid as SqlUuid};
use domain::ProjectId;
use domain::crm::companies::{Company, CompanyFilter};
use domain::crm::contacts::{Contact, ContactFilter};
use domain::crm::deals::{Deal, DealFilter};
use domain::kernel::paging::PageRequest;
use domain::ports::{DeletedRepo, StoreError};
use domain::records::Deleted;
use domain::support::kb::{Article, ArticleFilter};
use domain::work::cycles::Cycle;
use domain::work::issues::{Issue, IssueFilter};
use domain::work::projects::{Project, ProjectFilter};
use time::OffsetDateTime;
use uuid::Uuid;

use crate::crm::{companies, contacts, deals};
use crate::engine::columns::columns;
use crate::engine::errors::expect_rows;
use crate::engine::page_query::PageQuery;
use crate::engine::statement::{RowOf, Statement, sql};
use crate::engine::tx::PgTx;
use crate::schema::num_nonnulls;
use crate::support::kb;
use crate::work::{cascades, cycles, issues, projects};

/// The condition of a live row that is found by its key. Unlike `deleted_at IS NULL`, it fits no partial index: without statistics,
/// as on a new table, Postgres may take one of those for cheaper than the primary key, and read all of the workspace.
pub(crate) fn is_live<C>(deleted_at: C) -> diesel::dsl::Eq<num_nonnulls<C>, i32>
where
    C: diesel::expression::AsExpression<Nullable<Timestamptz>>,
    num_nonnulls<C>: diesel::Expression<SqlType = diesel::sql_types::Integer>,
{
    num_nonnulls(deleted_at).eq(0)
}

/// A row, and when it was deleted.
pub(crate) type DeletedRow<R> = (RowOf<R>, Timestamptz);

/// Builds the list of those deleted after `since`.
pub(crate) fn list_query<R>(query: PageQuery, since: OffsetDateTime) -> Statement<R> {
    query.bound::<Timestamptz, _>("deleted_at > $n", Some(since)).build()
}

/// Makes a deleted row live again.
macro_rules! restored {
    ($table:literal) => {
        |tx: &mut PgTx<'_>, deleted: &Deleted<_>| {
            let sql = sql!(
                "UPDATE {table} SET deleted_at = NULL, version = $3, updated_at = $4
                 WHERE workspace_id = $1 AND id = $2 AND deleted_at IS NOT NULL AND erased_at IS NULL",
                table = $table
            );
            let record = &deleted.record;
            let sql = sql.bind::<SqlUuid, _>(tx.workspace).bind::<SqlUuid, _>(record.id.0);
            let sql = sql.bind::<BigInt, _>(record.version).bind::<Timestamptz, _>(record.updated_at);
            expect_rows(tx.execute(sql)?, 1)
        }
    };
}

macro_rules! deleted_records {
    ($( $record:ident by $filter:ty: $module:ident::$row:ident, $into:ident, $table:literal, $restore:expr; )*) => { $(
        impl DeletedRepo<$record, $filter> for PgTx<'_> {
            fn get_deleted_for_update(
                &mut self,
                id: Uuid,
                since: OffsetDateTime,
            ) -> Result<Option<Deleted<$record>>, StoreError> {
                const COLUMNS: &str = columns!($module::$row);
                let sql = sql!(
                    "SELECT {columns}, deleted_at FROM {table}
                     WHERE workspace_id = $1 AND id = $2 AND deleted_at > $3 AND erased_at IS NULL
                     FOR NO KEY UPDATE",
                    columns = COLUMNS,
                    table = $table
                );
                let sql = sql.returns::<DeletedRow<$module::$row>>();
                let sql = sql.bind::<SqlUuid, _>(self.workspace).bind::<SqlUuid, _>(id);
                let found: Option<($module::$row, OffsetDateTime)> = self.first(sql.bind::<Timestamptz, _>(since))?;
                let deleted = |(row, deleted_at): ($module::$row, _)| Ok(Deleted { record: row.$into()?, deleted_at });
                found.map(deleted).transpose()
            }

            fn restore(&mut self, deleted: &Deleted<$record>) -> Result<(), StoreError> {
                let restore: fn(&mut PgTx<'_>, &Deleted<$record>) -> Result<(), StoreError> = $restore;
                restore(self, deleted)
            }

            fn list_deleted(
                &mut self,
                filter: &$filter,
                since: OffsetDateTime,
                page: &PageRequest,
            ) -> Result<Vec<Deleted<$record>>, StoreError> {
                let sql = $module::deleted_query(self.workspace, filter, since, page);
                let rows: Vec<($module::$row, OffsetDateTime)> = self.page(sql, page)?;
                let deleted = |(row, deleted_at): ($module::$row, _)| Ok(Deleted { record: row.$into()?, deleted_at });
                rows.into_iter().map(deleted).collect()
            }
        }
    )* };
}

deleted_records! {
    Company by CompanyFilter: companies::CompanyRow, into_company, "companies", restored!("companies");
    Contact by ContactFilter: contacts::ContactRow, into_contact, "contacts", restored!("contacts");
    Deal by DealFilter: deals::DealRow, into_deal, "deals", restored!("deals");
    Project by ProjectFilter: projects::ProjectRow, into_project, "projects", restore_project;
    Cycle by ProjectId: cycles::CycleRow, into_cycle, "cycles", restored!("cycles");
    Issue by IssueFilter: issues::IssueRow, into_issue, "issues", restore_issue;
    Article by ArticleFilter: kb::ArticleRow, into_article, "kb_articles", restored!("kb_articles");
}

/// Brings back what was deleted with a project: at the same time. Its deletion was a version too, as that of any record, and each is later
/// than the one before.
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

/// What restores the cycles and the tasks that were deleted with a project.
pub(crate) fn within_project(
    workspace: Uuid,
    project: ProjectId,
    deleted_at: OffsetDateTime,
    restored_at: OffsetDateTime,
) -> [Statement; 2] {
    [restored_within!("cycles"), restored_within!("issues")].map(|sql| {
        let sql = sql.bind::<SqlUuid, _>(workspace).bind::<SqlUuid, _>(project.0);
        sql.bind::<Timestamptz, _>(deleted_at).bind::<Timestamptz, _>(restored_at).planned_each_time()
    })
}

fn restore_project(tx: &mut PgTx<'_>, deleted: &Deleted<Project>) -> Result<(), StoreError> {
    let restore: fn(&mut PgTx<'_>, &Deleted<Project>) -> Result<(), StoreError> = restored!("projects");
    restore(tx, deleted)?;
    let project = &deleted.record;
    // As long as they are deleted; nothing restores them meanwhile, since their project is not live.
    cascades::note_restored(tx, project, deleted.deleted_at)?;
    for sql in within_project(tx.workspace, project.id, deleted.deleted_at, project.updated_at) {
        tx.execute(sql)?;
    }
    Ok(())
}

fn restore_issue(tx: &mut PgTx<'_>, deleted: &Deleted<Issue>) -> Result<(), StoreError> {
    let sql = sql!(
        "UPDATE issues SET deleted_at = NULL, version = $3, updated_at = $4, cycle_id = $5
         WHERE workspace_id = $1 AND id = $2 AND deleted_at IS NOT NULL AND erased_at IS NULL"
    );
    let issue = &deleted.record;
    let sql = sql.bind::<SqlUuid, _>(tx.workspace).bind::<SqlUuid, _>(issue.id.0);
    let sql = sql.bind::<BigInt, _>(issue.version).bind::<Timestamptz, _>(issue.updated_at);
    expect_rows(tx.execute(sql.bind::<Nullable<SqlUuid>, _>(issue.cycle_id.map(|id| id.0)))?, 1)
}
