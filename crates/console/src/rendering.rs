//! Templates as HTML: a small page is written at once, a large one on the rendering threads.
//!
//! How large a page is turns out only when it is written: names, lists and texts in Markdown make it so.

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

use crate::addresses::sent_html;
use crate::page::PageResult;

/// The bytes of HTML that are written and compressed on the worker's own thread: about a millisecond.
const HTML_AT_ONCE: usize = 128 * 1024;
/// The bytes of Markdown that are rendered there, for a page.
const MARKDOWN_AT_ONCE: usize = 16 * 1024;
/// The name by which templates know how much Markdown may still be rendered.
const MARKDOWN_LEFT: &str = "markdown-left";
/// Below this, compression gains nothing.
const LEAST_COMPRESSED: usize = 1_400;

/// The bytes of Markdown that may still be rendered at once.
struct MarkdownLeft(Cell<usize>);

impl Values for MarkdownLeft {
    fn get_value<'a>(&'a self, key: &str) -> Option<&'a dyn Any> {
        (key == MARKDOWN_LEFT).then_some(self as &dyn Any)
    }
}

/// Takes this many bytes of Markdown from what may be rendered at once.
///
/// # Errors
/// If that is used up: the page is written elsewhere then.
pub(crate) fn take_markdown(values: &dyn Values, bytes: usize) -> askama::Result<()> {
    // Without a value there is no bound.
    let Ok(MarkdownLeft(left)) = askama::get_value(values, MARKDOWN_LEFT) else { return Ok(()) };
    left.set(left.get().checked_sub(bytes).ok_or(askama::Error::Fmt)?);
    Ok(())
}

/// A text that takes a bounded number of bytes.
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
pub(crate) struct Sending {
    pub(crate) accepts_gzip: bool,
    /// Of a page that is the same for everybody: what the browser has of it already.
    pub(crate) known_etags: Option<String>,
    /// What the addresses of its workspace begin with; empty outside of them.
    pub(crate) base: String,
}

/// A page as it is sent.
struct Html {
    bytes: Vec<u8>,
    is_compressed: bool,
    etag: Option<String>,
    is_known: bool,
}

/// The rest of a response, for the rendering threads.
struct Deferred(Box<dyn FnOnce() -> Result<Html, Error> + Send>);

/// Adds a page to the response that has its other headers, or leaves that to [`completed`] if the page is large.
pub(crate) fn add(
    mut response: HttpResponse,
    template: impl Template + Send + 'static,
    sending: Sending,
) -> PageResult {
    if let Some(html) = rendered_at_once(&template) {
        return Ok(with_html(response, encoded(html, &sending)?));
    }
    let write = move || {
        // Templates have no step that fails.
        let failed = |error| Error::Store(StoreError::Internal(format!("a template failed: {error}")));
        encoded(template.render().map_err(failed)?, &sending)
    };
    response.extensions_mut().insert(Deferred(Box::new(write)));
    Ok(response)
}

/// The response with its page, if that was left to the rendering threads.
///
/// # Errors
/// [`HttpError::Busy`](http_core::errors::HttpError::Busy) if too much waits for them.
pub(crate) async fn completed(mut response: HttpResponse, renderer: &Renderer) -> PageResult {
    let deferred = response.extensions_mut().remove::<Deferred>();
    match deferred {
        Some(Deferred(write)) => Ok(with_html(response, renderer.run(write).await??)),
        None => Ok(response),
    }
}

/// The response with its page, written on the calling thread: for pages whose size does not depend on what callers send.
///
/// # Errors
/// None: templates have no step that fails.
pub(crate) fn completed_here(mut response: HttpResponse) -> PageResult {
    let deferred = response.extensions_mut().remove::<Deferred>();
    match deferred {
        Some(Deferred(write)) => Ok(with_html(response, write()?)),
        None => Ok(response),
    }
}

/// `None` for a page that is too large, or has too much Markdown.
fn rendered_at_once(template: &impl Template) -> Option<String> {
    let mut html = Bounded::new(HTML_AT_ONCE);
    let left = MarkdownLeft(Cell::new(MARKDOWN_AT_ONCE));
    template.render_into_with_values(&mut html, &left).ok()?;
    Some(html.text)
}

fn encoded(html: String, sending: &Sending) -> Result<Html, Error> {
    let html = sent_html(&sending.base, html);
    let etag = sending.known_etags.is_some().then(|| etag_of(&html));
    let known = sending.known_etags.iter().flat_map(|known| known.split(','));
    let is_known = known.map(str::trim).any(|known| known == "*" || Some(known) == etag.as_deref());
    let is_compressed = sending.accepts_gzip && html.len() >= LEAST_COMPRESSED && !is_known;
    let bytes = if is_compressed {
        let failed = |error| Error::Store(StoreError::Internal(format!("compression failed: {error}")));
        assets::gzip(html.as_bytes(), Compression::fast()).map_err(failed)?
    } else {
        html.into_bytes()
    };
    Ok(Html { bytes, is_compressed, etag, is_known })
}

/// Weak, because the compressed form of a page is the same page.
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
    fn a_page_is_written_at_once_up_to_a_size_and_an_amount_of_markdown() {
        for (page, at_once) in [
            (page(10, MARKDOWN_AT_ONCE), true),
            (page(10, MARKDOWN_AT_ONCE + 1), false),
            (page(HTML_AT_ONCE - 20, 5), true),
            (page(HTML_AT_ONCE, 5), false),
        ] {
            assert_eq!(rendered_at_once(&page).is_some(), at_once, "{} {}", page.name.len(), page.body.len());
        }
    }

    #[actix_web::test]
    async fn a_page_is_the_same_wherever_it_is_written() {
        let app = TestApp::new(SURFACES);
        let renderer = Renderer::of(&actix_web::test::TestRequest::default().to_http_request(), &app.state);
        for (name, body) in [(10, 10), (10, 100_000), (200_000, 10)] {
            let sending = Sending { accepts_gzip: false, known_etags: Some("W/\"x\"".to_owned()), base: String::new() };
            let response = add(HttpResponse::Ok().finish(), page(name, body), sending.clone()).unwrap();
            let response = completed(response, &renderer).await.unwrap();
            let etag = response.headers().get(ETAG).unwrap().to_str().unwrap().to_owned();
            let html = actix_web::body::to_bytes(response.into_body()).await.unwrap();
            assert_eq!(html, page(name, body).render().unwrap().as_bytes());
            let again = Sending { known_etags: Some(etag), ..sending };
            let known = add(HttpResponse::Ok().finish(), page(name, body), again).unwrap();
            let known = completed(known, &renderer).await.unwrap();
            assert_eq!(known.status(), StatusCode::NOT_MODIFIED);
            assert!(actix_web::body::to_bytes(known.into_body()).await.unwrap().is_empty());
        }
    }
}
