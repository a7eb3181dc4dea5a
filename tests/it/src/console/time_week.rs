//! The rows of a week in the console: adding them, and what was typed meanwhile.

use domain::identity::workspaces::Role;
use serde_json::json;
use test_support::{App, Client};

use super::time::{ENTRIES, WEEK, signed_in};

async fn task_in(client: &Client, project: &str, title: &str) -> String {
    let project = client.post("/api/v1/projects", json!({ "name": project })).await.expect(201).id();
    let body = json!({"kind": "task", "title": title, "project_id": project});
    client.post("/api/v1/issues", body).await.expect(201).id()
}

#[tokio::test]
async fn text_in_the_form_of_a_row_is_not_lost_by_other_buttons() {
    let app = App::start().await;
    let tenant = app.workspace().await;
    let (browser, client, _) = signed_in(&tenant, &app, Role::Member).await;
    let id = task_in(&client, "Shop", "Roast").await;
    let week = browser.open(WEEK).await.expect(200);
    let monday = "cell-none-2026-01-05";
    // Without an entry there is no button to submit the week.
    let week = browser.submit(&week, "/time", &[(monday, "0:30")]).await.expect(200);
    let next = [("_go", "2026-01-12"), ("task_id", "Grind")];
    let refused = browser.submit(&week, "/time", &next).await.expect(422);
    refused.assert_contains(&["“Grind” was not found", "5 Jan 2026 – 11 Jan 2026"]);
    assert_eq!(refused.value_of("/time", "task_id").as_deref(), Some("Grind"));
    let submit = [(monday, "1:00"), ("task_id", "Grind")];
    let refused = browser.press(&week, "/time", "/time/submit", &submit).await.expect(422);
    refused.assert_contains(&["“Grind” was not found"]);
    let entries = client.get(ENTRIES).await.expect(200);
    assert_eq!(entries.data()[0]["status"], "stopped", "nothing is submitted");
    let copy = [("_copy", "true"), ("task_id", "Grind")];
    let _ = browser.press(&week, "/time", "/time/rows", &copy).await.expect(422);
    // The row appears in the week that is shown next.
    let row = |day: &str| format!("cell-task-{id}-{day}");
    let next = [("_go", "2026-01-12"), ("task_id", "Roast")];
    let next = browser.submit(&week, "/time", &next).await.expect(200);
    assert_eq!(next.value_of("/time", &row("2026-01-12")).as_deref(), Some(""));
    let submitted = browser.press(&refused, "/time", "/time/submit", &[("task_id", "Roast")]).await.expect(200);
    submitted.assert_contains(&["Submitted 1 time entry."]);
    assert_eq!(submitted.value_of("/time", &row("2026-01-05")).as_deref(), Some(""));
}

#[tokio::test]
async fn the_week_and_the_timer_offer_records_of_the_same_name() {
    let app = App::start().await;
    let tenant = app.workspace().await;
    let (browser, client, _) = signed_in(&tenant, &app, Role::Member).await;
    let _ = task_in(&client, "Shop", "Meeting").await;
    let id = task_in(&client, "Roastery", "Meeting").await;
    let labels = ["Which one do you mean?", "Meeting (Shop, ", "Meeting (Roastery, "];
    let week = browser.open(WEEK).await.expect(200);
    let offered = browser.press(&week, "/time", "/time/rows", &[("task_id", "Meeting")]).await.expect(422);
    offered.assert_contains(&labels);
    let added = browser.press(&offered, "/time", "/time/rows", &[("_id.task_id", &id)]).await.expect(200);
    let monday = format!("cell-task-{id}-2026-01-05");
    assert_eq!(added.value_of("/time", &monday).as_deref(), Some(""));
    let timer = browser.open("/time/timer").await.expect(200);
    let offered = browser.submit(&timer, "/time/start", &[("task_id", "Meeting")]).await.expect(422);
    offered.assert_contains(&labels);
    let _ = browser.submit(&offered, "/time/start", &[("_id.task_id", &id)]).await.expect(200);
    let entries = client.get(ENTRIES).await.expect(200);
    assert_eq!(entries.data()[0]["task_id"], json!(id));
}

