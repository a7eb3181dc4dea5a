//! Settings: a webhook, its test, its deliveries and redelivery.

use browser::{AriaRole, Key, walk_with};
use domain::identity::workspaces::Role;
use serde_json::json;
use test_support::{AppOptions, Receiver};

use crate::people::{as_typed, at_work, go_to};

const DEALS: &str = "/api/v1/crm/deals";

#[tokio::test]
async fn a_webhook_is_registered_tested_monitored_and_redelivered() {
    walk_with(AppOptions { delivers: true, ..AppOptions::default() }, async |test| {
        let (tenant, receiver) = (test.app.workspace().await, Receiver::start().await);
        let page = at_work(test, &tenant, Role::Owner, "Olga").await;
        page.open("/").await;
        go_to(&page, "Settings").await;
        page.link("Webhooks").click().await;
        page.link("New webhook").click().await;
        page.any(AriaRole::Link).containing("Contacts, companies and deals").click().await;
        page.field("URL").fill(&receiver.url).await;
        page.button("Create webhook").click().await;
        page.shows("Must have at least one event").await;
        page.open_details("deal 10 events").await;
        page.field("All events Includes events added later.").click().await;
        page.button("Create webhook").click().await;
        page.shows("This secret is shown only once.").await;
        page.shows("whsec_").await;
        page.link("I have stored it").click().await;
        page.shows_no("whsec_").await;

        // The result of the test is on the same page.
        page.button("Send test").click().await;
        page.heading("Attempt 1").wait().await;
        page.shows("Answer ok").await;
        page.link("webhook.test").wait().await;

        let client = tenant.full_access().await;
        let deal = client.post(DEALS, json!({"title": "Pilot"})).await.expect(201).id();
        let _ = client.patch(&format!("{DEALS}/{deal}"), json!({"status": "closed_won"})).await.expect(200);
        let sent = receiver.wait_for(3).await;
        let events: Vec<_> = sent.iter().map(test_support::Received::event).collect();
        assert!(events.contains(&"deal.created") && events.contains(&"deal.won"), "{events:?}");
        page.reload().await;
        page.role(AriaRole::Region, "Success and latency").wait().await;
        page.link("deal.won").click().await;
        page.heading("Attempt 1").wait().await;
        page.shows("Pilot").await;
        receiver.answer(500);
        page.button("Send again").click().await;
        page.shows("The delivery is being sent again, with the same id.").await;
        page.heading("Attempt 2").wait().await;
        page.shows("500").await;
        receiver.answer(200);

        // All events since a time, after showing their number.
        page.link(&receiver.url).click().await;
        page.link("Send past events again").click().await;
        let yesterday = test.app.ports.clock.now().date().previous_day().unwrap();
        let since = format!("{}{}0100AM", as_typed(yesterday), char::from(Key::Right));
        page.field("Since").type_text(&since).await;
        page.button("Count").click().await;
        page.button("Send 2 events again").click().await;
        page.shows("The replay has started.").await;
        let _ = receiver.wait_for(5).await;
        page.shows("2 / 2").await;
    })
    .await;
}
