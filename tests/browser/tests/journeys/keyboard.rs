//! Keyboard use: tab order, search and commands, dialogs, lists.

use browser::{AriaRole, Key, Page, walk};
use domain::identity::workspaces::Role;
use serde_json::json;
use test_support::eventually;

use crate::people::{at_work, tab_to};

async fn focus_is_on(page: &Page, name: &str) {
    eventually(&format!("{name:?} has the focus"), async || page.focused().await.name == name).await;
    assert!(page.focused().await.is_visible, "the focus cannot be seen on {name:?}");
}

#[tokio::test]
async fn tab_goes_through_a_page_in_order_and_past_its_navigation() {
    walk(async |test| {
        let tenant = test.app.workspace().await;
        let client = tenant.full_access().await;
        let _ = client.post("/api/v1/crm/companies", json!({"name": "Acme"})).await.expect(201);
        let page = at_work(test, &tenant, Role::Owner, "Ann").await;
        page.open("/companies").await;
        page.press(Key::Tab).await;
        focus_is_on(&page, "Skip to content").await;
        for name in ["Home", "Companies", "Settings", "Sign out", "New company"] {
            tab_to(&page, name).await;
        }
        tab_to(&page, "Acme").await;
        page.press(Key::Enter).await;
        page.heading("Acme").wait().await;

        page.press(Key::Tab).await;
        focus_is_on(&page, "Skip to content").await;
        page.press(Key::Enter).await;
        page.press(Key::Tab).await;
        // The link back is above the title, in capitals.
        focus_is_on(&page, "COMPANIES").await;
        // A field is edited in place and left with Escape, and the focus returns to it.
        tab_to(&page, "Edit Name").await;
        page.press(Key::Enter).await;
        focus_is_on(&page, "Name").await;
        page.press(Key::Escape).await;
        focus_is_on(&page, "Edit Name").await;
        page.press(Key::Enter).await;
        focus_is_on(&page, "Name").await;
        page.type_text("Acme Ltd").await;
        page.press(Key::Enter).await;
        page.heading("Acme Ltd").wait().await;
        focus_is_on(&page, "Edit Name").await;
    })
    .await;
}

#[tokio::test]
async fn search_finds_records_and_commands_from_anywhere() {
    walk(async |test| {
        let tenant = test.app.workspace().await;
        let client = tenant.full_access().await;
        let _ = client.post("/api/v1/crm/companies", json!({"name": "Acme Roasters"})).await.expect(201);
        let page = at_work(test, &tenant, Role::Owner, "Ann").await;
        page.open("/deals").await;
        tab_to(&page, "New deal").await;
        page.press('/').await;
        focus_is_on(&page, "Search records and commands").await;
        page.type_text("roast").await;
        page.any(AriaRole::Option).containing("Acme Roasters").wait().await;
        page.press(Key::Escape).await;
        focus_is_on(&page, "New deal").await;

        // Enter waits for the results of what was typed last.
        page.press_with(&[Key::Control], 'k').await;
        page.type_text("roast").await;
        page.press(Key::Enter).await;
        page.heading("Acme Roasters").wait().await;
        for (typed, found, title) in [
            ("new ta", "New task", "New task"),
            ("usage", "Settings: Usage", "Usage"),
            ("go know", "Go to Knowledge base", "Knowledge base"),
        ] {
            page.press_with(&[Key::Control], 'k').await;
            page.type_text(typed).await;
            page.any(AriaRole::Option).containing(found).wait().await;
            page.press(Key::Enter).await;
            page.heading(title).wait().await;
        }
        // Recently opened results are offered first.
        page.press_with(&[Key::Control], 'k').await;
        page.any(AriaRole::Option).containing("Acme Roasters Recent").wait().await;
    })
    .await;
}

#[tokio::test]
async fn lists_have_shortcuts_and_show_them() {
    walk(async |test| {
        let tenant = test.app.workspace().await;
        let client = tenant.full_access().await;
        for name in ["Second", "First"] {
            let _ = client.post("/api/v1/crm/companies", json!({ "name": name })).await.expect(201);
        }
        let page = at_work(test, &tenant, Role::Member, "Ann").await;
        page.open("/companies").await;
        page.press('?').await;
        let dialog = page.role(AriaRole::Dialog, "Keyboard shortcuts");
        dialog.containing("Next row").wait().await;
        page.press(Key::Escape).await;
        page.role(AriaRole::Dialog, "Keyboard shortcuts").wait_until_gone().await;
        page.press('j').await;
        focus_is_on(&page, "First").await;
        page.press('j').await;
        focus_is_on(&page, "Second").await;
        page.press('x').await;
        assert!(page.field("Select Second").is_checked().await);
        page.press('k').await;
        focus_is_on(&page, "First").await;
        page.press('f').await;
        focus_is_on(&page, "Search").await;
        page.type_text("jot").await;
        assert_eq!(page.field("Search").value().await, "jot", "shortcuts do not apply in fields");
        page.open("/companies").await;
        page.press('c').await;
        page.heading("New company").wait().await;
    })
    .await;
}
