//! Invitations: inviter, workspace, and joining (interface 26.93).

use domain::identity::workspaces::Role;
use serde_json::json;
use test_support::{App, Browser, Screen};
use time::Duration;

const NEW_PASSWORD: &str = "a new and long password";

/// The page after sending the token of a link, as the page's script does.
async fn open_invitation(browser: &Browser, token: &str) -> Screen {
    let page = browser.open("/accept-invitation").await.expect(200);
    browser.submit(&page, "/accept-invitation", &[("token", token)]).await
}

#[tokio::test]
async fn an_invitation_names_the_inviter_and_the_workspace_and_signs_in() {
    let (app, tenant, owner) = App::with_user(Role::Owner).await;
    let _ = owner.client.patch("/api/account", json!({"name": "Olga <b>Owner</b>"})).await.expect(200);
    let invitation = json!({"email": "Ada@example.com", "role": "admin"});
    let _ = owner.client.post("/api/settings/members", invitation).await.expect(201);
    let token = app.inbox.token("ada@example.com", 1).await;
    let browser = app.browser();
    let page = browser.open("/accept-invitation").await.expect(200);
    assert!(
        !page.html().contains("name=\"password\"") && !page.html().contains(&format!("Join {}", tenant.workspace.name))
    );
    let wrong = open_invitation(&browser, "svi_wrong").await.expect(422);
    wrong.assert_contains(&["id=\"token-error\"", "Ask the person who invited you"]);

    let join = browser.submit(&wrong, "/accept-invitation", &[("token", &token)]).await.expect(200);
    join.assert_contains(&[&format!("Join {}", tenant.workspace.name)]);
    let invites = "Olga &#60;b&#62;Owner&#60;/b&#62; invites you to this workspace as an admin.";
    assert!(join.html().contains(invites) && join.html().contains("value=\"ada@example.com\""), "{}", join.html());
    let values = [("name", "<img src=x onerror=alert(1)>"), ("password", "short")];
    let refused = browser.submit(&join, "/accept-invitation", &values).await.expect(422);
    assert!(refused.html().contains("id=\"password-error\"") && refused.html().contains(invites), "{}", refused.html());
    assert!(refused.fields_of("/accept-invitation").contains(&("name".to_owned(), values[0].1.to_owned())), "kept");
    assert!(!refused.html().contains("<img src=x"), "{}", refused.html());
    // Viewing does not use it up, and a form with all fields at once is accepted.
    let home = browser.submit(&refused, "/accept-invitation", &[("password", NEW_PASSWORD)]).await.expect(200);
    assert!(home.address == "/" && home.html().contains("Welcome"), "{}", home.html());
    assert!(!home.html().contains("<img src=x"), "{}", home.html());
    assert!(browser.session().is_some());

    let again = open_invitation(&app.browser(), &token).await.expect(409);
    again.assert_contains(&["already accepted", "href=\"/sign-in\""]);
}

#[tokio::test]
async fn an_invitation_for_an_account_asks_only_for_its_password() {
    let app = App::start().await;
    let (tenant, other) = (app.workspace().await, app.workspace().await);
    let user = other.user(Role::Member).await;
    let owner = tenant.user(Role::Owner).await;
    let invitation = json!({"email": user.email, "role": "viewer"});
    let _ = owner.client.post("/api/settings/members", invitation).await.expect(201);
    let token = app.inbox.token(&user.email, 1).await;
    let browser = app.browser();
    let join = open_invitation(&browser, &token).await.expect(200);
    join.assert_contains(&["You already have an account", "as a viewer."]);
    assert!(!join.html().contains("Your name"), "{}", join.html());
    let refused = browser.submit(&join, "/accept-invitation", &[("password", NEW_PASSWORD)]).await.expect(422);
    refused.assert_contains(&["id=\"password-error\""]);
    let home = browser.submit(&refused, "/accept-invitation", &[("password", user.password)]).await.expect(200);
    assert!(home.address == "/" && home.html().contains(&tenant.workspace.name), "{}", home.html());
}

#[tokio::test]
async fn an_expired_or_withdrawn_invitation_says_so() {
    let (app, tenant, owner) = App::with_user(Role::Owner).await;
    let invite = async |email: &str| {
        let invitation = json!({"email": email, "role": "member"});
        let invited = owner.client.post("/api/settings/members", invitation).await.expect(201);
        (invited.id(), app.inbox.token(email, 1).await)
    };
    let (withdrawn, first) = invite("ada@example.com").await;
    let _ = owner.client.delete(&format!("/api/settings/members/{withdrawn}")).await;
    let (_, second) = invite("bob@example.com").await;
    let browser = app.browser();
    let join = open_invitation(&browser, &second).await.expect(200);
    app.advance(Duration::days(8)).await;
    for token in [&first, &second] {
        let refused = open_invitation(&browser, token).await.expect(422);
        refused.assert_contains(&["Ask the person who invited you for a new one"]);
        // The name has two letters, which a token can also contain.
        assert!(!refused.html().contains(&format!("Join {}", tenant.workspace.name)), "{}", refused.html());
    }
    let values = [("name", "Bob"), ("password", NEW_PASSWORD)];
    let expired = browser.submit(&join, "/accept-invitation", &values).await.expect(422);
    expired.assert_contains(&["id=\"token-error\""]);
}

#[tokio::test]
async fn an_invitation_by_an_operator_names_only_the_workspace() {
    let (app, tenant) = App::with_workspace().await;
    let operator = tenant.operator(Role::Owner).await;
    let body = json!({"name": "Far away", "slug": "far-away", "owner_email": "zoe@example.com"});
    let _ = operator.client.post("/api/operator/workspaces", body).await.expect(201);
    let token = app.inbox.token("zoe@example.com", 1).await;
    let join = open_invitation(&app.browser(), &token).await.expect(200);
    join.assert_contains(&["Join Far away", "You are invited to this workspace as an owner."]);
}
