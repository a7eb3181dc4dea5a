//! The list, the form and the page of time entries.

use std::time::Duration;

use domain::identity::workspaces::Role;
use serde_json::{Value, json};
use test_support::{App, Client, Tenant};

const ENTRIES: &str = "/api/v1/time/entries";
const FORM: &str = "/time_entries/new";
const LIST: &str = "/time_entries";

/// Two tasks with the same title, in the projects Shop and Roastery.
async fn meetings(client: &Client) -> [String; 2] {
    let mut tasks = [String::new(), String::new()];
    for (task, name) in tasks.iter_mut().zip(["Shop", "Roastery"]) {
        let project = client.create("/api/v1/projects", json!({ "name": name })).await;
        let body = json!({"kind": "task", "title": "Client meeting", "status": "todo", "project_id": project});
        *task = client.create("/api/v1/issues", body).await;
    }
    tasks
}

/// The latest entry.
async fn latest(client: &Client) -> Value {
    client.get(ENTRIES).await.expect(200).data()[0].clone()
}

async fn lock(tenant: &Tenant, day: &str) {
    let owner = tenant.user(Role::Owner).await.client;
    let _ = owner.patch("/api/settings/workspace", json!({ "time_locked_until": day })).await.expect(200);
}

#[tokio::test]
async fn tasks_with_the_same_title_are_told_apart_by_their_project() {
    let (_app, tenant, client) = App::with_workspace_client().await;
    let [_, second] = meetings(&client).await;
    let browser = tenant.signed_in(Role::Member).await;
    let offers = browser.open("/pick/task?q=client").await.expect(200);
    offers.assert_contains(&["Shop, To do", "Roastery, To do"]);
    let form = browser.open(FORM).await.expect(200);
    let values = [("task_id", "client meeting"), ("date", "2026-01-05"), ("seconds", "1h")];
    let several = browser.submit(&form, LIST, &values).await.expect(422);
    several.assert_contains(&["Client meeting (Shop, To do)", "Which one do you mean?"]);
    assert_eq!(several.value_of(LIST, "task_id").as_deref(), Some("client meeting"));
    // Without a choice, nothing is guessed.
    let again = browser.submit(&several, LIST, &[]).await.expect(422);
    let radio = format!("type=\"radio\" name=\"_id.task_id\" value=\"{second}\"");
    again.assert_contains(&[&radio]);
    let _ = browser.submit(&again, LIST, &[("_id.task_id", &second)]).await.expect(200);
    assert_eq!(latest(&client).await["task_id"], *second);
    // As messages show it.
    let values = [("task_id", "Client meeting (Roastery, To do)"), ("date", "2026-01-06"), ("seconds", "1h")];
    let _ = browser.submit(&form, LIST, &values).await.expect(200);
    let stored = latest(&client).await;
    assert_eq!((&stored["task_id"], &stored["date"]), (&json!(second), &json!("2026-01-06")));
}

#[tokio::test]
async fn a_new_entry_is_of_today_or_of_the_day_of_its_start() {
    let (app, tenant, client) = App::with_workspace_client().await;
    let owner = tenant.user(Role::Owner).await.client;
    let zone = json!({"time_zone": "Pacific/Kiritimati"});
    let _ = owner.patch("/api/settings/workspace", zone).await.expect(200);
    let browser = tenant.signed_in(Role::Member).await;
    // Fourteen hours ahead of UTC.
    let today = || (app.ports.clock.now() + Duration::from_hours(14)).date().to_string();
    let before = today();
    let form = browser.open(FORM).await.expect(200);
    let day = form.value_of(LIST, "date").unwrap();
    assert!([before, today()].contains(&day), "{day}");
    let times = |start: &'static str, end: &'static str| {
        [("started_at", start), ("ended_at", end), ("_zone.started_at", "UTC"), ("_zone.ended_at", "UTC")]
    };
    // The untouched default gives way to the start.
    let created = times("2026-01-05T08:00", "2026-01-05T09:00");
    let _ = browser.submit(&form, LIST, &created).await.expect(200);
    assert_eq!(latest(&client).await["date"], "2026-01-05");
    // The day of the start in the zone of the workspace.
    let [start, end, start_zone, end_zone] = times("2026-01-05T12:00", "2026-01-05T13:00");
    let same_day = [start, end, start_zone, end_zone, ("date", "2026-01-06")];
    let _ = browser.submit(&form, LIST, &same_day).await.expect(200);
    assert_eq!(latest(&client).await["date"], "2026-01-06");
    let other_day = [start, end, start_zone, end_zone, ("date", "2026-01-09"), ("note", "Kept")];
    let refused = browser.submit(&form, LIST, &other_day).await.expect(422);
    refused.assert_contains(&["id=\"date-error\"", "This follows from the start and the end."]);
    assert_eq!(refused.value_of(LIST, "date").as_deref(), Some("2026-01-09"));
    assert!(refused.fields_of(LIST).contains(&("note".to_owned(), "Kept".to_owned())), "{}", refused.html());
}

