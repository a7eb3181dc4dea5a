//! Typed times are in the zone that the form shows, even if the browser's zone becomes known meanwhile.

use domain::identity::workspaces::Role;
use serde_json::json;
use test_support::{App, Browser, Client, Tenant};

const ZONE: &str = "_zone.due_at";

async fn task(client: &Client, due_at: &str) -> (String, String) {
    let body = json!({"kind": "task", "title": "Roast", "due_at": due_at});
    let id = client.create("/api/v1/issues", body).await;
    (format!("/tasks/{id}"), format!("/api/v1/issues/{id}"))
}

async fn due_at(client: &Client, api: &str) -> serde_json::Value {
    client.get(api).await.expect(200).data()["due_at"].clone()
}

async fn start(tenant: &Tenant) -> (Client, Browser) {
    (tenant.full_access().await, tenant.signed_in(Role::Member).await)
}

#[tokio::test]
async fn a_form_carries_the_zone_that_it_shows() {
    let (_app, tenant) = App::with_workspace().await;
    let (client, browser) = start(&tenant).await;
    let form = browser.open("/tasks/new").await.expect(200);
    assert_eq!(form.value_of("/tasks", ZONE).as_deref(), Some("UTC"));
    form.assert_contains(&["Time zone: <span>UTC</span>"]);
    // The page's script has reported the zone since.
    browser.set_cookie("tz", "Europe%2FBerlin");
    let new = browser.submit(&form, "/tasks", &[("title", "Roast"), ("due_at", "2030-07-01T09:30")]).await.expect(200);
    let (page, api) = (new.address.clone(), format!("/api/v1{}", new.address.replace("tasks", "issues")));
    assert_eq!(due_at(&client, &api).await, "2030-07-01T09:30:00.000000Z");

    let edit = browser.open(&format!("{page}/edit?field=due_at")).await.expect(200);
    let shown = ["due_at", ZONE].map(|name| edit.value_of(&page, name));
    assert_eq!(shown, [Some("2030-07-01T11:30".to_owned()), Some("Europe/Berlin".to_owned())]);
    // Another zone is set in another tab.
    browser.set_cookie("zone", "Asia%2FTokyo");
    let _ = browser.submit(&edit, &page, &[("due_at", "2030-07-01T12:00")]).await.expect(200);
    assert_eq!(due_at(&client, &api).await, "2030-07-01T10:00:00.000000Z");
    // A script showed the same instant in the browser's zone: nothing was changed.
    let version = client.get(&api).await.expect(200).data()["version"].clone();
    let values = [("due_at", "2030-07-01T19:00"), (ZONE, "Asia/Tokyo")];
    let edit = browser.open(&format!("{page}/edit?field=due_at")).await.expect(200);
    let _ = browser.submit(&edit, &page, &values).await.expect(200);
    assert_eq!(client.get(&api).await.expect(200).data()["version"], version);
}

#[tokio::test]
async fn a_refused_form_keeps_the_zone_of_typed_times() {
    let (_app, tenant) = App::with_workspace().await;
    let (client, browser) = start(&tenant).await;
    let form = browser.open("/tasks/new").await.expect(200);
    browser.set_cookie("tz", "Europe%2FBerlin");
    let refused = browser.submit(&form, "/tasks", &[("title", ""), ("due_at", "2030-07-01T09:30")]).await.expect(422);
    let fields = ["due_at", ZONE].map(|name| refused.value_of("/tasks", name));
    assert_eq!(fields, [Some("2030-07-01T09:30".to_owned()), Some("UTC".to_owned())]);
    let created = browser.submit(&refused, "/tasks", &[("title", "Roast")]).await.expect(200);
    let api = format!("/api/v1{}", created.address.replace("tasks", "issues"));
    assert_eq!(due_at(&client, &api).await, "2030-07-01T09:30:00.000000Z");

    let unknown = [("title", "Roast"), ("due_at", "2030-07-01T09:30"), (ZONE, "Mars/Base")];
    let refused = browser.submit(&form, "/tasks", &unknown).await.expect(422);
    refused.assert_contains(&["unknown time zone “Mars/Base”"]);
    assert_eq!(refused.value_of("/tasks", ZONE).as_deref(), Some("Europe/Berlin"));
}

