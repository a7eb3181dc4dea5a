//! Published articles as readers see them.

use crate::Error;
use crate::identity::workspaces::Workspace;
use crate::ports::{Ports, statement_in};

use super::Article;
use super::slug::is_slug;

/// How many of the newest published articles are listed; older ones are found by searching.
pub const MAX_LISTED: u32 = 500;
/// How many tags of an article are listed with it: an article with many of them makes no list long.
pub const MAX_LISTED_TAGS: u32 = 10;

/// A published article in a list of them.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PublishedArticle {
    pub title: String,
    pub slug: String,
    /// The first of them.
    pub tags: Vec<String>,
}

/// The newest published articles of a workspace, newest first.
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
