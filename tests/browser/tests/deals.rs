//! Deals: the board with mouse and keyboard, closing, and the list with its filters, views and bulk actions.

use browser::{Found, Key, Page, Role as Kind, Walk, walk};
use domain::identity::workspaces::Role;
use serde_json::{Value, json};
use test_support::{Client, Tenant};

use crate::people::{at_work, go_to, tab_to};

const DEALS: &str = "/api/v1/crm/deals";

struct Selling {
    client: Client,
    page: Page,
}

impl Selling {
    /// A salesperson who has these deals.
    async fn start(test: &Walk, tenant: &Tenant<'_>, deals: &[(&str, u32)]) -> Self {
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

    async fn deal(&self, title: &str) -> Value {
        let all = self.client.get(DEALS).await.expect(200);
        let found = all.data().as_array().into_iter().flatten().find(|deal| deal["title"] == title).cloned();
        found.unwrap_or_else(|| panic!("no deal {title}: {}", all.text))
    }
}

fn column(page: &Page, stage: &str) -> Found {
    page.any(Kind::Region).containing(stage).within(&page.role(Kind::Region, "Deal board"))
}

fn card(page: &Page, title: &str) -> Found {
    page.any(Kind::Article).containing(title)
}

#[tokio::test]
async fn a_deal_is_dragged_over_the_board_and_won() {
    walk(async |test| {
        let tenant = test.app.workspace().await;
        let selling = Selling::start(test, &tenant, &[("Pilot", 1_200), ("Renewal", 300)]).await;
        let page = &selling.page;
        page.link("Deal board").click().await;
        column(page, "Discovery").containing("€1,500.00").wait().await;
        // Where people take hold of it: by its title.
        page.link("Pilot").drag_to(&column(page, "Proposal")).await;
        card(page, "Pilot").within(&column(page, "Proposal")).wait().await;
        column(page, "Proposal").containing("€1,200.00").wait().await;
        column(page, "Discovery").containing("€300.00").wait().await;
        assert_eq!(selling.deal("Pilot").await["stage"], "proposal");
        page.reload().await;
        card(page, "Pilot").within(&column(page, "Proposal")).wait().await;

        // Winning asks for the value, and takes a day that is today.
        card(page, "Pilot").drag_to(&column(page, "Closed won")).await;
        let dialog = page.role(Kind::Dialog, "Close deal");
        dialog.containing("Close as won").wait().await;
        let within = page.role(Kind::Dialog, "Close deal");
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
    })
    .await;
}

#[tokio::test]
async fn a_deal_is_moved_and_lost_by_the_keyboard_alone() {
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
        // The card moves before the service has answered.
        test_support::eventually("the deal moved", async || selling.deal("Pilot").await["stage"] == "negotiation")
            .await;
        // The focus stays with the card.
        test_support::eventually("the card has the focus", async || page.focused().await.name == "Move Pilot").await;

        page.press(Key::Enter).await;
        tab_to(page, "To stage").await;
        page.type_text("Closed l").await;
        tab_to(page, "Move").await;
        page.press(Key::Enter).await;
        page.role(Kind::Dialog, "Close deal").containing("Close as lost").wait().await;
        test_support::eventually("the dialog has the focus", async || page.focused().await.name == "Lost reason").await;
        page.type_text("Too dear").await;
        tab_to(page, "Close deal").await;
        page.press(Key::Enter).await;
        page.shows("Lost “Pilot”.").await;
        let lost = selling.deal("Pilot").await;
        assert_eq!((&lost["status"], &lost["lost_reason"]), (&json!("closed_lost"), &json!("Too dear")));
    })
    .await;
}

#[tokio::test]
async fn filters_are_in_the_address_can_be_removed_and_saved() {
    walk(async |test| {
        let tenant = test.app.workspace().await;
        let selling = Selling::start(test, &tenant, &[("Pilot", 1_200), ("Renewal", 300)]).await;
        let page = &selling.page;
        let stage = json!({"stage": "proposal"});
        let id = selling.deal("Pilot").await["id"].as_str().unwrap().to_owned();
        let _ = selling.client.patch(&format!("{DEALS}/{id}"), stage).await.expect(200);
        page.open_details("Filters").await;
        page.field("Proposal").click().await;
        page.link("Renewal").wait_until_gone().await;
        page.wait_for_path("/deals?stage=proposal").await;
        let chip = page.link("Stage: Proposal Remove filter");
        chip.wait().await;

        page.link("Pilot").click().await;
        page.heading("Pilot").wait().await;
        page.back().await;
        chip.wait().await;
        page.wait_for_path("/deals?stage=proposal").await;
        assert_eq!(page.link("Renewal").count().await, 0, "back keeps the filter");

        page.open_details("View").await;
        page.field("Name").fill("Offers").await;
        page.button("Save as view").click().await;
        page.shows("Saved the view “Offers”.").await;
        chip.click().await;
        page.wait_for_path("/deals").await;
        page.link("Renewal").wait().await;
        page.link("Offers").within(&page.role(Kind::Navigation, "Views")).click().await;
        page.wait_for_path("/deals?stage=proposal").await;
        chip.wait().await;
        page.field("Search").fill("nothing like it").await;
        page.shows("Nothing matches").await;
        for label in ["Export as CSV", "Export visible columns"] {
            let address = page.link(label).attribute("href").await.unwrap();
            let has = |part: &str| address.contains(part);
            assert!(has("stage=proposal") && has("search=nothing"), "an export is of what is shown: {address}");
        }
    })
    .await;
}

#[tokio::test]
async fn several_deals_are_tagged_deleted_and_restored_at_once() {
    walk(async |test| {
        let tenant = test.app.workspace().await;
        let deals = [("Pilot", 1_200), ("Renewal", 300), ("Training", 50)];
        let selling = Selling::start(test, &tenant, &deals).await;
        let page = &selling.page;
        let select = async || {
            for title in ["Select Pilot", "Select Training"] {
                page.field(title).click().await;
            }
        };
        select().await;
        page.field("Tag").fill("hot").await;
        page.button("Add tag").click().await;
        page.shows("Changed 2 records.").await;
        assert_eq!(selling.deal("Training").await["tags"], json!(["hot"]));

        select().await;
        page.shows("2 selected").await;
        page.button("Delete").click().await;
        page.shows("Deleted 2 records.").await;
        page.button("Restore").click().await;
        page.shows("Restored 2 records.").await;
        page.field("Select all").click().await;
        assert!(page.field("Select Renewal").is_checked().await);
        page.link("Pilot").wait().await;

        // Columns are chosen, and stay in the address.
        page.open_details("Columns").await;
        page.field("Currency").click().await;
        page.button("Apply").click().await;
        page.any(Kind::ColumnHeader).containing("CURRENCY").wait().await;
        assert!(page.path().await.contains("columns="), "{}", page.path().await);

        // One that is deleted comes back by the message.
        page.link("Renewal").click().await;
        page.button("Delete").click().await;
        page.shows("Deleted “Renewal”.").await;
        page.button("Restore").click().await;
        page.shows("Restored “Renewal”.").await;
        assert_eq!(selling.deal("Renewal").await["value"], 300);
    })
    .await;
}
