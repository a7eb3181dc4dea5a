//! The sessions of a browser, one per workspace, and the order in which it used them.

use actix_web::{HttpMessage, HttpRequest, HttpResponse};
use domain::Error;
use domain::identity::access::{Caller, Credential, ManageOwnAccount, authenticate};
use domain::identity::accounts::logout;
use domain::limits::Class;
use http_core::AppState;
use http_core::admission::{admit_browser, client_of};
use http_core::errors::HttpError;
use http_core::workspace_address::{WorkspaceSlug, is_slug};

use crate::cookies::{Cookie, slugs_of_sessions};
use crate::page::is_https;

/// The maximum number of sessions per browser.
pub(crate) const MAX_SESSIONS: usize = 10;

/// The workspace slug in the URL of a request.
pub(crate) fn slug_of(request: &HttpRequest) -> Option<String> {
    request.extensions().get::<WorkspaceSlug>().map(|slug| slug.0.clone())
}

/// The workspaces for which the browser has a session, the last used first.
#[derive(Debug, Clone, Default)]
pub(crate) struct Workspaces(Vec<String>);

impl Workspaces {
    pub(crate) fn of(request: &HttpRequest, is_https: bool) -> Self {
        let order = Cookie::LastWorkspaces.of(request, is_https).unwrap_or_default();
        let order: Vec<_> = order.split('.').filter(|slug| is_slug(slug)).take(MAX_SESSIONS).collect();
        let mut slugs = slugs_of_sessions(request, is_https);
        slugs.sort_by_key(|slug| order.iter().position(|known| known == slug).unwrap_or(MAX_SESSIONS));
        Self(slugs)
    }

    pub(crate) fn has(&self, slug: &str) -> bool {
        self.0.iter().any(|known| known == slug)
    }

    pub(crate) fn last(&self) -> Option<&str> {
        self.0.first().map(String::as_str)
    }

    /// The order after this workspace was used, and the workspaces whose sessions no longer fit.
    pub(crate) fn after(&self, slug: &str) -> (String, Vec<&str>) {
        let mut others: Vec<_> = self.0.iter().map(String::as_str).filter(|known| *known != slug).collect();
        let left_over = others.split_off(others.len().min(MAX_SESSIONS - 1));
        let order: Vec<_> = std::iter::once(slug).chain(others.iter().copied()).collect();
        (order.join("."), left_over)
    }
}

/// The session token for pages of a workspace. The cookie from before URLs contained the workspace is accepted as well.
pub(crate) fn token_of(request: &HttpRequest, slug: &str, is_https: bool) -> Option<String> {
    Cookie::Session(slug).of(request, is_https).or_else(|| Cookie::OldSession.of(request, is_https))
}

/// The secret behind form tokens on pages without a session.
pub(crate) fn visit_of(request: &HttpRequest, is_https: bool) -> Option<String> {
    Cookie::Visit.of(request, is_https).filter(|secret| secret.len() >= 32)
}

/// The secrets behind form tokens on this browser's pages with a session.
pub(crate) fn secrets(request: &HttpRequest, state: &AppState) -> Vec<String> {
    let is_https = is_https(state);
    let slugs = slugs_of_sessions(request, is_https);
    let sessions = slugs.iter().take(MAX_SESSIONS).filter_map(|slug| Cookie::Session(slug).of(request, is_https));
    let all = sessions.chain(Cookie::OldSession.of(request, is_https));
    all.filter(|secret| secret.len() >= 32).collect()
}

/// Authenticates the browser by its session in a workspace, and counts the request.
///
/// # Errors
/// [`Error::Unauthorized`] without a session in the workspace, and those of [`admit_browser`].
pub(crate) async fn admit(
    request: &HttpRequest,
    state: &AppState,
    slug: Option<&str>,
    class: Class,
) -> Result<(Caller, String), HttpError> {
    let token = slug.and_then(|slug| token_of(request, slug, is_https(state)));
    let caller = admit_browser(request, state, token.as_deref(), class).await?;
    match token {
        Some(token) if slug == Some(&*caller.workspace().slug) => Ok((caller, token)),
        _ => Err(Error::Unauthorized.into()),
    }
}

