//! Scripts, styles and icons: part of the binary, compressed once, under names with the hash of their content.

use std::sync::LazyLock;

use actix_web::http::header::{CACHE_CONTROL, CONTENT_ENCODING, CONTENT_SECURITY_POLICY, VARY};
use actix_web::web::{self, Bytes};
use actix_web::{HttpRequest, HttpResponse, Route};
use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use domain::limits::Class;
use flate2::Compression;
use http_core::admission::AuthScheme;
use http_core::errors::HttpError;
use http_core::request_context::RequestContext;
use http_core::{AppState, Operation};
use ring::digest::{SHA256, digest};

use crate::{answers, errors};

/// A year: another content has another name.
const CACHED: &str = "public, max-age=31536000, immutable";
/// Characters of the hash in a name.
const HASH_LENGTH: usize = 16;

struct Asset {
    name: &'static str,
    hash: String,
    content_type: &'static str,
    plain: &'static [u8],
    gzip: Bytes,
}

macro_rules! files {
    ($($name:literal: $path:literal),* $(,)?) => {
        &[$(($name, include_bytes!(concat!("../assets/", $path)))),*]
    };
}

const FILES: &[(&str, &[u8])] = files! {
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
    "board.js": "own/board.js",
    "tickets.js": "own/tickets.js",
    "task-board.js": "own/task-board.js",
    "keys.js": "own/keys.js",
    "icon.svg": "own/icon.svg",
};

static ASSETS: LazyLock<Vec<Asset>> = LazyLock::new(|| FILES.iter().map(|(name, plain)| asset(name, plain)).collect());

fn asset(name: &'static str, plain: &'static [u8]) -> Asset {
    let hash = URL_SAFE_NO_PAD.encode(digest(&SHA256, plain));
    let content_type = match name.rsplit('.').next() {
        Some("css") => "text/css; charset=utf-8",
        Some("svg") => "image/svg+xml",
        _ => "text/javascript; charset=utf-8",
    };
    // Writing into memory does not fail.
    let gzip = answers::gzip(plain, Compression::best()).unwrap_or_default().into();
    Asset { name, hash: hash[..HASH_LENGTH].to_owned(), content_type, plain, gzip }
}

/// The address of an asset, such as `/assets/0a1b2c3d4e5f6g7h/console.css`.
pub(crate) fn address_of(name: &str) -> String {
    let asset = ASSETS.iter().find(|asset| asset.name == name);
    // A test opens all that templates name.
    asset.map_or_else(String::new, |asset| format!("/assets/{}/{name}", asset.hash))
}

/// Workers have the policy of their own script, not that of the page: this one opens the stream of changes.
const WORKER: &str = "live-worker.js";
const WORKER_POLICY: &str = "default-src 'none'; connect-src 'self'; frame-ancestors 'none'";

/// Assets need no session and count in no limit.
pub(crate) const OPERATION: Operation =
    Operation::page("GET /assets/{hash}/{name}", None, AuthScheme::Anonymous, Class::Console, route);

fn route() -> Route {
    web::to(show)
}

async fn show(request: HttpRequest, state: web::Data<AppState>) -> HttpResponse {
    RequestContext::of(&request).set_route("/assets/{hash}/{name}");
    let (hash, name) = (request.match_info().get("hash"), request.match_info().get("name"));
    let Some(asset) = ASSETS.iter().find(|asset| Some(asset.name) == name && Some(&*asset.hash) == hash) else {
        return errors::respond(&HttpError::UnknownRoute, &request, &state);
    };
    let accepted = request.headers().get("accept-encoding").and_then(|value| value.to_str().ok());
    let mut response = HttpResponse::Ok();
    response.content_type(asset.content_type).insert_header((CACHE_CONTROL, CACHED));
    response.insert_header((VARY, "Accept-Encoding"));
    if asset.name == WORKER {
        response.insert_header((CONTENT_SECURITY_POLICY, WORKER_POLICY));
    }
    if accepted.is_some_and(|codings| codings.contains("gzip")) {
        return response.insert_header((CONTENT_ENCODING, "gzip")).body(asset.gzip.clone());
    }
    response.body(asset.plain)
}

/// An icon as it stands in pages, dozens of times in some: without line breaks, the namespace and the empty background.
fn compact(svg: &str) -> String {
    let words = svg.split_ascii_whitespace().collect::<Vec<_>>().join(" ");
    let words = words.replace("> <", "><").replace(" >", ">").replace(" />", "/>");
    words
        .replace(" xmlns=\"http://www.w3.org/2000/svg\"", "")
        .replace("<path stroke=\"none\" d=\"M0 0h24v24H0z\" fill=\"none\"/>", "")
}

macro_rules! icons {
    ($($name:literal),* $(,)?) => {
        /// The SVG of an icon; empty for an unknown one, which a test finds.
        pub(crate) fn icon(name: &str) -> &'static str {
            match name {
                $($name => {
                    static COMPACT: LazyLock<String> =
                        LazyLock::new(|| compact(include_str!(concat!("../assets/vendor/icons/", $name, ".svg"))));
                    &COMPACT
                })*
                _ => "",
            }
        }
    };
}

icons! {
    "alert-triangle",
    "arrow-down",
    "arrow-up",
    "bell",
    "book",
    "briefcase",
    "building",
    "calendar",
    "chart-bar",
    "check",
    "checkbox",
    "chevron-down",
    "chevron-left",
    "chevron-right",
    "chevron-up",
    "clock",
    "coin",
    "columns",
    "copy",
    "currency-euro",
    "dots",
    "dots-vertical",
    "download",
    "edit",
    "external-link",
    "eye",
    "eye-off",
    "filter",
    "flag",
    "history",
    "home",
    "info-circle",
    "key",
    "layout-kanban",
    "lifebuoy",
    "list-check",
    "lock",
    "logout",
    "mail",
    "menu-2",
    "message-circle",
    "messages",
    "moon",
    "note",
    "pin",
    "plug",
    "plus",
    "refresh",
    "restore",
    "robot",
    "search",
    "send",
    "settings",
    "shield",
    "sparkles",
    "star",
    "sun",
    "tag",
    "ticket",
    "trash",
    "upload",
    "user",
    "users",
    "webhook",
    "world",
    "x",
}
