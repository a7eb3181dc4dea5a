//! Several tabs of one browser: text is saved in the workspace of the tab's address.

use browser::{AriaRole, walk};
use domain::identity::workspaces::Role;
use serde_json::{Value, json};

use crate::people::{browser_of, member};
use crate::tickets::ticket;

const SETTINGS: &str = "/api/settings/workspace";

#[tokio::test]
async fn forms_in_several_tabs_are_saved_in_their_workspace_after_another_tab_switched() {
    walk(async |test| {
        let (one, two) = (test.app.workspace().await, test.app.workspace().await);
        let key = one.full_access().await;
        let asked = ticket(&key).await;
        let ann = member(&one, Role::Owner, "Ann").await;
        let _ = two.join(&ann.email, Role::Owner).await;
        let page = browser_of(test, &ann).await;
        let contact = page.tab().await;
        page.open("/contacts/new").await;
        page.field("First name").fill("Ada").await;
        page.field("Email").fill("ada@example.com").await;
        let deal = page.open_tab().await;
        page.open("/deals/new").await;
        page.field("Title").fill("Pilot").await;
        let reply = page.open_tab().await;
        page.open(&asked).await;
        page.field("Answer to Ada").fill("Which printer is it?").await;
        let settings = page.open_tab().await;
        page.open("/settings").await;
        page.field("Name").fill("Roastery").await;

        let _ = page.open_tab().await;
        page.open("/workspaces").await;
        page.any(AriaRole::Button).containing(&two.workspace.name).click().await;
        page.wait_for_path("/").await;
        page.open("/contacts/new").await;
        page.field("First name").fill("Bob").await;
        page.field("Email").fill("bob@example.com").await;
        page.button("Save").click().await;
        page.heading("Bob").wait().await;
        assert!(page.url().await.contains(&format!("/w/{}/contacts/", two.workspace.slug)), "{}", page.url().await);

        let home = format!("/w/{}/", one.workspace.slug);
        for (tab, field, typed, button, message) in [
            (&contact, "First name", "Ada", "Save", "Created “Ada”."),
            (&deal, "Title", "Pilot", "Save", "Created “Pilot”."),
            (&reply, "Answer to Ada", "Which printer is it?", "Send to customer", "Sent to the customer."),
            (&settings, "Name", "Roastery", "Save", "The settings are saved."),
        ] {
            page.show_tab(tab).await;
            assert_eq!(page.field(field).value().await, typed);
            page.button(button).click().await;
            page.shows(message).await;
            assert!(page.url().await.contains(&home), "{message} {}", page.url().await);
        }

        let others = two.full_access().await;
        for (client, people, deals) in [(&key, ["Ada"], 1), (&others, ["Bob"], 0)] {
            let response = client.get("/api/v1/crm/contacts").await.expect(200);
            let names: Vec<Value> =
                response.data().as_array().into_iter().flatten().map(|one| one["first_name"].clone()).collect();
            assert_eq!(names, people.map(|name| json!(name)));
            assert_eq!(client.get("/api/v1/crm/deals").await.expect(200).ids().len(), deals, "{people:?}");
        }
        let comments = asked.replace("/tickets/", "/api/v1/issues/") + "/comments";
        assert_eq!(key.get(&comments).await.expect(200).data()[0]["body"], "Which printer is it?");
        assert_eq!(ann.client.get(SETTINGS).await.expect(200).data()["name"], "Roastery");
        let owner = two.user(Role::Owner).await.client;
        assert_eq!(owner.get(SETTINGS).await.expect(200).data()["name"], json!(two.workspace.name));
    })
    .await;
}
