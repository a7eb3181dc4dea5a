//! The repository of knowledge-base articles.

use time::OffsetDateTime;

use super::StoreError;
use crate::KbArticleId;
use crate::support::kb::{Article, KbMatch, KbQuery, MissedSearch, MissedTerm, PublishedArticle};

/// Operations that only articles need. Writers call `lock` first.
pub trait KbArticleRepo {
    /// Blocks other writers of the workspace's articles, and changes of its language, until the transaction ends.
    /// Otherwise two articles could get the same slug, or miss a change of language.
    fn lock(&mut self) -> Result<(), StoreError>;
    /// The newest live published articles with their first [`MAX_LISTED_TAGS`](crate::support::kb::MAX_LISTED_TAGS) tags, newest
    /// first. One statement.
    fn list_published(&mut self, limit: u32) -> Result<Vec<PublishedArticle>, StoreError>;
    /// The live published article with this slug. One statement.
    fn get_published(&mut self, slug: &str) -> Result<Option<Article>, StoreError>;
    /// The slugs that live articles other than `except` already use. One statement.
    fn taken_slugs(&mut self, slugs: &[String], except: KbArticleId) -> Result<Vec<String>, StoreError>;
    /// Published articles that contain all words of the query, the last one at least as a prefix: best first, then
    /// newest first. Stemming and ranking are up to the store; title weighs more than tags, and tags more than body.
    /// For very frequent words, a bounded number of articles is ranked. An article is found by the language that its
    /// workspace had when it was written, until [`reindex_articles`](super::Directory::reindex_articles) rebuilds its
    /// index. One statement.
    fn search(&mut self, query: &KbQuery, limit: u32) -> Result<Vec<KbMatch>, StoreError>;
    /// Counts a search without results. The workspace keeps at most [`MAX_MISSED_TERMS`](crate::support::kb::MAX_MISSED_TERMS)
    /// terms: this one, and the others with the most searches, then the latest. Concurrent searches may leave a few more until the
    /// next one. Two statements, which wait only for searches of the same term.
    fn note_missed_search(&mut self, term: &MissedTerm, now: OffsetDateTime) -> Result<(), StoreError>;
    /// The terms searched since a time, by number of searches, then latest first. One statement.
    fn missed_searches(&mut self, since: OffsetDateTime, limit: u32) -> Result<Vec<MissedSearch>, StoreError>;
}
