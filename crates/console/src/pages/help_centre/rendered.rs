//! Articles as readers see them, kept until they change: anyone may open one as often as they like.

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
const DESCRIPTION: usize = 160;
/// The bytes of all articles that are kept, in parts of which each holds several of the longest.
const KEPT_BYTES: u64 = 32 * 1024 * 1024;
const PARTS: usize = 4;
/// What is kept of an article besides its texts.
const OVERHEAD: usize = 200;

/// The text of an article, rendered.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct RenderedArticle {
    html: String,
    /// What search engines show of it.
    pub(super) description: String,
    pub(super) has_pictures: bool,
}

impl RenderedArticle {
    fn of(body: &str, pictures: Pictures) -> Self {
        let html = article_to_html(body, pictures);
        let description = plain_text(body).chars().take(DESCRIPTION).collect();
        // What people wrote themselves is no element.
        Self { has_pictures: html.contains("<img "), html, description }
    }

    pub(super) fn as_html(&self) -> Safe<&str> {
        Safe(&self.html)
    }
}

/// A version of an article, and whether it has pictures from other sites.
type Key = (WorkspaceId, KbArticleId, i64, bool);

#[derive(Debug, Clone)]
struct Bytes;

impl Weighter<Key, Arc<RenderedArticle>> for Bytes {
    fn weight(&self, _: &Key, article: &Arc<RenderedArticle>) -> u64 {
        (article.html.len() + article.description.len() + OVERHEAD) as u64
    }
}

type Kept = Cache<Key, Arc<RenderedArticle>, Bytes>;

/// Of the process: ids are unique in all databases.
static KEPT: LazyLock<Kept> = LazyLock::new(|| kept(KEPT_BYTES));

fn kept(bytes: u64) -> Kept {
    let options = OptionsBuilder::new().shards(PARTS).estimated_items_capacity(1_000).weight_capacity(bytes).build();
    match options {
        Ok(options) => Cache::with_options(options, Bytes, DefaultHashBuilder::default(), DefaultLifecycle::default()),
        // All that it needs is set above.
        Err(_) => Cache::with_weighter(1_000, bytes, Bytes),
    }
}

/// The text of a published article. What is long and was not asked for lately is rendered on the rendering threads.
///
/// # Errors
/// [`HttpError::Busy`] if too much waits for them.
pub(super) async fn rendered(
    workspace: &Workspace,
    article: &mut Article,
    renderer: &Renderer,
) -> Result<Arc<RenderedArticle>, HttpError> {
    let key = (workspace.id, article.id, article.version, workspace.help_centre_pictures);
    if let Some(known) = KEPT.get(&key) {
        return Ok(known);
    }
    let body = article.body.take().unwrap_or_default();
    let pictures = if workspace.help_centre_pictures { Pictures::Shown } else { Pictures::Linked };
    let html = Arc::new(renderer.run_on(body.len(), move || RenderedArticle::of(&body, pictures)).await?);
    KEPT.insert(key, Arc::clone(&html));
    Ok(html)
}

#[cfg(test)]
mod tests {
    use uuid::Uuid;

    use super::*;

    #[test]
    fn what_is_kept_is_bounded_in_bytes_and_told_apart_by_version() {
        let cache = kept(400_000);
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
