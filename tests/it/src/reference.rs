//! The OpenAPI document, its reference and the guides, served as pages.

use std::path::Path;

use api_docs::reference::GUIDES;
use reqwest::RequestBuilder;
use test_support::{ApiResponse, App};

const LIMITED: &str = "x-ratelimit-limit";
/// The hash of an empty text.
const EMPTY_STYLE: &str = "'sha256-47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU='";

async fn answer(request: RequestBuilder) -> ApiResponse {
    ApiResponse::of(request).await
}

fn all_pages() -> Vec<String> {
    let guides = GUIDES.iter().map(|guide| format!("/docs/{}", guide.slug));
    let others = ["/openapi.json", "/docs", "/docs/images/home.png"].map(str::to_owned);
    others.into_iter().chain(guides).collect()
}

fn is_picture(path: &str) -> bool {
    Path::new(path).extension().is_some_and(|extension| extension == "png")
}

#[tokio::test]
async fn the_served_document_is_the_committed_one_with_the_public_url() {
    let app = App::start().await;
    let reply = app.anonymous().get("/openapi.json").await.expect(200);
    let mut committed: serde_json::Value = serde_json::from_str(include_str!("../../../docs/openapi.json")).unwrap();
    assert_eq!(committed["servers"][0]["url"], "/");
    committed["servers"][0]["url"] = "https://work.example.com".into();
    assert_eq!(reply.body, committed);
    assert_eq!(reply.header("content-type"), "application/json");
    assert_eq!(reply.header("access-control-allow-origin"), "*");
    assert_eq!(reply.header("cross-origin-resource-policy"), "cross-origin");
}

#[tokio::test]
async fn pages_are_revalidated_by_content() {
    let app = App::start().await;
    let client = app.anonymous();
    for path in all_pages() {
        let first = client.get(&path).await.expect(200);
        assert_eq!((first.header("cache-control"), first.header("vary")), ("no-cache", "Accept-Encoding"), "{path}");
        let etag = first.header("etag").to_owned();
        assert!(etag.starts_with("W/\""), "{path}: {etag}");
        for known in [etag.as_str(), "*", &format!("\"other\", {etag}"), etag.trim_start_matches("W/")] {
            let revalidated = answer(client.request("GET", &path).header("If-None-Match", known)).await.expect(304);
            assert_eq!((revalidated.text.as_str(), revalidated.header("etag")), ("", &*etag), "{path}");
        }
        let _ = answer(client.request("GET", &path).header("If-None-Match", "\"other\"")).await.expect(200);
        let head = answer(client.request("HEAD", &path)).await.expect(200);
        assert_eq!((head.text.as_str(), head.header("etag")), ("", &*etag), "{path}");
    }
}

#[tokio::test]
async fn text_is_compressed_for_clients_that_support_it() {
    let app = App::start().await;
    let client = app.anonymous();
    for path in all_pages() {
        let packed = answer(client.request("GET", &path).header("Accept-Encoding", "br, gzip")).await.expect(200);
        let coding = if is_picture(&path) { "" } else { "gzip" };
        assert_eq!(packed.header("content-encoding"), coding, "{path}");
        let plain = client.get(&path).await.expect(200);
        assert_eq!(plain.header("content-encoding"), "", "{path}");
    }
}

#[tokio::test]
async fn pages_run_only_files_of_the_service() {
    let app = App::start().await;
    let client = app.anonymous();
    for path in all_pages().iter().filter(|path| path.starts_with("/docs") && !is_picture(path)) {
        let page = client.get(path).await.expect(200);
        let policy = page.header("content-security-policy");
        let parts: Vec<_> = policy.split(';').map(str::trim).collect();
        for part in ["default-src 'none'", "script-src 'self'", "base-uri 'none'", "frame-ancestors 'none'"] {
            assert!(parts.contains(&part), "{part} of {path}: {policy}");
        }
        for loose in ["unsafe-", "http", "*", "blob:", "nonce-"] {
            assert!(!policy.contains(loose), "{loose} of {path}: {policy}");
        }
        let styles =
            if path == "/docs" { format!("style-src 'self' {EMPTY_STYLE}") } else { "style-src 'self'".to_owned() };
        assert!(parts.contains(&&*styles), "{path}: {policy}");
        for inline in ["<style", "style=\"", "onclick", "<script>"] {
            assert!(!page.text.contains(inline), "{inline} in {path}");
        }
    }
}