/// The caller of the browser's session in a workspace, if the session is valid. The request is not counted.
pub(crate) async fn valid_session(request: &HttpRequest, state: &AppState, slug: &str) -> Option<Caller> {
    let token = token_of(request, slug, is_https(state))?;
    let caller = authenticate(&state.ports, &token, client_of(request, state).address).await.ok()?;
    let is_session = matches!(caller.credential(), Credential::Session { .. });
    Some(caller).filter(|caller| is_session && caller.workspace().slug == slug)
}

/// The browser's next valid session: first those of its workspaces in order, then the one from before URLs contained
/// the workspace. `tried` is the number of sessions checked so far. A session in the cookie of another workspace is
/// ignored.
pub(crate) async fn next_valid_session(
    request: &HttpRequest,
    state: &AppState,
    workspaces: &Workspaces,
    tried: &mut usize,
) -> Option<Caller> {
    let (is_https, address) = (is_https(state), client_of(request, state).address);
    while *tried <= workspaces.0.len().min(MAX_SESSIONS) {
        let slug = workspaces.0.get(*tried).filter(|_| *tried < MAX_SESSIONS);
        let cookie = slug.map_or(Cookie::OldSession, |slug| Cookie::Session(slug));
        let token = cookie.of(request, is_https);
        *tried += 1;
        let Some(token) = token else { continue };
        let Ok(caller) = authenticate(&state.ports, &token, address).await else { continue };
        let is_in_place = slug.is_none_or(|slug| *slug == caller.workspace().slug);
        if is_in_place && matches!(caller.credential(), Credential::Session { .. }) {
            return Some(caller);
        }
    }
    None
}

/// The workspaces whose session cookies a response removes.
pub(crate) struct RemovedSessions(pub(crate) Vec<String>);

/// Ends the sessions whose cookies a response removes, since nobody has their tokens any more. A session that cannot be
/// ended expires.
pub(crate) async fn end_removed(request: &HttpRequest, state: &AppState, response: &HttpResponse) {
    let slugs = response.extensions().get::<RemovedSessions>().map(|dropped| dropped.0.clone()).unwrap_or_default();
    let address = client_of(request, state).address;
    for slug in slugs.iter().take(MAX_SESSIONS) {
        let Some(token) = Cookie::Session(slug).of(request, is_https(state)) else { continue };
        let Ok(caller) = authenticate(&state.ports, &token, address).await else { continue };
        if let Ok(permit) = caller.permit::<ManageOwnAccount>() {
            let _ = logout(&state.ports, &permit).await;
        }
    }
}

#[cfg(test)]
mod tests {
    use actix_web::http::header::COOKIE;
    use actix_web::test::TestRequest;

    use super::*;

    #[test]
    fn the_least_recently_used_workspace_makes_room() {
        let names: Vec<_> = (0..10).map(|number| format!("w{number}")).collect();
        let sessions: Vec<_> = names.iter().map(|name| format!("session-{name}=x")).collect();
        let cookies = format!("{}; last-workspace=w7.W.w1", sessions.join("; "));
        let request = TestRequest::default().insert_header((COOKIE, cookies)).to_http_request();
        let workspaces = Workspaces::of(&request, false);
        assert_eq!(workspaces.last(), Some("w7"));
        assert!(workspaces.has("w9") && !workspaces.has("w10"));
        let (order, left_over) = workspaces.after("w3");
        assert_eq!((&*order, left_over), ("w3.w7.w1.w0.w2.w4.w5.w6.w8.w9", vec![]));
        let (order, left_over) = workspaces.after("new");
        assert_eq!((&*order, left_over), ("new.w7.w1.w0.w2.w3.w4.w5.w6.w8", vec!["w9"]));
        assert_eq!(Workspaces::default().after("a"), ("a".to_owned(), vec![]));
    }
}
