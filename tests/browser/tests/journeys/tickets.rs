//! Tickets: drafts, shortcuts, customer links and colleagues.

use browser::{AriaRole, Key, walk};
use domain::identity::workspaces::Role;
use serde_json::json;

use crate::people::{at_work, browser_of, member, sign_in};
use crate::tickets::{agent, ticket};

#[tokio::test]
async fn drafts_survive_reloads_changes_by_others_and_signing_out() {
    walk(async |test| {
        let tenant = test.app.workspace().await;
        let client = tenant.full_access().await;
        let path = ticket(&client).await;
        let ann = member(&tenant, Role::Member, "Ann").await;
        let page = browser_of(test, &ann).await;
        page.open(&path).await;
        page.field("Answer to Ada").fill("Which prin").await;
        page.shows("Draft saved.").await;
        let issue = path.replace("/tickets/", "/api/v1/issues/");
        let _ = client.patch(&issue, json!({"priority": "urgent", "assignee_id": null})).await.expect(200);
        page.shows("Urgent").await;
        assert_eq!(page.field("Answer to Ada").value().await, "Which prin");
        page.reload().await;
        assert_eq!(page.field("Answer to Ada").value().await, "Which prin");
        page.field("Answer to Ada").type_text("ter?").await;
        page.button("Sign out").click().await;
        sign_in(&page, &ann.email, ann.password).await;
        page.wait_for_path("/").await;
        page.open(&path).await;
        assert_eq!(page.field("Answer to Ada").value().await, "Which printer?");
        page.button("Send to customer").click().await;
        page.shows("Sent to the customer.").await;
        assert_eq!(page.field("Answer to Ada").value().await, "", "sending the answer deletes the draft");
    })
    .await;
}

#[tokio::test]
async fn choosing_a_priority_by_keyboard_does_not_save_others_on_the_way() {
    walk(async |test| {
        let tenant = test.app.workspace().await;
        let path = ticket(&tenant.full_access().await).await;
        let page = agent(test, &tenant, "Ann", &path).await;
        page.script("document.getElementById('ticket-priority').focus()", vec![]).await;
        page.press('u').await;
        assert_eq!(page.field("Priority").value().await, "urgent");
        assert_eq!(page.path().await, path);
        page.press(Key::Enter).await;
        page.shows("Saved “It does not print”.").await;
        page.shows("Urgent").await;
    })
    .await;
}

#[tokio::test]
async fn a_customer_opens_a_second_link_in_the_same_tab() {
    walk(async |test| {
        let tenant = test.app.workspace().await;
        let path = ticket(&tenant.full_access().await).await;
        let agent = agent(test, &tenant, "Ann", &path).await;
        let mut links = Vec::new();
        for _ in 0..2 {
            agent.button("Link for the customer").click().await;
            links.push(agent.field("Link").value().await);
            agent.link("Back to the ticket").click().await;
            agent.field("Answer to Ada").wait().await;
        }
        let ada = test.visitor().await;
        for link in &links {
            ada.go(link).await;
            ada.button("Open my ticket").click().await;
            ada.heading("It does not print").wait().await;
            assert!(!ada.url().await.contains("token"), "the token is still in the address");
        }
        let text = ada.text().await;
        assert!(text.contains("Open ·"), "the status in words: {text}");
    })
    .await;
}

#[tokio::test]
async fn colleagues_see_who_views_and_who_types() {
    walk(async |test| {
        let tenant = test.app.workspace().await;
        let path = ticket(&tenant.full_access().await).await;
        let ann = agent(test, &tenant, "Ann", &path).await;
        ann.field("Answer to Ada").fill("W").await;
        ann.shows("Draft saved.").await;
        let bob = agent(test, &tenant, "Bob", &path).await;
        bob.shows("Ann is writing").await;
        ann.reload().await;
        ann.shows("Bob is viewing").await;
    })
    .await;
}

