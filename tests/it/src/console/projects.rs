//! Projects, their cycles and boards in the console.

use domain::identity::workspaces::Role;
use serde_json::json;
use test_support::{App, Client};
use time::Duration;

use crate::support::UNKNOWN_ID;

/// Stored text that must not become markup of a page.
const MARKUP: &str = "<img src=x onerror=alert(1)>";

async fn project(client: &Client, name: &str) -> String {
    client.create("/api/v1/projects", json!({"name": name, "description": MARKUP})).await
}

async fn cycle(app: &App, client: &Client, project: &str, name: &str, days: [i64; 2]) -> String {
    let today = app.ports.clock.now().date();
    let day = |days: i64| (today + Duration::days(days)).to_string();
    let body = json!({"name": name, "goal": MARKUP, "start_date": day(days[0]), "end_date": day(days[1])});
    client.create(&format!("/api/v1/projects/{project}/cycles"), body).await
}

async fn task(client: &Client, mut body: serde_json::Value) -> String {
    body["kind"] = json!("task");
    client.create("/api/v1/issues", body).await
}

#[tokio::test]
async fn optional_fields_of_a_project_are_shown_on_request() {
    let (_app, tenant, client) = App::with_workspace_client().await;
    let path = format!("/projects/{}", project(&client, "Roastery").await);
    let browser = tenant.signed_in(Role::Member).await;
    let page = browser.open(&path).await.expect(200);
    let (shown, on_request) = page.html().split_once("class=\"record-idle\"").unwrap();
    assert!(!shown.contains("Hosted") && on_request.contains("Hosted"), "{}", page.html());
    let _ = client.patch(&format!("/api/v1{path}"), json!({"hosted": true})).await.expect(200);
    let page = browser.open(&path).await.expect(200);
    assert!(page.html().split("class=\"record-idle\"").next().unwrap().contains("Hosted"), "{}", page.html());
}

#[tokio::test]
async fn a_project_is_created_changed_deleted_and_restored_by_forms() {
    let (_app, tenant, browser) = App::with_browser(Role::Member).await;
    let empty = browser.open("/projects").await.expect(200);
    empty.assert_contains(&["No projects yet"]);
    let form = browser.open("/projects/new").await.expect(200);
    let wrong = [("name", "Kept"), ("start_date", "2030-02-01"), ("end_date", "2030-01-01")];
    let refused = browser.submit(&form, "/projects", &wrong).await.expect(422);
    let error = refused.html().split("end_date-error").last().unwrap();
    assert!(error.contains("must be on or after start_date"), "{}", refused.html());
    assert!(refused.fields_of("/projects").contains(&("name".to_owned(), "Kept".to_owned())));
    let created = browser.submit(&refused, "/projects", &[("end_date", "2030-03-01"), ("description", MARKUP)]).await;
    let created = created.expect(200);
    let path = created.address.clone();
    assert!(path.starts_with("/projects/") && created.html().contains("Created “Kept”"), "{}", created.html());
    assert!(!created.html().contains("<img src=x"), "{}", created.html());
    let edit = browser.open(&format!("{path}/edit")).await.expect(200);
    let saved = browser.submit(&edit, &path, &[("name", "Renamed"), ("status", "active")]).await.expect(200);
    saved.assert_contains(&["Renamed", "Active"]);
    // Viewers change nothing, and are offered no button for it.
    let viewer = tenant.signed_in(Role::Viewer).await;
    let shown = viewer.open(&path).await.expect(200);
    assert!(!shown.has_form(&format!("{path}/delete")) && !shown.html().contains("/edit"), "{}", shown.html());
    let _ = viewer.open(&format!("{path}/edit")).await.expect(403);
    let owner = tenant.signed_in(Role::Owner).await;
    let page = owner.open(&path).await.expect(200);
    let deleted = owner.submit(&page, &format!("{path}/delete"), &[]).await.expect(200);
    assert!(deleted.address == "/projects" && deleted.html().contains("Deleted “Renamed”"), "{}", deleted.html());
    let _ = owner.open(&path).await.expect(404);
    let restored = owner.submit(&deleted, &format!("{path}/restore"), &[]).await.expect(200);
    assert!(restored.address == path && restored.html().contains("Restored “Renamed”"), "{}", restored.html());
}

