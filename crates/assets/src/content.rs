//! The content of what is served: its hash and its compressed form.

use std::io::{self, Write};

use actix_web::HttpRequest;
use actix_web::http::header::ACCEPT_ENCODING;
use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use flate2::Compression;
use flate2::write::GzEncoder;
use ring::digest::{SHA256, digest};

/// SHA-256 in the characters that addresses and entity tags have.
pub fn hash(content: &[u8]) -> String {
    URL_SAFE_NO_PAD.encode(digest(&SHA256, content))
}

/// # Errors
/// None: writing into memory does not fail.
pub fn gzip(content: &[u8], level: Compression) -> io::Result<Vec<u8>> {
    let mut encoder = GzEncoder::new(Vec::with_capacity(content.len() / 4), level);
    encoder.write_all(content)?;
    encoder.finish()
}

/// Whether the client reads compressed content.
pub fn accepts_gzip(request: &HttpRequest) -> bool {
    let accepted = request.headers().get(ACCEPT_ENCODING).and_then(|value| value.to_str().ok());
    accepted.is_some_and(|codings| codings.contains("gzip"))
}