#[tokio::test]
async fn skipped_times_are_refused_and_repeated_hours_are_labelled() {
    let (_app, tenant) = App::with_workspace().await;
    let (client, browser) = start(&tenant).await;
    browser.set_cookie("tz", "Europe%2FBerlin");
    let form = browser.open("/tasks/new").await.expect(200);
    let skipped = [("title", "Roast"), ("due_at", "2030-03-31T02:30")];
    let refused = browser.submit(&form, "/tasks", &skipped).await.expect(422);
    let message = "clocks in Europe/Berlin skip 2030-03-31 02:30";
    assert!(refused.html().contains(message), "{}", refused.html());
    assert_eq!(refused.value_of("/tasks", "due_at").as_deref(), Some("2030-03-31T02:30"));
    let created = browser.submit(&refused, "/tasks", &[("due_at", "2030-10-27T02:30")]).await.expect(200);
    let api = format!("/api/v1{}", created.address.replace("tasks", "issues"));
    // The first of the two repeated hours.
    assert_eq!(due_at(&client, &api).await, "2030-10-27T00:30:00.000000Z");
    created.assert_contains(&["27 Oct 2030, 02:30 CEST"]);
    // The second one is labelled as such, and is kept when something else is changed.
    let (page, api) = task(&client, "2030-10-27T01:30:00Z").await;
    let edit = browser.open(&format!("{page}/edit")).await.expect(200);
    let saved = browser.submit(&edit, &page, &[("title", "Grind")]).await.expect(200);
    saved.assert_contains(&["27 Oct 2030, 02:30 CET"]);
    assert_eq!(due_at(&client, &api).await, "2030-10-27T01:30:00.000000Z");
}

#[tokio::test]
async fn times_of_a_conflict_are_compared_as_instants() {
    let (_app, tenant) = App::with_workspace().await;
    let (client, browser) = start(&tenant).await;
    let (page, api) = task(&client, "2030-07-01T09:30:00Z").await;
    let edit = browser.open(&format!("{page}/edit")).await.expect(200);
    browser.set_cookie("tz", "Europe%2FBerlin");
    // Another user changes something else.
    let _ = client.patch(&api, json!({"title": "Grind"})).await.expect(200);
    let _ = browser.submit(&edit, &page, &[("due_at", "2030-07-01T10:00")]).await.expect(200);
    assert_eq!(due_at(&client, &api).await, "2030-07-01T10:00:00.000000Z");
    // Another user changes the same member, and the form contains another change.
    let edit = browser.open(&format!("{page}/edit")).await.expect(200);
    browser.set_cookie("tz", "Asia%2FTokyo");
    let _ = client.patch(&api, json!({"due_at": "2030-08-01T00:00:00Z", "title": "Brew"})).await.expect(200);
    let values = [("due_at", "2030-07-02T12:00"), ("title", "Drink")];
    let conflict = browser.submit(&edit, &page, &values).await.expect(409);
    assert_eq!(conflict.value_of(&page, ZONE).as_deref(), Some("Europe/Berlin"));
    assert!(conflict.html().contains("2030-08-01T02:00"), "theirs, in the zone of mine: {}", conflict.html());
    let chosen = [("_choice.due_at", "mine"), ("_choice.title", "theirs")];
    let _ = browser.submit(&conflict, &page, &chosen).await.expect(200);
    assert_eq!(due_at(&client, &api).await, "2030-07-02T10:00:00.000000Z");
    // The user's other changes are kept along with the choice, in their zone.
    let edit = browser.open(&format!("{page}/edit")).await.expect(200);
    browser.set_cookie("tz", "UTC");
    let _ = client.patch(&api, json!({"title": "Roast"})).await.expect(200);
    let values = [("due_at", "2030-07-03T09:00"), ("title", "Drink")];
    let conflict = browser.submit(&edit, &page, &values).await.expect(409);
    let _ = browser.submit(&conflict, &page, &[("_choice.title", "mine")]).await.expect(200);
    assert_eq!(due_at(&client, &api).await, "2030-07-03T00:00:00.000000Z");
}

#[tokio::test]
async fn filters_and_views_mean_the_same_time_for_everyone() {
    let (_app, tenant) = App::with_workspace().await;
    let (client, browser) = start(&tenant).await;
    let _ = task(&client, "2030-07-01T08:00:00Z").await;
    browser.set_cookie("tz", "Europe%2FBerlin");
    for (query, is_found) in [
        ("due_before=2030-07-01T09%3A30", false),
        ("due_before=2030-07-01T10%3A30", true),
        // The form was rendered before the zone was known.
        ("due_before=2030-07-01T09%3A30&_zone.due_before=UTC", true),
        ("due_before=2030-07-01T07%3A30&_zone.due_before=UTC", false),
        ("due_before=&_zone.due_before=UTC", true),
    ] {
        let list = browser.open(&format!("/tasks?{query}")).await.expect(200);
        assert_eq!(list.html().contains("Roast"), is_found, "{query}: {}", list.html());
    }
    let list = browser.open("/tasks?due_before=2030-07-01T10%3A30").await.expect(200);
    list.assert_contains(&["value=\"2030-07-01T10:30\"", "Due before: 2030-07-01 10:30"]);
    let _ = browser.submit(&list, "/views", &[("name", "Soon"), ("shared", "true")]).await.expect(200);
    let other_browser = tenant.signed_in(Role::Member).await;
    other_browser.set_cookie("tz", "Asia%2FTokyo");
    let list = other_browser.open("/tasks").await.expect(200);
    let view = list.links().into_iter().find(|link| link.contains("due_before=")).unwrap();
    let soon = other_browser.open(&view.replace("&amp;", "&")).await.expect(200);
    soon.assert_contains(&["value=\"2030-07-01T17:30\"", "Roast"]);
}
