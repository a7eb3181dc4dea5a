//! The knowledge base in the console: writing, publishing, deleting, and searches without results.

use domain::identity::workspaces::Role;
use serde_json::json;
use test_support::{App, Browser, Screen, Tenant};

const LIST: &str = "/articles";
const API: &str = "/api/settings/kb/articles";
const MARKUP: &str = "<img src=x onerror=alert(1)>";

/// Fills in and sends the form of a new article.
async fn write(browser: &Browser, values: &[(&str, &str)]) -> Screen {
    let form = browser.open("/articles/new").await.expect(200);
    browser.submit(&form, LIST, values).await
}

async fn status_of(tenant: &Tenant, path: &str) -> String {
    let owner = tenant.user(Role::Owner).await.client;
    let article = owner.get(&path.replace(LIST, API)).await.expect(200);
    article.data()["status"].as_str().unwrap().to_owned()
}

#[tokio::test]
async fn an_article_is_written_published_unpublished_deleted_and_restored() {
    let (app, tenant, browser) = App::with_browser(Role::Admin).await;
    let empty = browser.open(LIST).await.expect(200);
    empty.assert_contains(&["No articles yet"]);
    let values = [("title", "How to pay"), ("body", "By **card**."), ("tags", "billing, cards"), ("status", "draft")];
    let created = write(&browser, &values).await.expect(200);
    let path = created.address.clone();
    created.assert_contains(&["How to pay", "how-to-pay", "<strong>card</strong>", "billing", "Publish"]);
    let kb = format!("/kb/{}/how-to-pay", tenant.workspace.slug);
    assert!(!created.html().contains(&kb), "a draft is not read by customers: {}", created.html());
    let public = app.browser();
    let _ = public.open(&kb).await.expect(404);

    let published = browser.submit(&created, &path, &[]).await.expect(200);
    assert_eq!(status_of(&tenant, &path).await, "published");
    published.assert_contains(&[&format!("href=\"{kb}\"")]);
    let _ = public.open(&kb).await.expect(200);
    let unpublished = browser.submit(&published, &path, &[]).await.expect(200);
    assert_eq!(status_of(&tenant, &path).await, "draft");
    let _ = public.open(&kb).await.expect(404);

    let listed = browser.open("/articles?status=draft").await.expect(200);
    listed.assert_contains(&["How to pay"]);
    let others = browser.open("/articles?status=published").await.expect(200);
    assert!(!others.html().contains("How to pay"), "{}", others.html());
    let deleted = browser.submit(&unpublished, &format!("{path}/delete"), &[]).await.expect(200);
    deleted.assert_contains(&["Deleted “How to pay”"]);
    let restored = browser.submit(&deleted, &format!("{path}/restore"), &[]).await.expect(200);
    restored.assert_contains(&["How to pay"]);
}

#[tokio::test]
async fn the_list_is_sorted_by_creation_in_both_directions() {
    let (_app, tenant) = App::with_workspace().await;
    let owner = tenant.user(Role::Owner).await.client;
    for title in ["Alpha", "Beta", "Gamma"] {
        let _ = owner.post(API, json!({"title": title, "body": "Text"})).await.expect(201);
    }
    let browser = tenant.signed_in(Role::Viewer).await;
    let is_before = |screen: &Screen, one: &str, other: &str| {
        let position = |title: &str| screen.html().find(&format!(">{title}<")).unwrap_or(usize::MAX);
        position(one) < position(other)
    };
    let newest = browser.open(LIST).await.expect(200);
    assert!(is_before(&newest, "Gamma", "Alpha"), "{}", newest.html());
    let head = "class=\"sort\" href=\"/articles?order=oldest\"";
    assert!(newest.html().contains(head), "{}", newest.html());
    let oldest = browser.open("/articles?order=oldest").await.expect(200);
    assert!(is_before(&oldest, "Alpha", "Gamma"), "{}", oldest.html());
    oldest.assert_contains(&["class=\"sort\" href=\"/articles\""]);
    // The next page continues in this order.
    let first = browser.open("/articles?order=oldest&limit=1").await.expect(200);
    let next = first.html().split("rel=\"next\" href=\"").nth(1).and_then(|rest| rest.split('"').next());
    let second = browser.open(&next.unwrap().replace("&#38;", "&")).await.expect(200);
    assert!(second.html().contains(">Beta<") && !second.html().contains(">Alpha<"), "{}", second.html());
    for refused in ["order=updated", "order=oldest&deleted=true"] {
        assert_eq!(owner.get(&format!("{API}?{refused}")).await.status, 400, "{refused}");
    }
}

