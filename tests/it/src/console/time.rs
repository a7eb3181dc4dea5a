//! Time in the console: the timer, the week, approval, rates, and the time on records.

use domain::identity::workspaces::Role;
use serde_json::{Value, json};
use test_support::{App, Browser, Client, Screen, Tenant};

use super::bulk_changes::undo_of;

const MARKUP: &str = "<img src=x onerror=alert(1)>";
pub(super) const WEEK: &str = "/time?week=2026-01-05";
pub(super) const ENTRIES: &str = "/api/v1/time/entries";
const DEALS: &str = "/api/v1/crm/deals";

/// A member's browser, and their client with all permissions.
pub(super) async fn signed_in(tenant: &Tenant, app: &App, role: Role) -> (Browser, Client, String) {
    let user = tenant.user(role).await;
    let browser = app.browser();
    let _ = browser.sign_in(&user.email, user.password, &tenant.workspace.slug).await;
    (browser, tenant.full_access().await, user.id.to_string())
}

async fn task(client: &Client, title: &str) -> String {
    let body = json!({"kind": "task", "title": title, "estimate_hours": 8});
    client.post("/api/v1/issues", body).await.expect(201).id()
}

/// The task Roast in the project Shop of the company Acme.
pub(super) async fn task_of_acme(client: &Client) -> String {
    let company = client.post("/api/v1/crm/companies", json!({"name": "Acme"})).await.expect(201).id();
    let project = json!({"name": "Shop", "company_id": company});
    let project = client.post("/api/v1/projects", project).await.expect(201).id();
    let body = json!({"kind": "task", "title": "Roast", "project_id": project});
    client.post("/api/v1/issues", body).await.expect(201).id()
}

fn cell(target: &str, day: &str) -> String {
    format!("cell-{target}-{day}")
}

/// Fills in cells of the week on a page.
async fn fill_week(browser: &Browser, week: &Screen, cells: &[(&str, &str)]) -> Screen {
    browser.submit(week, "/time", cells).await
}

/// The value of the box with which a page of approval selects an entry.
pub(super) fn ticked(page: &Screen, id: &str) -> String {
    let mut values = page.attributes(["value"]).into_iter().flatten().flatten();
    values.find(|value| value.starts_with(&format!("{id}:"))).unwrap()
}

pub(super) async fn entries(client: &Client) -> Vec<Value> {
    client.get(ENTRIES).await.expect(200).data().as_array().unwrap().clone()
}

#[tokio::test]
async fn a_filled_week_shows_the_total_in_each_cell() {
    let app = App::start().await;
    let tenant = app.workspace().await;
    let (browser, client, member) = signed_in(&tenant, &app, Role::Member).await;
    let id = task(&client, &format!("Roast {MARKUP}")).await;
    let week = browser.open(WEEK).await.expect(200);
    assert!(week.html().contains("5 Jan 2026 – 11 Jan 2026"), "{}", week.html());
    week.assert_contains(&["value=\"2025-12-29\"", "value=\"2026-01-12\""]);
    let added = browser.press(&week, "/time", "/time/rows", &[("task_id", &id)]).await.expect(200);
    assert!(added.html().contains("Roast &#60;img") && !added.html().contains(MARKUP), "{}", added.html());
    let monday = cell(&format!("task-{id}"), "2026-01-05");
    let general = cell("none", "2026-01-11");
    let saved = fill_week(&browser, &added, &[(&monday, "1h30"), (&general, "45m")]).await.expect(200);
    assert_eq!(saved.value_of("/time", &monday).as_deref(), Some("1:30"));
    assert_eq!(saved.value_of("/time", &general).as_deref(), Some("0:45"));
    assert!(saved.html().contains("<strong>2:15</strong>"), "{}", saved.html());
    let stored = entries(&client).await;
    assert_eq!(stored.len(), 2);
    assert!(stored.iter().all(|entry| entry["member_id"] == *member && entry["started_at"].is_null()), "{stored:?}");
    // Longer, then shorter: one entry is changed, and an empty cell deletes it.
    let longer = fill_week(&browser, &saved, &[(&monday, "2:00"), (&general, "0")]).await.expect(200);
    assert_eq!(longer.value_of("/time", &monday).as_deref(), Some("2:00"));
    let stored = entries(&client).await;
    assert_eq!(stored.len(), 1);
    assert_eq!((&stored[0]["seconds"], &stored[0]["task_id"]), (&json!(7_200), &json!(id)));
}

