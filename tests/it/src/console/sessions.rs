//! Sessions of pages, and which forms are accepted (interface 26.30 and 26.31).

use console::OPERATIONS;
use domain::identity::workspaces::Role;
use http_core::admission::AuthScheme;
use test_support::{ApiResponse, App};

use crate::support::path_of;

#[tokio::test]
async fn pages_need_a_session_and_lead_to_sign_in() {
    let app = App::start().await;
    // Without a workspace, they lead to the set-up.
    let _tenant = app.workspace().await;
    let browser = app.browser();
    for operation in OPERATIONS.iter().filter(|one| one.auth_scheme == AuthScheme::Browser) {
        let path = path_of(operation.pattern);
        let response = browser.send(browser.request(operation.method, &path)).await;
        // Scripts cannot follow the redirect to another page, so the page opens it.
        if path == "/live" {
            assert_eq!(response.status, 401, "{}", response.text);
            continue;
        }
        assert_eq!(response.status, 303, "{} {path}: {}", operation.method, response.text);
        let next = if operation.method == "GET" && path != "/" {
            format!("?next={}", path.replace('/', "%2F"))
        } else {
            String::new()
        };
        assert_eq!(response.header("location"), format!("/sign-in{next}"), "{path}");
    }
    let page = browser.open("/companies?search=x").await.expect(200);
    assert_eq!(page.address, "/sign-in?next=%2Fcompanies%3Fsearch%3Dx");
}

#[tokio::test]
async fn a_console_session_opens_only_pages_and_a_key_opens_none() {
    let (_app, tenant, browser) = App::with_browser(Role::Owner).await;
    let _ = browser.open("/companies").await.expect(200);
    let cookie = browser.session().unwrap();
    let api = browser.send(browser.request("GET", "/api/v1/crm/companies")).await;
    assert_eq!(api.status, 401, "{}", api.text);

    let key = tenant.full_access().await;
    browser.set_session(key.key().unwrap());
    assert!(browser.open("/companies").await.address.starts_with("/sign-in"));
    browser.set_session("x");
    assert!(browser.open("/companies").await.address.starts_with("/sign-in"));
    browser.set_session(&cookie);
    let _ = browser.open("/companies").await.expect(200);
}

#[tokio::test]
async fn a_stolen_cookie_is_useless_after_signing_out() {
    let (app, _tenant, browser) = App::with_browser(Role::Member).await;
    let stolen = browser.session().unwrap();
    let home = browser.open("/").await.expect(200);
    let signed_out = browser.submit(&home, "/sign-out", &[]).await.expect(200);
    assert_eq!((signed_out.address.as_str(), browser.session()), ("/sign-in", None));
    let thief = app.browser();
    thief.set_session(&stolen);
    assert!(thief.open("/companies").await.address.starts_with("/sign-in"));
}

#[tokio::test]
async fn forms_from_other_sites_are_refused() {
    let (_app, tenant, browser) = App::with_browser(Role::Owner).await;
    let page = browser.open("/companies/new").await.expect(200);
    let fields = page.fields_with("/companies", &[("name", "Acme")]);
    let http = reqwest::Client::builder().redirect(reqwest::redirect::Policy::none()).build().unwrap();
    let tokenless: Vec<_> = fields.iter().filter(|(name, _)| name != "_token").cloned().collect();
    let of_others = tenant.signed_in(Role::Owner).await.open("/companies/new").await.fields_of("/companies");
    let foreign = of_others.iter().find(|(name, _)| name == "_token").unwrap().clone();
    let with_foreign: Vec<_> = tokenless.iter().cloned().chain([foreign]).collect();
    let request_with = |fields: &[(String, String)], header: Option<(&'static str, &'static str)>| {
        let mut request = browser.post("/companies", fields).build().unwrap();
        if let Some((name, value)) = header {
            request.headers_mut().remove("origin");
            request.headers_mut().insert(name, value.parse().unwrap());
        }
        request
    };
    for (context, request) in [
        ("another origin", request_with(&fields, Some(("origin", "https://evil.example")))),
        ("the origin that hides itself", request_with(&fields, Some(("origin", "null")))),
        ("no origin", request_with(&fields, Some(("x-nothing", "here")))),
        ("another site", request_with(&fields, Some(("sec-fetch-site", "cross-site")))),
        ("a host beside", request_with(&fields, Some(("sec-fetch-site", "same-site")))),
        ("no token", request_with(&tokenless, None)),
        ("the token of another session", request_with(&with_foreign, None)),
    ] {
        let response = http.execute(request).await.unwrap();
        assert_eq!(response.status().as_u16(), 403, "{context}");
    }
    let json = browser.request("POST", "/companies").header("Sec-Fetch-Site", "same-origin").json(&fields);
    assert_eq!(ApiResponse::of(json).await.status, 415);
    assert_eq!(
        http.execute(request_with(&fields, Some(("sec-fetch-site", "same-origin")))).await.unwrap().status().as_u16(),
        303
    );
    let results = browser.open("/companies?search=acme").await.expect(200);
    assert_eq!(results.html().matches(">Acme<").count(), 1, "{}", results.html());
}

#[tokio::test]
async fn signing_in_leads_only_to_pages_of_this_service() {
    let (app, tenant, user) = App::with_user(Role::Member).await;
    for (next, expected) in [
        ("/companies?search=x", "/companies?search=x"),
        ("//evil.example/", "/"),
        ("/\\evil.example", "/"),
        ("https://evil.example", "/"),
        ("javascript:alert(1)", "/"),
    ] {
        let browser = app.browser();
        let page = browser.open("/sign-in").await.expect(200);
        let values = [
            ("email", &*user.email),
            ("password", user.password),
            ("workspace", &*tenant.workspace.slug),
            ("next", next),
        ];
        let arrived = browser.submit(&page, "/sign-in", &values).await.expect(200);
        assert_eq!(arrived.address, expected, "{next}");
    }
}

#[tokio::test]
async fn a_refused_sign_in_keeps_typed_text_except_the_password() {
    let (app, _tenant) = App::with_workspace().await;
    let browser = app.browser();
    let page = browser.open("/sign-in").await.expect(200);
    let values = [("email", "ann@example.com"), ("password", "wrong-password-1"), ("workspace", "")];
    let refused = browser.submit(&page, "/sign-in", &values).await.expect(422);
    let fields = refused.fields_of("/sign-in");
    assert!(fields.contains(&("email".to_owned(), "ann@example.com".to_owned())), "{fields:?}");
    assert!(!refused.html().contains("wrong-password-1"));
    refused.assert_contains(&["role=\"alert\""]);
}
