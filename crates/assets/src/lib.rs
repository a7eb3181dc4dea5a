//! Scripts, styles and icons of the pages: part of the binary, compressed when it is built, under names with the hash of
//! their content. `own` is ours; `vendor` is what others wrote, listed in `vendor/vendor.toml`.

mod content;
mod icons;

use std::sync::LazyLock;

use actix_web::http::header::{CACHE_CONTROL, CONTENT_ENCODING, CONTENT_SECURITY_POLICY, VARY};
use actix_web::{HttpRequest, HttpResponse};

pub use content::{accepts_gzip, gzip, hash};
pub use icons::icon;

/// Where assets are.
pub const ROUTE: &str = "GET /assets/{hash}/{name}";
pub const PATTERN: &str = "/assets/{hash}/{name}";

/// A year: another content has another name.
const CACHED: &str = "public, max-age=31536000, immutable";
/// Characters of the hash in a name.
const HASH_LENGTH: usize = 16;

/// The name in addresses, the content, and the content compressed.
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
    // A test opens all that templates name.
    asset.map_or_else(String::new, |asset| format!("/assets/{}/{name}", asset.hash))
}

/// Workers have the policy of their own script, not that of the page: this one opens the stream of changes.
const WORKER: &str = "live-worker.js";
const WORKER_POLICY: &str = "default-src 'none'; connect-src 'self'; frame-ancestors 'none'";

/// The answer to a request of [`ROUTE`]; `None` if there is no such asset.
pub fn answer(request: &HttpRequest) -> Option<HttpResponse> {
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
