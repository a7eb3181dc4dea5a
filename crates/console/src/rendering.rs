//! Rendering templates to HTML: small pages at once, large ones on the rendering threads.
//!
//! The size of a page is known only while it is rendered, since it depends on names, lists and Markdown.

use std::any::Any;
use std::cell::Cell;
use std::fmt;

use actix_web::HttpResponse;
use actix_web::http::StatusCode;
use actix_web::http::header::{CONTENT_ENCODING, ETAG, HeaderValue};
use askama::{Template, Values};
use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use domain::Error;
use domain::ports::StoreError;
use flate2::Compression;
use http_core::Renderer;
use ring::digest::{SHA256, digest};

use crate::addresses::html_with_base;
use crate::page::PageResult;

/// The bytes of HTML rendered and compressed on the worker's own thread: about a millisecond.
const INLINE_HTML: usize = 128 * 1024;
/// The bytes of Markdown rendered there per page.
const INLINE_MARKDOWN: usize = 16 * 1024;
/// The askama value with the bytes of Markdown that are left.
const MARKDOWN_LEFT: &str = "markdown-left";
/// Smaller responses gain nothing from compression.
const MIN_COMPRESSED: usize = 1_400;

/// The bytes of Markdown that may still be rendered on this thread.
struct MarkdownLeft(Cell<usize>);

impl Values for MarkdownLeft {
    fn get_value<'a>(&'a self, key: &str) -> Option<&'a dyn Any> {
        (key == MARKDOWN_LEFT).then_some(self as &dyn Any)
    }
}

/// Takes this many bytes from the Markdown that may be rendered on this thread.
///
/// # Errors
/// If too few are left. The page is then rendered on the rendering threads.
pub(crate) fn take_markdown(values: &dyn Values, bytes: usize) -> askama::Result<()> {
    // Without this value there is no limit.
    let Ok(MarkdownLeft(left)) = askama::get_value(values, MARKDOWN_LEFT) else { return Ok(()) };
    left.set(left.get().checked_sub(bytes).ok_or(askama::Error::Fmt)?);
    Ok(())
}

/// A string with a maximum size in bytes.
pub(crate) struct Bounded {
    pub(crate) text: String,
    left: usize,
}

impl Bounded {
    pub(crate) const fn new(bytes: usize) -> Self {
        Self { text: String::new(), left: bytes }
    }
}

impl fmt::Write for Bounded {
    fn write_str(&mut self, part: &str) -> fmt::Result {
        self.left = self.left.checked_sub(part.len()).ok_or(fmt::Error)?;
        self.text.push_str(part);
        Ok(())
    }
}

/// How a page is sent.
#[derive(Debug, Clone)]
pub(crate) struct SendOptions {
    pub(crate) accepts_gzip: bool,
    /// The entity tags that the browser has, for a page that is the same for everybody.
    pub(crate) known_etags: Option<String>,
    /// The base path of the page's workspace; empty outside of workspaces.
    pub(crate) base: String,
}

struct Html {
    bytes: Vec<u8>,
    is_compressed: bool,
    etag: Option<String>,
    is_known: bool,
}

/// The rest of a response, to be rendered on the rendering threads.
struct Deferred(Box<dyn FnOnce() -> Result<Html, Error> + Send>);

/// Adds the page to a response that has its other headers. A large page is left to [`complete`].
pub(crate) fn add(
    mut response: HttpResponse,
    template: impl Template + Send + 'static,
    options: SendOptions,
) -> PageResult {
    if let Some(html) = render_inline(&template) {
        return Ok(with_html(response, encoded(html, &options)?));
    }
    let write = move || {
        // No step in our templates fails.
        let failed = |error| Error::Store(StoreError::Internal(format!("a template failed: {error}")));
        encoded(template.render().map_err(failed)?, &options)
    };
    response.extensions_mut().insert(Deferred(Box::new(write)));
    Ok(response)
}

/// Completes a response whose page was left to the rendering threads.
///
/// # Errors
/// [`HttpError::Busy`](http_core::errors::HttpError::Busy) if their queue is full.
pub(crate) async fn complete(mut response: HttpResponse, renderer: &Renderer) -> PageResult {
    let deferred = response.extensions_mut().remove::<Deferred>();
    match deferred {
        Some(Deferred(write)) => Ok(with_html(response, renderer.run(write).await??)),
        None => Ok(response),
    }
}

