//! How pages name time entries without a note, and rates.

use domain::identity::workspaces::Role;
use serde_json::json;
use test_support::App;

const RATES: &str = "/api/settings/time-rates";

#[tokio::test]
async fn an_entry_without_a_note_is_called_by_its_length_and_day() {
    let app = App::start().await;
    let tenant = app.workspace().await;
    let user = tenant.user(Role::Owner).await;
    let owner = tenant.signed_in(Role::Owner).await;
    let rate = json!({"member_id": user.id, "rate": 85.5, "currency": "EUR"});
    let _ = user.client.post(RATES, rate).await.expect(200);
    let body = json!({"date": "2030-01-07", "seconds": 5_400});
    let id = user.client.post("/api/v1/time/entries", body).await.expect(201).id();
    let path = format!("/time_entries/{id}");
    let home = owner.open("/").await.expect(200);
    assert!(home.html().contains("1:30, 7 Jan 2030") && home.html().contains(&path), "{}", home.html());
    let page = owner.open(&path).await.expect(200);
    assert!(page.html().contains("€85.50"), "{}", page.html());
    let deleted = owner.submit(&page, &format!("{path}/delete"), &[]).await.expect(200);
    let restored = owner.submit(&deleted, &format!("{path}/restore"), &[]).await.expect(200);
    assert!(restored.html().contains("Restored “1:30, 7 Jan 2030”"), "{}", restored.html());
    // A long note is shortened to its first line.
    let body = json!({"date": "2030-01-07", "seconds": 60, "note": "First line\nSecond line"});
    let _ = user.client.post("/api/v1/time/entries", body).await.expect(201);
    let home = owner.open("/").await.expect(200);
    assert!(home.html().contains("First line") && !home.html().contains("Second line"), "{}", home.html());
}

#[tokio::test]
async fn each_button_to_remove_a_rate_has_its_own_label() {
    let app = App::start().await;
    let tenant = app.workspace().await;
    let user = tenant.user(Role::Owner).await;
    let owner = tenant.signed_in(Role::Owner).await;
    let project = user.client.post("/api/v1/projects", json!({"name": "Site"})).await.expect(201).id();
    for project in [None, Some(project)] {
        let rate = json!({"member_id": user.id, "project_id": project, "rate": 80, "currency": "EUR"});
        let _ = user.client.post(RATES, rate).await.expect(200);
    }
    let page = owner.open("/settings/time").await.expect(200);
    for label in ["Remove the rate of A member", "Remove the rate of A member in Site"] {
        assert!(page.html().contains(&format!("aria-label=\"{label}\"")), "{label}: {}", page.html());
    }
}
