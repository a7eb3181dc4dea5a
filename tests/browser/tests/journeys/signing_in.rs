//! Invitations and forgotten passwords.

use browser::{AriaRole, walk};
use domain::identity::workspaces::Role;

use crate::people::{browser_of, follow_link, go_to, member, sign_in};
use crate::signing_in::NEW_PASSWORD;

#[tokio::test]
async fn an_owner_invites_a_colleague_who_accepts() {
    walk(async |test| {
        let tenant = test.app.workspace().await;
        let owner = browser_of(test, &member(&tenant, Role::Owner, "Olga").await).await;
        owner.open("/").await;
        go_to(&owner, "Settings").await;
        owner.link("Members").click().await;
        owner.open_details("Invite someone").await;
        owner.field("Email").fill("ada@example.com").await;
        owner.field("Role").select("Member").await;
        owner.button("Send invitation").click().await;
        owner.shows("Invited ada@example.com.").await;
        owner.link("Back to the members").click().await;
        owner.any(AriaRole::Row).containing("ada@example.com").wait().await;

        let ada = follow_link(test, "ada@example.com", 1).await;
        ada.heading(&format!("Join {}", tenant.workspace.name)).wait().await;
        assert_eq!(ada.path().await, "/accept-invitation", "the token is removed from the address");
        ada.shows("Olga invites you to this workspace as a member.").await;
        assert_eq!(ada.field("Your e-mail address").value().await, "ada@example.com");
        ada.field("Your name").fill("Ada").await;
        ada.field("Password").fill(NEW_PASSWORD).await;
        ada.button("Accept").click().await;
        ada.shows("Welcome. You are in.").await;
        assert_eq!(ada.link("Settings").count().await, 0, "a member sees no settings");

        owner.reload().await;
        let row = owner.any(AriaRole::Row).containing("ada@example.com");
        assert!(row.text().await.contains("Active"), "{}", row.text().await);
        owner.field("Role of Ada").select("Viewer").await;
        owner.button("Save").within(&row).click().await;
        owner.shows("Ada now has the role “Viewer”").await;
        // They sign in again, and see no action that they may not take.
        ada.open("/deals").await;
        sign_in(&ada, "ada@example.com", NEW_PASSWORD).await;
        ada.heading("Deals").wait().await;
        assert_eq!(ada.link("New deal").count().await, 0);
    })
    .await;
}

#[tokio::test]
async fn a_forgotten_password_is_reset_from_the_sign_in_page() {
    walk(async |test| {
        let tenant = test.app.workspace().await;
        let ann = member(&tenant, Role::Member, "Ann").await;
        let page = test.visitor().await;
        page.open("/sign-in").await;
        page.link("Forgotten your password?").click().await;
        page.field("Email").fill(&ann.email).await;
        page.button("Send me a link").click().await;
        page.shows("If there is an account with this address, a link was created.").await;

        let mailed = follow_link(test, &ann.email, 1).await;
        mailed.field("New password").fill("short").await;
        mailed.button("Set password").click().await;
        mailed.shows("12").await;
        mailed.field("New password").fill(NEW_PASSWORD).await;
        mailed.button("Set password").click().await;
        mailed.shows("Your new password is set").await;
        sign_in(&mailed, &ann.email, ann.password).await;
        mailed.any(AriaRole::Alert).wait().await;
        mailed.field("Password").fill(NEW_PASSWORD).await;
        mailed.button("Sign in").click().await;
        mailed.wait_for_path("/").await;
    })
    .await;
}