#[tokio::test]
async fn cell_errors_are_reported_and_typed_text_is_kept() {
    let app = App::start().await;
    let tenant = app.workspace().await;
    let (browser, client, _) = signed_in(&tenant, &app, Role::Member).await;
    let week = browser.open(WEEK).await.expect(200);
    let (monday, tuesday) = (cell("none", "2026-01-05"), cell("none", "2026-01-06"));
    let refused = fill_week(&browser, &week, &[(&monday, "soon"), (&tuesday, "2:00")]).await.expect(422);
    assert!(refused.html().contains("Mon 5 Jan: Type hours and minutes"), "{}", refused.html());
    assert_eq!(refused.value_of("/time", &monday).as_deref(), Some("soon"));
    assert_eq!(refused.value_of("/time", &tuesday).as_deref(), Some("2:00"));
    assert_eq!(entries(&client).await.len(), 1, "what can be read is saved");
    let fixed = fill_week(&browser, &refused, &[(&monday, "1:15")]).await.expect(200);
    assert_eq!(fixed.value_of("/time", &monday).as_deref(), Some("1:15"));
    assert_eq!(entries(&client).await.len(), 2);
    let owner = tenant.user(Role::Owner).await;
    let locked = json!({"time_locked_until": "2026-01-06"});
    let _ = owner.client.patch("/api/settings/workspace", locked).await.expect(200);
    let refused = fill_week(&browser, &fixed, &[(&monday, "3:00")]).await.expect(422);
    refused.assert_contains(&["You typed 3:00."]);
    let viewer = tenant.signed_in(Role::Viewer).await;
    let page = viewer.open(WEEK).await.expect(200);
    let has_rows = page.actions().contains(&"/time/rows".to_owned());
    assert!(!page.html().contains("data-cell") && !has_rows, "{}", page.html());
}

#[tokio::test]
async fn a_cell_that_has_changed_since_shows_both_times_and_can_be_saved_again() {
    let app = App::start().await;
    let tenant = app.workspace().await;
    let (browser, client, member) = signed_in(&tenant, &app, Role::Member).await;
    let log = async |day: &str, seconds: i32| {
        let body = json!({"member_id": member, "date": day, "seconds": seconds, "note": "Workshop"});
        client.post(ENTRIES, body).await.expect(201).id()
    };
    let (monday, tuesday) = (cell("none", "2026-01-05"), cell("none", "2026-01-06"));
    let id = log("2026-01-05", 3_600).await;
    let stale = browser.open(WEEK).await.expect(200);
    let _ = client.patch(&format!("{ENTRIES}/{id}"), json!({"seconds": 10_800})).await.expect(200);
    let typed = [(&*monday, "1:30"), (&*tuesday, "2:00")];
    for button in ["/time/submit", "/time/rows"] {
        let _ = browser.press(&stale, "/time", button, &[(&monday, "1:30")]).await.expect(422);
    }
    let refused = fill_week(&browser, &stale, &typed).await.expect(422);
    refused.assert_contains(&["Mon 5 Jan: It was changed to 3:00 in the meantime. You typed 1:30: save again"]);
    let seconds = async |id: &str| client.get(&format!("{ENTRIES}/{id}")).await.expect(200).data()["seconds"].clone();
    assert_eq!(seconds(&id).await, json!(10_800), "nothing is overwritten silently");
    assert_eq!(entries(&client).await.len(), 2, "other cells are saved");
    // While another cell is saved, this one waits.
    let other = [(&*tuesday, "2:30"), ("_cell", &*tuesday)];
    let waiting = fill_week(&browser, &refused, &other).await.expect(422);
    waiting.assert_contains(&["It is still 3:00. You typed 1:30: save again"]);
    assert_eq!(seconds(&id).await, json!(10_800));
    let again = fill_week(&browser, &waiting, &[]).await.expect(200);
    assert_eq!(again.value_of("/time", &monday).as_deref(), Some("1:30"));
    assert_eq!(seconds(&id).await, json!(5_400));
    // A second entry: it is not clear which of them to change.
    let _ = log("2026-01-05", 7_200).await;
    let refused = fill_week(&browser, &again, &[(&monday, "1:00")]).await.expect(422);
    refused.assert_contains(&["It was changed to 3:30 in the meantime", "You typed 1:00."]);
    assert_eq!(seconds(&id).await, json!(5_400));
}

