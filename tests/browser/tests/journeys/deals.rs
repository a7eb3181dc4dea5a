//! Deals: filters and bulk changes.

use browser::{AriaRole, walk};
use serde_json::json;

use crate::deals::{DEALS, Selling};

#[tokio::test]
async fn filters_are_part_of_the_address_and_can_be_removed_and_saved() {
    walk(async |test| {
        let tenant = test.app.workspace().await;
        let selling = Selling::start(test, &tenant, &[("Pilot", 1_200), ("Renewal", 300)]).await;
        let page = &selling.page;
        let stage = json!({"stage": "proposal"});
        let id = selling.deal("Pilot").await["id"].as_str().unwrap().to_owned();
        let _ = selling.client.patch(&format!("{DEALS}/{id}"), stage).await.expect(200);
        page.shows("2 deals").await;
        page.open_details("Filters").await;
        page.field("Proposal").click().await;
        page.link("Renewal").wait_until_gone().await;
        // The totals follow the filters.
        page.shows("1 deal").await;
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
        page.link("Offers").within(&page.role(AriaRole::Navigation, "Views")).click().await;
        page.wait_for_path("/deals?stage=proposal").await;
        chip.wait().await;
        page.field("Search").fill("nothing like it").await;
        page.shows("No deals match these filters").await;
        for label in ["Export as CSV", "Export visible columns"] {
            let address = page.link(label).attribute("href").await.unwrap();
            let has = |part: &str| address.contains(part);
            assert!(has("stage=proposal") && has("search=nothing"), "an export has the filters of the list: {address}");
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
        page.button("Edit").click().await;
        page.field("Add tags").fill("hot").await;
        page.button("Apply").click().await;
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

        // Selected columns are part of the address.
        page.open_details("Columns").await;
        page.field("Currency").click().await;
        page.button("Apply").click().await;
        page.any(AriaRole::ColumnHeader).containing("CURRENCY").wait().await;
        assert!(page.path().await.contains("columns="), "{}", page.path().await);

        // The message restores a deleted deal.
        page.link("Renewal").click().await;
        page.button("Delete").click().await;
        page.shows("Deleted “Renewal”.").await;
        page.button("Restore").click().await;
        page.shows("Restored “Renewal”.").await;
        assert_eq!(selling.deal("Renewal").await["value"], 300);
    })
    .await;
}

/// The titles of the rows, in order.
const TITLES: &str = "return [...document.querySelectorAll('.title-cell a')].map((one) => one.textContent)";

#[tokio::test]
async fn column_headers_sort_filtered_records_in_both_directions() {
    walk(async |test| {
        let tenant = test.app.workspace().await;
        let selling = Selling::start(test, &tenant, &[("Elsewhere", 5_000)]).await;
        for (title, value, close) in
            [("Small", 10, "2030-03-01"), ("Large", 900, "2030-02-01"), ("Middle", 300, "2030-01-01")]
        {
            let deal = json!({
                "title": title, "value": value, "currency": "EUR", "stage": "proposal", "expected_close_date": close,
            });
            let _ = selling.client.post(DEALS, deal).await.expect(201);
        }
        let page = &selling.page;
        page.open("/deals?stage=proposal").await;
        let totals = "3 deals €1,210.00 in total";
        page.shows(totals).await;
        // Headers are shown in capitals.
        for (head, order, direction, titles) in [
            ("VALUE", "value", "descending", ["Large", "Middle", "Small"]),
            ("VALUE", "value_asc", "ascending", ["Small", "Middle", "Large"]),
            ("VALUE", "value", "descending", ["Large", "Middle", "Small"]),
            ("EXPECTED CLOSE", "expected_close_asc", "ascending", ["Middle", "Large", "Small"]),
            ("EXPECTED CLOSE", "expected_close_desc", "descending", ["Small", "Large", "Middle"]),
        ] {
            let column = page.any(AriaRole::ColumnHeader).containing(head);
            page.any(AriaRole::Link).containing(head).within(&column).click().await;
            page.wait_for_path(&format!("/deals?stage=proposal&order={order}")).await;
            page.settles().await;
            assert_eq!(page.script(TITLES, vec![]).await, json!(titles), "{order}");
            assert_eq!(column.attribute("aria-sort").await.as_deref(), Some(direction), "{order}");
            // The totals of the filtered records are unchanged.
            page.shows(totals).await;
        }
        page.link("Stage: Proposal Remove filter").click().await;
        page.wait_for_path("/deals?order=expected_close_desc").await;
        page.shows("4 deals €6,210.00 in total").await;
    })
    .await;
}
