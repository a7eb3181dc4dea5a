//! The knowledge base and the help centre: from writing an article to searches without results.

use browser::{AriaRole, walk};
use domain::identity::workspaces::Role;
use serde_json::json;
use test_support::eventually;

use crate::people::{at_work, go_to};

#[tokio::test]
async fn an_article_is_written_previewed_published_found_and_read() {
    walk(async |test| {
        let tenant = test.app.workspace().await;
        let page = at_work(test, &tenant, Role::Owner, "Olga").await;
        page.open("/").await;
        go_to(&page, "Knowledge base").await;
        page.open("/articles/new").await;
        page.field("Title").fill("Brewing coffee").await;
        page.field("Body").fill("Use **soft** water.").await;
        let preview = page.role(AriaRole::Region, "Preview");
        preview.containing("Use soft water.").wait().await;
        page.button("Save").click().await;
        page.shows("Created “Brewing coffee”.").await;

        let help = format!("/kb/{}", tenant.workspace.slug);
        let reader = test.visitor().await;
        reader.open(&help).await;
        reader.shows("No articles yet").await;
        page.button("Publish").click().await;
        page.link("Read in the help centre").click().await;
        page.wait_for_path(&format!("{help}/brewing-coffee")).await;
        page.shows("Use soft water.").await;

        // Results of the public search and of the help centre's search lead to the page.
        let key = tenant.with_scopes(&["tickets.read"]).await;
        let hit = key.get("/api/public/kb/search?q=water").await.expect(200);
        reader.go(hit.data()[0]["url"].as_str().unwrap()).await;
        reader.heading("Brewing coffee").wait().await;
        reader.field("Search for an answer").fill("soft").await;
        reader.button("Search").click().await;
        reader.link("Brewing coffee").click().await;
        reader.heading("Brewing coffee").wait().await;
    })
    .await;
}

#[tokio::test]
async fn a_search_without_results_becomes_an_article() {
    walk(async |test| {
        let tenant = test.app.workspace().await;
        let reader = test.visitor().await;
        reader.open(&format!("/kb/{}", tenant.workspace.slug)).await;
        reader.field("Search for an answer").fill("descaling").await;
        reader.button("Search").click().await;
        reader.shows("Nothing found for “descaling”").await;

        let page = at_work(test, &tenant, Role::Owner, "Olga").await;
        page.open("/articles").await;
        page.link("Searches without results").click().await;
        let write = page.link("Write an article descaling");
        eventually("the search is counted", async || {
            if write.count().await == 1 {
                return true;
            }
            page.reload().await;
            false
        })
        .await;
        write.click().await;
        assert_eq!(page.field("Title").value().await, "descaling");
    })
    .await;
}

#[tokio::test]
async fn a_member_writes_an_article_and_exports_contacts() {
    walk(async |test| {
        let tenant = test.app.workspace().await;
        let page = at_work(test, &tenant, Role::Member, "Mia").await;
        page.open("/").await;
        go_to(&page, "Knowledge base").await;
        page.open("/articles/new").await;
        page.field("Title").fill("Brewing coffee").await;
        page.button("Save").click().await;
        page.shows("Created “Brewing coffee”.").await;

        let contact = json!({"email": "ola@acme.example", "first_name": "Ola"});
        let _ = tenant.full_access().await.post("/api/v1/crm/contacts", contact).await.expect(201);
        page.open("/contacts").await;
        page.link("Import").wait().await;
        let address = page.link("Export as CSV").attribute("href").await.unwrap();
        // A click would download the file.
        let fetch = "fetch(arguments[0]).then((answer) => answer.text()).then(arguments[1])";
        let file = page.async_script(fetch, vec![json!(address)]).await;
        assert!(file.as_str().is_some_and(|file| file.contains("ola@acme.example")), "{file}");
    })
    .await;
}
