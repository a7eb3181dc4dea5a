//! Writing many issues with one statement.

use std::collections::HashMap;
use std::hash::{BuildHasher, RandomState};

use diesel::pg::Pg;
use diesel::sql_types::{Array, BigInt, Date as SqlDate, Nullable, Numeric, Text, Timestamptz, Uuid as SqlUuid};
use domain::IssueId;
use domain::ports::StoreError;
use domain::work::issues::Issue;

use crate::cached_sql::CachedSql;
use crate::convert;
use crate::errors::expect_rows;
use crate::tx::PgTx;
use crate::work::issues::prefix_of;

/// What issues said when they were loaded, so that search words are written only where the text changed.
#[derive(Debug, Default)]
pub(crate) struct LoadedTexts {
    hasher: RandomState,
    hashes: HashMap<IssueId, u64>,
}

impl LoadedTexts {
    pub(crate) fn remember(&mut self, issue: &Issue) {
        self.hashes.insert(issue.id, self.hash(issue));
    }

    fn is_unchanged(&self, issue: &Issue) -> bool {
        self.hashes.get(&issue.id) == Some(&self.hash(issue))
    }

    fn hash(&self, issue: &Issue) -> u64 {
        self.hasher.hash_one((&issue.title, &issue.description))
    }
}

/// The columns that a save writes from arrays as they are; labels and search words take another way.
const PLAIN: &str = "title, description, status, priority, project_id, assignee_id, due_at, start_date, parent_id, \
                     epic_id, cycle_id, estimate_hours, completed_at, version, updated_at";

/// Writes all members of issues that were locked before.
pub(crate) fn save_many(tx: &mut PgTx<'_>, issues: &[Issue]) -> Result<(), StoreError> {
    if issues.is_empty() {
        return Ok(());
    }
    let workspace = tx.workspace;
    let words = issues.iter().map(|issue| {
        let changed = !tx.loaded_texts.is_unchanged(issue);
        changed.then(|| prefix_of(workspace, issue.kind).lexemes(&issue.search_words())).map(as_json)
    });
    let words = words.collect::<Vec<Option<String>>>();
    let columns = PLAIN.split(", ").map(|column| format!("{column} = new.{column}")).collect::<Vec<_>>().join(", ");
    let sql = CachedSql::<()>::new("UPDATE issues SET ").built(columns).text(
        ", labels = ARRAY(SELECT jsonb_array_elements_text(new.labels::jsonb)), search = CASE \
         WHEN new.words IS NULL THEN issues.search \
         ELSE array_to_tsvector(ARRAY(SELECT jsonb_array_elements_text(new.words::jsonb))) END FROM unnest(",
    );
    let sql = each::<SqlUuid, _>(sql, issues, |issue| issue.id.0).text(", ");
    let sql = plain_arrays(sql, issues);
    let sql =
        sql.text(", ").bind::<Array<Text>, _>(issues.iter().map(|it| as_json(it.labels.clone())).collect::<Vec<_>>());
    let sql = sql.text(", ").bind::<Array<Nullable<Text>>, _>(words).text(") AS new (id, ").text(PLAIN);
    let sql =
        sql.text(", labels, words) WHERE issues.id = new.id AND issues.deleted_at IS NULL AND issues.workspace_id = ");
    let affected = tx.execute(sql.bind::<SqlUuid, _>(workspace))?;
    expect_rows(affected, issues.len())
}

/// In the order of [`PLAIN`].
fn plain_arrays(sql: CachedSql<()>, issues: &[Issue]) -> CachedSql<()> {
    let sql = each::<Text, _>(sql, issues, |it| it.title.clone()).text(", ");
    let sql = each::<Nullable<Text>, _>(sql, issues, |it| it.description.clone()).text(", ");
    let sql = each::<Text, _>(sql, issues, |it| it.status.as_str()).text(", ");
    let sql = each::<Text, _>(sql, issues, |it| it.priority.as_str()).text(", ");
    let sql = each::<Nullable<SqlUuid>, _>(sql, issues, |it| it.project_id.map(|id| id.0)).text(", ");
    let sql = each::<Nullable<SqlUuid>, _>(sql, issues, |it| it.assignee_id.map(|id| id.0)).text(", ");
    let sql = each::<Nullable<Timestamptz>, _>(sql, issues, |it| it.due_at).text(", ");
    let sql = each::<Nullable<SqlDate>, _>(sql, issues, |it| it.start_date).text(", ");
    let sql = each::<Nullable<SqlUuid>, _>(sql, issues, |it| it.parent_id.map(|id| id.0)).text(", ");
    let sql = each::<Nullable<SqlUuid>, _>(sql, issues, |it| it.epic_id.map(|id| id.0)).text(", ");
    let sql = each::<Nullable<SqlUuid>, _>(sql, issues, |it| it.cycle_id.map(|id| id.0)).text(", ");
    let sql = each::<Nullable<Numeric>, _>(sql, issues, |it| it.estimate_hours.map(convert::to_numeric)).text(", ");
    let sql = each::<Nullable<Timestamptz>, _>(sql, issues, |it| it.completed_at).text(", ");
    let sql = each::<BigInt, _>(sql, issues, |it| it.version).text(", ");
    each::<Timestamptz, _>(sql, issues, |it| it.updated_at)
}

/// Binds one value of each issue as an array.
fn each<T, V>(sql: CachedSql<()>, issues: &[Issue], value: impl Fn(&Issue) -> V) -> CachedSql<()>
where
    Array<T>: diesel::sql_types::SqlType + diesel::expression::TypedExpressionType,
    Vec<V>: diesel::expression::AsExpression<Array<T>>,
    <Vec<V> as diesel::expression::AsExpression<Array<T>>>::Expression:
        diesel::query_builder::QueryFragment<Pg> + Send + Sync + 'static,
{
    sql.bind::<Array<T>, _>(issues.iter().map(value).collect::<Vec<_>>())
}

/// An array of texts within an array: Postgres has no ragged ones.
fn as_json(texts: Vec<String>) -> String {
    serde_json::Value::from(texts).to_string()
}
