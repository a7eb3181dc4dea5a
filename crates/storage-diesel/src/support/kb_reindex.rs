//! Background reindexing of articles after a change of their workspace's language or of the index version.

use diesel::sql_types::{Array, Nullable, Text, Uuid as SqlUuid};
use domain::ports::StoreError;
use domain::support::kb::{indexable, is_long, plain_text};
use uuid::Uuid;

use crate::engine::statement::{Statement, sql};
use crate::engine::tx::PgTx;

/// The version of the index format. If a migration changes `kb_words`, or the domain changes the searchable text of a
/// body, increment it, and all articles are reindexed.
const INDEX_VERSION: &str = "4";
/// How many bytes of bodies (or one larger article) are reindexed per transaction: less than a second of work.
const BYTES_AT_ONCE: i64 = 300_000;

/// The texts that an article's search vector is built from.
pub(crate) struct Texts {
    pub(crate) title: String,
    pub(crate) tags: String,
    pub(crate) text: String,
    /// The displayed text of a long body.
    pub(crate) shown: Option<String>,
}

impl Texts {
    pub(crate) fn of(title: &str, tags: &[String], body: &str) -> Self {
        let displayed = plain_text(body);
        Self {
            title: indexable(title),
            tags: indexable(&tags.join(" ")),
            text: indexable(&displayed),
            shown: is_long(body).then_some(displayed),
        }
    }
}

/// The index version to store with an article in this language.
pub(crate) fn index_version_for(language: &str) -> String {
    format!("{INDEX_VERSION}:{language}")
}

/// Reindexes some articles and returns how many. Never waits: it skips locked articles, and an article that is written
/// meanwhile is indexed by that write.
pub(crate) fn reindex(tx: &mut PgTx<'_>, limit: u32) -> Result<u64, StoreError> {
    let rows: Vec<StaleRow> = if tx.is_cluster { stale_of_one(tx, limit)? } else { tx.load(stale_query(limit))? };
    if rows.is_empty() {
        return Ok(0);
    }
    let into_stale = |(workspace, id, title, tags, body, language): StaleRow| StaleArticle {
        workspace,
        id,
        texts: Texts::of(&title, &tags, body.as_deref().unwrap_or_default()),
        language,
    };
    tx.execute(words_query(rows.into_iter().map(into_stale).collect())).map(|count| count as u64)
}

/// Workspace, id, title, tags and body, and the language of the workspace.
type StaleRow = (Uuid, Uuid, String, Vec<String>, Option<String>, String);
type StaleSql = (SqlUuid, SqlUuid, Text, Array<Text>, Nullable<Text>, Text);

/// An article to reindex.
pub(crate) struct StaleArticle {
    pub(crate) workspace: Uuid,
    pub(crate) id: Uuid,
    pub(crate) texts: Texts,
    pub(crate) language: String,
}

/// Postgres has no skip scan, so each step finds the next pair of workspace and index version that any article has;
/// there are hardly more pairs than workspaces. Articles are read only for stale pairs, up to the limit, and locked
/// ones are skipped.
pub(crate) fn stale_query(limit: u32) -> Statement<StaleSql> {
    let sql = sql!(
        "WITH RECURSIVE ways (workspace_id, words_by) AS (
             (
                 SELECT workspace_id, words_by FROM kb_articles WHERE deleted_at IS NULL
                 ORDER BY workspace_id, words_by LIMIT 1
             )
             UNION ALL
             SELECT next.workspace_id, next.words_by FROM ways
             CROSS JOIN LATERAL (
                 SELECT workspace_id, words_by FROM kb_articles
                 WHERE deleted_at IS NULL AND (workspace_id, words_by) > (ways.workspace_id, ways.words_by)
                 ORDER BY workspace_id, words_by LIMIT 1
             ) AS next
         ), stale AS MATERIALIZED (
             SELECT old.workspace_id, old.id, old.title, old.tags, old.body, kb_language FROM ways
             CROSS JOIN LATERAL (
                 SELECT kb_language FROM workspaces WHERE id = ways.workspace_id LIMIT 1
             ) AS spoken
             CROSS JOIN LATERAL (
                 SELECT workspace_id, id, title, tags, body FROM kb_articles
                 WHERE deleted_at IS NULL AND workspace_id = ways.workspace_id AND words_by = ways.words_by
                     AND ways.words_by <> '{INDEX_VERSION}:' || spoken.kb_language
                 LIMIT $1
                 FOR NO KEY UPDATE SKIP LOCKED
             ) AS old
             LIMIT $1
         )
         SELECT workspace_id, id, title, tags, body, kb_language
         FROM (
             SELECT *, sum(octet_length(coalesce(body, ''))) OVER (ORDER BY workspace_id, id)
                 - octet_length(coalesce(body, '')) AS before
             FROM stale
         ) AS sized
         WHERE before < {BYTES_AT_ONCE}"
    );
    sql.returns().bind(i64::from(limit))
}

