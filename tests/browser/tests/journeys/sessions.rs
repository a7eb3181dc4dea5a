//! Typed text survives the end of a session and a switch of the workspace.

use browser::{AriaRole, Page, Walk, walk};
use domain::identity::workspaces::Role;
use serde_json::json;
use test_support::{Tenant, TestUser};

use crate::people::{COMPANIES, browser_of, member};

/// Signs in again, as in another tab.
async fn sign_in_again(test: &Walk, page: &Page, tenant: &Tenant, user: &TestUser) {
    let body = json!({"email": user.email, "password": user.password, "workspace": tenant.workspace.slug});
    let login = test.app.anonymous().post("/api/auth/login", body).await.expect(200);
    let token = login.data()["access_token"].as_str().unwrap().to_owned();
    page.set_cookie(&format!("session-{}", tenant.workspace.slug), &token).await;
}

#[tokio::test]
async fn an_in_place_edit_survives_the_end_of_the_session() {
    walk(async |test| {
        let tenant = test.app.workspace().await;
        let client = tenant.full_access().await;
        let id = client.post(COMPANIES, json!({"name": "Acme", "industry": "Steel"})).await.expect(201).id();
        let ann = member(&tenant, Role::Member, "Ann").await;
        let page = browser_of(test, &ann).await;
        page.open(&format!("/companies/{id}")).await;
        page.link("Edit Industry").click().await;
        page.field("Industry").fill("Coffee").await;
        let _ = ann.client.post("/api/auth/logout", json!({})).await.expect(200);
        page.button("Save").click().await;
        page.shows("Your session has ended. What you typed stays on this page.").await;
        assert_eq!(page.field("Industry").value().await, "Coffee");
        let sign_in = page.link("Sign in").attribute("target").await;
        assert_eq!(sign_in.as_deref(), Some("_blank"));

        sign_in_again(test, &page, &tenant, &ann).await;
        page.button("Save").click().await;
        page.link("Edit Industry").wait().await;
        let stored = client.get(&format!("{COMPANIES}/{id}")).await.expect(200);
        assert_eq!(stored.data()["industry"], "Coffee");
    })
    .await;
}

#[tokio::test]
async fn a_form_is_sent_again_after_signing_in() {
    walk(async |test| {
        let tenant = test.app.workspace().await;
        let ann = member(&tenant, Role::Member, "Ann").await;
        let page = browser_of(test, &ann).await;
        page.open("/companies/new").await;
        page.field("Name").fill("Acme Roasters").await;
        let _ = ann.client.post("/api/auth/logout", json!({})).await.expect(200);
        page.button("Save").click().await;
        page.heading("Not saved yet").wait().await;
        page.shows("Acme Roasters").await;
        page.link("Sign in (new tab)").wait().await;
        sign_in_again(test, &page, &tenant, &ann).await;
        page.button("Send again").click().await;
        page.heading("Acme Roasters").wait().await;
    })
    .await;
}

#[tokio::test]
async fn another_user_saves_an_in_place_edit_only_after_confirming() {
    walk(async |test| {
        let tenant = test.app.workspace().await;
        let client = tenant.full_access().await;
        let id = client.post(COMPANIES, json!({"name": "Acme", "industry": "Steel"})).await.expect(201).id();
        let (ann, ben) = (member(&tenant, Role::Member, "Ann").await, member(&tenant, Role::Member, "Ben").await);
        let page = browser_of(test, &ann).await;
        page.open(&format!("/companies/{id}")).await;
        page.link("Edit Industry").click().await;
        page.field("Industry").fill("Coffee").await;
        sign_in_again(test, &page, &tenant, &ben).await;
        for _ in 0..2 {
            page.button("Save").click().await;
            page.shows("You are signed in as Ben now").await;
            let stored = client.get(&format!("{COMPANIES}/{id}")).await.expect(200);
            assert_eq!(stored.data()["industry"], "Steel");
        }
        page.button("Continue as Ben").click().await;
        page.button("Save").click().await;
        page.link("Edit Industry").wait().await;
        let stored = client.get(&format!("{COMPANIES}/{id}")).await.expect(200);
        assert_eq!(stored.data()["industry"], "Coffee");
    })
    .await;
}

#[tokio::test]
async fn text_typed_in_one_tab_is_saved_in_its_workspace_after_another_tab_switched() {
    const CONTACTS: &str = "/api/v1/crm/contacts";
    walk(async |test| {
        let (one, two) = (test.app.workspace().await, test.app.workspace().await);
        let ann = member(&one, Role::Member, "Ann").await;
        let _ = two.join(&ann.email, Role::Member).await;
        let page = browser_of(test, &ann).await;
        page.open("/contacts/new").await;
        page.field("First name").fill("Ada").await;
        let typing = page.tab().await;

        let other = page.open_tab().await;
        page.open("/workspaces").await;
        page.any(AriaRole::Button).containing(&two.workspace.name).click().await;
        page.wait_for_path("/").await;
        page.open(&format!("/w/{}/contacts", two.workspace.slug)).await;
        page.shows("No contacts yet").await;

        page.show_tab(&typing).await;
        assert_eq!(page.field("First name").value().await, "Ada");
        page.field("Email").fill("ada@example.com").await;
        page.button("Save").click().await;
        page.heading("Ada").wait().await;
        assert!(page.url().await.contains(&format!("/w/{}/contacts/", one.workspace.slug)));
        for (tenant, count) in [(&one, 1), (&two, 0)] {
            let response = tenant.full_access().await.get(CONTACTS).await.expect(200);
            assert_eq!(response.data().as_array().map(Vec::len), Some(count), "{}", tenant.workspace.slug);
        }
        // The other tab still shows its page.
        page.show_tab(&other).await;
        page.reload().await;
        page.shows("No contacts yet").await;
        assert!(page.url().await.ends_with(&format!("/w/{}/contacts", two.workspace.slug)));
    })
    .await;
}

#[tokio::test]
async fn a_link_to_another_workspace_offers_to_open_it() {
    walk(async |test| {
        let (one, two) = (test.app.workspace().await, test.app.workspace().await);
        let id = two.full_access().await.post(COMPANIES, json!({"name": "Acme"})).await.expect(201).id();
        let ann = member(&one, Role::Member, "Ann").await;
        let _ = two.join(&ann.email, Role::Member).await;
        let page = browser_of(test, &ann).await;
        page.open("/companies").await;
        page.open(&format!("/w/{}/companies/{id}", two.workspace.slug)).await;
        page.button(&format!("Open in {}", two.workspace.name)).click().await;
        page.heading("Acme").wait().await;
        assert!(page.url().await.contains(&format!("/w/{}/companies/", two.workspace.slug)));
        // The other session continues.
        page.open(&format!("/w/{}/companies", one.workspace.slug)).await;
        page.role(AriaRole::Navigation, "Main").wait().await;
        page.link(&one.workspace.name).wait().await;
    })
    .await;
}
