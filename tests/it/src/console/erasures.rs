//! Erasing people's data in the console: lookup, confirmation by typing, and progress.

use domain::identity::workspaces::Role;
use serde_json::json;
use test_support::{Browser, Screen, eventually};

use crate::erasure::{start, ticket};
use crate::support::UNKNOWN_ID;

const ERASURES: &str = "/settings/erasures";
const LOOKUP: &str = "/settings/erasures/look";
const EMAIL: &str = "bea@person.example";

async fn look_up(browser: &Browser, values: &[(&str, &str)]) -> Screen {
    let page = browser.open(ERASURES).await.expect(200);
    browser.submit(&page, LOOKUP, values).await
}

#[tokio::test]
async fn a_person_is_looked_up_erased_after_confirmation_and_the_result_is_shown() {
    let (app, tenant) = start().await;
    let (browser, key) = (tenant.signed_in(Role::Owner).await, tenant.full_access().await);
    let contact = json!({"email": EMAIL, "first_name": "<img src=x onerror=alert(1)>", "last_name": "Bee"});
    let id = key.create("/api/v1/crm/contacts", contact).await;
    let _ = ticket(&key, EMAIL).await;
    let results = look_up(&browser, &[("email", "BEA@person.example")]).await.expect(200);
    results.assert_contains(&[
        "&#60;img src=x",
        "Bee",
        EMAIL,
        "This data cannot be recovered",
        "<dd class=\"number\">1</dd>",
    ]);
    assert!(!results.html().contains("<img src=x"));
    let by_id = look_up(&browser, &[("contact_id", &id)]).await.expect(200);
    by_id.assert_contains(&[EMAIL]);

    let by_name = look_up(&browser, &[("contact_id", EMAIL)]).await.expect(200);
    assert!(by_name.html().contains(&id), "a contact is named as in other forms: {}", by_name.html());

    for typed in ["", "bea", EMAIL] {
        let refused = browser.submit(&results, ERASURES, &[("confirmation", typed)]).await.expect(422);
        refused.assert_contains(&["must match the text above exactly"]);
    }
    let contacts = key.get("/api/v1/crm/contacts?email=bea@person.example").await.expect(200);
    assert_eq!(contacts.ids().len(), 1);
    let erasure = browser.submit(&results, ERASURES, &[("confirmation", "BEA@person.example")]).await.expect(200);
    assert!(erasure.address.starts_with(&format!("{ERASURES}/")), "{}", erasure.address);
    let is_finished = async || browser.open(&erasure.address).await.html().contains(">Done</span>");
    eventually("it is done", is_finished).await;
    let shown = browser.open(&erasure.address).await.expect(200);
    shown.assert_contains(&[
        "<td>Contacts</td><td class=\"number\">1</td>",
        "<td>Tickets</td><td class=\"number\">1</td>",
    ]);
    assert!(!shown.html().to_lowercase().contains(EMAIL), "{}", shown.html());
    // The list says when, by whom and how much was erased, but nothing about the person.
    let list = browser.open(ERASURES).await.expect(200);
    list.assert_contains(&[&erasure.address, "Contacts: 1, Tickets: 1", ">Done</span>", "Earlier erasures"]);
    assert!(!list.html().to_lowercase().contains(EMAIL) && !list.html().contains("Bee"), "{}", list.html());
    let others = app.workspace().await.signed_in(Role::Owner).await.open(ERASURES).await.expect(200);
    others.assert_contains(&["No data has been erased yet"]);
    let repeated = look_up(&browser, &[("email", EMAIL)]).await.expect(422);
    repeated.assert_contains(&["Nothing is stored about this person"]);
}

#[tokio::test]
async fn missing_and_wrong_values_are_reported_next_to_their_fields() {
    let (_app, tenant) = start().await;
    let browser = tenant.signed_in(Role::Admin).await;
    for (values, message) in [
        (&[][..], "contact_id or email is required"),
        (&[("email", "a@example.com"), ("contact_id", UNKNOWN_ID)][..], "not be sent together with contact_id"),
        (&[("email", "nobody")][..], "email-error"),
        (&[("contact_id", "x")][..], "contact_id-error"),
        (&[("contact_id", UNKNOWN_ID)][..], "Nothing is stored about this person"),
    ] {
        let refused = look_up(&browser, values).await.expect(422);
        assert!(refused.html().contains(message), "{message}: {}", refused.html());
        for (name, value) in values {
            let is_kept = refused.fields_of(LOOKUP).iter().any(|(known, typed)| known == name && typed == value);
            assert!(is_kept, "{name}: {}", refused.html());
        }
    }
}

#[tokio::test]
async fn erasures_are_for_owners_and_admins_of_the_workspace() {
    let (app, tenant) = start().await;
    let key = tenant.full_access().await;
    let id = key.create("/api/v1/crm/contacts", json!({"email": EMAIL})).await;
    for role in [Role::Member, Role::Viewer] {
        let browser = tenant.signed_in(role).await;
        let _ = browser.open(ERASURES).await.expect(403);
        let _ = browser.open(&format!("{ERASURES}/{UNKNOWN_ID}")).await.expect(403);
        let mut fields = browser.open("/").await.fields_of("/sign-out");
        fields.extend([("contact_id", &id), ("confirmation", &id)].map(|(name, id)| (name.to_owned(), id.clone())));
        for action in [ERASURES, LOOKUP] {
            assert_eq!(browser.send(browser.post(action, &fields)).await.status, 403, "{role} {action}");
        }
    }
    let outsider = app.workspace().await.signed_in(Role::Owner).await;
    let _ = outsider.open(&format!("{ERASURES}/{UNKNOWN_ID}")).await.expect(404);
    let none = look_up(&outsider, &[("contact_id", &id)]).await.expect(422);
    none.assert_contains(&["Nothing is stored about this person"]);
}
