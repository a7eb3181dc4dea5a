//! Home: next steps, waiting items and colours.

use browser::{AriaRole, Page, walk};
use domain::identity::workspaces::Role;
use serde_json::json;

use crate::people::{at_work, go_to};

async fn theme(page: &Page) -> String {
    let theme = page.script("return document.documentElement.dataset.bsTheme", vec![]).await;
    theme.as_str().unwrap_or_default().to_owned()
}

#[tokio::test]
async fn next_steps_are_ticked_off_and_hidden() {
    walk(async |test| {
        let tenant = test.app.workspace().await;
        let page = at_work(test, &tenant, Role::Owner, "Olga").await;
        page.open("/").await;
        let steps = page.role(AriaRole::Region, "Next steps");
        let before = page.any(AriaRole::ListItem).containing("done").within(&steps).count().await;
        page.link("Create an API key").click().await;
        page.field("Name").fill("Reports").await;
        page.button("Create key").click().await;
        page.shows("Copy the key now").await;
        go_to(&page, "Home").await;
        page.any(AriaRole::ListItem).containing("Create an API key done").within(&steps).wait().await;
        assert_eq!(page.any(AriaRole::ListItem).containing("done").within(&steps).count().await, before + 1);
        page.link("Invite a colleague").wait().await;
        page.link("Connect an AI client").wait().await;
        page.link("Register a webhook").wait().await;
        page.button("Hide").click().await;
        steps.wait_until_gone().await;
        page.reload().await;
        page.heading("Pipeline").wait().await;
        assert_eq!(steps.count().await, 0);
    })
    .await;
}

#[tokio::test]
async fn waiting_items_are_on_home_and_appear_automatically() {
    walk(async |test| {
        let tenant = test.app.workspace().await;
        let page = at_work(test, &tenant, Role::Member, "Ann").await;
        page.open("/").await;
        page.shows("There are no open deals.").await;
        let client = tenant.full_access().await;
        let deal = json!({"title": "Pilot", "value": 1200, "currency": "EUR"});
        let _ = client.post("/api/v1/crm/deals", deal).await.expect(201);
        page.any(AriaRole::ListItem)
            .containing("€1,200.00")
            .within(&page.role(AriaRole::Region, "Pipeline"))
            .wait()
            .await;
        let changes = page.role(AriaRole::Region, "What changed");
        page.link("Pilot").within(&changes).click().await;
        page.heading("Pilot").wait().await;
    })
    .await;
}

#[tokio::test]
async fn dark_pages_stay_dark() {
    walk(async |test| {
        let tenant = test.app.workspace().await;
        let page = at_work(test, &tenant, Role::Member, "Ann").await;
        page.open("/").await;
        assert_eq!(theme(&page).await, "light");
        page.prefer_dark(true).await;
        page.reload().await;
        assert_eq!(theme(&page).await, "dark", "as the system");
        page.prefer_dark(false).await;
        go_to(&page, "Ann").await;
        page.field("Dark").click().await;
        page.button("Save").within(&page.any(AriaRole::Form).containing("Appearance")).click().await;
        page.shows("Your choice is saved in this browser.").await;
        for path in ["/account", "/deals/board", "/"] {
            page.open(path).await;
            assert_eq!(theme(&page).await, "dark", "{path}");
        }
        let background =
            "return getComputedStyle(document.body).backgroundColor.match(/[0-9.]+/g).slice(0, 3).map(Number)";
        let colours = page.script(background, vec![]).await;
        assert!(colours.as_array().unwrap().iter().all(|part| part.as_f64().unwrap() < 80.0), "{colours}");
        // Another browser is not affected.
        let other = at_work(test, &tenant, Role::Member, "Bob").await;
        other.open("/").await;
        assert_eq!(theme(&other).await, "light");
    })
    .await;
}
