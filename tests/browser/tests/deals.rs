//! The board of deals, with the mouse and with the keyboard.

use browser::{AriaRole, Key, Locator, Page, Walk, walk};
use domain::identity::workspaces::Role;
use serde_json::{Value, json};
use test_support::{Client, Tenant};

use crate::people::{at_work, go_to, tab_to};

pub(crate) const DEALS: &str = "/api/v1/crm/deals";

/// A salesperson at work, and their deals.
pub(crate) struct Selling {
    pub(crate) client: Client,
    pub(crate) page: Page,
}

impl Selling {
    /// A salesperson who has these deals.
    pub(crate) async fn start(test: &Walk, tenant: &Tenant, deals: &[(&str, u32)]) -> Self {
        let client = tenant.full_access().await;
        for (title, value) in deals {
            let deal = json!({"title": title, "value": value, "currency": "EUR"});
            let _ = client.post(DEALS, deal).await.expect(201);
        }
        let page = at_work(test, tenant, Role::Member, "Ann").await;
        page.open("/").await;
        go_to(&page, "Deals").await;
        Self { client, page }
    }

    pub(crate) async fn deal(&self, title: &str) -> Value {
        let all = self.client.get(DEALS).await.expect(200);
        let found = all.data().as_array().into_iter().flatten().find(|deal| deal["title"] == title).cloned();
        found.unwrap_or_else(|| panic!("no deal {title}: {}", all.text))
    }
}

pub(crate) fn column(page: &Page, stage: &str) -> Locator {
    page.any(AriaRole::Region).containing(stage).within(&page.role(AriaRole::Region, "Deal board"))
}

pub(crate) fn card(page: &Page, title: &str) -> Locator {
    page.any(AriaRole::Article).containing(title)
}

#[tokio::test]
async fn a_deal_is_dragged_across_the_board_and_won() {
    walk(async |test| {
        let tenant = test.app.workspace().await;
        let selling = Selling::start(test, &tenant, &[("Pilot", 1_200), ("Renewal", 300)]).await;
        let page = &selling.page;
        page.link("Deal board").click().await;
        column(page, "Discovery").containing("€1,500.00").wait().await;
        // People grab a card by its title.
        page.link("Pilot").drag_to(&column(page, "Proposal")).await;
        card(page, "Pilot").within(&column(page, "Proposal")).wait().await;
        column(page, "Proposal").containing("€1,200.00").wait().await;
        column(page, "Discovery").containing("€300.00").wait().await;
        assert_eq!(selling.deal("Pilot").await["stage"], "proposal");
        page.reload().await;
        card(page, "Pilot").within(&column(page, "Proposal")).wait().await;

        // Winning asks for the value, with today as the date.
        card(page, "Pilot").drag_to(&column(page, "Closed won")).await;
        let dialog = page.role(AriaRole::Dialog, "Close deal");
        dialog.containing("Close as won").wait().await;
        let within = page.role(AriaRole::Dialog, "Close deal");
        page.link("Cancel").within(&within).click().await;
        within.wait_until_gone().await;
        assert_eq!(selling.deal("Pilot").await["stage"], "proposal", "nothing was done");
        card(page, "Pilot").within(&column(page, "Proposal")).drag_to(&column(page, "Closed won")).await;
        page.field("Value").within(&within).fill("1350").await;
        page.button("Close deal").within(&within).click().await;
        page.shows("Won “Pilot”.").await;
        card(page, "Pilot").within(&column(page, "Closed won")).wait().await;
        let won = selling.deal("Pilot").await;
        assert_eq!((&won["status"], &won["value"]), (&json!("closed_won"), &json!(1350)));

        // Another move cannot undo reopening by a card; the message restores all values.
        card(page, "Pilot").drag_to(&column(page, "Negotiation")).await;
        let message = page.any(AriaRole::Status).containing("Moved “Pilot” to Negotiation.");
        page.button("Undo").within(&message).click().await;
        page.shows("Put 1 record back as it was.").await;
        assert_eq!(selling.deal("Pilot").await["status"], "closed_won");
        card(page, "Pilot").within(&column(page, "Closed won")).wait().await;
    })
    .await;
}

