//! Lost connections: pages say so, keep what was typed, and save it once the connection is back.

use browser::{Page, walk};
use domain::identity::workspaces::Role;
use serde_json::json;

use crate::people::at_work;

const LOST: &str = "The connection is lost. Your text is kept";
const COMPANIES: &str = "/api/v1/crm/companies";

/// Returns whether a request fails.
const IS_CUT_OFF: &str = "const done = arguments[arguments.length - 1];
    fetch('/healthz', { method: 'HEAD', cache: 'no-store' }).then(() => done(false), () => done(true));";
const LOOKS: u32 = 50;

/// Disconnects the network, and waits until the page shows it.
pub(crate) async fn lose(page: &Page) {
    for message in ["net::ERR_INTERNET_DISCONNECTED", "htmx:sendError", "htmx:afterRequest"] {
        page.expect_message(message);
    }
    page.set_offline(true).await;
    // The browser notifies the page and blocks its requests at different moments. Until both have happened, a form would be sent.
    page.shows(LOST).await;
    for _ in 0..LOOKS {
        if page.async_script(IS_CUT_OFF, Vec::new()).await == json!(true) {
            // A request in between may have removed the message. The next request shows it again.
            return;
        }
    }
    panic!("the page reaches the service without a connection");
}

#[tokio::test]
async fn typed_text_survives_a_lost_connection() {
    walk(async |test| {
        let tenant = test.app.workspace().await;
        let client = tenant.full_access().await;
        let company = json!({"name": "Acme", "industry": "Steel"});
        let id = client.post(COMPANIES, company).await.expect(201).id();
        let page = at_work(test, &tenant, Role::Member, "Ann").await;
        page.open(&format!("/companies/{id}")).await;
        page.link("Edit Industry").click().await;
        page.field("Industry").fill("Iron").await;
        lose(&page).await;
        page.button("Save").click().await;
        page.shows(LOST).await;
        assert_eq!(page.field("Industry").value().await, "Iron");
        page.field("New comment").fill("Half a thought").await;
        page.shows("The draft is not saved yet").await;
        page.set_offline(false).await;
        page.shows("Draft saved.").await;
        page.button("Save").click().await;
        page.link("Edit Industry").wait().await;
        page.shows_no(LOST).await;
        assert_eq!(client.get(&format!("{COMPANIES}/{id}")).await.expect(200).data()["industry"], "Iron");
        page.reload().await;
        assert_eq!(page.field("New comment").value().await, "Half a thought");
    })
    .await;
}

#[tokio::test]
async fn a_full_page_form_also_survives_a_lost_connection() {
    walk(async |test| {
        let tenant = test.app.workspace().await;
        let page = at_work(test, &tenant, Role::Member, "Ann").await;
        page.open("/companies/new").await;
        page.field("Name").fill("Globex").await;
        lose(&page).await;
        page.button("Save").click().await;
        page.shows(LOST).await;
        assert_eq!(page.field("Name").value().await, "Globex");
        page.set_offline(false).await;
        page.shows_no(LOST).await;
        page.button("Save").click().await;
        page.shows("Created “Globex”.").await;
    })
    .await;
}