#[tokio::test]
async fn progress_counts_the_tasks_of_a_project_by_status() {
    let (_app, tenant, client) = App::with_workspace_client().await;
    let id = project(&client, MARKUP).await;
    for status in ["todo", "done", "done", "cancelled"] {
        task(&client, json!({"title": "t", "project_id": id, "status": status})).await;
    }
    let browser = tenant.signed_in(Role::Viewer).await;
    let page = browser.open(&format!("/projects/{id}")).await.expect(200);
    page.assert_contains(&[&format!("hx-get=\"/projects/{id}/progress\"")]);
    assert!(page.html().contains("Progress reported by the team"), "distinct from the counted progress");
    page.assert_contains(&["id=\"related-tasks-list\" data-live=\"task\""]);
    let progress = browser.open(&format!("/projects/{id}/progress")).await.expect(200);
    progress.assert_contains(&["id=\"progress\" data-live=\"task\""]);
    progress.assert_contains(&["Tasks done: 2 of 3 (66 %)", &format!("/tasks?project_id={id}&#38;status=cancelled")]);
    assert!(!progress.html().contains("<img src=x"));
    let _ = browser.open(&format!("/projects/{UNKNOWN_ID}/progress")).await.expect(404);
}

#[tokio::test]
async fn a_board_shows_a_column_at_a_time_and_cards_are_moved_by_their_menu() {
    let (_app, tenant, client) = App::with_workspace_client().await;
    let id = project(&client, "Relaunch").await;
    for number in 0..22 {
        task(&client, json!({"title": format!("Card {number} {MARKUP}"), "project_id": id})).await;
    }
    let outside = task(&client, json!({"title": "Elsewhere"})).await;
    let browser = tenant.signed_in(Role::Member).await;
    let board = format!("/projects/{id}/board");
    let empty = browser.open(&board).await.expect(200);
    empty.assert_contains(&[&format!("href=\"{board}?status=todo\"")]);
    assert!(!empty.html().contains("Card "), "columns are loaded only on request");
    let column = browser.open(&format!("{board}?status=todo")).await.expect(200);
    assert_eq!(column.html().matches("class=\"board-card card\"").count(), 20, "one page, never all");
    for (status, count) in [("todo", "20+"), ("done", "")] {
        let shown = format!("data-counts=\"{status}\">{count}<");
        assert!(column.html().contains(&shown), "{shown}: {}", column.html());
    }
    assert!(!column.html().contains("<img src=x") && !column.html().contains(&outside));
    let links = column.html().split("hx-get=\"").filter_map(|rest| rest.split('"').next());
    let next = links.filter(|link| link.contains("cursor=")).last().unwrap().replace("&#38;", "&");
    let second = browser.open(&next).await.expect(200);
    assert_eq!(second.html().matches("class=\"board-card card\"").count(), 2, "{}: {}", second.address, second.html());

    let card = second.html().split("class=\"board-card card\" id=\"card-").nth(1).unwrap()[..36].to_owned();
    let action = format!("/tasks/{card}/status");
    let moved = browser.submit(&second, &action, &[("status", "in_progress")]).await.expect(200);
    assert!(moved.address.starts_with(&board) && moved.html().contains("to In progress."), "{}", moved.html());
    assert_eq!(client.get(&format!("/api/v1/issues/{card}")).await.data()["status"], "in_progress");
    // The version on the second page is outdated by now: nothing is silently overwritten.
    let stale = browser.submit(&second, &action, &[("status", "done")]).await.expect(200);
    stale.assert_contains(&["It has changed since you opened the page"]);
    assert_eq!(client.get(&format!("/api/v1/issues/{card}")).await.data()["status"], "in_progress");
    // Scripts get only the card, in its current column.
    let fields = second.fields_of(&action);
    let response = browser.send(browser.post(&action, &fields).header("HX-Request", "true")).await;
    assert_eq!(response.status, 200, "{}", response.text);
    assert!(response.text.contains("data-column=\"in_progress\"") && response.text.contains("role=\"alert\""));

    // After a move they also get a message with an undo form, which works until the card is changed.
    let now = browser.open(&format!("{board}?status=in_progress")).await.expect(200);
    let fields = now.fields_with(&action, &[("status", "done")]);
    let response = browser.send(browser.post(&action, &fields).header("HX-Request", "true")).await;
    assert!(response.text.contains("to Done.") && response.text.contains(">Undo<"), "{}", response.text);
    for field in
        ["name=\"status\" value=\"in_progress\"", "name=\"_from\" value=\"done\"", "name=\"_version\" value=\"3\""]
    {
        assert!(response.text.contains(field), "{field}: {}", response.text);
    }
    assert!(!response.text.contains("<img src=x"), "{}", response.text);
    let _ = client.patch(&format!("/api/v1/issues/{card}"), json!({"status": "in_progress"})).await.expect(200);

    let viewer = tenant.signed_in(Role::Viewer).await;
    let shown = viewer.open(&format!("{board}?status=in_progress")).await.expect(200);
    assert!(shown.html().contains(&card) && !shown.has_form(&action), "{}", shown.html());
    let fields = [("_token".to_owned(), token(&shown)), ("_version".to_owned(), "2".to_owned())];
    assert_eq!(viewer.send(viewer.post(&action, &fields)).await.status, 403);
}

