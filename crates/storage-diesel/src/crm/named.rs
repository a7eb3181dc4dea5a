//! Looks up companies and contacts by name, for imports of other systems' files. There is no index of names: the search index
//! finds the few records that have all words of a name.

use diesel::sql_types::{Array, Nullable, Text, Uuid as SqlUuid};
use domain::kernel::search::SearchWords;
use domain::ports::{NamedRecord, StoreError};
use uuid::Uuid;

use crate::statement::{Statement, sql};
use crate::support::lexemes::Prefix;
use crate::tx::PgTx;

pub(crate) type NamedColumns = (Text, SqlUuid, Nullable<Text>);

/// At most ten live rows per name: [`domain::ports::MAX_NAMESAKES`].
macro_rules! named_sql {
    ($table:literal, $name:literal) => {
        sql!(
            "SELECT asked.name, found.id, found.external_id
             FROM unnest($2::text[], $3::text[]) AS asked (name, words)
             CROSS JOIN LATERAL (
                 SELECT id, external_id FROM {table}
                 WHERE workspace_id = $1 AND deleted_at IS NULL AND search @@ asked.words::tsquery
                     AND lower({name}) = lower(asked.name)
                 LIMIT 10
             ) AS found",
            table = $table,
            name = $name
        )
    };
}

pub(crate) fn companies_query(workspace: Uuid, names: &[String]) -> Statement<NamedColumns> {
    bind(named_sql!("companies", "name"), workspace, names)
}

pub(crate) fn contacts_query(workspace: Uuid, names: &[String]) -> Statement<NamedColumns> {
    bind(named_sql!("contacts", "concat_ws(' ', first_name, last_name)"), workspace, names)
}

/// Names without words are left out, because no search finds them.
fn bind(sql: Statement, workspace: Uuid, names: &[String]) -> Statement<NamedColumns> {
    let prefix = Prefix::of(workspace);
    let words = |name: &String| {
        let mut words = SearchWords::default();
        words.text(Some(name));
        prefix.query_of_all(&words.into_vec())
    };
    let (names, words): (Vec<String>, Vec<String>) =
        names.iter().filter_map(|name| Some((name.clone(), words(name)?))).unzip();
    let sql = sql.returns().bind::<SqlUuid, _>(workspace);
    sql.bind::<Array<Text>, _>(names).bind::<Array<Text>, _>(words)
}

pub(crate) fn load(tx: &mut PgTx<'_>, query: Statement<NamedColumns>) -> Result<Vec<NamedRecord>, StoreError> {
    let rows: Vec<(String, Uuid, Option<String>)> = tx.load(query)?;
    Ok(rows.into_iter().map(|(name, id, external_id)| NamedRecord { name, id, external_id }).collect())
}
