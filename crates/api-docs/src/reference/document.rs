//! A served document: rendered once, compressed once, and revalidated by its entity tag.

use actix_web::http::StatusCode;
use actix_web::http::header::{CACHE_CONTROL, CONTENT_ENCODING, CONTENT_SECURITY_POLICY, ETAG, IF_NONE_MATCH, VARY};
use actix_web::web::Bytes;
use actix_web::{HttpRequest, HttpResponse, HttpResponseBuilder};
use flate2::Compression;

/// The next release may have different content at the same address.
const REVALIDATED: &str = "no-cache";
const HTML: &str = "text/html; charset=utf-8";

pub(crate) struct Document {
    content_type: &'static str,
    policy: Option<&'static str>,
    plain: Bytes,
    gzip: Bytes,
    /// Weak, because the plain and the compressed form share it.
    etag: String,
}

impl Document {
    pub(crate) fn data(content_type: &'static str, plain: &'static [u8]) -> Self {
        Self::new(content_type, None, Bytes::from_static(plain))
    }

    pub(crate) fn json(text: String) -> Self {
        Self::new("application/json", None, text.into())
    }

    pub(crate) fn page(html: String, policy: &'static str) -> Self {
        Self::new(HTML, Some(policy), html.into())
    }

    fn new(content_type: &'static str, policy: Option<&'static str>, plain: Bytes) -> Self {
        let is_compressed = content_type.starts_with("image/");
        // If compression fails, the plain form is sent.
        let gzip = if is_compressed { None } else { assets::gzip(&plain, Compression::default()).ok() };
        let etag = format!("W/\"{}\"", &assets::hash(&plain)[..22]);
        Self { content_type, policy, plain, gzip: gzip.unwrap_or_default().into(), etag }
    }

    /// The response to a request; 304 if the client already has the document.
    pub(crate) fn answer(&self, request: &HttpRequest) -> HttpResponse {
        self.answer_with(request, StatusCode::OK)
    }

    pub(crate) fn answer_with(&self, request: &HttpRequest, status: StatusCode) -> HttpResponse {
        let if_none_match =
            request.headers().get(IF_NONE_MATCH).and_then(|value| value.to_str().ok()).unwrap_or_default();
        let mut tags = if_none_match.split(',').map(str::trim);
        let is_current =
            status.is_success() && tags.any(|tag| tag == "*" || tag.trim_start_matches("W/") == self.tag());
        let mut response = HttpResponseBuilder::new(if is_current { StatusCode::NOT_MODIFIED } else { status });
        response
            .content_type(self.content_type)
            .insert_header((CACHE_CONTROL, REVALIDATED))
            .insert_header((VARY, "Accept-Encoding"))
            .insert_header((ETAG, &*self.etag));
        if let Some(policy) = self.policy {
            response.insert_header((CONTENT_SECURITY_POLICY, policy));
        }
        if is_current {
            return response.finish();
        }
        if assets::accepts_gzip(request) && !self.gzip.is_empty() {
            return response.insert_header((CONTENT_ENCODING, "gzip")).body(self.gzip.clone());
        }
        response.body(self.plain.clone())
    }

    fn tag(&self) -> &str {
        self.etag.trim_start_matches("W/")
    }
}