#[tokio::test]
async fn cells_lead_to_their_entries_and_only_a_single_one_is_typed() {
    let app = App::start().await;
    let tenant = app.workspace().await;
    let (browser, client, member) = signed_in(&tenant, &app, Role::Member).await;
    let project = client.post("/api/v1/projects", json!({"name": "Shop"})).await.expect(201).id();
    let body = json!({"kind": "task", "title": "Roast", "project_id": project});
    let task = client.post("/api/v1/issues", body).await.expect(201).id();
    let log = async |body: Value| client.post(ENTRIES, body).await.expect(201).id();
    let amount = |day: &str| json!({"member_id": member, "task_id": task, "date": day, "seconds": 3_600});
    let single = log(amount("2026-01-05")).await;
    for _ in 0..2 {
        let _ = log(amount("2026-01-06")).await;
    }
    let (start, end) = ("2026-01-07T08:00:00Z", "2026-01-07T09:00:00Z");
    let timed = log(json!({"member_id": member, "task_id": task, "started_at": start, "ended_at": end})).await;
    let _ = client.post(&format!("{ENTRIES}/submit"), json!({"ids": [single]})).await.expect(200);
    let week = browser.open(WEEK).await.expect(200);
    let typed = |day: &str| week.value_of("/time", &cell(&format!("task-{task}"), day));
    let days = ["2026-01-05", "2026-01-06", "2026-01-07", "2026-01-08"].map(typed);
    assert_eq!(days, [Some("1:00".to_owned()), None, None, Some(String::new())]);
    let links = week.links();
    let several = format!("/time_entries?member={member}&task_id={task}&from=2026-01-06&to=2026-01-06");
    for link in [format!("/time_entries/{single}"), several, format!("/time_entries/{timed}")] {
        assert!(links.contains(&link), "{link}: {links:?}");
    }
    week.assert_contains(&["Submitted</span>", ">Shop</div>", "2 entries of Roast, Tue 6 Jan"]);
    // Its time is removed with the entry, which can be restored.
    let monday = cell(&format!("task-{task}"), "2026-01-05");
    let emptied = fill_week(&browser, &week, &[(&monday, "")]).await.expect(200);
    emptied.assert_contains(&["Deleted 1 time entry."]);
    let _ = browser.submit(&emptied, &format!("/time_entries/{single}/restore"), &[]).await.expect(200);
    assert_eq!(entries(&client).await.len(), 4);
}

#[tokio::test]
async fn every_button_of_the_week_saves_what_was_typed() {
    let app = App::start().await;
    let tenant = app.workspace().await;
    let (browser, client, _) = signed_in(&tenant, &app, Role::Member).await;
    let (first, second) = (task(&client, "Roast").await, task(&client, "Grind").await);
    let saved = async || entries(&client).await.len();
    let week = browser.open(WEEK).await.expect(200);
    let (monday, tuesday) = (cell("none", "2026-01-05"), cell("none", "2026-01-06"));
    let row = [("task_id", &*first), (&*monday, "1:00")];
    let added = browser.press(&week, "/time", "/time/rows", &row).await.expect(200);
    assert_eq!(saved().await, 1);
    // Enter in the form that adds a row presses the first button.
    let added = fill_week(&browser, &added, &[("task_id", &second)]).await.expect(200);
    let rows = [cell(&format!("task-{first}"), "2026-01-06"), cell(&format!("task-{second}"), "2026-01-06")];
    assert!(rows.iter().all(|row| added.value_of("/time", row).as_deref() == Some("")), "{}", added.html());
    let next = [("_go", "2026-01-12"), (&*rows[0], "2:00")];
    let next = fill_week(&browser, &added, &next).await.expect(200);
    assert!(next.address.contains("week=2026-01-12") && saved().await == 2, "{}", next.address);
    let copied = browser.press(&next, "/time", "/time/rows", &[("_copy", "true")]).await.expect(200);
    let friday = cell(&format!("task-{first}"), "2026-01-16");
    assert_eq!(copied.value_of("/time", &friday).as_deref(), Some(""));
    let back = fill_week(&browser, &copied, &[("_go", "2026-01-05")]).await.expect(200);
    let wrong = browser.press(&back, "/time", "/time/submit", &[(&tuesday, "soon")]).await.expect(422);
    wrong.assert_contains(&["Type hours and minutes"]);
    assert!(entries(&client).await.iter().all(|entry| entry["status"] == "stopped"), "nothing is submitted");
    let submitted = browser.press(&wrong, "/time", "/time/submit", &[(&tuesday, "0:30")]).await.expect(200);
    submitted.assert_contains(&["Submitted 3 time entries."]);
    let empty = browser.open("/time?week=2020-01-06").await.expect(200);
    let none = browser.press(&empty, "/time", "/time/rows", &[("_copy", "true")]).await.expect(200);
    none.assert_contains(&["Last week has no rows to copy."]);
}

