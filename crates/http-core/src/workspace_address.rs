//! Addresses of a workspace's pages, such as `/w/acme/deals`. Routing sees `/deals`; the slug stays with the request.

use std::borrow::Cow;

use actix_web::HttpMessage;
use actix_web::Resource;
use actix_web::dev::ServiceRequest;
use actix_web::guard;
use actix_web::http::Uri;
use actix_web::http::uri::PathAndQuery;

/// The path prefix before a workspace's slug.
const PREFIX: &str = "/w/";
const MAX_SLUG_LENGTH: usize = 63;

/// The slug in the address of a request.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WorkspaceSlug(pub String);

/// The path prefix of a workspace's pages.
pub fn base_of(slug: &str) -> String {
    format!("{PREFIX}{slug}")
}

/// Splits an address into the workspace's slug and the page within it. The workspace may not exist.
pub fn split(address: &str) -> Option<(&str, Cow<'_, str>)> {
    let rest = address.strip_prefix(PREFIX)?;
    let (slug, page) = rest.split_at(rest.find(['/', '?', '#']).unwrap_or(rest.len()));
    let page = if page.starts_with('/') { Cow::Borrowed(page) } else { Cow::Owned(format!("/{page}")) };
    is_slug(slug).then_some((slug, page))
}

/// Whether a text has the form of a slug.
pub fn is_slug(text: &str) -> bool {
    let is_part = |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'-';
    (1..=MAX_SLUG_LENGTH).contains(&text.len()) && text.bytes().all(is_part)
}

/// Moves the workspace from the address of a request to its extensions, before it is routed.
pub(crate) fn strip_workspace(request: &mut ServiceRequest) {
    let Some((slug, page)) = split(request.uri().path()) else { return };
    let Some(uri) = with_path(request.uri(), &page) else { return };
    let slug = WorkspaceSlug(slug.to_owned());
    request.extensions_mut().insert(slug);
    request.match_info_mut().get_mut().update(&uri);
    request.head_mut().uri = uri;
}

fn with_path(uri: &Uri, path: &str) -> Option<Uri> {
    let address = uri.query().map_or_else(|| path.to_owned(), |query| format!("{path}?{query}"));
    let mut parts = uri.clone().into_parts();
    parts.path_and_query = Some(PathAndQuery::try_from(address).ok()?);
    Uri::from_parts(parts).ok()
}

/// Restricts a resource to addresses outside workspaces: below `/w/SLUG` it does not exist.
pub(crate) fn outside_workspaces(resource: Resource) -> Resource {
    resource.guard(guard::fn_guard(|context| context.req_data().get::<WorkspaceSlug>().is_none()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_workspace_address_splits_into_slug_and_page() {
        let longest = "a".repeat(MAX_SLUG_LENGTH);
        for (address, expected) in [
            ("/w/acme", Some(("acme", "/"))),
            ("/w/acme/", Some(("acme", "/"))),
            ("/w/acme?x=1", Some(("acme", "/?x=1"))),
            ("/w/acme/deals/1?x=/y", Some(("acme", "/deals/1?x=/y"))),
            ("/w/a-1/w/b", Some(("a-1", "/w/b"))),
            (&*format!("/w/{longest}"), Some((&*longest, "/"))),
            (&*format!("/w/{longest}a"), None),
            ("/w/Acme/deals", None),
            ("/w/a%20b", None),
            ("/w/", None),
            ("/w", None),
            ("/wacme/deals", None),
            ("/deals", None),
        ] {
            assert_eq!(
                split(address).map(|(slug, page)| (slug, page.into_owned())),
                expected.map(|(slug, page)| (slug, page.to_owned())),
                "{address}"
            );
        }
    }

    #[test]
    fn removing_the_workspace_keeps_the_query() {
        for (uri, path, expected) in [
            ("/w/acme/deals?a=%2F&b", "/deals", "/deals?a=%2F&b"),
            ("/w/acme", "/", "/"),
            ("https://example.com/w/acme/x", "/x", "https://example.com/x"),
        ] {
            assert_eq!(with_path(&uri.parse().unwrap(), path).unwrap().to_string(), expected);
        }
    }
}
