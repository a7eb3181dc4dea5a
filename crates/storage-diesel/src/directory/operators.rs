//! The operator's work on workspaces.

use diesel::prelude::*;
use diesel::sql_types::{BigInt, Bool, Text};
use domain::identity::audit::AuditEntry;
use domain::identity::workspaces::Workspace;
use domain::ports::StoreError;
use uuid::Uuid;

use crate::columns::columns;
use crate::identity::audit;
use crate::identity::workspaces::WorkspaceRow;
use crate::schema::workspaces;
use crate::statement::{RowOf, sql};
use crate::tx::PgTx;

const COLUMNS: &str = columns!(WorkspaceRow);

pub(crate) fn find_workspace_by_name(tx: &mut PgTx<'_>, slug_or_id: &str) -> Result<Option<Workspace>, StoreError> {
    let query = workspaces::table.select(WorkspaceRow::as_select());
    // No slug has the form of an id.
    let found: Option<WorkspaceRow> = match Uuid::try_parse(slug_or_id) {
        Ok(id) => tx.first(query.filter(workspaces::id.eq(id))),
        Err(_) => tx.first(query.filter(workspaces::slug.eq(slug_or_id.to_owned()))),
    }?;
    found.map(WorkspaceRow::into_workspace).transpose()
}

/// Ordered by bytes, regardless of the database's collation.
#[expect(clippy::needless_raw_string_hashes, reason = "there are quotes; clippy sees what const_format makes of them")]
pub(super) fn list_workspaces(tx: &mut PgTx<'_>, after: &str, limit: u32) -> Result<Vec<Workspace>, StoreError> {
    let sql = sql!(
        r#"SELECT {COLUMNS} FROM workspaces
           WHERE slug COLLATE "C" > $1
           ORDER BY slug COLLATE "C" LIMIT $2"#
    );
    let sql = sql.bind::<Text, _>(after.to_owned()).bind::<BigInt, _>(i64::from(limit));
    let rows: Vec<WorkspaceRow> = tx.load(sql.returns::<RowOf<WorkspaceRow>>())?;
    rows.into_iter().map(WorkspaceRow::into_workspace).collect()
}

pub(super) fn has_workspaces(tx: &mut PgTx<'_>) -> Result<bool, StoreError> {
    tx.value(sql!("SELECT EXISTS (SELECT FROM workspaces)").returns::<Bool>())
}

pub(super) fn create_workspace(tx: &mut PgTx<'_>, workspace: &Workspace, entry: &AuditEntry) -> Result<(), StoreError> {
    tx.execute(diesel::insert_into(workspaces::table).values(WorkspaceRow::of(workspace)))?;
    audit::append_in(tx, workspace.id.0, entry)
}