#[tokio::test]
async fn a_deal_is_moved_and_lost_using_only_the_keyboard() {
    walk(async |test| {
        let tenant = test.app.workspace().await;
        let selling = Selling::start(test, &tenant, &[("Pilot", 1_200)]).await;
        let page = &selling.page;
        page.open("/deals/board").await;
        tab_to(page, "Move Pilot").await;
        page.press(Key::Enter).await;
        tab_to(page, "To stage").await;
        page.type_text("Nego").await;
        tab_to(page, "Move").await;
        page.press(Key::Enter).await;
        card(page, "Pilot").within(&column(page, "Negotiation")).wait().await;
        // The card moves before the service responds.
        test_support::eventually("the deal moved", async || selling.deal("Pilot").await["stage"] == "negotiation")
            .await;
        // The focus stays with the card.
        test_support::eventually("the card has the focus", async || page.focused().await.name == "Move Pilot").await;

        page.press(Key::Enter).await;
        tab_to(page, "To stage").await;
        page.type_text("Closed l").await;
        tab_to(page, "Move").await;
        page.press(Key::Enter).await;
        page.role(AriaRole::Dialog, "Close deal").containing("Close as lost").wait().await;
        test_support::eventually("the dialog has the focus", async || page.focused().await.name == "Lost reason").await;
        page.type_text("Too dear").await;
        tab_to(page, "Close deal").await;
        page.press(Key::Enter).await;
        page.shows("Lost “Pilot”.").await;
        let lost = selling.deal("Pilot").await;
        assert_eq!((&lost["status"], &lost["lost_reason"]), (&json!("closed_lost"), &json!("Too dear")));
        tab_to(page, "Undo").await;
        page.press(Key::Enter).await;
        page.shows("Put 1 record back as it was.").await;
        let open = selling.deal("Pilot").await;
        assert_eq!((&open["stage"], &open["lost_reason"]), (&json!("negotiation"), &Value::Null));
    })
    .await;
}

#[tokio::test]
async fn only_filled_in_fields_are_set_for_selected_deals_and_undo_restores_them() {
    walk(async |test| {
        let tenant = test.app.workspace().await;
        let selling = Selling::start(test, &tenant, &[]).await;
        let titles = ["Barista training", "Canteen", "Espresso bar"];
        for title in titles {
            let deal = json!({"title": title, "expected_close_date": "2030-01-31"});
            let _ = selling.client.post(DEALS, deal).await.expect(201);
        }
        let page = &selling.page;
        page.open("/deals").await;
        // Scripts enable it when the first row is selected.
        for button in ["Edit", "Delete"] {
            assert!(!page.button(button).is_enabled().await, "{button}");
        }
        for title in titles {
            page.field(&format!("Select {title}")).click().await;
        }
        page.shows("3 selected").await;
        page.button("Edit").click().await;
        page.heading("Edit 3 records").wait().await;
        page.shows("Now: nothing (3)").await;
        page.field("Assigned to").select("Ann").await;
        page.button("Apply").click().await;
        page.shows("Changed 3 records.").await;
        for title in titles {
            let deal = selling.deal(title).await;
            assert!(deal["assigned_to"].is_string(), "{deal}");
            assert_eq!(deal["expected_close_date"], "2030-01-31");
        }
        page.button("Undo").click().await;
        page.shows("Put 3 records back as they were.").await;
        for title in titles {
            let deal = selling.deal(title).await;
            assert_eq!((&deal["assigned_to"], &deal["expected_close_date"]), (&Value::Null, &json!("2030-01-31")));
        }
    })
    .await;
}

#[tokio::test]
async fn an_in_place_change_is_undone_from_its_message() {
    walk(async |test| {
        let tenant = test.app.workspace().await;
        let selling = Selling::start(test, &tenant, &[("Pilot", 1_200)]).await;
        let page = &selling.page;
        page.link("Pilot").click().await;
        page.link("Edit Value").click().await;
        page.field("Value").fill("2000").await;
        page.button("Save").click().await;
        page.shows("Saved “Value” of “Pilot”.").await;
        assert_eq!(selling.deal("Pilot").await["value"].as_f64(), Some(2_000.0));
        page.button("Undo").click().await;
        page.shows("Put 1 record back as it was.").await;
        assert_eq!(selling.deal("Pilot").await["value"].as_f64(), Some(1_200.0));
    })
    .await;
}
