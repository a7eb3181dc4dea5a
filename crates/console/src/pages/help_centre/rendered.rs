//! Rendered articles, cached until they change, since anyone may open an article as often as they like.

use std::sync::{Arc, LazyLock};

use askama::filters::Safe;
use domain::identity::workspaces::Workspace;
use domain::support::kb::{Article, plain_text};
use domain::{KbArticleId, WorkspaceId};
use http_core::Renderer;
use http_core::errors::HttpError;
use quick_cache::sync::{Cache, DefaultLifecycle};
use quick_cache::{DefaultHashBuilder, OptionsBuilder, Weighter};

use crate::markdown::{Pictures, article_to_html};

/// The length of a description, in characters.
const DESCRIPTION_LENGTH: usize = 160;
/// The maximum bytes in the cache. Each shard of it holds several articles of maximum length.
const CACHE_BYTES: u64 = 32 * 1024 * 1024;
const SHARDS: usize = 4;
/// The bytes of a cache entry besides its texts.
const OVERHEAD: usize = 200;

/// A rendered article.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct RenderedArticle {
    html: String,
    pub(super) description: String,
    pub(super) has_pictures: bool,
}

impl RenderedArticle {
    fn of(body: &str, pictures: Pictures) -> Self {
        let html = article_to_html(body, pictures);
        let description = plain_text(body).chars().take(DESCRIPTION_LENGTH).collect();
        // Escaped markup in an article does not match.
        Self { has_pictures: html.contains("<img "), html, description }
    }

    pub(super) fn as_html(&self) -> Safe<&str> {
        Safe(&self.html)
    }
}

/// A version of an article, and whether its pictures are shown.
type Key = (WorkspaceId, KbArticleId, i64, bool);

#[derive(Debug, Clone)]
struct Bytes;

impl Weighter<Key, Arc<RenderedArticle>> for Bytes {
    fn weight(&self, _: &Key, article: &Arc<RenderedArticle>) -> u64 {
        (article.html.len() + article.description.len() + OVERHEAD) as u64
    }
}

type ArticleCache = Cache<Key, Arc<RenderedArticle>, Bytes>;

/// Shared by the process, because ids are unique across databases.
static CACHE: LazyLock<ArticleCache> = LazyLock::new(|| new_cache(CACHE_BYTES));

fn new_cache(bytes: u64) -> ArticleCache {
    let options = OptionsBuilder::new().shards(SHARDS).estimated_items_capacity(1_000).weight_capacity(bytes).build();
    match options {
        Ok(options) => Cache::with_options(options, Bytes, DefaultHashBuilder::default(), DefaultLifecycle::default()),
        // The options above are complete, so this does not happen.
        Err(_) => Cache::with_weighter(1_000, bytes, Bytes),
    }
}

/// The rendered text of a published article. A long text that is not in the cache is rendered on the rendering threads.
///
/// # Errors
/// [`HttpError::Busy`] if their queue is full.
pub(super) async fn rendered(
    workspace: &Workspace,
    article: &mut Article,
    renderer: &Renderer,
) -> Result<Arc<RenderedArticle>, HttpError> {
    let key = (workspace.id, article.id, article.version, workspace.help_centre_pictures);
    if let Some(known) = CACHE.get(&key) {
        return Ok(known);
    }
    let body = article.body.take().unwrap_or_default();
    let pictures = if workspace.help_centre_pictures { Pictures::Shown } else { Pictures::Linked };
    let html = Arc::new(renderer.run_on(body.len(), move || RenderedArticle::of(&body, pictures)).await?);
    CACHE.insert(key, Arc::clone(&html));
    Ok(html)
}

#[cfg(test)]
mod tests {
    use uuid::Uuid;

    use super::*;

    #[test]
    fn the_cache_is_bounded_in_bytes_and_keyed_by_version() {
        let cache = new_cache(400_000);
        let article = |length: usize| Arc::new(RenderedArticle::of(&"a".repeat(length), Pictures::Linked));
        let key =
            |number: u128, version| (WorkspaceId(Uuid::nil()), KbArticleId(Uuid::from_u128(number)), version, false);
        for number in 0..100 {
            cache.insert(key(number, 1), article(20_000));
        }
        assert!(cache.weight() <= 400_000 && cache.len() > 5, "{} of {}", cache.weight(), cache.len());
        cache.insert(key(7, 2), article(10));
        cache.insert(key(7, 3), article(20));
        assert_ne!(cache.get(&key(7, 2)), cache.get(&key(7, 3)));
        assert_eq!(cache.get(&key(7, 4)), None);
    }
}
