//! Articles of the knowledge base.

use std::hash::Hash;

use diesel::prelude::*;
use diesel::sql_types::{Array, Text};
use domain::KbArticleId;
use domain::ports::{KbArticleRepo, StoreError};
use domain::records::Kind;
use domain::support::kb::{
    Article, ArticleFilter, KbMatch, KbQuery, MAX_LISTED_TAGS, MissedSearch, MissedTerm, PublishedArticle,
};
use time::OffsetDateTime;
use uuid::Uuid;

use crate::directory::records_erasure::erased;
use crate::directory::search_reindex::searched;
use crate::distribution::Class;
use crate::engine::columns::columns;
use crate::engine::insertion::Insertion;
use crate::engine::page_query::{LIVE, List, PageQuery};
use crate::engine::statement::{RowOf, Statement, sql};
use crate::engine::tx::PgTx;
use crate::kernel::unique::is_free;
use crate::kernel::workspace_lock::lock_workspace;
use crate::records::{ListedTable, StoredKind, deleted_list, in_table, is_live, live_list};
use crate::rows::row;
use crate::schema::{array_to_tsvector, kb_articles, kb_words, workspaces};
use crate::support::kb_reindex::{Texts, index_version_for};
use crate::support::kb_vain_searches;
use crate::support::lexemes::Prefix;

row! {
    #[derive(AsChangeset)]
    #[diesel(primary_key(workspace_id, id), treat_none_as_null = true)]
    pub(crate) struct ArticleRow in kb_articles, into_article -> Article {
        id: Uuid,
        title: String,
        slug: String,
        body: Option<String>,
        status: String,
        tags: Vec<String>,
        published_at: Option<OffsetDateTime>,
        version: i64,
        created_at: OffsetDateTime,
        updated_at: OffsetDateTime,
    }
    actors { created_by: (created_by_type, created_by_id) }
}

/// The index columns of an article to write: its search vector, index version, displayed text, and the words for its list's
/// filter.
macro_rules! words {
    ($workspace:expr, $language:expr, $article:ident) => {{
        let language: String = $language;
        let version = index_version_for(&language);
        let Texts { title, tags, text, shown } =
            Texts::of(&$article.title, &$article.tags, $article.body.as_deref().unwrap_or_default());
        let words = kb_words(language, title, vec![tags], Some(text));
        let list_words = kb_articles::search.eq(array_to_tsvector($article.lexemes($workspace)).nullable());
        (kb_articles::words.eq(words), kb_articles::words_by.eq(version), kb_articles::shown.eq(shown), list_words)
    }};
}

/// The texts that are written and indexed only if they changed.
fn texts_of(article: &Article) -> impl Hash {
    (&article.title, &article.tags, &article.body)
}

fn language_of(tx: &mut PgTx<'_>) -> Result<String, StoreError> {
    tx.value(workspaces::table.find(tx.workspace).select(workspaces::kb_language))
}

impl StoredKind for Article {
    const KIND_SQL: &'static str = "'article'";
    const TITLE: &'static str = "title";
    const DELETED: &'static List = &deleted_list!("kb_articles", ArticleRow);

    in_table!("kb_articles", ArticleRow, into_article);
    searched!("kb_articles", ArticleRow, into_article);

    erased! {
        "kb_articles", comments(): {
            title = "'erased'", slug = "'erased'", body = "NULL", tags = "'{}'", words = "''", shown = "NULL", search = "''"
        } keeps {
            workspace_id, id, status, published_at, words_by, version, created_at, updated_at, created_by_type,
            created_by_id, deleted_at, erased_at
        }
    }

    fn lexemes(&self, workspace: Uuid) -> Vec<String> {
        Prefix::of(workspace).with_tags(&self.search_words(), &self.tags)
    }

    fn insert(&self, tx: &mut PgTx<'_>) -> Result<(), StoreError> {
        let row = (ArticleRow::of(tx.workspace, self), words!(tx.workspace, language_of(tx)?, self));
        let insertion = Insertion::new::<kb_articles::table, _, _>(Self::TABLE, row).on_conflict_do_nothing();
        tx.insert_one(insertion, &self.unique_values())
    }