#[tokio::test]
async fn articles_are_found_by_words_and_tags() {
    let (_app, tenant, browser) = App::with_browser(Role::Owner).await;
    for (title, tags, status) in [
        ("How to pay", "Billing, cards", "published"),
        ("How to refund", "billing", "draft"),
        ("Opening hours", "", "draft"),
    ] {
        let _ = write(&browser, &[("title", title), ("tags", tags), ("status", status)]).await.expect(200);
    }
    let titles = |screen: &Screen| {
        let all = ["How to pay", "How to refund", "Opening hours"];
        all.into_iter().filter(|title| screen.html().contains(&format!(">{title}</a>"))).collect::<Vec<_>>()
    };
    let list = browser.open(LIST).await.expect(200);
    list.assert_contains(&["type=\"search\" name=\"search\"", "name=\"tag\""]);
    for (query, expected) in [
        ("search=how", &["How to pay", "How to refund"][..]),
        ("search=card", &["How to pay"]),
        ("search=efund", &[]),
        ("tag=BILLING", &["How to pay", "How to refund"]),
        ("tag=billing&search=refund", &["How to refund"]),
        ("tag=billing&status=published", &["How to pay"]),
        ("tag=bill", &[]),
    ] {
        let results = browser.open(&format!("{LIST}?{query}")).await.expect(200);
        assert_eq!(titles(&results), expected, "{query}");
    }
    // Active filters are shown, and a link removes each.
    let chosen = browser.open(&format!("{LIST}?tag=billing&search=refund")).await.expect(200);
    chosen.assert_contains(&["href=\"/articles?search=refund\""]);
    let too_long = browser.open(&format!("{LIST}?search={}", "x".repeat(201))).await;
    assert_eq!(too_long.response.status, 400);
    // The API has the same filters.
    let api = tenant.user(Role::Owner).await.client;
    let results = api.get(&format!("{API}?tag=billing&search=ref")).await.expect(200);
    assert_eq!(results.data().as_array().unwrap().len(), 1);
    let none = api.get(&format!("{API}?deleted=true&search=%25")).await.expect(200);
    assert_eq!(none.data().as_array().unwrap().len(), 0);
}

#[tokio::test]
async fn errors_are_next_to_their_fields_and_typed_text_stays() {
    let (_app, _, browser) = App::with_browser(Role::Owner).await;
    let values = [("title", "Kept title"), ("slug", "Not a slug"), ("body", "Kept\nbody"), ("status", "draft")];
    let refused = write(&browser, &values).await.expect(422);
    refused.assert_contains(&["must be words of a-z and 0-9 joined by single hyphens"]);
    for (name, value) in [("title", "Kept title"), ("slug", "Not a slug"), ("body", "Kept\nbody")] {
        assert_eq!(refused.value_of(LIST, name).as_deref(), Some(value));
    }
    let created = write(&browser, &[("title", "One"), ("slug", "taken"), ("status", "draft")]).await.expect(200);
    assert!(created.address.starts_with("/articles/"));
    let conflict = write(&browser, &[("title", "Two"), ("slug", "taken"), ("status", "draft")]).await.expect(422);
    assert_eq!(conflict.value_of(LIST, "title").as_deref(), Some("Two"));
    conflict.assert_contains(&["id=\"slug-error\""]);
}

#[tokio::test]
async fn concurrent_edits_of_an_article_lose_nothing() {
    let (_app, tenant, browser) = App::with_browser(Role::Owner).await;
    let created = write(&browser, &[("title", "Mine"), ("body", "First"), ("status", "draft")]).await.expect(200);
    let path = created.address.clone();
    let form = browser.open(&format!("{path}/edit")).await.expect(200);
    let owner = tenant.user(Role::Owner).await.client;
    let _ = owner.patch(&path.replace(LIST, API), json!({"body": "Theirs"})).await.expect(200);
    let conflict = browser.submit(&form, &path, &[("body", "Ours")]).await.expect(409);
    conflict.assert_contains(&["Theirs", "Ours"]);
    let article = owner.get(&path.replace(LIST, API)).await.expect(200);
    assert_eq!(article.data()["body"], "Theirs");
}