#[tokio::test]
async fn a_timer_is_started_from_a_record_and_stopped_without_scripts() {
    let app = App::start().await;
    let tenant = app.workspace().await;
    let (browser, client, _) = signed_in(&tenant, &app, Role::Member).await;
    let id = task(&client, "Roast").await;
    let path = format!("/tasks/{id}");
    let page = browser.open(&path).await.expect(200);
    assert!(page.html().contains("href=\"/time/timer\""), "{}", page.html());
    let started = browser.submit(&page, "/time/start", &[]).await.expect(200);
    assert!(started.address == path && started.html().contains("Started the timer."), "{}", started.html());
    let timer = browser.open("/time/timer").await.expect(200);
    assert!(timer.html().contains("data-seconds=") && timer.html().contains("Roast"), "{}", timer.html());
    let deal = client.post("/api/v1/crm/deals", json!({"title": "Beans"})).await.expect(201).id();
    let other = browser.open(&format!("/deals/{deal}")).await.expect(200);
    let _ = browser.submit(&other, "/time/start", &[]).await.expect(200);
    let running = entries(&client).await.into_iter().filter(|entry| entry["status"] == "running").count();
    assert_eq!(running, 1, "the first one is stopped");
    let timer = browser.open("/time/timer").await.expect(200);
    let other_tab = browser.open("/time/timer").await.expect(200);
    let stopped = browser.submit(&timer, "/time/stop", &[]).await.expect(200);
    assert!(stopped.html().contains("Stopped the timer at 0:00."), "{}", stopped.html());
    assert!(!stopped.has_form("/time/stop"), "{}", stopped.html());
    let repeated = browser.submit(&other_tab, "/time/stop", &[]).await.expect(200);
    assert!(repeated.html().contains("No timer was running."), "{}", repeated.html());
    let refused = [("task_id", &*id), ("deal_id", &*deal)];
    let two = browser.submit(&repeated, "/time/start", &refused).await.expect(422);
    assert!(two.html().contains("at most one of"), "{}", two.html());
    // The timer above the navigation.
    let part = browser.send(browser.request("GET", "/time/timer").header("HX-Request", "true")).await;
    assert!(part.text.starts_with("<div class=\"timer-now\">") && part.text.contains("hx-post"), "{}", part.text);
    assert!(part.text.contains("Timer with task and note"), "{}", part.text);
    let viewer = tenant.signed_in(Role::Viewer).await;
    let page = viewer.open(&path).await.expect(200);
    assert!(!page.has_form("/time/start") && !page.html().contains("/time/timer"), "{}", page.html());
}

#[tokio::test]
async fn a_running_timer_leads_to_its_entry_and_is_not_cut_in_two() {
    let app = App::start().await;
    let tenant = app.workspace().await;
    let (browser, client, _) = signed_in(&tenant, &app, Role::Member).await;
    let path = format!("/tasks/{}", task(&client, "Roast").await);
    let page = browser.open(&path).await.expect(200);
    assert!(page.html().contains(&format!("data-timer-of=\"{path}\"")), "{}", page.html());
    let _ = browser.submit(&page, "/time/start", &[]).await.expect(200);
    let entry = format!("/time_entries/{}", entries(&client).await[0]["id"].as_str().unwrap());
    let part = browser.send(browser.request("GET", "/time/timer").header("HX-Request", "true")).await;
    for expected in [&*entry, &*format!("data-timer-on=\"{path}\""), "id=\"timer-stop\""] {
        assert!(part.text.contains(expected), "{expected}: {}", part.text);
    }
    // Without scripts, the page has no button that stops it.
    let page = browser.open(&path).await.expect(200);
    let refused = browser.submit(&page, "/time/start", &[]).await.expect(200);
    assert!(refused.address == path && refused.html().contains("The timer was already running"), "{}", refused.html());
    assert_eq!(entries(&client).await.len(), 1);
    // The entry can be changed, and the timer keeps running.
    let edit = browser.open(&format!("{entry}/edit?field=note")).await.expect(200);
    let saved = browser.submit(&edit, &entry, &[("note", "Sketches")]).await.expect(200);
    let stored = entries(&client).await;
    assert_eq!((&stored[0]["status"], &stored[0]["note"]), (&json!("running"), &json!("Sketches")));
    let admin = tenant.signed_in(Role::Admin).await;
    assert!(!admin.open(&entry).await.expect(200).has_form("/time/stop"), "only its member stops it");
    let stopped = browser.submit(&saved, "/time/stop", &[]).await.expect(200);
    assert!(stopped.address == entry && stopped.html().contains("Stopped the timer at 0:00."), "{}", stopped.html());
    assert!(!stopped.has_form("/time/stop"), "{}", stopped.html());
}

