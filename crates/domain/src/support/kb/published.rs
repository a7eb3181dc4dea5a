//! Published articles as readers see them.

use crate::Error;
use crate::identity::workspaces::Workspace;
use crate::ports::{Ports, statement_in};

use super::Article;
use super::slug::is_slug;

/// The maximum number of listed articles, the newest ones. Older ones are found by searching.
pub const MAX_LISTED: u32 = 500;
/// The maximum number of tags that are listed with an article, so that one with many tags does not make the list long.
pub const MAX_LISTED_TAGS: u32 = 10;

/// A published article in a list.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PublishedArticle {
    pub title: String,
    pub slug: String,
    /// Its first tags, at most [`MAX_LISTED_TAGS`].
    pub tags: Vec<String>,
}

/// The published articles of a workspace, newest first.
pub(crate) async fn list_published(ports: &Ports, workspace: &Workspace) -> Result<Vec<PublishedArticle>, Error> {
    statement_in(ports, workspace.id, |tx| Ok(tx.kb_articles().list_published(MAX_LISTED)?)).await
}

/// The published article with this slug.
pub(crate) async fn read_by_slug(ports: &Ports, workspace: &Workspace, slug: &str) -> Result<Article, Error> {
    if !is_slug(slug) {
        return Err(Error::NotFound("article"));
    }
    let slug = slug.to_owned();
    let found = statement_in(ports, workspace.id, move |tx| Ok(tx.kb_articles().get_published(&slug)?));
    found.await?.ok_or(Error::NotFound("article"))
}
