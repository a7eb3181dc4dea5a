//! Looks up companies, contacts and projects by name, for imports from other systems. There is no index on names: the search
//! index finds the few records with all words of a name, and their names are then compared in code.

use std::collections::HashMap;

use diesel::sql_types::{BigInt, Nullable, Text, Uuid as SqlUuid};
use domain::kernel::search::{SearchWords, name_key};
use domain::ports::{MAX_NAMESAKE_PROJECTS, MAX_NAMESAKES, NamedProject, NamedRecord, StoreError};
use domain::{CompanyId, ProjectId};
use uuid::Uuid;

use crate::engine::statement::{Statement, sql};
use crate::engine::tx::PgTx;
use crate::support::lexemes::Prefix;

/// How many companies or contacts with the words of a name are compared with it.
const MAX_COMPARED: usize = 100;

/// The place of a name in the list, from 1, and a record with its words: its id, another column, and its own name. The name from
/// the list is not repeated in each row, because files may have long ones.
pub(crate) type NamedColumns<Extra> = (BigInt, SqlUuid, Nullable<Extra>, Text);
type NamedRow<Extra> = (i64, Uuid, Option<Extra>, String);

/// Live records with all words of a name, with one more column and their own names: at most `limit` per name, names of similar
/// length first. `Lantern` is found among any number of records with longer names, because spellings of one name have nearly the
/// same length.
macro_rules! named_sql {
    ($table:literal, $name:literal, $extra:literal, $limit:ident) => {
        sql!(
            "SELECT asked.place, found.id, found.extra, found.name
             FROM unnest($2::text[], $3::text[]) WITH ORDINALITY AS asked (name, words, place)
             CROSS JOIN LATERAL (
                 SELECT id, {extra} AS extra, {name} AS name FROM {table}
                 WHERE workspace_id = $1 AND deleted_at IS NULL AND search @@ asked.words::tsquery
                 ORDER BY abs(char_length({name}) - char_length(asked.name))
                 LIMIT {limit}
             ) AS found",
            table = $table,
            name = $name,
            extra = $extra,
            limit = $limit
        )
    };
}

pub(crate) fn companies_query(workspace: Uuid, names: &[String]) -> Statement<NamedColumns<Text>> {
    bind(named_sql!("companies", "name", "external_id", MAX_COMPARED), workspace, names)
}

pub(crate) fn contacts_query(workspace: Uuid, names: &[String]) -> Statement<NamedColumns<Text>> {
    bind(named_sql!("contacts", "concat_ws(' ', first_name, last_name)", "external_id", MAX_COMPARED), workspace, names)
}

pub(crate) fn projects_query(workspace: Uuid, names: &[String]) -> Statement<NamedColumns<SqlUuid>> {
    bind(named_sql!("projects", "name", "company_id", MAX_NAMESAKE_PROJECTS), workspace, names)
}

/// A name without words has NULL in their place, because no search finds it.
fn bind<Extra>(sql: Statement, workspace: Uuid, names: &[String]) -> Statement<NamedColumns<Extra>> {
    let prefix = Prefix::of(workspace);
    let words = |name: &String| prefix.query_of_any(&SearchWords::of_name(name));
    sql.returns().bind(workspace).bind(names.to_vec()).bind_each(names, words)
}

/// The companies or contacts that a query finds for these names.
pub(crate) fn load(
    tx: &mut PgTx<'_>,
    query: Statement<NamedColumns<Text>>,
    names: &[String],
) -> Result<Vec<NamedRecord>, StoreError> {
    let rows: Vec<NamedRow<String>> = tx.load(query)?;
    let records = matches(names, rows, MAX_NAMESAKES).into_iter();
    Ok(records.map(|(name, id, external_id)| NamedRecord { name, id, external_id }).collect())
}

pub(crate) fn load_projects(tx: &mut PgTx<'_>, names: &[String]) -> Result<Vec<NamedProject>, StoreError> {
    let rows: Vec<NamedRow<Uuid>> = tx.load(projects_query(tx.workspace, names))?;
    let projects = matches(names, rows, MAX_NAMESAKE_PROJECTS).into_iter();
    let projects = projects.map(|(name, id, company)| NamedProject {
        name,
        id: ProjectId(id),
        company_id: company.map(CompanyId),
    });
    Ok(projects.collect())
}

/// The rows whose own name is the name in the list, at most `limit` per name.
fn matches<Extra>(names: &[String], rows: Vec<NamedRow<Extra>>, limit: usize) -> Vec<(String, Uuid, Option<Extra>)> {
    let mut wanted: HashMap<i64, _> = (1..).zip(names.iter().map(|name| (name, name_key(name), 0_usize))).collect();
    let mut matches = Vec::new();
    for (place, id, extra, stored) in rows {
        if let Some((name, key, count)) = wanted.get_mut(&place)
            && *count < limit
            && *key == name_key(&stored)
        {
            *count += 1;
            matches.push((name.clone(), id, extra));
        }
    }
    matches
}
