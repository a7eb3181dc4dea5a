//! Searches without results.

use diesel::sql_types::{BigInt, Bool, Text, Timestamptz};
use domain::ports::StoreError;
use domain::support::kb::{MAX_MISSED_TERMS, MissedSearch, MissedTerm};
use time::OffsetDateTime;
use uuid::Uuid;

use crate::engine::statement::{Statement, sql};
use crate::engine::tx::PgTx;

/// How many terms are kept in addition to the current one.
const MAX_OTHERS: u32 = MAX_MISSED_TERMS - 1;

pub(crate) fn note(tx: &mut PgTx<'_>, term: &MissedTerm, now: OffsetDateTime) -> Result<(), StoreError> {
    let is_new: bool = tx.value(note_query(tx.workspace, term, now))?;
    if is_new {
        tx.execute(prune_query(tx.workspace, term))?;
    }
    Ok(())
}

/// Returns whether the term is new.
pub(crate) fn note_query(workspace: Uuid, term: &MissedTerm, now: OffsetDateTime) -> Statement<Bool> {
    let sql = sql!(
        "INSERT INTO kb_vain_searches (workspace_id, term, searches, last_at) VALUES ($1, $2, 1, $3)
         ON CONFLICT (workspace_id, term) DO UPDATE SET searches = kb_vain_searches.searches + 1,
             last_at = greatest(kb_vain_searches.last_at, EXCLUDED.last_at)
         RETURNING searches = 1"
    );
    sql.returns().bind(workspace).bind(term.as_str().to_owned()).bind(now)
}

/// Concurrent calls remove the same terms in the same order, so they cannot deadlock.
pub(crate) fn prune_query(workspace: Uuid, term: &MissedTerm) -> Statement {
    let sql = sql!(
        "DELETE FROM kb_vain_searches WHERE workspace_id = $1 AND term = ANY (ARRAY(
             SELECT term FROM kb_vain_searches WHERE workspace_id = $1 AND term <> $2
             ORDER BY searches DESC, last_at DESC, term OFFSET {MAX_OTHERS}
         ))"
    );
    sql.bind(workspace).bind(term.as_str().to_owned())
}

/// A workspace has at most about [`MAX_MISSED_TERMS`].
pub(crate) fn forget(tx: &mut PgTx<'_>, names_person: &dyn Fn(&str) -> bool) -> Result<u64, StoreError> {
    let sql = sql!("SELECT term FROM kb_vain_searches WHERE workspace_id = $1").returns::<Text>();
    let mut terms: Vec<String> = tx.load(sql.bind(tx.workspace))?;
    terms.retain(|term| names_person(term));
    if terms.is_empty() {
        return Ok(0);
    }
    let sql = sql!("DELETE FROM kb_vain_searches WHERE workspace_id = $1 AND term = ANY ($2)");
    Ok(tx.execute(sql.bind(tx.workspace).bind(terms))? as u64)
}

pub(crate) fn list(tx: &mut PgTx<'_>, since: OffsetDateTime, limit: u32) -> Result<Vec<MissedSearch>, StoreError> {
    let rows: Vec<(String, i64, OffsetDateTime)> = tx.load(list_query(tx.workspace, since, limit))?;
    let to_missed_search =
        |(term, searches, last_at): (String, i64, _)| MissedSearch { term, searches: searches.unsigned_abs(), last_at };
    Ok(rows.into_iter().map(to_missed_search).collect())
}

pub(crate) fn list_query(workspace: Uuid, since: OffsetDateTime, limit: u32) -> Statement<(Text, BigInt, Timestamptz)> {
    let sql = sql!(
        "SELECT term, searches, last_at FROM kb_vain_searches
         WHERE workspace_id = $1 AND last_at >= $2
         ORDER BY searches DESC, last_at DESC, term LIMIT $3"
    );
    sql.returns().bind(workspace).bind(since).bind(i64::from(limit))
}
