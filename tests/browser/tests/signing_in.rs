//! Signing in and out: with a password, several workspaces, an invitation, a forgotten password, and as the first user of an
//! installation.

use browser::{AriaRole, walk};
use domain::identity::set_up;
use domain::identity::workspaces::Role;
use domain::testing;

use crate::people::{browser_of, go_to, member, sign_in};

pub(crate) const NEW_PASSWORD: &str = "a new and long password";

#[tokio::test]
async fn a_user_signs_in_chooses_a_workspace_and_signs_out_everywhere() {
    walk(async |test| {
        let (one, two) = (test.app.workspace().await, test.app.workspace().await);
        let ann = member(&one, Role::Member, "Ann").await;
        let _ = two.join(&ann.email, Role::Owner).await;
        let elsewhere = browser_of(test, &ann).await;
        elsewhere.open("/companies").await;

        let page = test.visitor().await;
        page.open("/companies").await;
        sign_in(&page, &ann.email, "not the password").await;
        page.any(AriaRole::Alert).wait().await;
        assert_eq!(page.field("Email").value().await, ann.email, "the input is kept");
        assert_eq!(page.field("Password").value().await, "");
        page.field("Password").fill(ann.password).await;
        page.button("Sign in").click().await;
        page.heading("Choose a workspace").wait().await;
        page.button(&format!("{} {}", two.workspace.name, two.workspace.slug)).click().await;
        page.wait_for_path("/companies").await;
        page.link(&two.workspace.name).wait().await;

        // Both sessions are listed, with the device and the time of the last use.
        go_to(&page, "Ann").await;
        page.link("Security").click().await;
        let sessions = page.role(AriaRole::Region, "Sessions");
        let this = page.any(AriaRole::Row).containing("This session").within(&sessions);
        assert!(this.text().await.contains("Chrome"), "{}", this.text().await);
        page.any(AriaRole::Row).containing(&one.workspace.name).within(&sessions).wait().await;
        page.button("Sign out everywhere").click().await;
        page.wait_for_path("/sign-in").await;
        page.shows("You are signed out everywhere.").await;
        elsewhere.reload().await;
        elsewhere.wait_for_path(&format!("/sign-in?next=%2Fw%2F{}%2Fcompanies", one.workspace.slug)).await;
        // Signing in leads back to the requested page in its workspace.
        sign_in(&elsewhere, &ann.email, ann.password).await;
        elsewhere.wait_for_path("/companies").await;
        elsewhere.link(&one.workspace.name).wait().await;
    })
    .await;
}

#[tokio::test]
async fn the_first_user_sets_up_the_service_with_the_printed_code() {
    walk(async |test| {
        let code = set_up::issue_code(&test.app.ports, &testing::operator(), "this instance").await.unwrap().unwrap();
        let page = test.visitor().await;
        page.open("/").await;
        page.heading("Set up your workspace").wait().await;
        page.field("Set-up code").fill("guessed").await;
        page.field("Name of the workspace").fill("Ada’s Roastery").await;
        assert_eq!(page.field("Short name").value().await, "ada-s-roastery", "it is suggested");
        page.field("Your name").fill("Ada").await;
        page.field("Email").fill("ada@example.com").await;
        page.field("Password").fill(NEW_PASSWORD).await;
        page.button("Create the workspace").click().await;
        page.shows("Is not the code that the service printed").await;
        assert_eq!(page.field("Name of the workspace").value().await, "Ada’s Roastery", "the input is kept");

        page.field("Set-up code").fill(code.reveal()).await;
        page.field("Password").fill(NEW_PASSWORD).await;
        page.button("Create the workspace").click().await;
        page.wait_for_path("/").await;
        page.heading("Next steps").wait().await;
        page.link("Ada’s Roastery").wait().await;
        go_to(&page, "Operations").await;
        page.shows("ada-s-roastery").await;

        let late = test.visitor().await;
        late.open("/set-up").await;
        late.wait_for_path("/sign-in").await;
    })
    .await;
}
