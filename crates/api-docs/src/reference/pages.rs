//! The pages, each rendered on the first request for it.

use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use actix_web::http::StatusCode;
use actix_web::http::header::{ACCESS_CONTROL_ALLOW_ORIGIN, CROSS_ORIGIN_RESOURCE_POLICY, HeaderValue};
use actix_web::{HttpRequest, HttpResponse, web};
use askama::Template;
use http_core::AppState;
use serde_json::Value as Json;

use crate::reference::document::Document;
use crate::reference::guides::{GUIDES, Guide, IMAGES};
use crate::reference::markdown;

/// Guides may load the service's scripts and styles, but no inline ones.
const POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; base-uri 'none'; \
     form-action 'none'; frame-ancestors 'none'";
/// The viewer adds an empty style element and fills it by script; the hash is that of the empty string, so that no other
/// inline style is allowed. It embeds one small font and fetches the document.
const VIEWER_POLICY: &str = "default-src 'none'; script-src 'self'; \
     style-src 'self' 'sha256-47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU='; img-src 'self' data:; font-src data:; \
     connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/// The committed document has a relative server address, which fits any installation.
const OPENAPI: &str = include_str!("../../../../docs/openapi.json");
const RELATIVE_SERVER: &str = r#""url": "/""#;

/// The OpenAPI document. Pages of other origins may read it: it is public.
pub(crate) fn openapi(request: &HttpRequest) -> HttpResponse {
    let state = request.app_data::<web::Data<AppState>>();
    let public_url = state.map_or("/", |state| &*state.ports.settings.public_url);
    let mut response = openapi_at(public_url).answer(request);
    let headers = response.headers_mut();
    headers.insert(ACCESS_CONTROL_ALLOW_ORIGIN, HeaderValue::from_static("*"));
    headers.insert(CROSS_ORIGIN_RESOURCE_POLICY, HeaderValue::from_static("cross-origin"));
    response
}

/// The document with this installation's address, cached. Tools that import a downloaded copy cannot resolve a relative
/// address.
fn openapi_at(public_url: &str) -> Arc<Document> {
    static CACHE: Mutex<Option<(String, Arc<Document>)>> = Mutex::new(None);
    let mut cached = CACHE.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some((url, document)) = &*cached
        && url == public_url
    {
        return Arc::clone(document);
    }
    // Clients append a path that begins with a slash. Without a public URL, the relative `/` stays.
    let base = if public_url == "/" { public_url } else { public_url.trim_end_matches('/') };
    let address = format!(r#""url": {}"#, Json::from(base));
    let document = Arc::new(Document::json(OPENAPI.replacen(RELATIVE_SERVER, &address, 1)));
    *cached = Some((public_url.to_owned(), Arc::clone(&document)));
    document
}

#[derive(Template)]
#[template(path = "reference.html")]
struct ReferencePage {
    frame: Frame,
}

/// The reference page, which the viewer renders from the document.
pub(crate) fn reference(request: &HttpRequest) -> HttpResponse {
    static PAGE: OnceLock<Document> = OnceLock::new();
    let frame = Frame { title: "API reference".to_owned(), slug: "", parts: Vec::new() };
    PAGE.get_or_init(|| rendered(&ReferencePage { frame }, VIEWER_POLICY)).answer(request)
}

#[derive(Template)]
#[template(path = "guide.html")]
struct GuidePage {
    frame: Frame,
    html: String,
}

/// A guide, or a page that lists all guides.
pub(crate) fn guide(request: &HttpRequest) -> HttpResponse {
    static PAGES: [OnceLock<Document>; GUIDES.len()] = [const { OnceLock::new() }; GUIDES.len()];
    let slug = request.match_info().get("guide").unwrap_or_default();
    let entry = GUIDES.iter().zip(&PAGES).find(|(guide, _)| guide.slug == slug);
    let Some((guide, page)) = entry else {
        return not_found(request);
    };
    page.get_or_init(|| {
        let markdown::Rendered { html, parts } = markdown::render(guide.text);
        let frame = Frame { title: guide.title.to_owned(), slug: guide.slug, parts };
        rendered(&GuidePage { frame, html }, POLICY)
    })
    .answer(request)
}

#[derive(Template)]
#[template(path = "missing.html")]
struct MissingPage {
    frame: Frame,
}

fn not_found(request: &HttpRequest) -> HttpResponse {
    static PAGE: OnceLock<Document> = OnceLock::new();
    let frame = Frame { title: "Guide not found".to_owned(), slug: "-", parts: Vec::new() };
    PAGE.get_or_init(|| rendered(&MissingPage { frame }, POLICY)).answer_with(request, StatusCode::NOT_FOUND)
}

/// An image in a guide.
pub(crate) fn image(request: &HttpRequest) -> HttpResponse {
    static PICTURES: [OnceLock<Document>; IMAGES.len()] = [const { OnceLock::new() }; IMAGES.len()];
    let name = request.match_info().get("name").unwrap_or_default();
    let entry = IMAGES.iter().zip(&PICTURES).find(|((known, _), _)| *known == name);
    let Some(((_, content), picture)) = entry else {
        return not_found(request);
    };
    picture.get_or_init(|| Document::data("image/png", content)).answer(request)
}

fn rendered(template: &impl Template, policy: &'static str) -> Document {
    // These templates cannot fail.
    Document::page(template.render().unwrap_or_default(), policy)
}

/// The layout of every page.
struct Frame {
    title: String,
    /// The slug of the current guide; empty on the reference page.
    slug: &'static str,
    /// The sections of the current guide: ids and headings.
    parts: Vec<(String, String)>,
}

impl Frame {
    /// The guides by navigation group.
    #[expect(clippy::unused_self, reason = "templates call methods on their data")]
    fn groups(&self) -> Vec<(&'static str, &'static [Guide])> {
        GUIDES.chunk_by(|one, next| one.group == next.group).map(|guides| (guides[0].group, guides)).collect()
    }

    /// The address of an asset.
    #[expect(clippy::unused_self, reason = "templates call methods on their data")]
    fn asset(&self, name: &str) -> String {
        assets::address_of(name)
    }

    /// The SVG of an icon.
    #[expect(clippy::unused_self, reason = "templates call methods on their data")]
    fn icon(&self, name: &str) -> &'static str {
        assets::icon(name)
    }
}
