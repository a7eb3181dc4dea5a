//! The help centre: public pages of a workspace (interface 26.80). They read no cookies, are the same for everybody,
//! and are cached for a minute.

pub(super) mod articles;
mod rendered;
pub(super) mod ticket;

use actix_web::HttpRequest;
use domain::identity::access::{AccessRequirement, Caller};
use domain::kernel::input::Problems;
use domain::limits::Class;
use domain::ports::Ports;
use domain::support::help_centre::{Reader, address_of};
use http_core::AppState;
use http_core::admission::AuthScheme;
use http_core::customer_auth::admit_reader;
use http_core::errors::HttpError;
use http_core::path::PathIds;

use crate::page::PageAccess;

/// An anonymous reader of the workspace in the path.
pub(crate) enum Public {}

impl PageAccess for Public {
    type Granted = Reader;
    const NEEDS: Option<AccessRequirement> = None;
    const AUTH_SCHEME: AuthScheme = AuthScheme::Anonymous;
    const IS_PUBLIC: bool = true;

    async fn admit(
        request: &HttpRequest,
        state: &AppState,
        class: Class,
    ) -> Result<(Reader, Option<Caller>), HttpError> {
        let slug = request.match_info().get("workspace").unwrap_or_default();
        Ok((admit_reader(request, state, slug, class).await?, None))
    }
}

/// The slug in the path. A malformed one matches no article.
pub(crate) struct ArticleSlug(String);

impl PathIds for ArticleSlug {
    fn read(request: &HttpRequest, _: &mut Problems) -> Self {
        Self(request.match_info().get("slug").unwrap_or_default().to_owned())
    }
}

/// What surrounds a page of the help centre.
pub(crate) struct Frame {
    pub(crate) title: String,
    pub(crate) name: String,
    /// The path of the help centre.
    pub(crate) home: String,
    /// The page's description for search engines.
    pub(crate) description: String,
    /// The canonical URL of the page; `None` for pages that search engines do not list.
    pub(crate) canonical: Option<String>,
    pub(crate) query: String,
}

impl Frame {
    /// The frame of a page that search engines do not list.
    fn new(reader: &Reader, title: impl Into<String>) -> Self {
        let workspace = reader.workspace();
        Self {
            title: title.into(),
            name: workspace.name.clone(),
            home: format!("/kb/{}", workspace.slug),
            description: String::new(),
            canonical: None,
            query: String::new(),
        }
    }

    /// The frame of the help centre's home page.
    fn of_home(ports: &Ports, reader: &Reader, title: impl Into<String>, description: String) -> Self {
        let canonical = Some(address_of(&ports.settings, reader.workspace()));
        Self { description, canonical, ..Self::new(reader, title) }
    }

    /// The URL of an asset.
    #[expect(clippy::unused_self, reason = "templates call it as a method")]
    pub(crate) fn asset(&self, name: &str) -> String {
        assets::address_of(name)
    }
}