#[tokio::test]
async fn an_entry_has_one_target_and_the_message_says_so_in_words() {
    let (_app, tenant, client) = App::with_workspace_client().await;
    let [task, _] = meetings(&client).await;
    let project = client.create("/api/v1/projects", json!({"name": "Mill"})).await;
    let browser = tenant.signed_in(Role::Member).await;
    let form = browser.open(FORM).await.expect(200);
    form.assert_contains(&["but only one of them", "Only if you choose no task"]);
    let values = [("task_id", &*task), ("project_id", &*project), ("date", "2026-01-05"), ("seconds", "1h")];
    let refused = browser.submit(&form, LIST, &values).await.expect(422);
    refused.assert_contains(&["id=\"project_id-error\"", "Choose only one of task, ticket, project and deal"]);
    let neither = browser.submit(&form, LIST, &[("date", ""), ("seconds", "1h")]).await.expect(422);
    neither.assert_contains(&["Fill in a date and a duration, or a start and an end."]);
}

#[tokio::test]
async fn only_owners_and_admins_choose_the_member() {
    let (_app, tenant, client) = App::with_workspace_client().await;
    let colleague = tenant.user(Role::Member).await.id.to_string();
    let browser = tenant.signed_in(Role::Member).await;
    let form = browser.open(FORM).await.expect(200);
    assert!(!form.fields_of(LIST).iter().any(|(name, _)| name == "member_id"), "{}", form.html());
    // A form from before the role changed.
    let values = [("member_id", &*colleague), ("date", "2026-01-05"), ("seconds", "1h"), ("note", "Kept")];
    let refused = browser.submit(&form, LIST, &values).await.expect(422);
    assert!(refused.fields_of(LIST).contains(&("note".to_owned(), "Kept".to_owned())), "{}", refused.html());
    let created = browser.submit(&form, LIST, &values[1..]).await.expect(200);
    let path = created.address.clone();
    assert!(created.html().contains(&format!("{path}/edit?field=note")), "{}", created.html());
    assert!(!created.html().contains("edit?field=member_id"), "{}", created.html());
    let admin = tenant.signed_in(Role::Admin).await;
    let form = admin.open(FORM).await.expect(200);
    let _ = admin.submit(&form, LIST, &values).await.expect(200);
    assert_eq!(latest(&client).await["member_id"], *colleague);
    assert!(admin.open(&path).await.expect(200).html().contains("edit?field=member_id"));
}

#[tokio::test]
async fn a_page_offers_only_changes_that_the_rules_permit() {
    let (app, tenant, client) = App::with_workspace_client().await;
    let member = tenant.user(Role::Member).await;
    let mut ids = Vec::new();
    for day in ["2026-01-05", "2026-02-05", "2026-02-06"] {
        let entry = json!({"member_id": member.id.to_string(), "date": day, "seconds": 3_600});
        ids.push(client.create(ENTRIES, entry).await);
    }
    let owner = tenant.user(Role::Owner).await.client;
    let _ = owner.post(&format!("{ENTRIES}/approve"), json!({"ids": [ids[1]]})).await.expect(200);
    lock(&tenant, "2026-01-31").await;
    let (own, admin) = (app.browser_of(&member).await, tenant.signed_in(Role::Admin).await);
    let colleague = tenant.signed_in(Role::Member).await;
    // Locked, approved, and open.
    for (browser, offered) in [(&own, [false, false, true]), (&admin, [false, true, true]), (&colleague, [false; 3])] {
        for (id, is_offered) in ids.iter().zip(offered) {
            let path = format!("{LIST}/{id}");
            let page = browser.open(&path).await.expect(200);
            assert_eq!(page.has_form(&format!("{path}/delete")), is_offered, "{}", page.html());
            assert_eq!(page.html().contains(&format!("{path}/edit")), is_offered, "{}", page.html());
        }
    }
}

#[tokio::test]
async fn a_list_shows_the_project_of_tasks() {
    let (_app, tenant, client) = App::with_workspace_client().await;
    let [task, _] = meetings(&client).await;
    let member = tenant.user(Role::Member).await.id.to_string();
    let entry = json!({"member_id": member, "task_id": task, "date": "2026-01-05", "seconds": 3_600});
    let _ = client.create(ENTRIES, entry).await;
    let list = tenant.signed_in(Role::Member).await.open(LIST).await.expect(200);
    let body = list.html().split("<tbody>").nth(1).unwrap();
    assert!(body.contains(">Shop</a>"), "{body}");
}
