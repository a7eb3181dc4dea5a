//! Writes many issues with one statement.

use std::hash::Hash;

use domain::ports::StoreError;
use domain::work::issues::Issue;

use crate::engine::convert;
use crate::engine::errors::expect_rows;
use crate::engine::statement::{Statement, sql};
use crate::engine::tx::PgTx;
use crate::records::StoredKind;

/// The texts that are sent and written only if they changed, together with their search words.
pub(crate) fn texts_of(issue: &Issue) -> impl Hash {
    (&issue.title, &issue.description, &issue.labels)
}

/// Writes all fields of locked issues.
pub(crate) fn save_many(tx: &mut PgTx<'_>, issues: &[Issue]) -> Result<(), StoreError> {
    if issues.is_empty() {
        return Ok(());
    }
    let workspace = tx.workspace;
    let (mut words, mut descriptions) = (Vec::new(), Vec::new());
    for issue in issues {
        let is_changed = !tx.loaded_texts.is_unchanged(issue.id.0, &texts_of(issue));
        words.push(is_changed.then(|| as_json(issue.lexemes(workspace))));
        descriptions.push(issue.description.clone().filter(|_| is_changed));
    }
    // Nested text arrays are sent as JSON. Without statistics, Postgres expects one live row in a
    // workspace. So without `ANY` it may read all of them, and compare each with each of `new`.
    let sql = sql!(
        "UPDATE issues SET
             title = new.title,
             description = CASE WHEN new.words IS NULL THEN issues.description ELSE new.description END, status = new.status, priority = new.priority,
             project_id = new.project_id, assignee_id = new.assignee_id, due_at = new.due_at,
             start_date = new.start_date, parent_id = new.parent_id, epic_id = new.epic_id, cycle_id = new.cycle_id,
             estimate_hours = new.estimate_hours, completed_at = new.completed_at, resolved_at = new.resolved_at,
             deal_id = new.deal_id, contact_id = new.contact_id, company_id = new.company_id,
             customer_wrote_at = new.customer_wrote_at, answered_at = new.answered_at, waiting_since = new.waiting_since,
             last_message_at = new.last_message_at,
             version = new.version, updated_at = new.updated_at, labels = ARRAY(SELECT jsonb_array_elements_text(new.labels::jsonb)),
             search = CASE WHEN new.words IS NULL THEN issues.search
                 ELSE array_to_tsvector(ARRAY(SELECT jsonb_array_elements_text(new.words::jsonb))) END
         FROM unnest($2::uuid[], $3::text[], $4::text[], $5::text[], $6::text[], $7::uuid[], $8::uuid[],
             $9::timestamptz[], $10::date[], $11::uuid[], $12::uuid[], $13::uuid[], $14::numeric[],
             $15::timestamptz[], $16::timestamptz[], $17::bigint[], $18::timestamptz[], $19::uuid[], $20::uuid[],
             $21::uuid[], $22::timestamptz[], $23::timestamptz[], $24::timestamptz[], $25::timestamptz[],
             $26::text[], $27::text[])
             AS new (id, title, description, status, priority, project_id, assignee_id, due_at, start_date, parent_id,
                 epic_id, cycle_id, estimate_hours, completed_at, resolved_at, version, updated_at, deal_id, contact_id,
                 company_id, customer_wrote_at, answered_at, waiting_since, last_message_at, labels, words)
         WHERE issues.workspace_id = $1 AND issues.id = ANY ($2) AND issues.id = new.id
             AND num_nonnulls(issues.deleted_at) = 0"
    );
    let sql = bind_plain(sql.bind(workspace), issues, descriptions).bind_each(issues, |it| as_json(it.labels.clone()));
    expect_rows(tx.execute(sql.bind(words))?, issues.len())
}

/// Binds the columns that are written from plain arrays.
fn bind_plain(sql: Statement, issues: &[Issue], descriptions: Vec<Option<String>>) -> Statement {
    let sql = sql.bind_each(issues, |it| it.id.0).bind_each(issues, |it| it.title.clone()).bind(descriptions);
    let sql = sql.bind_each(issues, |it| it.status.as_str()).bind_each(issues, |it| it.priority.as_str());
    let sql = sql.bind_each(issues, |it| it.project_id.map(|id| id.0));
    let sql = sql.bind_each(issues, |it| it.assignee_id.map(|id| id.0)).bind_each(issues, |it| it.due_at);
    let sql = sql.bind_each(issues, |it| it.start_date).bind_each(issues, |it| it.parent_id.map(|id| id.0));
    let sql = sql.bind_each(issues, |it| it.epic_id.map(|id| id.0)).bind_each(issues, |it| it.cycle_id.map(|id| id.0));
    let sql = sql.bind_each(issues, |it| it.estimate_hours.map(convert::to_numeric));
    let sql = sql.bind_each(issues, |it| it.completed_at).bind_each(issues, |it| it.resolved_at);
    let sql = sql.bind_each(issues, |it| it.version).bind_each(issues, |it| it.updated_at);
    let sql = sql.bind_each(issues, |it| it.deal_id.map(|id| id.0));
    let sql = sql.bind_each(issues, |it| it.contact_id.map(|id| id.0));
    let sql = sql.bind_each(issues, |it| it.company_id.map(|id| id.0));
    let sql = sql.bind_each(issues, |it| it.conversation.customer_wrote_at);
    let sql = sql.bind_each(issues, |it| it.conversation.answered_at);
    sql.bind_each(issues, |it| it.conversation.waiting_since).bind_each(issues, |it| it.conversation.last_message_at)
}

/// A nested array of texts as JSON: Postgres has no ragged arrays.
fn as_json(texts: Vec<String>) -> String {
    serde_json::Value::from(texts).to_string()
}