/// Like [`stale_query`], for one workspace: a cluster can neither walk across shards nor lock rows of several.
fn stale_of_one(tx: &mut PgTx<'_>, limit: u32) -> Result<Vec<StaleRow>, StoreError> {
    let sql = sql!(
        "SELECT old.workspace_id FROM (
             SELECT workspace_id, words_by FROM kb_articles WHERE deleted_at IS NULL GROUP BY workspace_id, words_by
         ) AS old JOIN workspaces ON workspaces.id = old.workspace_id
         WHERE old.words_by <> '{INDEX_VERSION}:' || workspaces.kb_language
         LIMIT 1"
    );
    let Some(workspace) = tx.first::<_, Uuid>(sql.returns::<SqlUuid>())? else { return Ok(Vec::new()) };
    let sql = sql!(
        "SELECT workspace_id, id, title, tags, body, kb_language
         FROM (
             SELECT old.*, sum(octet_length(coalesce(body, ''))) OVER (ORDER BY id)
                 - octet_length(coalesce(body, '')) AS before
             FROM (
                 SELECT article.workspace_id, article.id, title, tags, body, kb_language
                 FROM kb_articles AS article JOIN workspaces ON workspaces.id = $1
                 WHERE article.workspace_id = $1 AND deleted_at IS NULL
                     AND words_by <> '{INDEX_VERSION}:' || workspaces.kb_language
                 LIMIT $2
                 FOR NO KEY UPDATE OF article SKIP LOCKED
             ) AS old
         ) AS sized
         WHERE before < {BYTES_AT_ONCE}"
    );
    tx.load(sql.returns::<StaleSql>().bind(workspace).bind(i64::from(limit)))
}

/// The rows are locked by [`stale_query`].
pub(crate) fn words_query(stale: Vec<StaleArticle>) -> Statement {
    let sql = sql!(
        "UPDATE kb_articles
         SET words = kb_words(stale.language, stale.title, ARRAY[stale.tags], stale.text),
             words_by = stale.way, shown = stale.shown
         FROM unnest($1::uuid[], $2::uuid[], $3::text[], $4::text[], $5::text[], $6::text[], $7::text[], $8::text[])
             AS stale (workspace_id, id, way, language, title, tags, text, shown)
         WHERE kb_articles.workspace_id = stale.workspace_id AND kb_articles.id = stale.id"
    );
    let sql = sql.bind_each(&stale, |it| it.workspace).bind_each(&stale, |it| it.id);
    let sql = sql.bind_each(&stale, |it| index_version_for(&it.language)).bind_each(&stale, |it| it.language.clone());
    let sql = sql.bind_each(&stale, |it| it.texts.title.clone()).bind_each(&stale, |it| it.texts.tags.clone());
    let (texts, shown): (Vec<_>, Vec<_>) = stale.into_iter().map(|it| (it.texts.text, it.texts.shown)).unzip();
    sql.bind(texts).bind(shown)
}