#[tokio::test]
async fn overdue_items_are_marked_everywhere_while_they_are_open() {
    let (_app, tenant, client) = App::with_workspace_client().await;
    let id = project(&client, "Relaunch").await;
    let browser = tenant.signed_in(Role::Member).await;
    let overdue = json!({"title": "Late", "project_id": id, "due_at": "2020-01-01T00:00:00Z"});
    let overdue = task(&client, overdue).await;
    let board = format!("/projects/{id}/board?status=");
    let pages = ["/tasks".to_owned(), format!("/tasks/{overdue}"), format!("{board}todo")];
    for page in &pages {
        let page = browser.open(page).await.expect(200);
        page.assert_contains(&["Overdue:</span> <time"]);
    }
    let _ = client.patch(&format!("/api/v1/issues/{overdue}"), json!({"status": "done"})).await.expect(200);
    for page in pages.iter().take(2).chain([&format!("{board}done")]) {
        let page = browser.open(page).await.expect(200);
        assert!(page.html().contains("1 Jan 2020") && !page.html().contains("Overdue:"), "{}", page.html());
    }
    let ticket = json!({"kind": "ticket", "title": "Late", "due_at": "2020-01-01T00:00:00Z"});
    let ticket = client.create("/api/v1/issues", ticket).await;
    let page = browser.open(&format!("/tickets/{ticket}")).await.expect(200);
    page.assert_contains(&["Overdue:</span> <time"]);
}

#[tokio::test]
async fn past_dates_are_marked_while_a_deal_or_project_is_open() {
    let (_app, tenant, client) = App::with_workspace_client().await;
    let browser = tenant.signed_in(Role::Member).await;
    let deals = [("open", true), ("on_hold", true), ("closed_won", false)];
    let projects =
        [("active", true), ("on_hold", true), ("completed", false), ("cancelled", false), ("archived", false)];
    for (list, api, title, day, statuses) in [
        ("/deals", "/api/v1/crm/deals", "title", "expected_close_date", &deals[..]),
        ("/projects", "/api/v1/projects", "name", "end_date", &projects[..]),
    ] {
        for (status, is_marked) in statuses {
            let record = json!({ title: "Late", day: "2020-01-01", "status": status });
            let path = format!("{list}/{}", client.create(api, record).await);
            let page = browser.open(&path).await.expect(200);
            let all = browser.open(list).await.expect(200);
            let row = all.html().split(&format!("href=\"{path}\"")).nth(1).unwrap().split("</tr>").next().unwrap();
            for shown in [page.html(), row] {
                assert!(shown.contains("1 Jan 2020"), "{list} {status}: {shown}");
                let has_mark = shown.contains("Overdue:</span> 1 Jan 2020");
                assert_eq!(has_mark, *is_marked, "{list} {status}: {shown}");
            }
        }
    }
}

