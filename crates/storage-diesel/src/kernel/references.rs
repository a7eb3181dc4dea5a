//! Checks that the records an input refers to exist.

use std::collections::HashSet;

use diesel::sql_types::{Array, Bool, Uuid as SqlUuid};
use domain::Reference;
use domain::ports::StoreError;
use uuid::Uuid;

use crate::engine::pending::{PendingWrite, WriteName};
use crate::engine::statement::{Statement, sql};
use crate::engine::tx::PgTx;

/// Whether a record exists. It takes the row lock of foreign keys: updates of the record continue, and its deletion,
/// including a soft delete, waits. The condition is that of [`is_live`](crate::records::is_live).
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

// Conditions other than on the id must not fit another index, such as that of an issue's kind and number.
const COMPANY: &str = is_there!("companies", "num_nonnulls(deleted_at) = 0 AND id = $n");
const CONTACT: &str = is_there!("contacts", "num_nonnulls(deleted_at) = 0 AND id = $n");
const DEAL: &str = is_there!("deals", "num_nonnulls(deleted_at) = 0 AND id = $n");
const PROJECT: &str = is_there!("projects", "num_nonnulls(deleted_at) = 0 AND id = $n");
const CYCLE: &str = is_there!("cycles", "num_nonnulls(deleted_at) = 0 AND id = $n AND (project_id = $m) IS TRUE");
const ISSUE: &str = is_there!("issues", "num_nonnulls(deleted_at) = 0 AND id = $n AND (kind = $m) IS TRUE");
const MEMBER: &str = is_there!("members", "joined_at IS NOT NULL AND deactivated_at IS NULL AND user_id = $n");

/// With this many references, they are checked with one subquery per kind, so that the text does not grow with their number.
const MANY: usize = 16;

/// Checks all references in one statement, with one subquery per reference, or per kind if there are many.
pub(crate) fn exist(tx: &mut PgTx<'_>, references: &[Reference]) -> Result<Vec<bool>, StoreError> {
    if references.is_empty() {
        return Ok(Vec::new());
    }
    // Only a single reference is batched: batched statements are large, each stays prepared, and several references have
    // hundreds of combinations.
    if let [reference] = references
        && tx.batches_writes()
    {
        let (look_ups, binds) = look_ups(tx.workspace, &[*reference]);
        tx.write_later(PendingWrite::new(WriteName::References, binds).holds(look_ups.concat()))?;
        return Ok(vec![true]);
    }
    if references.len() < MANY {
        return tx.value(tx.placed(exist_query(tx.workspace, references)));
    }
    let existing: [Vec<Uuid>; 5] = {
        let (companies, contacts, deals, projects, members) = tx.value(exist_many_query(tx.workspace, references))?;
        [companies, contacts, deals, projects, members]
    };
    let existing: [HashSet<Uuid>; 5] = existing.map(|ids| ids.into_iter().collect());
    let exists = |reference: &Reference| match by_kind(*reference) {
        Some((kind, id)) => Ok(existing[kind as usize].contains(&id)),
        // No transaction refers to many cycles or issues.
        None => {
            tx.value::<_, Vec<bool>>(tx.placed(exist_query(tx.workspace, &[*reference]))).map(|values| values == [true])
        }
    };
    references.iter().map(exists).collect()
}

/// The kinds whose references are checked together.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    Company,
    Contact,
    Deal,
    Project,
    Member,
}

const fn by_kind(reference: Reference) -> Option<(Kind, Uuid)> {
    match reference {
        Reference::Company(id) => Some((Kind::Company, id.0)),
        Reference::Contact(id) => Some((Kind::Contact, id.0)),
        Reference::Deal(id) => Some((Kind::Deal, id.0)),
        Reference::Project(id) => Some((Kind::Project, id.0)),
        Reference::Member(id) => Some((Kind::Member, id.0)),
        Reference::Cycle(..) | Reference::Issue(..) => None,
    }
}

