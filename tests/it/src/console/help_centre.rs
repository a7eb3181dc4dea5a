//! The public help centre: what is public, and what is not revealed.

use domain::identity::workspaces::{Role, SettableStatus};
use domain::limits::{LimitName, Plan};
use serde_json::json;
use test_support::{ApiResponse, App, Browser, Tenant};

const API: &str = "/api/settings/kb/articles";
const SETTINGS: &str = "/api/settings/workspace";

fn home_of(tenant: &Tenant) -> String {
    format!("/kb/{}", tenant.workspace.slug)
}

async fn publish(tenant: &Tenant, title: &str, tags: &[&str], body: &str) {
    let owner = tenant.user(Role::Owner).await.client;
    let article = json!({"title": title, "tags": tags, "body": body, "status": "published"});
    let _ = owner.post(API, article).await.expect(201);
}

#[tokio::test]
async fn published_articles_are_listed_by_tag_found_and_have_one_address() {
    let (app, tenant) = App::with_workspace().await;
    for (title, tags, body) in [
        ("How to pay", &["billing"][..], "By **card** or by invoice."),
        ("Invoices", &["billing"], "They come by e-mail."),
        ("Sign in", &["access"], "With your address."),
    ] {
        publish(&tenant, title, tags, body).await;
    }
    let (home, browser) = (home_of(&tenant), app.browser());
    let first = browser.open(&home).await.expect(200);
    first.assert_contains(&["How to pay", "Invoices", "Sign in", "billing", "access"]);
    let tagged = browser.open(&format!("{home}?tag=billing")).await.expect(200);
    assert!(tagged.html().contains("Invoices") && !tagged.html().contains("Sign in"), "{}", tagged.html());

    let article = browser.open(&format!("{home}/how-to-pay")).await.expect(200);
    article.assert_contains(&["<strong>card</strong>"]);
    assert!(article.html().contains(&format!("href=\"{home}/invoices\"")), "related: {}", article.html());
    article.assert_contains(&["<meta name=\"description\" content=\"By card or by invoice.\""]);
    let key = tenant.with_scopes(&["tickets.read"]).await;
    let hit = key.get("/api/public/kb/search?q=card").await.expect(200);
    let url = hit.data()[0]["url"].as_str().unwrap().to_owned();
    let canonical = format!("<link rel=\"canonical\" href=\"{url}\">");
    assert!(article.html().contains(&canonical), "{canonical}: {}", article.html());
    assert!(url.ends_with(&article.address), "the hit of the API leads to this page: {url}");

    let results = browser.open(&format!("{home}/-/search?q=invoi")).await.expect(200);
    results.assert_contains(&["<mark>", "How to pay"]);
    let nothing = browser.open(&format!("{home}/-/search?q=zebra")).await.expect(200);
    nothing.assert_contains(&["Nothing found for “zebra”"]);
    let blank = browser.open(&format!("{home}/-/search")).await.expect(200);
    blank.assert_contains(&["role=\"alert\""]);
}

#[tokio::test]
async fn pages_are_the_same_for_everybody_and_cached_for_a_minute() {
    let (app, tenant) = App::with_workspace().await;
    publish(&tenant, "How to pay", &[], "By card.").await;
    let home = home_of(&tenant);
    let signed_in = tenant.signed_in(Role::Owner).await;
    for path in [home.clone(), format!("{home}/how-to-pay"), format!("{home}/-/search?q=card")] {
        let [known, outsider] = [&signed_in, &app.browser()].map(|browser| browser.request("GET", &path));
        let (known, outsider) = (ApiResponse::of(known).await, ApiResponse::of(outsider).await);
        assert_eq!(known.text, outsider.text, "{path}");
        assert!(!outsider.headers.contains_key("set-cookie") && !outsider.headers.contains_key("x-robots-tag"));
        assert_eq!(outsider.header("cache-control"), "public, max-age=60");
        for inside in ["/companies", "/sign-out", "form-token", "search-dialog"] {
            assert!(!outsider.text.contains(inside), "{inside}: {}", outsider.text);
        }
        let revalidation = app.browser().request("GET", &path).header("If-None-Match", outsider.header("etag"));
        assert_eq!(ApiResponse::of(revalidation).await.status, 304, "{path}");
    }
    let console = signed_in.open("/").await.expect(200);
    assert_eq!(console.response.header("x-robots-tag"), "noindex");
}

#[tokio::test]
async fn a_disabled_help_centre_looks_like_a_missing_one() {
    let app = App::start().await;
    let (off, suspended) = (app.workspace().await, app.workspace().await);
    for tenant in [&off, &suspended] {
        publish(tenant, "How to pay", &[], "By card.").await;
        let _ = app.browser().open(&format!("{}/how-to-pay", home_of(tenant))).await.expect(200);
    }
    let owner = off.user(Role::Owner).await.client;
    let _ = owner.patch(SETTINGS, json!({"help_centre_enabled": false})).await.expect(200);
    suspended.set_status(SettableStatus::Suspended).await;
    let open = app.workspace().await;
    let by_id = format!("/kb/{}", open.workspace.id);
    let shown = |response: &ApiResponse| {
        let id = response.header("x-request-id").to_owned();
        let text = response.text.replace(&id, "");
        (response.status, response.header("cache-control").to_owned(), response.header("x-robots-tag").to_owned(), text)
    };
    let browser = app.browser();
    for part in ["", "/how-to-pay", "/-/search?q=card", "/-/ticket", "/-/sent?reference=x"] {
        let missing = browser.send(browser.request("GET", &format!("/kb/nobody-here{part}"))).await;
        assert_eq!(missing.status, 404, "{}", missing.text);
        assert!(!missing.headers.contains_key("set-cookie"), "{part}");
        for home in [home_of(&off), home_of(&suspended), by_id.clone()] {
            let response = browser.send(browser.request("GET", &format!("{home}{part}"))).await;
            assert_eq!(shown(&response), shown(&missing), "{home}{part}");
        }
    }
    for odd in ["/kb/%00", "/kb/a%00b/x", "/kb/%00/-/search?q=x", "/kb/%00/-/ticket", "/kb/%C3%A4", "/kb/UPPER"] {
        let response = browser.send(browser.request("GET", odd)).await;
        assert_eq!((response.status, response.header("x-ratelimit-limit").is_empty()), (404, false), "{odd}");
    }
    let odd = browser.send(browser.request("GET", &format!("{}/%00", home_of(&open)))).await;
    assert_eq!(odd.status, 404, "{}", odd.text);
    let unknown = browser.open(&format!("{}/no-such-article", home_of(&open))).await.expect(404);
    unknown.assert_contains(&["There is no such article"]);
}

