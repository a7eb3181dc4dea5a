//! What members and viewers can do with articles, imports and exports.

use browser::{AriaRole, walk};
use domain::identity::workspaces::Role;
use serde_json::json;
use test_support::Tenant;

use crate::people::{at_work, go_to};

/// A click would download the file.
const FETCH: &str = "fetch(arguments[0]).then((answer) => answer.text()).then(arguments[1])";

/// An article that a colleague wrote.
async fn article(tenant: &Tenant) {
    let owner = tenant.user(Role::Owner).await.client;
    let article = json!({"title": "Brewing", "body": "Use **soft** water."});
    let _ = owner.post("/api/settings/kb/articles", article).await.expect(201);
}

#[tokio::test]
async fn a_member_reads_changes_and_publishes_articles_and_imports_contacts() {
    walk(async |test| {
        let tenant = test.app.workspace().await;
        article(&tenant).await;
        let page = at_work(test, &tenant, Role::Member, "Mia").await;
        page.open("/").await;
        go_to(&page, "Knowledge base").await;
        page.link("Brewing").click().await;
        page.shows("Use soft water.").await;
        page.link("Edit").click().await;
        page.field("Body").fill("Use **cold** water.").await;
        page.button("Save").click().await;
        page.shows("Saved “Brewing”.").await;
        page.button("Publish").click().await;
        page.link("Read in the help centre").click().await;
        page.wait_for_path(&format!("/kb/{}/brewing", tenant.workspace.slug)).await;
        page.shows("Use cold water.").await;

        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("people.csv");
        std::fs::write(&file, "Email,First Name\r\nola@lantern.example,Ola\r\n").unwrap();
        page.open("/contacts").await;
        page.link("Import").click().await;
        page.field("File: No file chosen").type_text(file.to_str().unwrap()).await;
        page.any(AriaRole::Row).containing("ola@lantern.example").wait().await;
        page.field("What “Email” becomes").select("Email").await;
        page.button("Import").click().await;
        page.shows("The import is done.").await;
        let found = tenant.full_access().await.get("/api/v1/crm/contacts").await.expect(200);
        assert_eq!((&found.data()[0]["email"], found.ids().len()), (&json!("ola@lantern.example"), 1));
    })
    .await;
}

#[tokio::test]
async fn a_viewer_reads_articles_and_exports_and_is_offered_nothing_else() {
    walk(async |test| {
        let tenant = test.app.workspace().await;
        article(&tenant).await;
        let contact = json!({"email": "ola@acme.example", "first_name": "Ola"});
        let _ = tenant.full_access().await.post("/api/v1/crm/contacts", contact).await.expect(201);
        let page = at_work(test, &tenant, Role::Viewer, "Vera").await;
        for (list, title, new) in [("/articles", "Brewing", "New article"), ("/contacts", "Ola", "New contact")] {
            page.open(list).await;
            page.link(title).wait().await;
            for action in [new, "Import"] {
                assert_eq!(page.link(action).count().await, 0, "{list}: {action}");
            }
            let address = page.link("Export as CSV").attribute("href").await.unwrap();
            let file = page.async_script(FETCH, vec![json!(address)]).await;
            assert!(file.as_str().is_some_and(|file| file.contains(title)), "{list}: {file}");
        }
        go_to(&page, "Knowledge base").await;
        page.link("Brewing").click().await;
        page.shows("Use soft water.").await;
        assert_eq!((page.link("Edit").count().await, page.button("Publish").count().await), (0, 0));
        for path in ["/articles/new", "/import/contacts", "/import/articles"] {
            page.open(path).await;
            page.heading("You are not allowed to do this").wait().await;
        }
    })
    .await;
}