fn token(screen: &test_support::Screen) -> String {
    let (_, rest) = screen.html().split_once("name=\"form-token\" content=\"").unwrap();
    rest.split('"').next().unwrap().to_owned()
}

#[tokio::test]
async fn cycles_are_planned_by_forms_and_the_current_one_is_first() {
    let (app, tenant, client) = App::with_workspace_client().await;
    let id = project(&client, "Relaunch").await;
    cycle(&app, &client, &id, "Current", [-3, 3]).await;
    cycle(&app, &client, &id, "Past", [-20, -10]).await;
    cycle(&app, &client, &id, "Later", [30, 40]).await;
    let browser = tenant.signed_in(Role::Owner).await;
    let cycles = browser.open(&format!("/projects/{id}/cycles")).await.expect(200);
    let places = ["Current", "Later", "Past"].map(|name| cycles.html().find(&format!(">{name}</a>")).unwrap());
    assert!(places.is_sorted(), "{places:?}");
    let form = browser.open(&format!("/projects/{id}/cycles/new")).await.expect(200);
    form.assert_contains(&["Must not be before the first day."]);
    let action = format!("/projects/{id}/cycles");
    let today = app.ports.clock.now().date();
    let (first, last) = (today.to_string(), (today + Duration::days(1)).to_string());
    let typed = [("name", "Clash"), ("start_date", first.as_str()), ("end_date", last.as_str())];
    let refused = browser.submit(&form, &action, &typed).await.expect(422);
    refused.assert_contains(&["The dates overlap those of cycle 1"]);
    assert!(refused.fields_of(&action).contains(&("name".to_owned(), "Clash".to_owned())));
    let (first, last) = ((today + Duration::days(10)).to_string(), (today + Duration::days(12)).to_string());
    let good = [("start_date", first.as_str()), ("end_date", last.as_str()), ("goal", MARKUP)];
    let created = browser.submit(&refused, &action, &good).await.expect(200);
    let path = created.address.clone();
    assert!(path.starts_with("/cycles/") && created.html().contains("Not started yet"), "{}", created.html());
    assert!(!created.html().contains("<img src=x"));

    let edit = browser.open(&format!("{path}/edit")).await.expect(200);
    let saved = browser.submit(&edit, &path, &[("name", "Next")]).await.expect(200);
    saved.assert_contains(&["Saved “Next”"]);
    let conflict = browser.submit(&edit, &path, &[("name", "Mine")]).await.expect(422);
    conflict.assert_contains(&["Someone else changed this cycle"]);
    let resolved = browser.submit(&conflict, &path, &[]).await.expect(200);
    resolved.assert_contains(&["Saved “Mine”"]);
    let deleted = browser.submit(&resolved, &format!("{path}/delete"), &[]).await.expect(200);
    assert_eq!(deleted.address, format!("/projects/{id}"));
    let restored = browser.submit(&deleted, &format!("{path}/restore"), &[]).await.expect(200);
    assert!(restored.address == path && restored.html().contains("Restored “Mine”"), "{}", restored.html());
}

#[tokio::test]
async fn a_cycle_shows_its_burn_up_as_a_chart_and_as_a_table() {
    let (app, tenant, client) = App::with_workspace_client().await;
    let id = project(&client, "Relaunch").await;
    let cycle = cycle(&app, &client, &id, "Current", [-1, 3]).await;
    for status in ["todo", "done"] {
        task(&client, json!({"title": "t", "project_id": id, "cycle_id": cycle, "status": status})).await;
    }
    let browser = tenant.signed_in(Role::Viewer).await;
    let page = browser.open(&format!("/cycles/{cycle}")).await.expect(200);
    page.assert_contains(&["<svg class=\"burn-up\"", "class=\"burn-up-done\"", "1 / 2", "Numbers by day"]);
    let table = page.html().split("<tbody>").nth(1).unwrap();
    assert!(table.contains("<td class=\"number\">2</td><td class=\"number\">1</td>"), "{table}");
    for path in ["edit", "move"] {
        assert!(!page.html().contains(&format!("/cycles/{cycle}/{path}")), "{path} is not offered to viewers");
        let _ = browser.open(&format!("/cycles/{cycle}/{path}")).await.expect(403);
    }
    assert!(!page.has_form(&format!("/cycles/{cycle}/delete")));
    let _ = browser.open(&format!("/projects/{id}/cycles/new")).await.expect(403);
    let _ = browser.open(&format!("/cycles/{UNKNOWN_ID}")).await.expect(404);
    let other = app.workspace().await.signed_in(Role::Owner).await;
    for path in [format!("/cycles/{cycle}"), format!("/projects/{id}"), format!("/projects/{id}/board")] {
        let _ = other.open(&path).await.expect(404);
    }
}

