//! The scripts, styles and icons of the pages. They are compressed at build time and are part of the binary; an asset's address
//! contains the hash of its content. `own` has our files, and `vendor` those listed in `vendor/vendor.toml`.

use std::io::{self, Write};
use std::sync::LazyLock;

use actix_web::http::header::{ACCEPT_ENCODING, CACHE_CONTROL, CONTENT_ENCODING, CONTENT_SECURITY_POLICY, VARY};
use actix_web::{HttpRequest, HttpResponse};
use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use flate2::Compression;
use flate2::write::GzEncoder;
use ring::digest::{SHA256, digest};

/// The route of all assets.
pub const ROUTE: &str = "GET /assets/{hash}/{name}";
pub const PATTERN: &str = "/assets/{hash}/{name}";

/// One year: changed content gets a new address.
const CACHED: &str = "public, max-age=31536000, immutable";
/// Length of the hash in an address, in characters.
const HASH_LENGTH: usize = 16;

/// The name in addresses, the plain content, and the compressed content.
type File = (&'static str, &'static [u8], &'static [u8]);

struct Asset {
    name: &'static str,
    hash: String,
    content_type: &'static str,
    plain: &'static [u8],
    gzip: &'static [u8],
}

macro_rules! files {
    ($($name:literal: $path:literal),* $(,)?) => {
        &[$((
            $name,
            include_bytes!(concat!(env!("OUT_DIR"), "/", $path)),
            include_bytes!(concat!(env!("OUT_DIR"), "/", $path, ".gz")),
        )),*]
    };
}

const FILES: &[File] = files! {
    "tabler.css": "vendor/tabler/tabler.min.css",
    "console.css": "own/console.css",
    "theme.js": "own/theme.js",
    "htmx.js": "vendor/htmx/htmx.min.js",
    "sortable.js": "vendor/sortablejs/Sortable.min.js",
    "console.js": "own/console.js",
    "live.js": "own/live.js",
    "live-worker.js": "own/live-worker.js",
    "records.js": "own/records.js",
    "first-minutes.js": "own/first-minutes.js",
    "portal.js": "own/portal.js",
    "search.js": "own/search.js",
    "articles.js": "own/articles.js",
    "settings.js": "own/settings.js",
    "csv.js": "own/csv.js",
    "import.js": "own/import.js",
    "board.js": "own/board.js",
    "tickets.js": "own/tickets.js",
    "keys.js": "own/keys.js",
    "time.js": "own/time.js",
    "week.js": "own/week.js",
    "docs.css": "own/docs.css",
    "docs.js": "own/docs.js",
    "docs-theme.js": "own/docs-theme.js",
    "redoc.js": "vendor/redoc/redoc.standalone.js",
    "icon.svg": "own/icon.svg",
};

static ASSETS: LazyLock<Vec<Asset>> = LazyLock::new(|| FILES.iter().map(asset).collect());

fn asset((name, plain, gzip): &File) -> Asset {
    let mut hash = hash(plain);
    hash.truncate(HASH_LENGTH);
    let content_type = match name.rsplit('.').next() {
        Some("css") => "text/css; charset=utf-8",
        Some("svg") => "image/svg+xml",
        _ => "text/javascript; charset=utf-8",
    };
    Asset { name, hash, content_type, plain, gzip }
}

/// The address of an asset, such as `/assets/0a1b2c3d4e5f6g7h/console.css`.
pub fn address_of(name: &str) -> String {
    let asset = ASSETS.iter().find(|asset| asset.name == name);
    // A test requests every asset that a template names.
    asset.map_or_else(String::new, |asset| format!("/assets/{}/{name}", asset.hash))
}

/// The script of the worker that opens the event stream. A worker follows the policy of its script's response, not the page's.
const WORKER: &str = "live-worker.js";
const WORKER_POLICY: &str = "default-src 'none'; connect-src 'self'; frame-ancestors 'none'";

/// Serves an asset on [`ROUTE`]; `None` if there is no such asset.
pub fn respond(request: &HttpRequest) -> Option<HttpResponse> {
    let (hash, name) = (request.match_info().get("hash"), request.match_info().get("name"));
    let asset = ASSETS.iter().find(|asset| Some(asset.name) == name && Some(&*asset.hash) == hash)?;
    let mut response = HttpResponse::Ok();
    response.content_type(asset.content_type).insert_header((CACHE_CONTROL, CACHED));
    response.insert_header((VARY, "Accept-Encoding"));
    if asset.name == WORKER {
        response.insert_header((CONTENT_SECURITY_POLICY, WORKER_POLICY));
    }
    if accepts_gzip(request) {
        return Some(response.insert_header((CONTENT_ENCODING, "gzip")).body(asset.gzip));
    }
    Some(response.body(asset.plain))
}

/// The icons in `vendor/icons`, sorted by name.
static ICONS: &[(&str, &str)] = include!(concat!(env!("OUT_DIR"), "/icons.rs"));

/// The SVG of an icon; empty for an unknown one, which a test finds.
pub fn icon(name: &str) -> &'static str {
    ICONS.binary_search_by_key(&name, |(known, _)| *known).map_or("", |index| ICONS[index].1)
}

/// The SHA-256 of content, in characters that addresses and entity tags may contain.
pub fn hash(content: &[u8]) -> String {
    URL_SAFE_NO_PAD.encode(digest(&SHA256, content))
}

/// Compresses content. Writing into memory does not fail.
pub fn gzip(content: &[u8], level: Compression) -> io::Result<Vec<u8>> {
    let mut encoder = GzEncoder::new(Vec::with_capacity(content.len() / 4), level);
    encoder.write_all(content)?;
    encoder.finish()
}

/// Whether the client reads compressed content.
pub fn accepts_gzip(request: &HttpRequest) -> bool {
    let accepted = request.headers().get(ACCEPT_ENCODING).and_then(|value| value.to_str().ok());
    accepted.is_some_and(|encodings| encodings.contains("gzip"))
}
