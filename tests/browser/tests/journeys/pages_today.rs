//! The pages that links in e-mails open.

use browser::{Page, Walk, walk};
use domain::identity::workspaces::Role;
use serde_json::json;
use test_support::{Client, TestUser};

use crate::people::follow_link;

const NEW_PASSWORD: &str = "a new and long password";

#[tokio::test]
async fn an_invited_user_sets_a_password() {
    walk(async |test| {
        let tenant = test.app.workspace().await;
        let owner = tenant.user(Role::Owner).await;
        let invitation = json!({"email": "ada@example.com", "role": "member"});
        let _ = owner.client.post("/api/settings/members", invitation).await.expect(201);

        let page = follow_link(test, "ada@example.com", 1).await;
        page.heading(&format!("Join {}", tenant.workspace.name)).wait().await;
        assert_eq!(page.path().await, "/accept-invitation", "the token is removed from the address");
        check(&page).await;
        page.field("Your name").fill("Ada").await;
        page.field("Password").fill(NEW_PASSWORD).await;
        page.button("Accept").click().await;
        page.shows("Welcome. You are in.").await;
        assert_eq!(page.path().await, "/");
        sign_in(test, "ada@example.com", &tenant.workspace.slug).await;
    })
    .await;
}

#[tokio::test]
async fn a_user_who_forgot_the_password_sets_a_new_one() {
    walk(async |test| {
        let tenant = test.app.workspace().await;
        let TestUser { email, .. } = tenant.user(Role::Member).await;
        let _ = test.app.anonymous().post("/api/auth/password-resets", json!({ "email": email })).await.expect(202);

        let page = follow_link(test, &email, 1).await;
        check(&page).await;
        page.field("New password").fill(NEW_PASSWORD).await;
        page.button("Set password").click().await;
        page.shows("Your new password is set").await;
        sign_in(test, &email, &tenant.workspace.slug).await;
    })
    .await;
}

#[tokio::test]
async fn a_page_without_a_token_says_what_to_do() {
    walk(async |test| {
        let page = test.visitor().await;
        for path in ["/accept-invitation", "/reset-password", "/portal"] {
            page.open(path).await;
            page.shows("Open the link in the e-mail again").await;
        }
    })
    .await;
}

#[tokio::test]
async fn a_customer_reads_the_answer_and_replies() {
    walk(async |test| {
        let tenant = test.app.workspace().await;
        let agent = tenant.full_access().await;
        let ticket = json!({"name": "Ada", "email": "ada@example.org", "subject": "It does not print"});
        let opened = agent.post("/api/public/tickets", ticket).await.expect(201);
        let token = portal_token(&agent, opened.data()["reference"].as_str().unwrap()).await;

        let page = test.visitor().await;
        page.open(&format!("/portal#token={token}")).await;
        page.button("Open my ticket").wait().await;
        page.shows(&tenant.workspace.name).await;
        assert_eq!(page.path().await, format!("/portal?workspace={}", tenant.workspace.id), "the token leaves it");
        page.button("Open my ticket").click().await;
        page.heading("It does not print").wait().await;
        check(&page).await;
        page.field("Your reply").fill("It is the blue one.").await;
        page.button("Send").click().await;
        page.shows("Sent.").await;
        page.shows("It is the blue one.").await;

        page.reload().await;
        page.shows("It is the blue one.").await;
        let outsider = test.visitor().await;
        outsider.open(&format!("/portal#token={token}")).await;
        outsider.button("Open my ticket").click().await;
        outsider.shows_no("One moment").await;
        assert_eq!(outsider.heading("It does not print").count().await, 0, "the link works once");
        outsider.shows(&tenant.workspace.name).await;
        outsider.field("Your e-mail address").fill("ada@example.org").await;
    })
    .await;
}

#[tokio::test]
async fn a_customer_without_a_link_requests_one_and_times_have_the_console_format() {
    walk(async |test| {
        let tenant = test.app.workspace().await;
        let agent = tenant.full_access().await;
        let ticket = json!({"name": "Ada", "email": "ada@example.org", "subject": "It does not print"});
        let opened = agent.post("/api/public/tickets", ticket).await.expect(201);
        let reference = opened.data()["reference"].as_str().unwrap().to_owned();
        let page = test.visitor().await;
        page.open("/portal").await;
        check(&page).await;
        page.field("Help centre").fill(&tenant.workspace.slug).await;
        page.field("Your e-mail address").fill("ada@example.org").await;
        page.field("Ticket reference").fill(&reference).await;
        page.button("E-mail me a link").click().await;
        page.shows("a new link is on its way").await;
        let token = test.app.inbox.token("ada@example.org", 1).await;
        page.open(&format!("/portal#token={token}")).await;
        page.button("Open my ticket").click().await;
        page.heading("It does not print").wait().await;
        let facts =
            "return /\\d{1,2} [A-Z][a-z]{2} \\d{4}, \\d{2}:\\d{2}$/.test(document.getElementById('facts').textContent)";
        assert_eq!(page.script(facts, vec![]).await, json!(true));
        let other = test.visitor().await;
        other.open(&format!("/portal?workspace={}#reference={reference}", tenant.workspace.id)).await;
        assert_eq!(other.field("Ticket reference").value().await, reference);
    })
    .await;
}

/// Checks the requirements on every page, on narrow and wide screens.
async fn check(page: &Page) {
    page.axe().await;
    page.set_width(360).await;
    assert!(page.fits_its_width().await);
    page.axe().await;
    page.set_width(1280).await;
}

async fn sign_in(test: &Walk, email: &str, workspace: &str) {
    let body = json!({"email": email, "password": NEW_PASSWORD, "workspace": workspace});
    let _ = test.app.anonymous().post("/api/auth/login", body).await.expect(200);
}

async fn portal_token(agent: &Client, reference: &str) -> String {
    let made = agent.post(&format!("/api/public/tickets/{reference}/tracking-links"), json!({})).await.expect(201);
    made.data()["token"].as_str().unwrap().to_owned()
}
