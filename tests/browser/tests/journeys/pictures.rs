//! The pages that the documents show, in the demo workspace, which looks like a company's after weeks. Screenshots are
//! written if `BROWSER_SCREENSHOTS` is set; the requirements on pages are always checked.

use browser::{Page, walk_with};
use serde_json::json;
use test_support::{AppOptions, Client, Receiver};

const OWNER: &str = "owner@demo.example";
const NARROW: u32 = 360;
const WIDE: u32 = 1280;

#[tokio::test]
async fn the_demo_workspace() {
    let options = AppOptions { delivers: true, ..AppOptions::default() };
    walk_with(options, async |test| {
        let (tenant, key) = test.app.demo().await;
        let page = test.member(&tenant, OWNER).await;
        picture_of(&page, "/", "home").await;
        picture_of(&page, "/contacts", "contacts").await;
        let deal = id_of(&key, "/api/v1/crm/deals?search=breakfast").await;
        picture_of(&page, &format!("/deals/{deal}"), "deal").await;
        picture_of(&page, "/deals/board", "deal-board").await;
        let project = id_of(&key, "/api/v1/projects?search=northside").await;
        picture_of(&page, &format!("/projects/{project}/board"), "task-board").await;
        picture_of(&page, "/tickets", "tickets").await;
        let ticket = id_of(&key, "/api/v1/issues?kind=ticket&search=twice").await;
        let ticket = format!("/tickets/{ticket}");
        picture_of(&page, &ticket, "ticket").await;
        picture_of(&page, "/settings/keys", "keys").await;
        picture_of(&page, "/kb/demo", "help-centre").await;

        page.open("/companies").await;
        page.press('/').await;
        page.field("Search records and commands").fill("north").await;
        page.shows("Northside roll-out").await;
        picture(&page, "search").await;

        page.prefer_dark(true).await;
        picture_of(&page, "/", "home-dark").await;
        page.prefer_dark(false).await;
        page.set_width(NARROW).await;
        picture_of(&page, &ticket, "ticket-narrow").await;
        page.set_width(WIDE).await;

        let receiver = Receiver::start().await;
        make_deliveries(&page, &key, &receiver).await;
        picture(&page, "webhook").await;
    })
    .await;
}

/// Opens a page that the documents show.
async fn picture_of(page: &Page, path: &str, name: &str) {
    page.open(path).await;
    picture(page, name).await;
}

async fn picture(page: &Page, name: &str) {
    page.settles().await;
    assert!(page.fits_its_width().await, "{name}");
    page.axe().await;
    page.screenshot(name).await;
}

/// The only record of a list.
async fn id_of(key: &Client, list: &str) -> String {
    let found = key.get(list).await.expect(200).ids();
    assert_eq!(found.len(), 1, "{list}: {found:?}");
    found.into_iter().next().unwrap()
}

/// Creates a webhook with deliveries, one of which is being retried. Ends on the webhook's page.
async fn make_deliveries(page: &Page, key: &Client, receiver: &Receiver) {
    page.open("/settings/webhooks/new?module=crm").await;
    page.field("URL").fill(&receiver.url).await;
    page.field("Description").fill("Keeps the order system up to date").await;
    page.script("document.querySelector('[name=events][value=\"*\"]').click()", vec![]).await;
    page.button("Create webhook").click().await;
    page.shows("Signing secret").await;
    let deals = key.get("/api/v1/crm/deals?status=open&limit=8").await.expect(200).ids();
    let note = json!({"probability": 60});
    receiver.answer(503);
    for (place, deal) in deals.iter().enumerate() {
        let _ = key.patch(&format!("/api/v1/crm/deals/{deal}"), note.clone()).await.expect(200);
        receiver.wait_for(place + 1).await;
        receiver.answer(200);
    }
    page.open("/settings/webhooks").await;
    page.link(&receiver.url).click().await;
    page.shows("Succeeded").await;
    let deliveries = page.path().await + "#deliveries";
    page.open(&deliveries).await;
}
