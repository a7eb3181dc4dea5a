//! The help centre: the published articles of a workspace for everybody, and a form that opens a ticket (interface 26.80).

use std::net::IpAddr;
use std::sync::Arc;

use super::intake::{IntakeFields, open_by_widget};
use super::kb::{self, Article, KbHit, KbQuery, PublishedArticle};
use super::{TicketSummary, WidgetVisitor};
use crate::Error;
use crate::identity::workspaces::{Workspace, WorkspaceStatus, is_slug};
use crate::kernel::idempotency::{IdempotentRequest, IdempotentResult};
use crate::ports::{Ports, Settings};

/// A reader of a workspace's help centre. Only [`enter`] makes one.
#[derive(Debug, Clone)]
pub struct Reader(WidgetVisitor);

impl Reader {
    /// The same reader, within a request, which the event log names.
    #[must_use]
    pub fn in_request(self, request_id: Arc<str>) -> Self {
        Self(self.0.in_request(request_id))
    }

    pub fn workspace(&self) -> &Workspace {
        self.0.workspace()
    }
}

/// Lets a reader into the help centre of the active workspace with this slug, if it has one.
///
/// # Errors
/// [`Error::NotFound`] for every cause alike: it does not reveal whether the workspace exists.
pub async fn enter(ports: &Ports, slug: &str, address: Option<IpAddr>) -> Result<Reader, Error> {
    // What can be no slug, such as bytes that a database refuses, is not looked for.
    let found = if is_slug(slug) { ports.directory.find_workspace(slug).await? } else { None };
    // An id finds a workspace, too, but its help centre has one address alone.
    let is_open = |it: &Workspace| it.slug == slug && it.status == WorkspaceStatus::Active && it.help_centre_enabled;
    let workspace = found.filter(is_open).ok_or(Error::NotFound("help centre"))?;
    Ok(Reader(WidgetVisitor::of_help_centre(workspace, address)))
}

/// The address of a workspace's help centre.
pub fn address_of(settings: &Settings, workspace: &Workspace) -> String {
    format!("{}/kb/{}", settings.public_url.trim_end_matches('/'), workspace.slug)
}

/// The address of an article in it.
pub fn address_of_article(settings: &Settings, workspace: &Workspace, slug: &str) -> String {
    kb::address(settings, &workspace.slug, slug)
}

/// The newest published articles, newest first, at most [`MAX_LISTED`](kb::MAX_LISTED).
///
/// # Errors
/// Those of the store.
pub async fn articles(ports: &Ports, reader: &Reader) -> Result<Vec<PublishedArticle>, Error> {
    kb::list_published(ports, reader.workspace()).await
}

/// The published article with this slug.
///
/// # Errors
/// [`Error::NotFound`].
pub async fn article(ports: &Ports, reader: &Reader, slug: &str) -> Result<Article, Error> {
    kb::read_by_slug(ports, reader.workspace(), slug).await
}

/// The best matching published articles, best first. A search without a hit is noted.
///
/// # Errors
/// [`Error::SearchTooSlow`], and those of the store.
pub async fn search(ports: &Ports, reader: &Reader, query: KbQuery) -> Result<Vec<KbHit>, Error> {
    kb::search_in(ports, reader.workspace(), None, query, kb::DEFAULT_LIMIT).await
}

/// Opens a ticket for a reader, as the widget does.
///
/// # Errors
/// Those of the store.
pub async fn open_ticket(
    ports: &Ports,
    reader: &Reader,
    once: Option<IdempotentRequest<TicketSummary>>,
    fields: IntakeFields,
) -> Result<IdempotentResult<TicketSummary>, Error> {
    open_by_widget(ports, &reader.0, once, fields).await
}
