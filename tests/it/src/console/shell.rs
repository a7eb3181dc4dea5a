//! Everything around the pages: headers, assets, errors.

use domain::identity::workspaces::Role;
use test_support::{ApiResponse, App};

const POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; font-src 'self'; \
     connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'";

#[tokio::test]
async fn pages_allow_only_our_resources_and_hide_cookies_from_scripts() {
    let app = App::start().await;
    let browser = app.browser();
    let page = browser.open("/sign-in").await.expect(200).response;
    assert_eq!(page.header("content-security-policy"), POLICY);
    for (name, value) in
        [("x-frame-options", "DENY"), ("cache-control", "no-store"), ("referrer-policy", "same-origin")]
    {
        assert_eq!(page.header(name), value);
    }
    let cookie = page.header("set-cookie");
    assert!(cookie.starts_with("__Host-visit="), "{cookie}");
    for part in ["Path=/", "SameSite=Lax", "HttpOnly", "Secure"] {
        assert!(cookie.split("; ").any(|known| known == part), "{part}: {cookie}");
    }
}

#[tokio::test]
async fn assets_are_cached_for_a_year_under_content_hashes() {
    let app = App::start().await;
    let browser = app.browser();
    let page = browser.open("/sign-in").await.expect(200);
    let addresses: Vec<_> = page.html().split('"').filter(|part| part.starts_with("/assets/")).collect();
    assert!(addresses.len() >= 6, "{addresses:?}");
    for address in addresses {
        let response = browser.send(browser.request("GET", address).header("Accept-Encoding", "gzip")).await;
        assert_eq!(response.status, 200, "{address}");
        assert_eq!(response.header("cache-control"), "public, max-age=31536000, immutable");
        assert_eq!(response.header("content-encoding"), "gzip", "{address}");
        assert_eq!(response.header("x-ratelimit-limit"), "", "assets do not count");
        let other = address.replace("/assets/", "/assets/x");
        assert_eq!(browser.send(browser.request("GET", &other)).await.status, 404);
    }
}

#[tokio::test]
async fn the_shared_worker_may_open_the_stream_of_changes() {
    let (_app, _, browser) = App::with_browser(Role::Viewer).await;
    let page = browser.open("/").await.expect(200);
    let worker = page.html().split("data-worker=\"").nth(1).unwrap().split('"').next().unwrap();
    let response = browser.send(browser.request("GET", worker)).await;
    // A worker has the policy of its script, not of the page.
    let policy = "default-src 'none'; connect-src 'self'; frame-ancestors 'none'";
    assert_eq!((response.status, response.header("content-security-policy")), (200, policy), "{worker}");
}

#[tokio::test]
async fn errors_are_pages_for_browsers_and_json_for_programs() {
    let (app, _tenant, browser) = App::with_browser(Role::Viewer).await;
    let missing = browser.open("/nothing-here").await.expect(404);
    missing.assert_contains(&["<h1"]);
    let unknown = browser.open("/companies/00000000-0000-7000-8000-000000000000").await.expect(404);
    unknown.assert_contains(&["There is no such company"]);
    let incomplete = browser.open("/companies/00000000-0000-7000").await.expect(404);
    incomplete.assert_contains(&["may be incomplete or mistyped"]);
    assert!(!incomplete.html().contains("UUID"), "{}", incomplete.html());
    let forbidden = browser.open("/companies/new").await.expect(403);
    forbidden.assert_contains(&["<h1"]);
    let program = ApiResponse::of(app.anonymous().request("GET", "/nothing-here")).await;
    assert_eq!((program.status, program.code()), (404, "not_found"), "{}", program.text);
}

#[tokio::test]
async fn an_unknown_page_keeps_the_navigation_for_signed_in_users() {
    let (app, tenant, browser) = App::with_browser(Role::Viewer).await;
    let page = browser.open("/no-such-page").await.expect(404).response;
    assert!(page.text.contains("There is no page at this address"), "{}", page.text);
    assert!(page.text.contains("href=\"/contacts\"") && page.text.contains(&tenant.workspace.name), "{}", page.text);
    assert!(!page.text.contains("href=\"/settings\""), "a viewer has no settings: {}", page.text);
    let visitor = app.browser();
    visitor.set_session("svs_nonsense");
    let page = visitor.open("/no-such-page").await.expect(404).response;
    assert!(page.text.contains("There is no page") && !page.text.contains("href=\"/contacts\""), "{}", page.text);
}
