//! The public help centre: the published articles of a workspace, and a form that opens a ticket (interface 26.80).

use std::net::IpAddr;
use std::sync::Arc;

use super::intake::{IntakeFields, open_by_widget};
use super::kb::{self, Article, KbHit, KbQuery, PublishedArticle};
use super::{TicketSummary, WidgetVisitor};
use crate::Error;
use crate::identity::workspaces::{Workspace, WorkspaceStatus, is_slug};
use crate::kernel::idempotency::{IdempotentRequest, IdempotentResult};
use crate::ports::{Ports, Settings, statement_in};

/// A reader of a workspace's help centre. Only [`enter`] creates one.
#[derive(Debug, Clone)]
pub struct Reader(WidgetVisitor);

impl Reader {
    /// The same reader with the id of the request, which the event log records.
    #[must_use]
    pub fn in_request(self, request_id: Arc<str>) -> Self {
        Self(self.0.in_request(request_id))
    }

    pub fn workspace(&self) -> &Workspace {
        self.0.workspace()
    }
}

/// Admits a reader to the help centre of the active workspace with this slug, if its help centre is enabled.
///
/// # Errors
/// [`Error::NotFound`] in all cases, so that it does not reveal whether the workspace exists.
pub async fn enter(ports: &Ports, slug: &str, address: Option<IpAddr>) -> Result<Reader, Error> {
    // Text that cannot be a slug, such as bytes that a database refuses, is not looked up.
    let found = if is_slug(slug) { ports.directory.find_workspace(slug).await? } else { None };
    // A workspace is also found by its id, but its help centre has only one address.
    let is_open = |it: &Workspace| it.slug == slug && it.status == WorkspaceStatus::Active && it.help_centre_enabled;
    let workspace = found.filter(is_open).ok_or(Error::NotFound("help centre"))?;
    Ok(Reader(WidgetVisitor::of_help_centre(workspace, address)))
}

/// The address of a workspace's help centre.
pub fn address_of(settings: &Settings, workspace: &Workspace) -> String {
    format!("{}/kb/{}", settings.public_url.trim_end_matches('/'), workspace.slug)
}

/// The address of an article in the help centre.
pub fn address_of_article(settings: &Settings, workspace: &Workspace, slug: &str) -> String {
    kb::address(settings, &workspace.slug, slug)
}

/// The newest published articles, newest first, at most [`MAX_LISTED`](kb::MAX_LISTED).
pub async fn articles(ports: &Ports, reader: &Reader) -> Result<Vec<PublishedArticle>, Error> {
    statement_in(ports, reader.workspace().id, |tx| Ok(tx.kb_articles().list_published(kb::MAX_LISTED)?)).await
}

/// The published article with this slug.
///
/// # Errors
/// [`Error::NotFound`].
pub async fn article(ports: &Ports, reader: &Reader, slug: &str) -> Result<Article, Error> {
    if !kb::is_slug(slug) {
        return Err(Error::NotFound("article"));
    }
    let slug = slug.to_owned();
    let found = statement_in(ports, reader.workspace().id, move |tx| Ok(tx.kb_articles().get_published(&slug)?));
    found.await?.ok_or(Error::NotFound("article"))
}

/// The best matching published articles, best first. A search without results is recorded.
///
/// # Errors
/// [`Error::SearchTooSlow`], and those of the store.
pub async fn search(ports: &Ports, reader: &Reader, query: KbQuery) -> Result<Vec<KbHit>, Error> {
    kb::search_in(ports, reader.workspace(), None, query, kb::DEFAULT_LIMIT).await
}

/// Opens a ticket for a reader, as the widget does.
pub async fn open_ticket(
    ports: &Ports,
    reader: &Reader,
    once: Option<IdempotentRequest<TicketSummary>>,
    fields: IntakeFields,
) -> Result<IdempotentResult<TicketSummary>, Error> {
    open_by_widget(ports, &reader.0, once, fields).await
}