#[tokio::test]
async fn the_text_is_previewed_before_it_is_saved() {
    let (_app, _, browser) = App::with_browser(Role::Owner).await;
    let form = browser.open("/articles/new").await.expect(200);
    form.assert_contains(&["formaction=\"/preview\""]);
    let fields = form.fields_with(LIST, &[("body", &format!("# Heading\n\n{MARKUP} **bold**"))]);
    let preview = browser.send(browser.post("/preview", &fields)).await;
    assert_eq!(preview.status, 200, "{}", preview.text);
    assert!(preview.text.contains("<h2>Heading</h2>") && preview.text.contains("<strong>bold</strong>"));
    assert!(!preview.text.contains(MARKUP), "{}", preview.text);
}

#[tokio::test]
async fn a_search_without_results_leads_to_a_new_article() {
    let (app, tenant, browser) = App::with_browser(Role::Admin).await;
    let none = browser.open("/articles/searched").await.expect(200);
    none.assert_contains(&["No searches without results"]);
    let public = app.browser();
    for query in ["refund+%3Cb%3E", "refund+%3Cb%3E", "vat"] {
        let _ = public.open(&format!("/kb/{}/-/search?q={query}", tenant.workspace.slug)).await.expect(200);
    }
    let searched = browser.open("/articles/searched").await.expect(200);
    let rows: Vec<_> = searched.html().split("<tr>").filter(|row| row.contains("title-cell")).collect();
    assert!(rows.len() == 2 && rows[0].contains("refund") && rows[0].contains(">2<"), "{}", searched.html());
    let link = rows[1].split("href=\"").nth(1).unwrap().split('"').next().unwrap();
    let form = browser.open(link).await.expect(200);
    assert_eq!(form.value_of(LIST, "title").as_deref(), Some("vat"));
}

#[tokio::test]
async fn articles_are_only_for_readers_and_stored_markup_stays_text() {
    let (app, tenant, owner) = App::with_browser(Role::Owner).await;
    let values = [("title", MARKUP), ("body", MARKUP), ("tags", MARKUP), ("status", "published"), ("slug", "markup")];
    let created = write(&owner, &values).await.expect(200);
    let path = created.address.clone();
    for page in [path.clone(), LIST.to_owned(), format!("{path}/edit"), format!("{path}/history")] {
        let shown = owner.open(&page).await.expect(200);
        assert!(!shown.html().contains("<img") && shown.html().contains("onerror"), "{page}: {}", shown.html());
    }
    let kb = format!("/kb/{}", tenant.workspace.slug);
    for page in [kb.clone(), format!("{kb}/markup"), format!("{kb}/-/search?q=onerror")] {
        let shown = app.browser().open(&page).await.expect(200);
        assert!(!shown.html().contains("<img") && shown.html().contains("onerror"), "{page}: {}", shown.html());
    }
}

#[tokio::test]
async fn members_write_articles_and_viewers_read_them() {
    let (_app, tenant, member) = App::with_browser(Role::Member).await;
    let home = member.open("/").await.expect(200);
    home.assert_contains(&["href=\"/articles\""]);
    let created = write(&member, &[("title", "Brewing"), ("body", "Grind first.")]).await.expect(200);
    let path = created.address.clone();
    let form = member.open(&format!("{path}/edit")).await.expect(200);
    let _ = member.submit(&form, &path, &[("title", "Brewing coffee"), ("status", "published")]).await.expect(200);
    let viewer = tenant.signed_in(Role::Viewer).await;
    for page in [LIST, &path, "/articles/searched"] {
        let shown = viewer.open(page).await.expect(200);
        let offers = ["/articles/new", "/import/articles", "/edit\"", "/delete\""];
        assert!(offers.iter().all(|offer| !shown.html().contains(offer)), "{page}: {}", shown.html());
    }
    assert!(viewer.open(LIST).await.html().contains("Brewing coffee"));
    for page in ["/articles/new".to_owned(), "/import/articles".to_owned(), format!("{path}/edit")] {
        let _ = viewer.open(&page).await.expect(403);
    }
    let log = tenant
        .user(Role::Owner)
        .await
        .client
        .get("/api/settings/audit-log?action=kb_article.created")
        .await
        .expect(200);
    assert_eq!(log.data()[0]["actor"]["type"], "user", "{}", log.text);
}
