//! Whether what an input refers to is there.

use diesel::sql_types::{Array, Bool, Text, Uuid as SqlUuid};
use domain::Reference;
use domain::ports::StoreError;
use uuid::Uuid;

use crate::cached_sql::CachedSql;
use crate::tx::PgTx;

/// One look-up a reference in one statement. The lock on each row found is the one that foreign keys take: changes of
/// the record go on meanwhile, and its deletion, soft ones included, waits.
pub(crate) fn exist(tx: &mut PgTx<'_>, references: &[Reference]) -> Result<Vec<bool>, StoreError> {
    if references.is_empty() {
        return Ok(Vec::new());
    }
    let mut sql = CachedSql::<Array<Bool>>::new("SELECT ARRAY[");
    for (index, reference) in references.iter().enumerate() {
        sql = sql.text(if index == 0 { "(SELECT true FROM " } else { ", (SELECT true FROM " });
        sql = look_up(sql, tx.workspace, *reference).text(" FOR KEY SHARE) IS NOT NULL");
    }
    tx.value(sql.text("]"))
}

fn look_up(sql: CachedSql<Array<Bool>>, workspace: Uuid, reference: Reference) -> CachedSql<Array<Bool>> {
    let (table, id) = match reference {
        Reference::Company(id) => ("companies", id.0),
        Reference::Contact(id) => ("contacts", id.0),
        Reference::Deal(id) => ("deals", id.0),
        Reference::Project(id) => ("projects", id.0),
        Reference::Cycle(_, id) => ("cycles", id.0),
        Reference::Issue(_, id) => ("issues", id.0),
        Reference::Member(id) => ("members", id.0),
    };
    let sql = sql.text(table).text(" WHERE workspace_id = ").bind::<SqlUuid, _>(workspace);
    let sql = match reference {
        Reference::Member(_) => sql.text(" AND joined_at IS NOT NULL AND deactivated_at IS NULL AND user_id = "),
        _ => sql.text(" AND deleted_at IS NULL AND id = "),
    };
    let sql = sql.bind::<SqlUuid, _>(id);
    match reference {
        Reference::Cycle(project, _) => sql.text(" AND project_id = ").bind::<SqlUuid, _>(project.0),
        Reference::Issue(kind, _) => sql.text(" AND kind = ").bind::<Text, _>(kind.as_str()),
        _ => sql,
    }
}