/// Without a credential, an address may send ten requests a minute.
#[tokio::test]
async fn pages_do_not_count_against_limits() {
    let app = App::with_real_limits().await;
    let client = app.anonymous();
    for _ in 0..4 {
        for (method, path, status) in [
            ("GET", "/openapi.json", 200),
            ("GET", "/docs", 200),
            ("HEAD", "/docs/api", 200),
            ("GET", "/docs/nothing", 404),
            ("POST", "/docs", 405),
        ] {
            let reply = answer(client.request(method, path)).await.expect(status);
            assert_eq!(reply.header(LIMITED), "", "{method} {path}");
        }
    }
    assert_eq!(client.get("/api/v1/projects").await.expect(401).header("x-ratelimit-remaining"), "9");
}

#[tokio::test]
async fn other_methods_are_refused() {
    let app = App::start().await;
    for path in ["/openapi.json", "/docs", "/docs/api", "/docs/images/home.png"] {
        let refused = answer(app.anonymous().request("POST", path)).await.expect(405);
        assert_eq!(refused.header("allow"), "GET, HEAD", "{path}");
    }
}

#[tokio::test]
async fn the_page_of_an_unknown_guide_lists_all_guides() {
    let app = App::start().await;
    for path in ["/docs/nothing", "/docs/testing", "/docs/api.md", "/docs/images/none.png"] {
        let page = app.anonymous().get(path).await.expect(404);
        assert!(page.header("content-type").starts_with("text/html"), "{path}");
        assert_eq!(page.text.matches("<h1>").count(), 1, "{path}");
        for guide in GUIDES {
            assert!(page.text.contains(&format!("href=\"/docs/{}\"", guide.slug)), "{} in {path}", guide.slug);
        }
    }
}

/// All pages, pictures and files that documentation pages link to are served.
#[tokio::test]
async fn everything_that_pages_link_to_is_served() {
    let app = App::start().await;
    let client = app.anonymous();
    let mut named = std::collections::BTreeSet::new();
    for path in all_pages().iter().filter(|path| path.starts_with("/docs") && !is_picture(path)) {
        let page = client.get(path).await.expect(200);
        for part in ["href=\"/", "src=\"/"].iter().flat_map(|start| page.text.split(start).skip(1)) {
            let address = part.split(['"', '#']).next().unwrap_or_default();
            named.insert(format!("/{address}"));
        }
    }
    assert!(named.len() > GUIDES.len() + 10, "{named:?}");
    for path in named.iter().filter(|path| path.as_str() != "/") {
        let reply = client.get(path).await.expect(200);
        assert!(!path.starts_with("/assets/") || reply.header("cache-control").contains("immutable"), "{path}");
    }
}

#[tokio::test]
async fn the_viewer_is_a_file_of_the_service_and_sends_nothing_elsewhere() {
    let app = App::start().await;
    let page = app.anonymous().get("/docs").await.expect(200);
    for part in ["<redoc spec-url=\"/openapi.json\"", "disable-telemetry=\"true\"", "<noscript>"] {
        assert!(page.text.contains(part), "{part}");
    }
    let script = page.text.split("src=\"").find_map(|part| part.split_once("redoc.js\"")).unwrap().0;
    let reply = app.anonymous().get(&format!("{script}redoc.js")).await.expect(200);
    for address in ["cdn.redoc.ly", "cdn.redocly.com", "otel.cloud.redocly.com"] {
        assert!(!reply.text.contains(address), "{address}");
    }
}
