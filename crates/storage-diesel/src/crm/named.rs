//! Looks up companies and contacts by name, for imports from other systems. There is no index on names: the search index
//! finds the few records with all words of a name, and their names are then compared in code.

use std::collections::HashMap;

use diesel::sql_types::{Nullable, Text, Uuid as SqlUuid};
use domain::kernel::search::{SearchWords, name_key};
use domain::ports::{MAX_NAMESAKES, NamedRecord, StoreError};
use uuid::Uuid;

use crate::engine::statement::{Statement, sql};
use crate::engine::tx::PgTx;
use crate::support::lexemes::Prefix;

pub(crate) type NamedColumns = (Text, SqlUuid, Nullable<Text>, Text);

/// Live records with all words of a name, with their own names: at most 100 per name, names of similar length first.
/// `Lantern` is found among any number of records with longer names, because spellings of one name have nearly the same
/// length.
macro_rules! named_sql {
    ($table:literal, $name:literal) => {
        sql!(
            "SELECT asked.name, found.id, found.external_id, found.name
             FROM unnest($2::text[], $3::text[]) AS asked (name, words)
             CROSS JOIN LATERAL (
                 SELECT id, external_id, {name} AS name FROM {table}
                 WHERE workspace_id = $1 AND deleted_at IS NULL AND search @@ asked.words::tsquery
                 ORDER BY abs(char_length({name}) - char_length(asked.name))
                 LIMIT 100
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

/// Omits names without words, because no search finds them.
fn bind(sql: Statement, workspace: Uuid, names: &[String]) -> Statement<NamedColumns> {
    let prefix = Prefix::of(workspace);
    let words = |name: &String| prefix.query_of_any(&SearchWords::of_name(name));
    let (names, words): (Vec<String>, Vec<String>) =
        names.iter().filter_map(|name| Some((name.clone(), words(name)?))).unzip();
    sql.returns().bind(workspace).bind(names).bind(words)
}

pub(crate) fn load(tx: &mut PgTx<'_>, query: Statement<NamedColumns>) -> Result<Vec<NamedRecord>, StoreError> {
    let rows: Vec<(String, Uuid, Option<String>, String)> = tx.load(query)?;
    let (mut matches, mut counts) = (Vec::new(), HashMap::<String, usize>::new());
    for (name, id, external_id, stored) in rows {
        if name_key(&name) != name_key(&stored) {
            continue;
        }
        let count = counts.entry(name.clone()).or_default();
        *count += 1;
        if *count <= MAX_NAMESAKES {
            matches.push(NamedRecord { name, id, external_id });
        }
    }
    Ok(matches)
}