#[tokio::test]
async fn a_picture_is_loaded_on_a_click_and_stays_a_link_if_loading_fails() {
    walk(async |test| {
        let tenant = test.app.workspace().await;
        let path = ticket(&tenant.full_access().await).await;
        let page = agent(test, &tenant, "Ann", &path).await;
        page.open_details("Internal note").await;
        page.field("Note for colleagues").fill("![A cup](https://pictures.example.com/cup.png)").await;
        page.button("Add internal note").click().await;
        page.shows("Added the internal note.").await;
        let link = page.link("Show picture from pictures.example.com: A cup");
        assert_eq!(link.attribute("rel").await.as_deref(), Some("noreferrer"));
        // The network is blocked: the picture fails to load, and from then on its link opens it in a new tab.
        link.click().await;
        test_support::eventually("the link is back", async || link.attribute("data-picture").await.is_none()).await;
        page.expect_message("ERR_NAME_NOT_RESOLVED");
    })
    .await;
}

#[tokio::test]
async fn shortcuts_move_between_the_tickets_of_the_list() {
    walk(async |test| {
        let tenant = test.app.workspace().await;
        let client = tenant.full_access().await;
        for title in ["The first", "The second", "The third"] {
            let issue = ticket(&client).await.replace("/tickets/", "/api/v1/issues/");
            let _ = client.patch(&issue, json!({ "title": title })).await.expect(200);
        }
        let page = at_work(test, &tenant, Role::Member, "Ann").await;
        page.open("/tickets?assignee=none&status=open&status=pending&status=on_hold").await;
        page.link("The first").click().await;
        page.heading("The first").wait().await;
        for (key, title) in [('j', "The second"), ('j', "The third"), ('k', "The second")] {
            page.settles().await;
            page.press(key).await;
            page.heading(title).wait().await;
        }
        // Shortcuts do not apply while typing, and work again once the text is sent.
        page.settles().await;
        page.press('r').await;
        page.type_text("Is the jam gone?").await;
        assert_eq!(page.field("Answer to Ada").value().await, "Is the jam gone?");
        page.press_with(&[Key::Control], Key::Enter).await;
        page.shows("Sent to the customer.").await;
        page.settles().await;
        page.press('j').await;
        page.heading("The third").wait().await;
    })
    .await;
}

#[tokio::test]
async fn an_answer_that_crosses_another_is_held_and_shown_next_to_it() {
    walk(async |test| {
        let tenant = test.app.workspace().await;
        let path = ticket(&tenant.full_access().await).await;
        // Without scripts, the page does not show Bob's answer automatically.
        let ann = at_work(test, &tenant, Role::Member, "Ann").await;
        ann.allow_scripts(false).await;
        ann.open(&path).await;
        ann.field("Answer to Ada").fill("Which printer is it?").await;
        let bob = agent(test, &tenant, "Bob", &path).await;
        bob.field("Answer to Ada").fill("Is there paper?").await;
        bob.button("Send to customer").click().await;
        bob.shows("Sent to the customer.").await;
        ann.button("Send to customer").click().await;
        ann.shows("Not sent yet.").await;
        ann.any(AriaRole::Alert).containing("Is there paper?").wait().await;
        assert_eq!(ann.field("Answer to Ada").value().await, "Which printer is it?");
        bob.shows_no("Which printer is it?").await;
        ann.field("Answer to Ada").fill("And which printer is it?").await;
        ann.button("Send anyway").click().await;
        ann.shows("Sent to the customer.").await;
        bob.shows("And which printer is it?").await;
    })
    .await;
}

#[tokio::test]
async fn the_search_is_kept_in_another_order() {
    walk(async |test| {
        let tenant = test.app.workspace().await;
        let client = tenant.full_access().await;
        for title in ["It does not print", "It does not scan"] {
            let _ = client.post("/api/v1/issues", json!({"kind": "ticket", "title": title})).await.expect(201);
        }
        let page = at_work(test, &tenant, Role::Member, "Ann").await;
        page.open("/tickets").await;
        page.field("Search").fill("print").await;
        page.link("It does not scan").wait_until_gone().await;
        page.shows("1 ticket").await;
        page.open_details("Order").await;
        page.link("Newest first").click().await;
        page.wait_for_path("/tickets?search=print&order=newest").await;
        page.link("It does not print").wait().await;
        assert_eq!(page.link("It does not scan").count().await, 0);
    })
    .await;
}