#[tokio::test]
async fn forms_submitted_twice_log_time_once() {
    let app = App::start().await;
    let tenant = app.workspace().await;
    let (browser, client, _) = signed_in(&tenant, &app, Role::Member).await;
    let path = format!("/tasks/{}", task(&client, "Roast").await);
    let page = browser.open(&path).await.expect(200);
    let _ = browser.submit(&page, "/time/start", &[]).await.expect(200);
    let repeated = browser.submit(&page, "/time/start", &[]).await.expect(200);
    assert!(repeated.html().contains("no other timer was started"), "{}", repeated.html());
    assert_eq!(entries(&client).await.len(), 1);
    let timer = browser.open("/time/timer").await.expect(200);
    let _ = browser.submit(&timer, "/time/stop", &[]).await.expect(200);
    let outdated = browser.submit(&page, "/time/start", &[]).await.expect(200);
    assert!(outdated.html().contains("This form was already submitted"), "{}", outdated.html());
    let _ = browser.submit(&repeated, "/time/start", &[]).await.expect(200);
    let repeated_stop = browser.submit(&timer, "/time/stop", &[]).await.expect(200);
    assert!(repeated_stop.html().contains("Stopped the timer at 0:00."), "{}", repeated_stop.html());
    let stored = entries(&client).await;
    assert_eq!(stored.iter().map(|entry| &entry["status"]).collect::<Vec<_>>(), ["running", "stopped"]);
    // Finds the cell's entry, even if it was moved to another day before the form is submitted again.
    let week = browser.open(WEEK).await.expect(200);
    let monday = cell("none", "2026-01-05");
    let cells = [(&*monday, "1:30")];
    let _ = fill_week(&browser, &week, &cells).await.expect(200);
    let stored = entries(&client).await;
    let id = stored.iter().find(|entry| entry["seconds"] == 5_400).unwrap()["id"].as_str().unwrap();
    let _ = client.patch(&format!("{ENTRIES}/{id}"), json!({"date": "2026-01-12"})).await.expect(200);
    let repeated = fill_week(&browser, &week, &cells).await.expect(200);
    assert_eq!(entries(&client).await.len(), 3);
    let _ = fill_week(&browser, &repeated, &cells).await.expect(200);
    assert_eq!(entries(&client).await.len(), 4, "another form adds another entry");
}

#[tokio::test]
async fn a_submitted_week_is_approved_or_rejected() {
    let app = App::start().await;
    let tenant = app.workspace().await;
    let (browser, client, _) = signed_in(&tenant, &app, Role::Member).await;
    let week = browser.open(WEEK).await.expect(200);
    let (monday, tuesday) = (cell("none", "2026-01-05"), cell("none", "2026-01-06"));
    let saved = fill_week(&browser, &week, &[(&monday, "1:00"), (&tuesday, "2:00")]).await.expect(200);
    let submitted = browser.press(&saved, "/time", "/time/submit", &[]).await.expect(200);
    assert!(submitted.html().contains("Submitted 2 time entries."), "{}", submitted.html());
    assert!(!submitted.actions().contains(&"/time/submit".to_owned()), "{}", submitted.html());
    let _ = browser.open("/time/approval").await.expect(403);
    let admin = tenant.signed_in(Role::Admin).await;
    let waiting = admin.open("/time/approval").await.expect(200);
    assert!(
        waiting.html().contains("5 Jan 2026 – 11 Jan 2026") && waiting.html().contains("3:00"),
        "{}",
        waiting.html()
    );
    let stored = entries(&client).await;
    let id_of =
        |day: &str| stored.iter().find(|entry| entry["date"] == day).unwrap()["id"].as_str().unwrap().to_owned();
    let (first, second) = (id_of("2026-01-05"), id_of("2026-01-06"));
    let selected = ticked(&waiting, &first);
    let values = [("selected", &*selected), ("_action", "approve")];
    let approved = admin.submit(&waiting, "/time/approval", &values).await.expect(200);
    assert!(approved.html().contains("Approved 1 time entry."), "{}", approved.html());
    let selected = ticked(&approved, &second);
    let values = [("selected", &*selected), ("_action", "reject")];
    let rejected = admin.submit(&approved, "/time/approval", &values).await.expect(200);
    assert!(rejected.html().contains("Rejected 1 time entry."), "{}", rejected.html());
    let status = async |id: &str| client.get(&format!("{ENTRIES}/{id}")).await.expect(200).data()["status"].clone();
    assert_eq!((status(&first).await, status(&second).await), (json!("approved"), json!("stopped")));
    let list = admin.open("/time/approval?status=approved").await.expect(200);
    assert!(list.html().contains("1:00") && !list.html().contains("value=\"approve\""), "{}", list.html());
    let none = admin.submit(&list, "/time/approval", &[("selected", ""), ("_action", "reject")]).await.expect(200);
    assert!(none.html().contains("Select time entries first."), "{}", none.html());
    // Approved entries cannot be changed.
    let week = browser.open(WEEK).await.expect(200);
    assert_eq!(week.value_of("/time", &monday), None);
    week.assert_contains(&["Approved</span>"]);
    let was = format!("_was.{monday}");
    let refused = fill_week(&browser, &week, &[(&monday, "0:30"), (&was, "1:00")]).await.expect(422);
    refused.assert_contains(&["or is approved: change the entries themselves. You typed 0:30."]);
}