/// Fills in and sends the ticket form.
async fn send_ticket(browser: &Browser, home: &str, values: &[(&str, &str)]) -> test_support::Screen {
    let form = browser.open(&format!("{home}/-/ticket")).await.expect(200);
    browser.submit(&form, &format!("{home}/-/ticket"), values).await
}

const TICKET: [(&str, &str); 4] = [
    ("name", "Cy Customer"),
    ("email", "cy@example.org"),
    ("subject", "My invoice"),
    ("description", "It is <b>wrong</b>."),
];

#[tokio::test]
async fn a_reader_opens_a_ticket_once_without_scripts() {
    let (app, tenant) = App::with_workspace().await;
    let (home, browser) = (home_of(&tenant), app.browser());
    let path = format!("{home}/-/ticket");
    let form = browser.open(&path).await.expect(200);
    let page = browser.submit(&form, &path, &TICKET).await.expect(200);
    let reference = page.address.split("reference=").nth(1).unwrap().to_owned();
    assert!(page.html().contains(&reference) && page.html().contains("Thank you"), "{}", page.html());
    let portal = format!("href=\"/portal?workspace={}#reference={reference}\"", tenant.workspace.id);
    assert!(page.html().contains(&portal), "{}", page.html());
    // After a second click, or after going back.
    let repeated = browser.submit(&form, &path, &TICKET).await.expect(200);
    assert_eq!(repeated.address, page.address);
    let key = tenant.with_scopes(&["tickets.read"]).await;
    let tickets = key.get("/api/public/tickets").await.expect(200);
    let tickets = tickets.data().as_array().unwrap().clone();
    assert_eq!(tickets.len(), 1, "{tickets:?}");
    assert_eq!((&tickets[0]["reference"], &tickets[0]["subject"]), (&json!(reference), &json!("My invoice")));

    let refused =
        send_ticket(&browser, &home, &[("name", "Cy"), ("email", "no address"), ("subject", "Kept")]).await.expect(422);
    refused.assert_contains(&["id=\"email-error\""]);
    let fields = refused.fields_of(&path);
    for typed in [("email", "no address"), ("subject", "Kept")] {
        assert!(fields.contains(&(typed.0.to_owned(), typed.1.to_owned())), "{fields:?}");
    }
}

#[tokio::test]
async fn other_sites_cannot_open_tickets_and_their_number_is_limited() {
    let app = App::start().await;
    let limits = [(LimitName::PublicTicketsPerHour, 2), (LimitName::PublicKbSearchesPerMinute, 2)];
    let tenant = app.workspace_of(Plan::Starter).await.limit_to(&limits).await;
    let (home, browser) = (home_of(&tenant), app.browser());
    let path = format!("{home}/-/ticket");
    let fields = browser.open(&path).await.expect(200).fields_of(&path);
    let mut foreign = browser.post(&path, &fields).build().unwrap();
    foreign.headers_mut().insert("origin", "https://evil.example".parse().unwrap());
    assert_eq!(reqwest::Client::new().execute(foreign).await.unwrap().status().as_u16(), 403);
    let _ = send_ticket(&browser, &home, &TICKET).await.expect(200);
    let _ = send_ticket(&browser, &home, &TICKET).await.expect(429);
    for expected in [200, 200, 429] {
        let _ = browser.open(&format!("{home}/-/search?q=x")).await.expect(expected);
    }
    let _ = browser.open(&home).await.expect(200);
}

#[tokio::test]
async fn an_article_links_to_the_web_to_its_headings_and_to_other_articles() {
    let (app, tenant) = App::with_workspace().await;
    let body = "## Set up\n\nSee https://a.example/b. Go [back](#set-up), or on to [paying](how-to-pay#by-card).\n\n[x](/sign-out)";
    publish(&tenant, "Sign in", &[], body).await;
    publish(&tenant, "How to pay", &[], "## By card\n\nAlways.").await;
    let home = home_of(&tenant);
    let page = app.browser().open(&format!("{home}/sign-in")).await.expect(200);
    page.assert_contains(&[
        "<h3 id=\"h-set-up\">Set up</h3>",
        "<a href=\"https://a.example/b\">https://a.example/b</a>.",
        "<a href=\"#h-set-up\">back</a>",
        "<a href=\"how-to-pay#h-by-card\">paying</a>",
        "<a href=\"#\">x</a>",
    ]);
    let other = app.browser().open(&format!("{home}/how-to-pay")).await.expect(200);
    other.assert_contains(&["<h3 id=\"h-by-card\">"]);
}