/// Completes a response on the calling thread, for pages whose size does not depend on the request.
pub(crate) fn complete_inline(mut response: HttpResponse) -> PageResult {
    let deferred = response.extensions_mut().remove::<Deferred>();
    match deferred {
        Some(Deferred(write)) => Ok(with_html(response, write()?)),
        None => Ok(response),
    }
}

/// `None` if the page is too large or has too much Markdown.
fn render_inline(template: &impl Template) -> Option<String> {
    let mut html = Bounded::new(INLINE_HTML);
    let left = MarkdownLeft(Cell::new(INLINE_MARKDOWN));
    template.render_into_with_values(&mut html, &left).ok()?;
    Some(html.text)
}

fn encoded(html: String, options: &SendOptions) -> Result<Html, Error> {
    let html = html_with_base(&options.base, html);
    let etag = options.known_etags.is_some().then(|| etag_of(&html));
    let etags = options.known_etags.iter().flat_map(|etags| etags.split(','));
    let is_known = etags.map(str::trim).any(|one| one == "*" || Some(one) == etag.as_deref());
    let is_compressed = options.accepts_gzip && html.len() >= MIN_COMPRESSED && !is_known;
    let bytes = if is_compressed {
        let failed = |error| Error::Store(StoreError::Internal(format!("compression failed: {error}")));
        assets::gzip(html.as_bytes(), Compression::fast()).map_err(failed)?
    } else {
        html.into_bytes()
    };
    Ok(Html { bytes, is_compressed, etag, is_known })
}

/// Weak, because compressed and uncompressed responses share it.
fn etag_of(html: &str) -> String {
    format!("W/\"{}\"", &URL_SAFE_NO_PAD.encode(digest(&SHA256, html.as_bytes()))[..22])
}

fn with_html(mut response: HttpResponse, html: Html) -> HttpResponse {
    let Html { bytes, is_compressed, etag, is_known } = html;
    if let Some(etag) = etag.and_then(|etag| HeaderValue::try_from(etag).ok()) {
        response.headers_mut().insert(ETAG, etag);
    }
    if is_known {
        *response.status_mut() = StatusCode::NOT_MODIFIED;
        return response;
    }
    if is_compressed {
        response.headers_mut().insert(CONTENT_ENCODING, HeaderValue::from_static("gzip"));
    }
    response.set_body(actix_web::body::BoxBody::new(bytes))
}

#[cfg(test)]
mod tests {
    use http_core::testing::TestApp;

    use super::*;
    use crate::filters;

    const SURFACES: &[&http_core::Routes] = &[&crate::ROUTES];

    #[derive(Template)]
    #[template(source = "<p>{{ name }}</p>{{ body|markdown }}", ext = "html")]
    struct Page {
        name: String,
        body: String,
    }

    fn page(name: usize, body: usize) -> Page {
        Page { name: "n".repeat(name), body: "b".repeat(body) }
    }

    #[test]
    fn only_small_pages_are_rendered_inline() {
        for (page, at_once) in [
            (page(10, INLINE_MARKDOWN), true),
            (page(10, INLINE_MARKDOWN + 1), false),
            (page(INLINE_HTML - 20, 5), true),
            (page(INLINE_HTML, 5), false),
        ] {
            assert_eq!(render_inline(&page).is_some(), at_once, "{} {}", page.name.len(), page.body.len());
        }
    }

    #[actix_web::test]
    async fn pages_are_equal_on_every_thread() {
        let app = TestApp::new(SURFACES);
        let renderer = Renderer::of(&actix_web::test::TestRequest::default().to_http_request(), &app.state);
        for (name, body) in [(10, 10), (10, 100_000), (200_000, 10)] {
            let options =
                SendOptions { accepts_gzip: false, known_etags: Some("W/\"x\"".to_owned()), base: String::new() };
            let response = add(HttpResponse::Ok().finish(), page(name, body), options.clone()).unwrap();
            let response = complete(response, &renderer).await.unwrap();
            let etag = response.headers().get(ETAG).unwrap().to_str().unwrap().to_owned();
            let html = actix_web::body::to_bytes(response.into_body()).await.unwrap();
            assert_eq!(html, page(name, body).render().unwrap().as_bytes());
            let options = SendOptions { known_etags: Some(etag), ..options };
            let cached = add(HttpResponse::Ok().finish(), page(name, body), options).unwrap();
            let cached = complete(cached, &renderer).await.unwrap();
            assert_eq!(cached.status(), StatusCode::NOT_MODIFIED);
            assert!(actix_web::body::to_bytes(cached.into_body()).await.unwrap().is_empty());
        }
    }
}