#[tokio::test]
async fn an_approval_is_undone_unless_the_entries_changed_since() {
    let app = App::start().await;
    let tenant = app.workspace().await;
    let (browser, client, member) = signed_in(&tenant, &app, Role::Owner).await;
    let mut ids = Vec::new();
    for day in ["2026-01-05", "2026-01-06"] {
        let entry = json!({"member_id": member, "date": day, "seconds": 3_600});
        ids.push(client.post(ENTRIES, entry).await.expect(201).id());
    }
    let statuses = async || {
        let mut statuses = Vec::new();
        for id in &ids {
            statuses.push(client.get(&format!("{ENTRIES}/{id}")).await.expect(200).data()["status"].clone());
        }
        statuses
    };
    let _ = client.post(&format!("{ENTRIES}/submit"), json!({ "ids": ids })).await.expect(200);
    let waiting = browser.open("/time/approval").await.expect(200);
    let other = tenant.user(Role::Admin).await.client;
    let [first, second] = [0, 1].map(|index: usize| ticked(&waiting, &ids[index]));
    let both = [("selected", &*first), ("selected", &*second), ("_action", "approve")];
    let approved = browser.submit(&waiting, "/time/approval", &both).await.expect(200);
    assert!(approved.html().contains("Approved 2 time entries."), "{}", approved.html());
    // Someone else changes one of them.
    let _ = other.patch(&format!("{ENTRIES}/{}", ids[0]), json!({"note": "x"})).await.expect(200);
    let undone = browser.submit(&approved, &undo_of(&approved), &[]).await.expect(200);
    assert!(undone.html().contains("Rejected 1 time entry."), "{}", undone.html());
    assert_eq!(statuses().await, ["approved", "stopped"]);
    let redone = browser.submit(&approved, &undo_of(&approved), &[]).await.expect(200);
    assert!(redone.html().contains("Nothing to undo"), "{}", redone.html());
    for later in [&["reject", "approve"][..], &["export"]] {
        for step in ["reject", "submit"] {
            let _ = other.post(&format!("{ENTRIES}/{step}"), json!({"ids": [ids[1]]})).await.expect(200);
        }
        let waiting = browser.open("/time/approval").await.expect(200);
        let selected = ticked(&waiting, &ids[1]);
        let second = [("selected", &*selected), ("_action", "approve")];
        let approved = browser.submit(&waiting, "/time/approval", &second).await.expect(200);
        for step in later {
            let _ = other.post(&format!("{ENTRIES}/{step}"), json!({"ids": [ids[1]]})).await.expect(200);
        }
        let refused = browser.submit(&approved, &undo_of(&approved), &[]).await.expect(200);
        assert!(refused.html().contains("It was changed again since"), "{}", refused.html());
    }
    assert_eq!(statuses().await, ["approved", "exported"]);
}