#[tokio::test]
async fn more_namesakes_than_are_listed_are_mentioned() {
    let app = App::start().await;
    let tenant = app.workspace().await;
    let (browser, client, _) = signed_in(&tenant, &app, Role::Member).await;
    let mut ids = Vec::new();
    for number in 1..=6 {
        ids.push(task_in(&client, &format!("Shop {number}"), "Meeting").await);
    }
    // Its words are those of the label of another task.
    let _ = task_in(&client, "Roastery", "Meeting Shop 6 To do").await;
    let week = browser.open(WEEK).await.expect(200);
    let add = async |typed: &str| browser.press(&week, "/time", "/time/rows", &[("task_id", typed)]).await;
    let refused = add("Meeting").await.expect(422);
    refused.assert_contains(&["there may be more", "the id at the end of the address"]);
    let row = |id: &str| format!("cell-task-{id}-2026-01-05");
    let added = add(&ids[0]).await.expect(200);
    assert_eq!(added.value_of("/time", &row(&ids[0])).as_deref(), Some(""));
    let labels: Vec<_> = refused.html().split('>').filter_map(|part| part.split('<').next()).collect();
    let label = labels.iter().find(|label| label.starts_with("Meeting (Shop 6, ")).unwrap();
    let added = add(label).await.expect(200);
    assert_eq!(added.value_of("/time", &row(&ids[5])).as_deref(), Some(""));
}

#[tokio::test]
async fn a_cell_names_its_error_and_keys_are_explained_only_with_scripts() {
    let app = App::start().await;
    let tenant = app.workspace().await;
    let (browser, _, _) = signed_in(&tenant, &app, Role::Member).await;
    let week = browser.open(WEEK).await.expect(200);
    week.assert_contains(&["<span class=\"needs-script\" hidden>Cells are saved when you leave them."]);
    let monday = "cell-none-2026-01-05";
    let refused = browser.submit(&week, "/time", &[(monday, "soon")]).await.expect(422);
    let error = format!("{monday}-error");
    refused.assert_contains(&[&format!("aria-invalid=\"true\" aria-describedby=\"{error}\"")]);
    assert!(refused.has_id(&error), "{}", refused.html());
}

#[tokio::test]
async fn a_week_with_too_many_rows_says_so_and_shows_the_added_ones() {
    let app = App::start().await;
    let tenant = app.workspace().await;
    let (browser, client, member) = signed_in(&tenant, &app, Role::Member).await;
    let project = client.post("/api/v1/projects", json!({"name": "Shop"})).await.expect(201).id();
    let mut tasks = Vec::new();
    for number in 1..=41 {
        let body = json!({"kind": "task", "title": format!("Task {number}"), "project_id": project});
        tasks.push(client.post("/api/v1/issues", body).await.expect(201).id());
    }
    let log = async |task: &str| {
        let body = json!({"member_id": member, "task_id": task, "date": "2026-01-05", "seconds": 3_600});
        let _ = client.post(ENTRIES, body).await.expect(201);
    };
    for task in &tasks[..39] {
        log(task).await;
    }
    // With the row without a record, these are 40.
    let full = browser.open(WEEK).await.expect(200);
    assert!(!full.html().contains("not shown here"), "{}", full.html());
    log(&tasks[39]).await;
    let week = browser.open(WEEK).await.expect(200);
    week.assert_contains(&["1 row is not shown here. Its time is included in the totals.", "<strong>40:00</strong>"]);
    let links = week.links();
    let list = format!("/time_entries?member={member}&from=2026-01-05&to=2026-01-11");
    assert!(links.contains(&list), "{links:?}");
    let added = browser.press(&week, "/time", "/time/rows", &[("task_id", &tasks[40])]).await.expect(200);
    added.assert_contains(&["2 rows are not shown here."]);
    let tuesday = format!("cell-task-{}-2026-01-06", tasks[40]);
    // Text that is not saved is shown, too, even in a row that would be left out.
    let general = "cell-none-2026-01-06";
    let typed = [(&*tuesday, "2:00"), (general, "soon")];
    let refused = browser.submit(&added, "/time", &typed).await.expect(422);
    refused.assert_contains(&["No task or other record, Tue 6 Jan: Type hours and minutes"]);
    assert_eq!(refused.value_of("/time", general).as_deref(), Some("soon"));
    assert_eq!(refused.value_of("/time", &tuesday).as_deref(), Some("2:00"));
    // No more rows can be added than are shown.
    let rows: Vec<_> = tasks[..40].iter().map(|task| format!("&row=task-{task}")).collect();
    let most = browser.open(&format!("{WEEK}{}", rows.concat())).await.expect(200);
    let refused = browser.press(&most, "/time", "/time/rows", &[("task_id", &tasks[40])]).await.expect(422);
    refused.assert_contains(&["At most 40 rows can be added to a week."]);
    assert_eq!(refused.value_of("/time", "task_id").as_deref(), Some("Task 41"));
}
