//! Checks that the records an input refers to exist.

use diesel::sql_types::{Array, Bool, Text, Uuid as SqlUuid};
use domain::Reference;
use domain::ports::StoreError;
use uuid::Uuid;

use crate::statement::Statement;
use crate::tx::PgTx;

/// Returns whether a record exists. The row lock is the one that foreign keys take: updates of the record continue, and
/// its deletion, including a soft delete, waits.
macro_rules! is_there {
    ($table:literal, $condition:literal) => {
        concat!(
            "(SELECT true FROM ",
            $table,
            " WHERE workspace_id = $1 AND ",
            $condition,
            " FOR KEY SHARE) IS NOT NULL"
        )
    };
}

const COMPANY: &str = is_there!("companies", "deleted_at IS NULL AND id = $n");
const CONTACT: &str = is_there!("contacts", "deleted_at IS NULL AND id = $n");
const DEAL: &str = is_there!("deals", "deleted_at IS NULL AND id = $n");
const PROJECT: &str = is_there!("projects", "deleted_at IS NULL AND id = $n");
const CYCLE: &str = is_there!("cycles", "deleted_at IS NULL AND id = $n AND project_id = $m");
const ISSUE: &str = is_there!("issues", "deleted_at IS NULL AND id = $n AND kind = $m");
const MEMBER: &str = is_there!("members", "joined_at IS NOT NULL AND deactivated_at IS NULL AND user_id = $n");

/// Checks all references in one statement, with one subquery per reference.
pub(crate) fn exist(tx: &mut PgTx<'_>, references: &[Reference]) -> Result<Vec<bool>, StoreError> {
    if references.is_empty() {
        return Ok(Vec::new());
    }
    tx.value(exist_query(tx.workspace, references))
}

/// `$1` is the workspace, `$n` the id, and `$m` the other value that the record must have.
pub(crate) fn exist_query(workspace: Uuid, references: &[Reference]) -> Statement<Array<Bool>> {
    let mut sql = Statement::new("").bind::<SqlUuid, _>(workspace);
    let (mut bound, mut look_ups) = (1, Vec::with_capacity(references.len()));
    for reference in references {
        let (look_up, id) = match *reference {
            Reference::Company(id) => (COMPANY, id.0),
            Reference::Contact(id) => (CONTACT, id.0),
            Reference::Deal(id) => (DEAL, id.0),
            Reference::Project(id) => (PROJECT, id.0),
            Reference::Cycle(_, id) => (CYCLE, id.0),
            Reference::Issue(_, id) => (ISSUE, id.0),
            Reference::Member(id) => (MEMBER, id.0),
        };
        sql = sql.bind::<SqlUuid, _>(id);
        let (own, other) = (format!("${}", bound + 1), format!("${}", bound + 2));
        look_ups.push(look_up.replace("$n", &own).replace("$m", &other));
        (sql, bound) = match *reference {
            Reference::Cycle(project, _) => (sql.bind::<SqlUuid, _>(project.0), bound + 2),
            Reference::Issue(kind, _) => (sql.bind::<Text, _>(kind.as_str()), bound + 2),
            _ => (sql, bound + 1),
        };
    }
    sql.with_text(format!("SELECT ARRAY[{}]", look_ups.join(", "))).returns()
}