type FoundIds = (Array<SqlUuid>, Array<SqlUuid>, Array<SqlUuid>, Array<SqlUuid>, Array<SqlUuid>);

/// The ids that exist, by kind. The rows of each are locked in the order of their ids.
pub(crate) fn exist_many_query(workspace: Uuid, references: &[Reference]) -> Statement<FoundIds> {
    let ids = |kind_needed: Kind| -> Vec<Uuid> {
        let pairs = references.iter().filter_map(|reference| by_kind(*reference));
        pairs.filter(|(kind, _)| *kind == kind_needed).map(|(_, id)| id).collect()
    };
    // The conditions on `deleted_at` fit no partial index, so that rows are found by their primary keys (crm/batch.rs).
    let sql = sql!(
        "WITH company AS MATERIALIZED (
             SELECT id FROM companies WHERE workspace_id = $1 AND num_nonnulls(deleted_at) = 0 AND id = ANY ($2)
             ORDER BY id FOR KEY SHARE
         ), contact AS MATERIALIZED (
             SELECT id FROM contacts WHERE workspace_id = $1 AND num_nonnulls(deleted_at) = 0 AND id = ANY ($3)
             ORDER BY id FOR KEY SHARE
         ), deal AS MATERIALIZED (
             SELECT id FROM deals WHERE workspace_id = $1 AND num_nonnulls(deleted_at) = 0 AND id = ANY ($4)
             ORDER BY id FOR KEY SHARE
         ), project AS MATERIALIZED (
             SELECT id FROM projects WHERE workspace_id = $1 AND num_nonnulls(deleted_at) = 0 AND id = ANY ($5)
             ORDER BY id FOR KEY SHARE
         ), member AS MATERIALIZED (
             SELECT user_id AS id FROM members
             WHERE workspace_id = $1 AND joined_at IS NOT NULL AND deactivated_at IS NULL AND user_id = ANY ($6)
             ORDER BY user_id FOR KEY SHARE
         )
         SELECT ARRAY(SELECT id FROM company), ARRAY(SELECT id FROM contact), ARRAY(SELECT id FROM deal),
             ARRAY(SELECT id FROM project), ARRAY(SELECT id FROM member)"
    );
    let sql = sql.returns().bind(workspace).bind(ids(Kind::Company)).bind(ids(Kind::Contact)).bind(ids(Kind::Deal));
    sql.bind(ids(Kind::Project)).bind(ids(Kind::Member))
}

pub(crate) fn exist_query(workspace: Uuid, references: &[Reference]) -> Statement<Array<Bool>> {
    let (look_ups, binds) = look_ups(workspace, references);
    let text = format!("SELECT ARRAY[{}]", look_ups.join(", "));
    // Members are a reference table: alone in a statement, they would be locked across the whole cluster (`workspace_lock.rs`).
    let here = "FROM (SELECT count(*) FROM event_sequences WHERE workspace_id = $1) AS here";
    let in_cluster = Statement::new(format!("{text} {here}"));
    binds.with_text(text).or_in_cluster(Some(in_cluster)).returns()
}

/// An expression per reference, and all binds: `$1` is the workspace, `$n` an id, and `$m` another value that the record must
/// have.
fn look_ups(workspace: Uuid, references: &[Reference]) -> (Vec<String>, Statement) {
    let mut sql = Statement::new("").bind(workspace);
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
        sql = sql.bind(id);
        let (id_placeholder, other_placeholder) = (format!("${}", bound + 1), format!("${}", bound + 2));
        look_ups.push(look_up.replace("$n", &id_placeholder).replace("$m", &other_placeholder));
        (sql, bound) = match *reference {
            Reference::Cycle(project, _) => (sql.bind(project.0), bound + 2),
            Reference::Issue(kind, _) => (sql.bind(kind.as_str()), bound + 2),
            _ => (sql, bound + 1),
        };
    }
    (look_ups, sql)
}