#[tokio::test]
async fn changes_of_span_and_target_are_undone() {
    let app = App::start().await;
    let tenant = app.workspace().await;
    let (browser, client, member) = signed_in(&tenant, &app, Role::Member).await;
    let id = task(&client, "Roast").await;
    let project = client.post("/api/v1/projects", json!({"name": "Shop"})).await.expect(201).id();
    let entry = json!({
        "member_id": member, "task_id": id, "started_at": "2026-01-05T08:00:00Z", "ended_at": "2026-01-05T09:00:00Z",
    });
    let entry = client.post(ENTRIES, entry).await.expect(201).id();
    let (page, api) = (format!("/time_entries/{entry}"), format!("{ENTRIES}/{entry}"));
    let stored = async || {
        let stored = client.get(&api).await.expect(200).data().clone();
        ["started_at", "ended_at", "date", "seconds", "task_id", "project_id"].map(|name| stored[name].clone())
    };
    let before = stored().await;
    let edit = async |values: &[(&str, &str)]| {
        let form = browser.open(&format!("{page}/edit")).await.expect(200);
        browser.submit(&form, &page, values).await.expect(200)
    };
    let longer: &[(&str, &str)] = &[("ended_at", "2026-01-05T10:00"), ("_zone.ended_at", "UTC")];
    let amount: &[(&str, &str)] = &[("started_at", ""), ("ended_at", ""), ("date", "2026-01-06"), ("seconds", "2h")];
    let moved: &[(&str, &str)] = &[("task_id", ""), ("project_id", &project)];
    for change in [longer, amount, moved] {
        let changed = edit(change).await;
        assert_ne!(stored().await, before, "{change:?}");
        let _ = browser.submit(&changed, &undo_of(&changed), &[]).await.expect(200);
        assert_eq!(stored().await, before, "{change:?}");
    }
    // Someone else changed the span or the target to something else.
    for (change, later_change) in [
        (longer, json!({"started_at": null, "ended_at": null, "date": "2026-01-05", "seconds": 7_200})),
        (
            moved,
            json!({"project_id": null, "deal_id": client.post(DEALS, json!({"title": "Beans"})).await.expect(201).id()}),
        ),
    ] {
        let changed = edit(change).await;
        let _ = client.patch(&api, later_change).await.expect(200);
        let now = stored().await;
        let refused = browser.submit(&changed, &undo_of(&changed), &[]).await.expect(200);
        assert!(refused.html().contains("It was changed again since"), "{}", refused.html());
        assert_eq!(stored().await, now, "{change:?}");
    }
}

#[tokio::test]
async fn records_show_what_was_logged_next_to_the_estimate() {
    let app = App::start().await;
    let tenant = app.workspace().await;
    let (browser, client, member) = signed_in(&tenant, &app, Role::Member).await;
    let project = client.post("/api/v1/projects", json!({"name": "Shop"})).await.expect(201).id();
    let body = json!({"kind": "task", "title": "Roast", "estimate_hours": 8, "project_id": project});
    let id = client.post("/api/v1/issues", body).await.expect(201).id();
    let entry = json!({"member_id": member, "task_id": id, "date": "2026-01-05", "seconds": 5_400});
    let _ = client.post(ENTRIES, entry).await.expect(201);
    let page = browser.open(&format!("/tasks/{id}")).await.expect(200);
    let address = format!("/time/logged?task_id={id}");
    assert!(page.html().contains(&format!("hx-get=\"{address}\"")), "{}", page.html());
    assert!(page.html().contains("Estimate in hours: <strong>8"), "{}", page.html());
    for address in [address, format!("/time/logged?project_id={project}"), "/time/logged".to_owned()] {
        let logged = browser.open(&address).await.expect(200);
        assert!(logged.html().contains("1:30 logged"), "{address}: {}", logged.html());
    }
    let form = browser.open(&format!("/time_entries/new?task_id={id}")).await.expect(200);
    assert!(form.fields_of("/time_entries").contains(&("task_id".to_owned(), "Roast".to_owned())), "{}", form.html());
    let values = [("date", "2026-01-07"), ("seconds", "2h"), ("note", MARKUP)];
    let created = browser.submit(&form, "/time_entries", &values).await.expect(200);
    assert!(created.html().contains("2:00") && !created.html().contains(MARKUP), "{}", created.html());
    let wrong = [("date", "2026-01-07"), ("seconds", "much")];
    let refused = browser.submit(&form, "/time_entries", &wrong).await.expect(422);
    assert!(refused.html().contains("must be hours and minutes"), "{}", refused.html());
    let list = browser.open(&format!("/time_entries?member={member}&task_id={id}")).await.expect(200);
    assert!(list.html().contains("1:30") && list.html().contains("2:00"), "{}", list.html());
}

