//! The operator's work on workspaces.

use diesel::prelude::*;
use diesel::sql_types::Bool;
use domain::identity::audit::AuditEntry;
use domain::identity::workspaces::{OperatorFlag, Workspace, WorkspaceFilter};
use domain::kernel::paging::PageRequest;
use domain::ports::StoreError;
use uuid::Uuid;

use crate::engine::columns::columns;
use crate::engine::page_query::{List, Order, PageQuery};
use crate::engine::statement::{RowOf, Statement, sql};
use crate::engine::store::NO_WORKSPACE;
use crate::engine::tx::PgTx;
use crate::identity::audit;
use crate::identity::workspaces::{self as workspace_row, WorkspaceRow};
use crate::schema::{users, workspaces};
use crate::support::lexemes::Prefix;

const COLUMNS: &str = columns!(WorkspaceRow);

pub(crate) fn find_workspace_by_name(tx: &mut PgTx<'_>, slug_or_id: &str) -> Result<Option<Workspace>, StoreError> {
    let query = workspaces::table.select(WorkspaceRow::as_select());
    // A slug never has the form of an id.
    let row: Option<WorkspaceRow> = match Uuid::try_parse(slug_or_id) {
        Ok(id) => tx.first(query.filter(workspaces::id.eq(id))),
        Err(_) => tx.first(query.filter(workspaces::slug.eq(slug_or_id.to_owned()))),
    }?;
    row.map(WorkspaceRow::into_workspace).transpose()
}

/// Ordered by bytes, regardless of the database's collation.
#[expect(clippy::needless_raw_string_hashes, reason = "there are quotes; clippy sees what const_format makes of them")]
pub(super) fn list_workspaces(tx: &mut PgTx<'_>, after: &str, limit: u32) -> Result<Vec<Workspace>, StoreError> {
    let sql = sql!(
        r#"SELECT {COLUMNS} FROM workspaces
           WHERE slug COLLATE "C" > $1
           ORDER BY slug COLLATE "C" LIMIT $2"#
    );
    let sql = sql.bind(after.to_owned()).bind(i64::from(limit));
    let rows: Vec<WorkspaceRow> = tx.load(sql.returns::<RowOf<WorkspaceRow>>())?;
    rows.into_iter().map(WorkspaceRow::into_workspace).collect()
}

pub(super) fn has_workspaces(tx: &mut PgTx<'_>) -> Result<bool, StoreError> {
    tx.value(sql!("SELECT EXISTS (SELECT FROM workspaces)").returns::<Bool>())
}

pub(super) fn create_workspace(tx: &mut PgTx<'_>, workspace: &Workspace, entry: &AuditEntry) -> Result<(), StoreError> {
    workspace_row::insert(tx, workspace)?;
    audit::append_in(tx, workspace.id.0, entry)
}

const LIST: List = List {
    select: COLUMNS,
    from: "workspaces",
    // Every list binds a workspace first; this one does not use it.
    conditions: "id <> $1",
    order: Order::Newest,
};

pub(crate) fn search_query(filter: &WorkspaceFilter, page: &PageRequest) -> Statement<RowOf<WorkspaceRow>> {
    let prefix = Prefix::of(NO_WORKSPACE.0);
    PageQuery::new(&LIST, NO_WORKSPACE.0, page)
        .any_text("status", filter.status.0.iter().map(|status| status.as_str()).collect())
        .created(&filter.created())
        .search(filter.search.as_ref().and_then(|query| prefix.query(query)), LIST.conditions)
        .build()
}

pub(super) fn search(
    tx: &mut PgTx<'_>,
    filter: &WorkspaceFilter,
    page: &PageRequest,
) -> Result<Vec<Workspace>, StoreError> {
    let rows: Vec<WorkspaceRow> = tx.page(search_query(filter, page), page)?;
    rows.into_iter().map(WorkspaceRow::into_workspace).collect()
}

pub(super) fn set_operator(tx: &mut PgTx<'_>, change: &OperatorFlag) -> Result<(), StoreError> {
    let user = users::table.find(change.user_id.0);
    tx.execute(diesel::update(user).set(users::is_operator.eq(change.is_operator)))?;
    super::note_change(tx, change.user_id.0)?;
    change.entries.iter().try_for_each(|(workspace, entry)| audit::append_in(tx, workspace.0, entry))
}

pub(super) fn has_users(tx: &mut PgTx<'_>) -> Result<bool, StoreError> {
    tx.value(sql!("SELECT EXISTS (SELECT FROM users WHERE password_hash IS NOT NULL)").returns::<Bool>())
}
