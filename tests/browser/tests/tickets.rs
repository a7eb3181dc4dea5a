//! Tickets: from the customer's message to their reply, drafts, presence of colleagues, and crossing answers.

use browser::{AriaRole, Key, Page, Walk, walk};
use domain::identity::workspaces::Role;
use serde_json::json;
use test_support::{ApiResponse, Client, Tenant};

use crate::people::{at_work, browser_of, go_to, member, sign_in};

/// The path of a new ticket by Ada.
pub(crate) async fn ticket(client: &Client) -> String {
    let opened = json!({"name": "Ada", "email": "ada@example.org", "subject": "It does not print"});
    let opened = client.post("/api/public/tickets", opened).await.expect(201);
    let reference = opened.data()["reference"].as_str().unwrap().to_owned();
    let found = client.get(&format!("/api/v1/issues?kind=ticket&reference={reference}")).await.expect(200);
    format!("/tickets/{}", found.ids().remove(0))
}

pub(crate) async fn agent(test: &Walk, tenant: &Tenant, name: &str, ticket: &str) -> Page {
    let page = at_work(test, tenant, Role::Member, name).await;
    page.open(ticket).await;
    page
}

#[tokio::test]
async fn a_customer_asks_an_agent_answers_and_the_customer_replies() {
    walk(async |test| {
        let tenant = test.app.workspace().await;
        let ada = test.visitor().await;
        ada.open(&format!("/kb/{}", tenant.workspace.slug)).await;
        ada.link("Contact us").click().await;
        ada.field("Your name").fill("Ada").await;
        ada.field("Your e-mail address").fill("ada@example.org").await;
        ada.field("What is it about?").fill("It does not print").await;
        ada.field("Your message").fill("Since this morning.").await;
        ada.button("Send").click().await;
        ada.heading("Thank you").wait().await;

        let agent = at_work(test, &tenant, Role::Member, "Ann").await;
        agent.open("/").await;
        agent.link("It does not print").within(&agent.role(AriaRole::Region, "Tickets waiting for us")).wait().await;
        go_to(&agent, "Tickets").await;
        agent.link("Unassigned 1").click().await;
        agent.link("It does not print").click().await;
        agent.shows("Since this morning.").await;
        agent.button("Assign to me").click().await;
        agent.shows("Ann").await;
        agent.open_details("Internal note").await;
        agent.field("Note for colleagues").fill("She has the old model.").await;
        agent.button("Add internal note").click().await;
        agent.shows("Added the internal note.").await;
        agent.field("Answer to Ada").fill("Which printer is it?").await;
        agent.press_with(&[Key::Control], Key::Enter).await;
        agent.shows("Sent to the customer.").await;
        let (note, answer) = (
            agent.any(AriaRole::ListItem).containing("She has the old model."),
            agent.any(AriaRole::ListItem).containing("Which printer is it?"),
        );
        assert!(note.text().await.contains("Internal note"), "{}", note.text().await);
        assert!(answer.text().await.contains("Sent to the customer"), "{}", answer.text().await);
        agent.button("Link for the customer").click().await;
        let link = agent.field("Link").value().await;
        agent.link("Back to the ticket").click().await;
        agent.field("Answer to Ada").wait().await;

        ada.go(&link).await;
        ada.button("Open my ticket").click().await;
        ada.any(AriaRole::Article).containing("Which printer is it?").wait().await;
        assert!(!ada.text().await.contains("old model"), "notes are for colleagues");
        ada.field("Your reply").fill("It is the blue one.").await;
        ada.button("Send").click().await;
        ada.shows("Sent.").await;
        let below = "return document.getElementById('reply').nextElementSibling.id";
        assert_eq!(ada.script(below, vec![]).await, "said", "the message is next to the reply form");

        // The agent sees it automatically.
        agent.any(AriaRole::ListItem).containing("It is the blue one.").wait().await;
        agent.field("Answer to Ada").fill("Then it wants paper.").await;
        agent.button("Send and resolve").click().await;
        agent.shows("Resolved").await;
        ada.reload().await;
        ada.any(AriaRole::Article).containing("Then it wants paper.").wait().await;
    })
    .await;
}

