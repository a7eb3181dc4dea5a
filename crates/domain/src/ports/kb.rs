//! The repository of knowledge-base articles.

use time::OffsetDateTime;

use super::{DeletedRepo, StoreError};
use crate::KbArticleId;
use crate::kernel::paging::PageRequest;
use crate::kernel::totals::CountedPart;
use crate::support::kb::{Article, ArticleFilter, KbMatch, KbQuery, PublishedArticle, VainSearch, VainTerm};

/// Articles of the workspace. Writers call `lock` first.
pub trait KbArticleRepo: DeletedRepo<Article, ArticleFilter> {
    /// Blocks other writers of the workspace's articles, and changes of its language, until the transaction ends.
    /// Otherwise two articles could get the same slug, or miss a change of language.
    fn lock(&mut self) -> Result<(), StoreError>;
    /// Adds an article; [`StoreError::Duplicate`] of `slug`.
    fn insert(&mut self, article: &Article) -> Result<(), StoreError>;
    /// A live article.
    fn get(&mut self, id: KbArticleId) -> Result<Option<Article>, StoreError>;
    /// A live article, locked until the transaction ends.
    fn get_for_update(&mut self, id: KbArticleId) -> Result<Option<Article>, StoreError>;
    /// Writes all members of an article that was locked before; [`StoreError::Duplicate`] of `slug`.
    fn save(&mut self, article: &Article) -> Result<(), StoreError>;
    /// Marks a live article as deleted; returns whether there was one.
    fn delete(&mut self, id: KbArticleId, now: OffsetDateTime) -> Result<bool, StoreError>;
    /// Live articles, newest first, one more than the limit. One statement.
    fn list(&mut self, filter: &ArticleFilter, page: &PageRequest) -> Result<Vec<Article>, StoreError>;
    /// Counts the live articles that match, at most one more than
    /// [`MAX_COUNTED`](crate::kernel::totals::MAX_COUNTED). One statement.
    fn totals(&mut self, filter: &ArticleFilter) -> Result<Vec<CountedPart>, StoreError>;
    /// The newest live published articles with their first [`MAX_LISTED_TAGS`](crate::support::kb::MAX_LISTED_TAGS) tags, newest
    /// first. One statement.
    fn list_published(&mut self, limit: u32) -> Result<Vec<PublishedArticle>, StoreError>;
    /// The live published article with this slug. One statement.
    fn get_published(&mut self, slug: &str) -> Result<Option<Article>, StoreError>;
    /// Which of the slugs live articles other than `except` use. One statement.
    fn taken_slugs(&mut self, slugs: &[String], except: KbArticleId) -> Result<Vec<String>, StoreError>;
    /// Published articles that contain all words of the query, the last one at least as a prefix: best first, then
    /// newest first. Stemming and ranking are up to the store; title weighs more than tags, and tags more than body.
    /// For very frequent words, a bounded number of articles is ranked. An article is found by the language that its
    /// workspace had when it was written, until [`reindex_articles`](super::Directory::reindex_articles) rebuilds its
    /// index. One statement.
    fn search(&mut self, query: &KbQuery, limit: u32) -> Result<Vec<KbMatch>, StoreError>;
    /// Counts a search without a hit. At most [`MAX_VAIN_TERMS`](crate::support::kb::MAX_VAIN_TERMS) terms of the workspace
    /// stay: the one that was just searched, and of the others those searched most often, and of these the latest. Searches at
    /// the same time may leave a few more until the next one. Two statements, which wait for nothing but the same term.
    fn note_vain_search(&mut self, term: &VainTerm, now: OffsetDateTime) -> Result<(), StoreError>;
    /// The terms searched since a time, those searched most often first, and of these the latest. One statement.
    fn vain_searches(&mut self, since: OffsetDateTime, limit: u32) -> Result<Vec<VainSearch>, StoreError>;
}
