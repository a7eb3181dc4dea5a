//! Settings: the life of an AI connection's key.

use browser::{AriaRole, walk};
use domain::identity::workspaces::Role;
use serde_json::json;

use crate::people::{at_work, go_to};

const COMPANIES: &str = "/api/v1/crm/companies";

#[tokio::test]
async fn a_key_is_created_from_a_preset_copied_once_used_and_revoked() {
    walk(async |test| {
        let tenant = test.app.workspace().await;
        let page = at_work(test, &tenant, Role::Owner, "Olga").await;
        page.open("/").await;
        go_to(&page, "Settings").await;
        page.link("AI connections").click().await;
        page.link("New key").click().await;
        page.field("Name").fill("Reports").await;
        page.field("Read only Reads everything, changes nothing. The safest start for an AI client.").click().await;
        page.button("Create key").click().await;

        let region = page.role(AriaRole::Region, "Copy the key now");
        page.button("Copy").within(&region).click().await;
        page.button("Copied").within(&region).wait().await;
        let secret = page.script("return document.getElementById('key-secret').textContent", vec![]).await;
        let secret = secret.as_str().unwrap().trim();
        let program = test.app.with_key(secret);
        let _ = program.get(COMPANIES).await.expect(200);
        let _ = program.post(COMPANIES, json!({"name": "Acme"})).await.expect(403);
        // The configuration for AI clients contains the key this one time.
        page.shows("Claude Code").await;
        assert!(page.text().await.matches(secret).count() >= 2);

        go_to(&page, "Settings").await;
        page.link("AI connections").click().await;
        let row = page.any(AriaRole::Row).containing("Reports");
        assert!(row.text().await.contains("Active"), "{}", row.text().await);
        page.link("Reports").click().await;
        page.shows_no(secret).await;
        page.shows("Replace <API_KEY> with the key").await;
        page.open_details("Revoke this key…").await;
        page.button("Revoke for good").click().await;
        page.shows("Revoked “Reports”.").await;
        let _ = program.get(COMPANIES).await.expect(401);
    })
    .await;
}