#[tokio::test]
async fn tickets_are_answered_one_by_one_and_a_reply_brings_one_back() {
    walk(async |test| {
        let tenant = test.app.workspace().await;
        let client = tenant.full_access().await;
        let mut paths = Vec::new();
        for title in ["The first", "The second"] {
            let path = ticket(&client).await;
            let issue = path.replace("/tickets/", "/api/v1/issues/");
            let _ = client.patch(&issue, json!({ "title": title })).await.expect(200);
            paths.push(path);
        }
        let agent = at_work(test, &tenant, Role::Member, "Ann").await;
        agent.open("/tickets?assignee=none&status=open&status=pending&status=on_hold").await;
        let row = |title: &str| agent.any(AriaRole::ListItem).containing(title);
        assert!(row("The first").text().await.contains("Unread"), "{}", row("The first").text().await);
        agent.link("The first").click().await;
        agent.field("Answer to Ada").fill("Which printer is it?").await;
        agent.button("Send and set pending").click().await;
        agent.shows("Sent to the customer.").await;
        agent.shows("Pending").await;
        agent.shows("Ann").await;
        // The link to the next one has the focus.
        agent.press(Key::Enter).await;
        agent.heading("The second").wait().await;
        agent.field("Assign to me").click().await;
        agent.field("Answer to Ada").fill("Is there paper?").await;
        agent.button("Send to customer").click().await;
        agent.shows("Sent to the customer.").await;
        agent.open("/tickets?waiting=true").await;
        agent.shows("No tickets match these filters").await;
        // A reply shows in the open list at once.
        let issue = paths[0].replace("/tickets/", "/api/v1/issues/");
        let reference = client.get(&issue).await.expect(200).data()["reference"].as_str().unwrap().to_owned();
        let link = client.request("POST", &format!("/api/public/tickets/{reference}/tracking-links"));
        let link = ApiResponse::of(link).await.expect(201);
        let token = link.data()["token"].as_str().unwrap().to_owned();
        let begun = test.app.anonymous().post("/api/portal/sessions", json!({ "token": token })).await.expect(201);
        let ada = test.app.with_key(begun.data()["token"].as_str().unwrap());
        let _ = ada.post("/api/portal/ticket/replies", json!({"body": "The blue one."})).await.expect(201);
        row("The first").containing("waiting since").wait().await;
        agent.link("The first").click().await;
        agent.field("Answer to Ada").wait().await;
        agent.press('u').await;
        agent.wait_for_path("/tickets?waiting=true").await;
    })
    .await;
}

#[tokio::test]
async fn a_canned_reply_is_found_and_inserted_with_the_keyboard() {
    walk(async |test| {
        let tenant = test.app.workspace().await;
        let client = tenant.full_access().await;
        for title in ["Refund by card", "Thanks"] {
            let reply = json!({"title": title, "body": format!("{title}, {{{{customer.name}}}}.")});
            let _ = client.post("/api/v1/support/canned-replies", reply).await.expect(201);
        }
        let page = agent(test, &tenant, "Ann", &ticket(&client).await).await;
        page.field("Answer to Ada").fill("Hello.").await;
        page.button("Insert reply").click().await;
        let dialog = page.role(AriaRole::Dialog, "Insert a canned reply");
        dialog.containing("Thanks, Ada.").wait().await;
        page.field("Title or shortcut").fill("refu").await;
        page.shows_no("Thanks").await;
        page.press(Key::Down).await;
        page.press(Key::Enter).await;
        page.shows("Inserted the canned reply.").await;
        assert_eq!(page.field("Answer to Ada").value().await, "Hello.\n\nRefund by card, Ada.");
    })
    .await;
}

#[tokio::test]
async fn text_written_without_a_session_is_restored_after_signing_in() {
    walk(async |test| {
        let tenant = test.app.workspace().await;
        let path = ticket(&tenant.full_access().await).await;
        let ann = member(&tenant, Role::Member, "Ann").await;
        let page = browser_of(test, &ann).await;
        page.open(&path).await;
        page.field("Answer to Ada").fill("Which").await;
        page.shows("Draft saved.").await;
        let _ = ann.client.post("/api/auth/logout", json!({})).await.expect(200);
        page.field("Answer to Ada").fill("Which printer").await;
        page.shows("You are signed out. Your text stays on this page.").await;
        // It is not submitted either.
        page.button("Send to customer").click().await;
        assert_eq!(page.field("Answer to Ada").value().await, "Which printer");
        page.link("Sign in").click().await;
        sign_in(&page, &ann.email, ann.password).await;
        page.wait_for_path(&path).await;
        assert_eq!(page.field("Answer to Ada").value().await, "Which printer");
        page.shows("Draft saved.").await;
        // The shortcut for answering puts the cursor after the draft.
        page.reload().await;
        page.press('r').await;
        page.type_text(" is it?").await;
        assert_eq!(page.field("Answer to Ada").value().await, "Which printer is it?");
    })
    .await;
}