    fn save(&self, tx: &mut PgTx<'_>) -> Result<(), StoreError> {
        let target = kb_articles::table
            .find((tx.workspace, self.id.0))
            .filter(is_live(kb_articles::deleted_at))
            .filter(is_free!("kb_articles", "slug", tx.workspace, self.id.0, Some(self.slug.clone())));
        let affected = if tx.loaded_texts.is_unchanged(self.id.0, &texts_of(self)) {
            let ArticleRow { slug, status, published_at, version, updated_at, .. } = ArticleRow::of(tx.workspace, self);
            let changes = (
                kb_articles::slug.eq(slug),
                kb_articles::status.eq(status),
                kb_articles::published_at.eq(published_at),
                kb_articles::version.eq(version),
                kb_articles::updated_at.eq(updated_at),
            );
            tx.execute(diesel::update(target).set(changes))?
        } else {
            let row = (ArticleRow::of(tx.workspace, self), words!(tx.workspace, language_of(tx)?, self));
            tx.execute(diesel::update(target).set(row))?
        };
        tx.expect_saved(affected, self)
    }

    fn remember_texts(&self, tx: &mut PgTx<'_>) {
        tx.loaded_texts.remember(self.id.0, &texts_of(self));
    }

    fn filtered(query: PageQuery, workspace: Uuid, filter: &ArticleFilter) -> PageQuery {
        query
            // First, because it is the most selective filter.
            .any_id("id", filter.ids.0.iter().map(|id| id.0).collect())
            .any_text("status", filter.status.iter().map(|status| status.as_str()).collect())
            .created(&filter.created())
            .search(Prefix::of(workspace).query_with_tags(filter.search.as_ref(), &filter.tag.0), LIVE)
    }
}

impl ListedTable for Article {
    const LIST: &'static List = &live_list!("kb_articles", ArticleRow);
}

impl KbArticleRepo for PgTx<'_> {
    fn lock(&mut self) -> Result<(), StoreError> {
        // A change of the workspace's language also waits for this.
        lock_workspace(self, Class::Sharded)
    }

    fn list_published(&mut self, limit: u32) -> Result<Vec<PublishedArticle>, StoreError> {
        let rows: Vec<(String, String, Vec<String>)> = self.load(published_query(self.workspace, limit))?;
        Ok(rows.into_iter().map(|(title, slug, tags)| PublishedArticle { title, slug, tags }).collect())
    }

    fn get_published(&mut self, slug: &str) -> Result<Option<Article>, StoreError> {
        let rows: Vec<ArticleRow> = self.load(by_slug_query(self.workspace, slug))?;
        rows.into_iter().next().map(ArticleRow::into_article).transpose()
    }

    fn taken_slugs(&mut self, slugs: &[String], except: KbArticleId) -> Result<Vec<String>, StoreError> {
        let others = kb_articles::table
            .filter(kb_articles::workspace_id.eq(self.workspace).and(kb_articles::deleted_at.is_null()))
            .filter(kb_articles::slug.eq_any(slugs).and(kb_articles::id.ne(except.0)));
        self.load(others.select(kb_articles::slug))
    }

    fn search(&mut self, query: &KbQuery, limit: u32) -> Result<Vec<KbMatch>, StoreError> {
        crate::support::kb_search::search(self, query, limit)
    }

    fn note_missed_search(&mut self, term: &MissedTerm, now: OffsetDateTime) -> Result<(), StoreError> {
        kb_vain_searches::note(self, term, now)
    }

    fn missed_searches(&mut self, since: OffsetDateTime, limit: u32) -> Result<Vec<MissedSearch>, StoreError> {
        kb_vain_searches::list(self, since, limit)
    }
}

/// Does not read bodies, so that a list of long articles costs no more than a list of short ones.
pub(crate) fn published_query(workspace: Uuid, limit: u32) -> Statement<(Text, Text, Array<Text>)> {
    let sql = sql!(
        "SELECT title, slug, tags[1:{MAX_LISTED_TAGS}] FROM kb_articles
         WHERE workspace_id = $1 AND deleted_at IS NULL AND status = 'published'
         ORDER BY created_at DESC, id DESC LIMIT $2"
    );
    sql.returns().bind(workspace).bind(i64::from(limit))
}

pub(crate) fn by_slug_query(workspace: Uuid, slug: &str) -> Statement<RowOf<ArticleRow>> {
    let sql = sql!(
        "SELECT {COLUMNS} FROM kb_articles
         WHERE workspace_id = $1 AND slug = $2 AND deleted_at IS NULL AND status = 'published'"
    );
    sql.returns().bind(workspace).bind(slug.to_owned())
}

const COLUMNS: &str = columns!(ArticleRow);

pub(crate) fn insert_many(tx: &mut PgTx<'_>, records: &[Article]) -> Result<(), StoreError> {
    let language = language_of(tx)?;
    let row =
        |article: &Article| (ArticleRow::of(tx.workspace, article), words!(tx.workspace, language.clone(), article));
    let rows: Vec<_> = records.iter().map(row).collect();
    tx.execute(diesel::insert_into(kb_articles::table).values(rows)).map(drop)
}