#[tokio::test]
async fn open_tasks_move_to_the_next_cycle_and_done_ones_stay() {
    let (app, tenant, client) = App::with_workspace_client().await;
    let id = project(&client, "Relaunch").await;
    let from = cycle(&app, &client, &id, "Ends", [-10, -1]).await;
    let next = cycle(&app, &client, &id, "Begins", [0, 10]).await;
    let mut tasks = Vec::new();
    for status in ["todo", "in_progress", "done", "cancelled"] {
        tasks.push(task(&client, json!({"title": "t", "project_id": id, "cycle_id": from, "status": status})).await);
    }
    let browser = tenant.signed_in(Role::Member).await;
    let path = format!("/cycles/{from}/move");
    let ask = browser.open(&path).await.expect(200);
    assert!(ask.fields_of(&path).contains(&("cycle_id".to_owned(), next.clone())), "the next one is chosen");
    let nothing = browser.submit(&ask, &path, &[("cycle_id", "")]).await.expect(422);
    nothing.assert_contains(&["Choose a cycle"]);
    let missing = browser.submit(&ask, &path, &[("cycle_id", UNKNOWN_ID)]).await.expect(422);
    missing.assert_contains(&["must be the id of a cycle"]);
    let moved = browser.submit(&ask, &path, &[]).await.expect(200);
    moved.assert_contains(&["Moved 2 tasks"]);
    for (task, expected) in tasks.iter().zip([&next, &next, &from, &from]) {
        assert_eq!(client.get(&format!("/api/v1/issues/{task}")).await.data()["cycle_id"], json!(expected));
    }
}

#[tokio::test]
async fn without_another_cycle_the_page_leads_to_a_new_one() {
    let (app, tenant, client) = App::with_workspace_client().await;
    let id = project(&client, "Relaunch").await;
    let from = cycle(&app, &client, &id, "Current", [-3, 3]).await;
    // A cycle that has ended accepts no tasks.
    cycle(&app, &client, &id, "Past", [-20, -10]).await;
    let moved = task(&client, json!({"title": "t", "project_id": id, "cycle_id": from})).await;
    let browser = tenant.signed_in(Role::Member).await;
    let (path, new) = (format!("/cycles/{from}/move"), format!("/projects/{id}/cycles/new"));
    let page = browser.open(&format!("/cycles/{from}")).await.expect(200);
    assert!(page.links().contains(&path), "{:?}", page.links());
    let ask = browser.open(&path).await.expect(200);
    ask.assert_contains(&["No other cycle is open", "Add the next cycle first."]);
    assert!(!ask.has_form(&path) && ask.links().contains(&new), "{}", ask.html());

    let form = browser.open(&new).await.expect(200);
    let today = app.ports.clock.now().date();
    let (first, last) = ((today + Duration::days(4)).to_string(), (today + Duration::days(10)).to_string());
    let next = [("name", "Next"), ("start_date", first.as_str()), ("end_date", last.as_str())];
    let next = browser.submit(&form, &format!("/projects/{id}/cycles"), &next).await.expect(200);
    let ask = browser.open(&path).await.expect(200);
    let result = browser.submit(&ask, &path, &[]).await.expect(200);
    result.assert_contains(&["Moved 1 task."]);
    let stored = client.get(&format!("/api/v1/issues/{moved}")).await.expect(200);
    assert_eq!(format!("/cycles/{}", stored.data()["cycle_id"].as_str().unwrap()), next.address);
}
