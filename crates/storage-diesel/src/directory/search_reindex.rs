//! Background indexing of records whose search words were written by a release that did not know them, or not all.

use diesel::sql_types::{Array, BigInt, Text, Uuid as SqlUuid};
use domain::ports::StoreError;
use uuid::Uuid;

use crate::columns::columns;
use crate::crm::contacts::ContactRow;
use crate::crm::deals::DealRow;
use crate::distribution::Locking;
use crate::statement::{RowOf, Statement, sql};
use crate::support::kb::ArticleRow;
use crate::support::lexemes::Prefix;
use crate::tx::PgTx;
use crate::work::issues::{IssueRow, prefix_of};
use crate::work::projects::ProjectRow;

const CONTACT_COLUMNS: &str = columns!(ContactRow);
const DEAL_COLUMNS: &str = columns!(DealRow);
const PROJECT_COLUMNS: &str = columns!(ProjectRow);
const ISSUE_COLUMNS: &str = columns!(IssueRow);
const ARTICLE_COLUMNS: &str = columns!(ArticleRow);

/// The records of a table to be indexed, each with its workspace. Rows that another transaction has locked are skipped.
macro_rules! stale {
    ($table:literal, $columns:ident, $which:literal) => {
        Locking::new(
            sql!(
                "SELECT workspace_id, {columns} FROM {table} WHERE deleted_at IS NULL AND {which}
                 ORDER BY workspace_id, id LIMIT $1 FOR NO KEY UPDATE SKIP LOCKED",
                columns = $columns,
                table = $table,
                which = $which
            ),
            sql!(
                "SELECT workspace_id FROM {table} WHERE deleted_at IS NULL AND {which} ORDER BY workspace_id, id LIMIT $1",
                table = $table,
                which = $which
            ),
            || sql!(
                "SELECT workspace_id, {columns} FROM {table} WHERE workspace_id = $2 AND deleted_at IS NULL AND {which}
                 ORDER BY id LIMIT $1 FOR NO KEY UPDATE SKIP LOCKED",
                columns = $columns,
                table = $table,
                which = $which
            ),
        )
    };
}

/// Writes the words of records, which must be locked.
macro_rules! index {
    ($table:literal, $done:literal) => {
        sql!(
            "UPDATE {table} SET search = array_to_tsvector(ARRAY(SELECT jsonb_array_elements_text(new.words::jsonb))) {done}
             FROM unnest($1::uuid[], $2::uuid[], $3::text[]) AS new (workspace_id, id, words)
             WHERE {table}.workspace_id = new.workspace_id AND {table}.id = new.id",
            table = $table,
            done = $done
        )
    };
}

pub(crate) fn stale_contacts(limit: u32) -> Locking<(SqlUuid, RowOf<ContactRow>)> {
    stale!("contacts", CONTACT_COLUMNS, "search_stale AND tags <> '{}'").bind::<BigInt, _>(i64::from(limit))
}

pub(crate) fn stale_deals(limit: u32) -> Locking<(SqlUuid, RowOf<DealRow>)> {
    stale!("deals", DEAL_COLUMNS, "search IS NULL").bind::<BigInt, _>(i64::from(limit))
}

pub(crate) fn stale_projects(limit: u32) -> Locking<(SqlUuid, RowOf<ProjectRow>)> {
    stale!("projects", PROJECT_COLUMNS, "search IS NULL").bind::<BigInt, _>(i64::from(limit))
}

pub(crate) fn stale_issues(limit: u32) -> Locking<(SqlUuid, RowOf<IssueRow>)> {
    stale!("issues", ISSUE_COLUMNS, "search_stale AND labels <> '{}'").bind::<BigInt, _>(i64::from(limit))
}

pub(crate) fn stale_articles(limit: u32) -> Locking<(SqlUuid, RowOf<ArticleRow>)> {
    stale!("kb_articles", ARTICLE_COLUMNS, "search IS NULL").bind::<BigInt, _>(i64::from(limit))
}

/// Indexes at most `limit` records of each kind; returns how many.
pub(crate) fn reindex(tx: &mut PgTx<'_>, limit: u32) -> Result<u64, StoreError> {
    let mut contacts = Words::default();
    for (workspace, row) in stale_contacts(limit).load::<(Uuid, ContactRow)>(tx, limit as usize)? {
        let contact = row.into_contact()?;
        contacts.add(workspace, contact.id.0, Prefix::of(workspace).with_tags(&contact.search_words(), &contact.tags));
    }
    let mut deals = Words::default();
    for (workspace, row) in stale_deals(limit).load::<(Uuid, DealRow)>(tx, limit as usize)? {
        let deal = row.into_deal()?;
        deals.add(workspace, deal.id.0, Prefix::of(workspace).with_tags(&deal.search_words(), &deal.tags));
    }
    let mut projects = Words::default();
    for (workspace, row) in stale_projects(limit).load::<(Uuid, ProjectRow)>(tx, limit as usize)? {
        let project = row.into_project()?;
        projects.add(workspace, project.id.0, Prefix::of(workspace).lexemes(&project.search_words()));
    }
    let mut issues = Words::default();
    for (workspace, row) in stale_issues(limit).load::<(Uuid, IssueRow)>(tx, limit as usize)? {
        let issue = row.into_issue()?;
        let prefix = prefix_of(workspace, issue.kind);
        issues.add(workspace, issue.id.0, prefix.with_tags(&issue.search_words(), &issue.labels));
    }
    let mut articles = Words::default();
    for (workspace, row) in stale_articles(limit).load::<(Uuid, ArticleRow)>(tx, limit as usize)? {
        let article = row.into_article()?;
        articles.add(workspace, article.id.0, Prefix::of(workspace).with_tags(&article.search_words(), &article.tags));
    }
    Ok(contacts.write(tx, index!("contacts", ", search_stale = false"))?
        + deals.write(tx, index!("deals", ""))?
        + projects.write(tx, index!("projects", ""))?
        + issues.write(tx, index!("issues", ", search_stale = false"))?
        + articles.write(tx, index!("kb_articles", ""))?)
}

/// The words of some records, in the order of their ids.
#[derive(Default)]
struct Words {
    workspaces: Vec<Uuid>,
    ids: Vec<Uuid>,
    /// Each as JSON: Postgres has no ragged arrays.
    texts: Vec<String>,
}

impl Words {
    fn add(&mut self, workspace: Uuid, id: Uuid, lexemes: Vec<String>) {
        self.workspaces.push(workspace);
        self.ids.push(id);
        self.texts.push(serde_json::Value::from(lexemes).to_string());
    }

    fn write(self, tx: &mut PgTx<'_>, sql: Statement) -> Result<u64, StoreError> {
        if self.ids.is_empty() {
            return Ok(0);
        }
        let sql = sql.bind::<Array<SqlUuid>, _>(self.workspaces).bind::<Array<SqlUuid>, _>(self.ids);
        tx.execute(sql.bind::<Array<Text>, _>(self.texts)).map(|count| count as u64)
    }
}
