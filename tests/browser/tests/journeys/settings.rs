//! Settings: support, usage and the audit log.

use browser::{AriaRole, walk};
use domain::identity::workspaces::Role;
use serde_json::json;

use crate::people::{at_work, go_to};

#[tokio::test]
async fn an_owner_embeds_the_form_and_creates_a_ticket_key() {
    walk(async |test| {
        let tenant = test.app.workspace().await;
        let page = at_work(test, &tenant, Role::Owner, "Olga").await;
        page.open("/").await;
        go_to(&page, "Settings").await;
        page.link("Support").click().await;
        page.shows("Enable the widget and list the origins").await;
        let customers = page.role(AriaRole::Form, "For customers");
        page.field("Widget").within(&customers).click().await;
        page.field("Pages with the widget").within(&customers).fill("https://shop.example").await;
        page.field("Help centre").within(&customers).click().await;
        page.button("Save").within(&customers).click().await;
        page.shows("The settings are saved.").await;
        let snippet = page.role(AriaRole::Region, "Form for your website").text().await;
        assert!(snippet.contains("<script"), "{snippet}");
        // The help centre is off.
        let reader = test.visitor().await;
        reader.expect_message("404 (Not Found)");
        reader.open(&format!("/kb/{}", tenant.workspace.slug)).await;
        reader.heading("There is nothing here").wait().await;

        let form = page.role(AriaRole::Form, "New ticket key");
        page.field("Name").within(&form).fill("Shop").await;
        page.button("Create key").within(&form).click().await;
        page.shows("This secret is shown only once.").await;
        let secret = page.script("return document.getElementById('secret').textContent", vec![]).await;
        let backend = test.app.with_key(secret.as_str().unwrap().trim());
        let ticket = json!({"name": "Ada", "email": "ada@example.org", "subject": "Late"});
        let _ = backend.post("/api/public/tickets", ticket).await.expect(201);
    })
    .await;
}

#[tokio::test]
async fn an_owner_views_usage_and_the_audit_log() {
    walk(async |test| {
        let tenant = test.app.workspace().await;
        let client = tenant.full_access().await;
        let _ = client.post("/api/v1/crm/companies", json!({"name": "Acme"})).await.expect(201);
        let page = at_work(test, &tenant, Role::Owner, "Olga").await;
        page.open("/settings/usage").await;
        page.heading("Records this month").wait().await;
        page.link("Audit log").click().await;
        page.shows("Signed in").await;
        page.open_details("Filters").await;
        page.field("API key created").click().await;
        page.button("Apply").click().await;
        page.any(AriaRole::Row).containing("Signed in").wait_until_gone().await;
        page.any(AriaRole::Row).containing("API key created").wait().await;
        let file = page.link("Download CSV").attribute("href").await.unwrap();
        let fetch = "fetch(arguments[0]).then((answer) => answer.text()).then(arguments[1])";
        let file = page.async_script(fetch, vec![json!(file)]).await;
        let lines = file.as_str().unwrap().lines().count();
        assert_eq!(lines, 2, "the header and one matching entry: {file}");

        // History of the workspace: who changed which record.
        page.link("History").click().await;
        page.shows("created company Acme").await;
    })
    .await;
}