#[tokio::test]
async fn owners_set_rates_and_unlock_a_period() {
    let app = App::start().await;
    let tenant = app.workspace().await;
    let member = tenant.user(Role::Member).await.id.to_string();
    let owner = tenant.signed_in(Role::Owner).await;
    let page = owner.open("/settings/time").await.expect(200);
    let values = [("time_zone", "Europe/Zurich"), ("time_locked_until", "2026-01-31")];
    let saved = owner.submit(&page, "/settings/time", &values).await.expect(200);
    assert_eq!(saved.value_of("/settings/time", "time_zone").as_deref(), Some("Europe/Zurich"));
    let unknown = owner.submit(&saved, "/settings/time", &[("time_zone", "Mars/Base")]).await.expect(422);
    assert!(unknown.html().contains("IANA time zone"), "{}", unknown.html());
    let rate = [("member_id", &*member), ("rate", "80.50"), ("currency", "CHF")];
    let set = owner.submit(&saved, "/settings/time/rates", &rate).await.expect(200);
    assert!(set.html().contains("CHF\u{a0}80.50"), "{}", set.html());
    let nobody = owner.submit(&set, "/settings/time/rates", &[("rate", "80")]).await.expect(422);
    assert!(nobody.html().contains("Choose a member."), "{}", nobody.html());
    let removed = owner.submit(&set, "/settings/time/rates/remove", &[]).await.expect(200);
    assert!(removed.html().contains("No rates yet"), "{}", removed.html());
    let admin = tenant.signed_in(Role::Admin).await;
    let page = admin.open("/settings/time").await.expect(200);
    assert!(!page.has_form("/settings/time/rates"), "{}", page.html());
    let _ = admin.submit(&page, "/settings/time", &[("time_locked_until", "2026-02-28")]).await.expect(200);
    let page = admin.open("/settings/time").await.expect(200);
    let refused = admin.submit(&page, "/settings/time", &[("time_locked_until", "")]).await.expect(422);
    assert!(refused.html().contains("nly owners unlock time entries"), "{}", refused.html());
}

#[tokio::test]
async fn time_entries_are_exported_as_they_are_imported() {
    let app = App::start().await;
    let tenant = app.workspace().await;
    let (browser, client, member) = signed_in(&tenant, &app, Role::Member).await;
    let id = task_of_acme(&client).await;
    let entry = json!({"member_id": member, "task_id": id, "date": "2026-01-05", "seconds": 5_400, "note": "Sketches"});
    let _ = client.post(ENTRIES, entry).await.expect(201);
    let file = browser.send(browser.request("GET", "/export/time_entries")).await;
    assert_eq!(file.status, 200, "{}", file.text);
    for column in ["member_id", "member_name", "member_email", "task_name", "seconds", "note", "status", "rate"] {
        assert!(file.text.lines().next().unwrap().contains(column), "{column}: {}", file.text);
    }
    assert!(
        file.text.contains("Roast") && file.text.contains("5400") && file.text.contains("Sketches"),
        "{}",
        file.text
    );
    // The project and the company that the time counts towards, for invoices.
    assert!(file.text.contains("in_project_name") && file.text.contains("Shop"), "{}", file.text);
    assert!(file.text.contains("for_company_name") && file.text.contains("Acme"), "{}", file.text);
    let import = browser.open("/import/time_entries").await.expect(200);
    for system in ["toggl", "harvest"] {
        assert!(import.html().contains(&format!("value=\"{system}\"")), "{system}: {}", import.html());
    }
}

#[tokio::test]
async fn a_change_to_an_entry_is_undone() {
    let app = App::start().await;
    let tenant = app.workspace().await;
    let (browser, client, member) = signed_in(&tenant, &app, Role::Member).await;
    let body = json!({
        "member_id": member, "started_at": "2026-01-06T08:00:00Z", "ended_at": "2026-01-06T09:00:00Z",
    });
    let id = client.post(ENTRIES, body).await.expect(201).id();
    let path = format!("/time_entries/{id}");
    let edit = browser.open(&format!("{path}/edit?field=ended_at")).await.expect(200);
    let fields = [("ended_at", "2026-01-06T09:30"), ("_zone.ended_at", "UTC")];
    let saved = browser.submit(&edit, &path, &fields).await.expect(200);
    assert!(saved.html().contains("1:30"), "{}", saved.html());
    let undo = undo_of(&saved);
    let undone = browser.submit(&saved, &undo, &[]).await.expect(200);
    assert!(undone.html().contains("Put 1 record back as it was."), "{}", undone.html());
    let stored = client.get(&format!("{ENTRIES}/{id}")).await.expect(200);
    assert_eq!(stored.data()["seconds"], 3_600);
}
