//! Pictures from other sites: who may show them, where, and what a page may load.

use domain::identity::workspaces::Role;
use serde_json::json;
use test_support::{App, Screen};

use super::tickets::{customer_ticket, open, path, reply, write};

const SUPPORT: &str = "/settings/support";
const MARKDOWN: &str = "![A cup](https://pictures.example.com/cup.png)";
const SHOWN: &str = "<img src=\"https://pictures.example.com/cup.png\" alt=\"A cup\" loading=\"lazy\" \
                     referrerpolicy=\"no-referrer\">";
const ON_CLICK: &str = "<a href=\"https://pictures.example.com/cup.png\" target=\"_blank\" rel=\"noreferrer\" \
                        data-picture=\"A cup\">Show picture from pictures.example.com: A cup</a>";

/// Whether the browser may load pictures from other sites for the page.
fn loads_pictures(page: &Screen) -> bool {
    page.response.header("content-security-policy").contains("img-src 'self' data: https:;")
}

#[tokio::test]
async fn the_help_centre_shows_pictures_only_with_consent() {
    let (app, tenant) = App::with_workspace().await;
    let owner = tenant.user(Role::Owner).await.client;
    for (title, body) in [("Cups", MARKDOWN), ("Plates", "None.")] {
        let article = json!({"title": title, "body": body, "status": "published"});
        let _ = owner.post("/api/settings/kb/articles", article).await.expect(201);
    }
    let (help, reader) = (format!("/kb/{}", tenant.workspace.slug), app.browser());
    let article = async || reader.open(&format!("{help}/cups")).await.expect(200);
    let before = article().await;
    let link = "<a href=\"https://pictures.example.com/cup.png\">A cup</a>";
    assert!(before.html().contains(link) && !before.html().contains("<img"), "{}", before.html());
    assert!(!loads_pictures(&before));

    let browser = tenant.signed_in(Role::Admin).await;
    let settings = browser.open(SUPPORT).await.expect(200);
    settings.assert_contains(&["IP address"]);
    let _ = browser.submit(&settings, SUPPORT, &[("help_centre_pictures", "true")]).await.expect(200);
    let log = owner.get("/api/settings/audit-log?action=workspace.updated").await.expect(200);
    assert_eq!(log.data()[0]["details"]["help_centre_pictures"], json!({"from": false, "to": true}));
    let after = article().await;
    assert!(after.html().contains(SHOWN) && loads_pictures(&after), "{}", after.html());
    assert_eq!(after.response.header("cache-control"), "public, max-age=60");
    let plates = reader.open(&format!("{help}/plates")).await.expect(200);
    assert!(!loads_pictures(&plates), "it has none");

    let off = json!({"help_centre_pictures": false});
    let _ = owner.patch("/api/settings/workspace", off).await.expect(200);
    let withdrawn = article().await;
    assert!(withdrawn.html().contains(link) && !loads_pictures(&withdrawn), "{}", withdrawn.html());
}

#[tokio::test]
async fn an_article_is_shown_and_previewed_with_its_pictures_in_the_console() {
    let (_app, tenant) = App::with_workspace().await;
    let owner = tenant.user(Role::Owner).await.client;
    let article = owner.post("/api/settings/kb/articles", json!({"title": "Cups", "body": MARKDOWN})).await.expect(201);
    let browser = tenant.signed_in(Role::Owner).await;
    let page = browser.open(&format!("/articles/{}", article.id())).await.expect(200);
    assert!(page.html().contains(SHOWN) && loads_pictures(&page), "{}", page.html());
    let list = browser.open("/articles").await.expect(200);
    assert!(!loads_pictures(&list));
    let form = browser.open("/articles/new").await.expect(200);
    let token = form.fields_of("/articles").into_iter().filter(|(name, _)| name == "_token");
    let policy_of = |kind: &str| {
        let typed = [("_of", kind), ("body", MARKDOWN)].map(|(name, value)| (name.to_owned(), value.to_owned()));
        token.clone().chain(typed).collect::<Vec<_>>()
    };
    let preview = browser.send(browser.post("/preview", &policy_of("article"))).await;
    assert!(preview.text.contains(SHOWN), "{}", preview.text);
    let comment = browser.send(browser.post("/preview", &policy_of("task"))).await;
    assert!(!comment.text.contains("<img"), "{}", comment.text);
}

#[tokio::test]
async fn pictures_by_members_are_loaded_on_a_click_and_pictures_by_customers_are_text() {
    let (app, tenant, key) = App::with_workspace_client().await;
    let (id, customer) = customer_ticket(&app, &key, "ada@example.org").await;
    let browser = tenant.signed_in(Role::Member).await;
    reply(&customer, MARKDOWN).await;
    let by_customer = open(&browser, &id).await;
    by_customer.assert_contains(&["![A cup](https:"]);
    assert!(!by_customer.html().contains("data-picture") && !loads_pictures(&by_customer));
    let note_page = write(&browser, &id, "/note", MARKDOWN).await.expect(200);
    assert_eq!(note_page.html().matches(ON_CLICK).count(), 1, "{}", note_page.html());
    assert!(!note_page.html().contains("<img") && loads_pictures(&note_page));
    let answered = write(&browser, &id, "/answer", MARKDOWN).await.expect(200);
    assert_eq!(answered.html().matches(ON_CLICK).count(), 2, "{}", answered.html());

    // Created with a key, which may act for a customer.
    let (other, _) = customer_ticket(&app, &key, "bob@example.org").await;
    let comments = format!("/api/v1/issues/{other}/comments");
    let _ = key.post(&comments, json!({"body": MARKDOWN, "visibility": "internal"})).await.expect(201);
    let page = browser.open(&path(&other, "")).await.expect(200);
    assert!(!page.html().contains("data-picture") && !loads_pictures(&page), "{}", page.html());
}

#[tokio::test]
async fn pictures_in_comments_by_members_are_loaded_on_a_click() {
    let (_app, tenant, key) = App::with_workspace_client().await;
    let browser = tenant.signed_in(Role::Member).await;
    for (path, record) in [("/api/v1/crm/deals", "/deals"), ("/api/v1/crm/companies", "/companies")] {
        let body = if record == "/deals" { json!({"title": "Cups"}) } else { json!({"name": "Cups"}) };
        let id = key.create(path, body).await;
        let (page, comments) = (format!("{record}/{id}"), format!("{path}/{id}/comments"));
        // A picture in a comment by a key is shown as a link.
        let _ = key.post(&comments, json!({"body": MARKDOWN})).await.expect(201);
        let shown = browser.open(&page).await.expect(200);
        assert!(!shown.html().contains("data-picture") && !loads_pictures(&shown), "{}", shown.html());
        let shown = browser.submit(&shown, &format!("{page}/comments"), &[("body", MARKDOWN)]).await.expect(200);
        assert_eq!(shown.html().matches(ON_CLICK).count(), 1, "{}", shown.html());
        assert!(loads_pictures(&shown));
    }
}
