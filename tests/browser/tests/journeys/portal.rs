//! Customers: from the confirmation page to their request, and pictures in answers.

use browser::{AriaRole, Page, Walk, walk};
use serde_json::json;
use test_support::Client;

use crate::people::follow_link;

const CUSTOMER: &str = "cy@example.org";

/// The customer's page of a ticket, opened with a new link.
pub(super) async fn portal_of(test: &Walk, key: &Client, reference: &str) -> Page {
    let link = key.post(&format!("/api/public/tickets/{reference}/tracking-links"), json!({})).await.expect(201);
    let page = test.visitor().await;
    page.open(&format!("/portal#token={}", link.data()["token"].as_str().unwrap())).await;
    page.button("Open my ticket").click().await;
    page.field("Your reply").wait().await;
    page
}

#[tokio::test]
async fn the_confirmation_page_leads_to_the_request() {
    walk(async |test| {
        let tenant = test.app.workspace().await;
        let page = test.visitor().await;
        page.open(&format!("/kb/{}/-/ticket", tenant.workspace.slug)).await;
        for (label, text) in [
            ("Your name", "Cy"),
            ("Your e-mail address", CUSTOMER),
            ("What is it about?", "My invoice"),
            ("Your message", "It is wrong."),
        ] {
            page.field(label).fill(text).await;
        }
        page.button("Send").click().await;
        page.heading("Thank you").wait().await;
        page.link("Open my request").click().await;
        // The workspace's page knows the reference, and e-mails a link to the ticket's address.
        let reference = page.field("Ticket reference").value().await;
        assert!(reference.starts_with("TKT-"), "{reference}");
        page.shows(&tenant.workspace.name).await;
        page.field("Your e-mail address").fill(CUSTOMER).await;
        page.button("E-mail me a link").click().await;
        page.shows("a new link is on its way").await;
        let opened = follow_link(test, CUSTOMER, 1).await;
        opened.button("Open my ticket").click().await;
        opened.heading("My invoice").wait().await;
        opened.shows("It is wrong.").await;
        opened.shows(&reference).await;
    })
    .await;
}

#[tokio::test]
async fn pictures_by_agents_are_links_and_pictures_by_customers_stay_text() {
    walk(async |test| {
        let tenant = test.app.workspace().await;
        let key = tenant.full_access().await;
        let asked = json!({"name": "Cy", "email": CUSTOMER, "subject": "My cup"});
        let asked = key.post("/api/public/tickets", asked).await.expect(201);
        let reference = asked.data()["reference"].as_str().unwrap().to_owned();
        let response = key.get(&format!("/api/v1/issues?kind=ticket&reference={reference}")).await.expect(200);
        let comments = format!("/api/v1/issues/{}/comments", response.ids().remove(0));
        let answer = "Is it ![this cup](https://pictures.example.com/cup.png)?";
        let _ = key.post(&comments, json!({"body": answer, "visibility": "public"})).await.expect(201);

        let page = portal_of(test, &key, &reference).await;
        page.any(AriaRole::Article).containing("Is it this cup?").wait().await;
        let picture = page.link("this cup");
        for (name, value) in
            [("href", "https://pictures.example.com/cup.png"), ("target", "_blank"), ("rel", "noreferrer")]
        {
            assert_eq!(picture.attribute(name).await.as_deref(), Some(value));
        }
        let reply = "No, ![mine](https://pictures.example.com/mine.png).";
        page.field("Your reply").fill(reply).await;
        page.button("Send").click().await;
        page.any(AriaRole::Article).containing(reply).wait().await;
        assert_eq!(page.link("mine").count().await, 0);
        assert_eq!(page.script("return document.images.length", vec![]).await, json!(0));
    })
    .await;
}
