//! Counts of the records that refer to a company or contact.

use diesel::sql_types::BigInt;
use domain::Reference;
use domain::ports::StoreError;
use domain::records::ReferringCounts;
use uuid::Uuid;

use crate::engine::convert;
use crate::engine::statement::{Statement, sql};
use crate::engine::tx::PgTx;

pub(crate) fn count(tx: &mut PgTx<'_>, record: Reference, most: u32) -> Result<ReferringCounts, StoreError> {
    let Some(sql) = count_query(tx.workspace, record, most) else { return Ok(ReferringCounts::default()) };
    let (deals, tasks, tickets, contacts): (i64, i64, i64, i64) = tx.value(sql)?;
    Ok(ReferringCounts {
        deals: convert::small(deals)?,
        tasks: convert::small(tasks)?,
        tickets: convert::small(tickets)?,
        contacts: convert::small(contacts)?,
    })
}

type Counts = (BigInt, BigInt, BigInt, BigInt);

/// Each count reads the index of the corresponding list filter, up to the bound.
pub(crate) fn count_query(workspace: Uuid, record: Reference, most: u32) -> Option<Statement<Counts>> {
    let (sql, id) = match record {
        Reference::Company(id) => (of_company_sql(), id.0),
        Reference::Contact(id) => (of_contact_sql(), id.0),
        _ => return None,
    };
    Some(sql.returns().bind(workspace).bind(id).bind(i64::from(most)))
}

/// Tickets have no company of their own.
fn of_company_sql() -> Statement {
    sql!(
        "SELECT (SELECT count(*) FROM (
                 SELECT FROM deals WHERE workspace_id = $1 AND company_id = $2 AND deleted_at IS NULL LIMIT $3) AS deal),
             (SELECT count(*) FROM (
                 SELECT FROM issues
                 WHERE workspace_id = $1 AND company_id = $2 AND kind = 'task' AND deleted_at IS NULL LIMIT $3) AS task),
             0::bigint,
             (SELECT count(*) FROM (
                 SELECT FROM contacts WHERE workspace_id = $1 AND company_id = $2 AND deleted_at IS NULL LIMIT $3) AS contact)"
    )
}

fn of_contact_sql() -> Statement {
    sql!(
        "SELECT (SELECT count(*) FROM (
                 SELECT FROM deals WHERE workspace_id = $1 AND contact_id = $2 AND deleted_at IS NULL LIMIT $3) AS deal),
             (SELECT count(*) FROM (
                 SELECT FROM issues
                 WHERE workspace_id = $1 AND contact_id = $2 AND kind = 'task' AND deleted_at IS NULL LIMIT $3) AS task),
             (SELECT count(*) FROM (
                 SELECT FROM issues
                 WHERE workspace_id = $1 AND requester_contact_id = $2 AND deleted_at IS NULL LIMIT $3) AS ticket),
             0::bigint"
    )
}
