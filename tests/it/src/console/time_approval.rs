//! What owners and admins do with submitted time: they approve, reject and invoice what they have seen.

use domain::identity::workspaces::Role;
use serde_json::{Value, json};
use test_support::{App, Client};

use super::time::{signed_in, task_of_acme, ticked};

const ENTRIES: &str = "/api/v1/time/entries";
const APPROVAL: &str = "/time/approval";
const CHANGED: &str = "have changed since you opened this page";

async fn stored(client: &Client, id: &str) -> Value {
    client.get(&format!("{ENTRIES}/{id}")).await.expect(200).data().clone()
}

async fn step(client: &Client, step: &str, id: &str) {
    let _ = client.post(&format!("{ENTRIES}/{step}"), json!({"ids": [id]})).await.expect(200);
}

#[tokio::test]
async fn an_entry_that_changed_since_the_page_was_opened_is_not_approved() {
    let app = App::start().await;
    let tenant = app.workspace().await;
    let (browser, client, member) = signed_in(&tenant, &app, Role::Owner).await;
    let mut ids = Vec::new();
    for day in ["2026-01-05", "2026-01-06"] {
        let entry = json!({"member_id": member, "date": day, "seconds": 32_400});
        let id = client.post(ENTRIES, entry).await.expect(201).id();
        step(&client, "submit", &id).await;
        ids.push(id);
    }
    let waiting = browser.open(APPROVAL).await.expect(200);
    // The boxes are ticked, and their values have the versions.
    assert!(waiting.value_of(APPROVAL, "selected").is_some_and(|value| value.ends_with(":2")), "{}", waiting.html());
    // The member corrects an entry, and submits it again.
    let _ = client.patch(&format!("{ENTRIES}/{}", ids[0]), json!({"seconds": 39_600})).await.expect(200);
    step(&client, "submit", &ids[0]).await;
    for action in ["approve", "reject"] {
        let (first, second) = (ticked(&waiting, &ids[0]), ticked(&waiting, &ids[1]));
        let values = [("selected", &*first), ("selected", &*second), ("_action", action)];
        let refused = browser.submit(&waiting, APPROVAL, &values).await.expect(200);
        assert!(refused.html().contains(CHANGED) && refused.html().contains("11:00"), "{}", refused.html());
        for id in &ids {
            assert_eq!(stored(&client, id).await["status"], "submitted", "{action}");
        }
    }
    // The page that says so shows the entries as they are now.
    let shown = browser.open(APPROVAL).await.expect(200);
    let approved = browser.submit(&shown, APPROVAL, &[("_action", "approve")]).await.expect(200);
    assert!(approved.html().contains("Approved 2 time entries."), "{}", approved.html());
    // A deleted entry is not approved either.
    let deleted = ticked(&shown, &ids[1]);
    let owner = tenant.user(Role::Owner).await.client;
    let _ = owner.delete(&format!("{ENTRIES}/{}", ids[1])).await.expect(200);
    let values = [("selected", &*deleted), ("_action", "approve")];
    let refused = browser.submit(&shown, APPROVAL, &values).await.expect(200);
    assert!(refused.html().contains(CHANGED), "{}", refused.html());
}

#[tokio::test]
async fn approved_entries_are_marked_as_invoiced_once_and_after_a_question() {
    let app = App::start().await;
    let tenant = app.workspace().await;
    let (browser, client, member) = signed_in(&tenant, &app, Role::Admin).await;
    let entry = json!({"member_id": member, "date": "2026-01-05", "seconds": 5_400, "note": "Sketches"});
    let id = client.post(ENTRIES, entry).await.expect(201).id();
    let waiting = browser.open(APPROVAL).await.expect(200);
    assert!(!waiting.html().contains("value=\"invoice\""), "{}", waiting.html());
    step(&tenant.user(Role::Owner).await.client, "approve", &id).await;
    let approved = browser.open("/time/approval?status=approved").await.expect(200);
    assert_eq!(approved.value_of(APPROVAL, "selected"), None, "nothing is ticked: {}", approved.html());
    approved.assert_contains(&["Mark as invoiced", "href=\"/export/time_entries?status=approved\""]);
    let selected = ticked(&approved, &id);
    let values = [("selected", &*selected), ("_action", "invoice")];
    let question = browser.submit(&approved, APPROVAL, &values).await.expect(200);
    assert!(question.html().contains("Mark 1 time entry as invoiced? You cannot undo this."), "{}", question.html());
    assert_eq!(stored(&client, &id).await["status"], "approved");
    let invoiced = browser.submit(&question, APPROVAL, &[("_action", "invoice")]).await.expect(200);
    assert!(invoiced.html().contains("Marked 1 time entry as invoiced."), "{}", invoiced.html());
    assert_eq!(stored(&client, &id).await["status"], "exported");
    let again = browser.submit(&question, APPROVAL, &[("_action", "invoice")]).await.expect(200);
    assert!(again.html().contains(CHANGED), "nobody invoices it twice: {}", again.html());
    let list = browser.open("/time/approval?status=exported").await.expect(200);
    list.assert_contains(&["Invoiced", "Sketches", "1:30"]);
    assert!(!list.html().contains("name=\"selected\"") && !list.html().contains("value=\"reject\""), "{}", list.html());
}

#[tokio::test]
async fn rows_name_the_project_of_a_task() {
    let app = App::start().await;
    let tenant = app.workspace().await;
    let (browser, client, member) = signed_in(&tenant, &app, Role::Owner).await;
    let id = task_of_acme(&client).await;
    let entry = json!({"member_id": member, "task_id": id, "date": "2026-01-05", "seconds": 5_400});
    let entry = client.post(ENTRIES, entry).await.expect(201).id();
    step(&client, "submit", &entry).await;
    let waiting = browser.open(APPROVAL).await.expect(200);
    waiting.assert_contains(&["Roast", "<small class=\"text-secondary\">Shop</small>"]);
}
