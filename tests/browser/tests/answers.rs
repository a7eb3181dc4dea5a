//! Unexpected responses: the page stays as it is, with everything that was typed, and says what to do.

use browser::{AriaRole, Page, walk};
use domain::identity::workspaces::Role;
use serde_json::json;

use crate::people::{COMPANIES, at_work};

/// Fakes responses to the page's requests, with this status and this `Retry-After`.
const FAKE_RESPONSE: &str = "const [status, after] = arguments;
    const made = XMLHttpRequest.prototype;
    const names = ['open', 'getResponseHeader', 'status', 'response', 'responseText'];
    window.made ??= names.map((name) => [name, Object.getOwnPropertyDescriptor(made, name)]);
    const open = window.made[0][1].value;
    made.open = function () { open.call(this, 'GET', '/healthz'); };
    made.getResponseHeader = (name) => name.toLowerCase() === 'retry-after' ? after : null;
    const answer = { status, response: '', responseText: '' };
    for (const [name, value] of Object.entries(answer)) Object.defineProperty(made, name, { configurable: true, get: () => value });";
/// Removes the fake.
const REMOVE_FAKE: &str =
    "for (const [name, was] of window.made) Object.defineProperty(XMLHttpRequest.prototype, name, was);";

async fn fake_response(page: &Page, status: u16, retry_after: Option<&str>) {
    page.script(FAKE_RESPONSE, vec![json!(status), json!(retry_after)]).await;
}

async fn restore_responses(page: &Page) {
    page.script(REMOVE_FAKE, vec![]).await;
}

const KEPT: &str = "What you typed is still here.";

#[tokio::test]
async fn an_unsaved_field_keeps_the_typed_text_until_it_is_saved() {
    walk(async |test| {
        let tenant = test.app.workspace().await;
        let client = tenant.full_access().await;
        let id = client.post(COMPANIES, json!({"name": "Acme", "industry": "Steel"})).await.expect(201).id();
        let page = at_work(test, &tenant, Role::Member, "Ann").await;
        page.open(&format!("/companies/{id}")).await;
        page.link("Edit Industry").click().await;
        page.field("Industry").fill("Coffee").await;
        for (status, retry_after, message) in [
            (429, Some("7"), "Too many requests. Try again in 7 seconds."),
            (429, Some("1"), "Too many requests. Try again in 1 second."),
            (503, None, "The service could not answer, so this may not be saved. Try again in a moment."),
            (404, None, "This is no longer there: it was deleted, or you no longer have access to it."),
            (403, None, "This was rejected."),
            // A page without the requested part.
            (200, None, "The service could not answer"),
        ] {
            fake_response(&page, status, retry_after).await;
            page.button("Save").click().await;
            page.any(AriaRole::Alert).containing(message).wait().await;
            assert!(page.any(AriaRole::Alert).text().await.contains(KEPT), "{status}");
            assert_eq!(page.field("Industry").value().await, "Coffee", "{status}");
        }
        assert_eq!(client.get(&format!("{COMPANIES}/{id}")).await.expect(200).data()["industry"], "Steel");
        restore_responses(&page).await;
        page.button("Save").click().await;
        page.link("Edit Industry").wait().await;
        page.any(AriaRole::Alert).wait_until_gone().await;
        assert_eq!(client.get(&format!("{COMPANIES}/{id}")).await.expect(200).data()["industry"], "Coffee");
    })
    .await;
}

#[tokio::test]
async fn a_field_of_a_deleted_record_is_saved_once_the_record_is_restored() {
    walk(async |test| {
        let tenant = test.app.workspace().await;
        let client = tenant.full_access().await;
        let id = client.post(COMPANIES, json!({"name": "Acme", "industry": "Steel"})).await.expect(201).id();
        let page = at_work(test, &tenant, Role::Owner, "Olga").await;
        page.open(&format!("/companies/{id}")).await;
        page.link("Edit Industry").click().await;
        page.field("Industry").fill("Coffee").await;
        page.expect_message("status of 404");
        let _ = client.delete(&format!("{COMPANIES}/{id}")).await.expect(200);
        page.button("Save").click().await;
        let message = page.any(AriaRole::Alert).containing(KEPT);
        message.wait().await;
        assert!(message.text().await.contains("deleted this."));
        assert_eq!(page.field("Industry").value().await, "Coffee");
        page.button("Restore").click().await;
        page.shows("Restored. You can now send what you typed again.").await;
        assert_eq!(page.field("Industry").value().await, "Coffee");
        page.button("Save").click().await;
        page.link("Edit Industry").wait().await;
        assert_eq!(client.get(&format!("{COMPANIES}/{id}")).await.expect(200).data()["industry"], "Coffee");
    })
    .await;
}

#[tokio::test]
async fn a_failed_search_says_so_and_keeps_the_list() {
    walk(async |test| {
        let tenant = test.app.workspace().await;
        let client = tenant.full_access().await;
        let _ = client.post(COMPANIES, json!({"name": "Acme"})).await.expect(201);
        let page = at_work(test, &tenant, Role::Member, "Ann").await;
        page.open("/companies").await;
        page.link("Acme").wait().await;
        for (status, message) in
            [(429, "Too many requests. Try again in 5 seconds."), (503, "The service could not answer.")]
        {
            fake_response(&page, status, Some("5")).await;
            page.field("Search").fill(&format!("nothing {status}")).await;
            page.any(AriaRole::Alert).containing(message).wait().await;
            page.link("Acme").wait().await;
            assert_eq!(page.field("Search").value().await, format!("nothing {status}"));
        }
        restore_responses(&page).await;
        page.field("Search").fill("nothing like it").await;
        page.link("Acme").wait_until_gone().await;
        page.any(AriaRole::Alert).wait_until_gone().await;
    })
    .await;
}

#[tokio::test]
async fn typed_text_is_not_selected_when_other_parts_of_the_page_change() {
    walk(async |test| {
        let tenant = test.app.workspace().await;
        let client = tenant.full_access().await;
        let id = client.post(COMPANIES, json!({"name": "Acme", "phone": "1"})).await.expect(201).id();
        let page = at_work(test, &tenant, Role::Member, "Ann").await;
        page.open(&format!("/companies/{id}")).await;
        page.link("Edit Phone").click().await;
        page.field("Phone").fill("+49").await;
        let contact = json!({"first_name": "Ada", "last_name": "King", "email": "ada@example.com", "company_id": id});
        let _ = client.post("/api/v1/crm/contacts", contact).await.expect(201);
        page.link("Ada King").wait().await;
        page.type_text(" 30").await;
        assert_eq!(page.field("Phone").value().await, "+49 30");
    })
    .await;
}
