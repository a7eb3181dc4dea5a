//! The repository of the knowledge base.

use time::OffsetDateTime;

use super::StoreError;
use crate::KbArticleId;
use crate::kernel::paging::PageRequest;
use crate::support::kb::{Article, ArticleFilter, KbMatch, KbQuery};

/// Articles of the workspace. What writes them locks them first.
pub trait KbArticleRepo {
    /// Keeps everybody else from writing articles of the workspace, and from changing their language, until the
    /// transaction ends: two could be given the same slug, or miss the language.
    fn lock(&mut self) -> Result<(), StoreError>;
    /// Adds an article; [`StoreError::Duplicate`] of `slug`.
    fn insert(&mut self, article: &Article) -> Result<(), StoreError>;
    /// A live article.
    fn get(&mut self, id: KbArticleId) -> Result<Option<Article>, StoreError>;
    /// A live article, locked until the transaction ends.
    fn get_for_update(&mut self, id: KbArticleId) -> Result<Option<Article>, StoreError>;
    /// Writes all members of an article that was locked before; [`StoreError::Duplicate`] of `slug`.
    fn save(&mut self, article: &Article) -> Result<(), StoreError>;
    /// Marks a live article as deleted; says whether there was one.
    fn delete(&mut self, id: KbArticleId, now: OffsetDateTime) -> Result<bool, StoreError>;
    /// Live articles, newest first, one more than the limit. One statement.
    fn list(&mut self, filter: &ArticleFilter, page: &PageRequest) -> Result<Vec<Article>, StoreError>;
    /// Those of the slugs that live articles other than this one have. One statement.
    fn taken_slugs(&mut self, slugs: &[String], except: KbArticleId) -> Result<Vec<String>, StoreError>;
    /// Published articles that have all words of the query, the last one at least as the beginning of a word: best first,
    /// then newest first. How words are brought together beyond their letters, and how well what fits, is the store's;
    /// title counts for more than tags, and tags for more than body. What words too many articles have is looked for in a
    /// bounded number of them. An article is found by the language that its workspace had when it was written, until
    /// [`reindex_articles`](super::Directory::reindex_articles) comes to it. One statement.
    fn search(&mut self, query: &KbQuery, limit: u32) -> Result<Vec<KbMatch>, StoreError>;
}
