//! The search over all records and commands.

use domain::identity::workspaces::Role;
use serde_json::json;
use test_support::{App, Screen};

const MARKUP: &str = "<img src=x onerror=alert(1)>";

/// The addresses that the search offers, in order.
fn offered(screen: &Screen) -> Vec<String> {
    let found =
        screen.html().split("id=\"found\"").nth(1).unwrap_or_default().split("</ul>").next().unwrap_or_default();
    found.split("href=\"").skip(1).map(|rest| rest.split('"').next().unwrap_or_default().to_owned()).collect()
}

#[tokio::test]
async fn records_of_all_kinds_and_commands_are_found_in_one_place() {
    let (_app, tenant, client) = App::with_workspace_client().await;
    let company = client.create("/api/v1/crm/companies", json!({"name": "Newport Ltd"})).await;
    let deal = client.create("/api/v1/crm/deals", json!({"title": "Newport renewal"})).await;
    let browser = tenant.signed_in(Role::Owner).await;
    let results = browser.open("/search?q=newp").await.expect(200);
    assert_eq!(offered(&results), [format!("/companies/{company}"), format!("/deals/{deal}")]);
    let both = offered(&browser.open("/search?q=new").await.expect(200));
    assert!(both.contains(&"/contacts/new".to_owned()) && both.contains(&format!("/deals/{deal}")), "{both:?}");
    let settings = offered(&browser.open("/search?q=settings+usage").await.expect(200));
    assert_eq!(settings, ["/settings/usage"]);
    let all = browser.open("/search").await.expect(200);
    let new = ["/projects/new", "/tasks/new", "/tickets/new", "/articles/new"];
    for path in ["/contacts", "/articles", "/settings/members", "/account"].into_iter().chain(new) {
        assert!(offered(&all).contains(&path.to_owned()), "{path}: {:?}", offered(&all));
    }
    let nothing = browser.open("/search?q=zebra").await.expect(200);
    nothing.assert_contains(&["Nothing found"]);
    // The search box on every page links here, and scripts fetch results from here.
    let home = browser.open("/").await.expect(200);
    home.assert_contains(&["href=\"/search\"", "id=\"search-dialog\""]);
}

#[tokio::test]
async fn each_role_finds_only_what_it_may_open_and_each_address_opens() {
    let (_app, tenant) = App::with_workspace().await;
    for (role, new_contact, settings) in [
        (Role::Owner, true, true),
        (Role::Admin, true, true),
        (Role::Member, true, false),
        (Role::Viewer, false, false),
    ] {
        let browser = tenant.signed_in(role).await;
        let commands = offered(&browser.open("/search").await.expect(200));
        assert_eq!(commands.contains(&"/contacts/new".to_owned()), new_contact, "{role}: {commands:?}");
        assert_eq!(commands.iter().any(|path| path.starts_with("/settings")), settings, "{role}: {commands:?}");
        for path in commands {
            let page = browser.open(&path).await;
            assert_ne!(page.response.status, 403, "{role} is offered {path}: {}", page.html());
        }
    }
}

#[tokio::test]
async fn matches_by_name_come_before_matches_by_address() {
    let (_app, tenant, client) = App::with_workspace_client().await;
    let ada = json!({"first_name": "Ada", "last_name": "Lovelace", "email": "ada@bruma.example"});
    let ada = client.create("/api/v1/crm/contacts", ada).await;
    let hotels = client.create("/api/v1/crm/companies", json!({"name": "Bruma Hotels"})).await;
    let results = offered(&tenant.signed_in(Role::Member).await.open("/search?q=bruma").await.expect(200));
    assert_eq!(results, [format!("/companies/{hotels}"), format!("/contacts/{ada}")]);
}

#[tokio::test]
async fn markup_stays_text_and_records_of_other_workspaces_are_not_found() {
    let app = App::start().await;
    let (tenant, other) = (app.workspace().await, app.workspace().await);
    let client = tenant.full_access().await;
    let _ = client.post("/api/v1/crm/companies", json!({"name": format!("{MARKUP} Acme")})).await.expect(201);
    let browser = tenant.signed_in(Role::Owner).await;
    let results = browser.open("/search?q=acme").await.expect(200);
    assert!(!results.html().contains("<img") && offered(&results).len() == 1, "{}", results.html());
    let markup_page = browser.open("/search?q=%3Cimg+src%3Dx%3E").await.expect(200);
    assert!(!markup_page.html().contains("<img"), "{}", markup_page.html());
    let foreign = other.signed_in(Role::Owner).await.open("/search?q=acme").await.expect(200);
    assert!(offered(&foreign).is_empty(), "{}", foreign.html());
}

#[tokio::test]
async fn records_are_found_by_comments_which_are_shown_and_linked() {
    let (_app, tenant, client) = App::with_workspace_client().await;
    let ticket = client.create("/api/v1/issues", json!({"kind": "ticket", "title": "Printer"})).await;
    let answer = json!({"body": format!("We refunded {MARKUP} & the rest"), "visibility": "public"});
    let answer = client.create(&format!("/api/v1/issues/{ticket}/comments"), answer).await;
    let titled = client.create("/api/v1/issues", json!({"kind": "ticket", "title": "Refund"})).await;
    for role in [Role::Owner, Role::Viewer] {
        let browser = tenant.signed_in(role).await;
        let results = browser.open("/search?q=refund").await.expect(200);
        let link = format!("/tickets/{ticket}#comment-{answer}");
        assert_eq!(offered(&results), [format!("/tickets/{titled}"), link.clone()], "{role}");
        let html = results.html();
        assert!(
            html.contains("We <mark>refunded</mark> &#60;img") || html.contains("We <mark>refunded</mark> &lt;img"),
            "{html}"
        );
        assert!(!html.contains("<img"), "{html}");
        let page = browser.open(&format!("/tickets/{ticket}")).await.expect(200);
        page.assert_contains(&[&format!("id=\"comment-{answer}\"")]);
    }
}
