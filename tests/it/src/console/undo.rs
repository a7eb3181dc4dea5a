//! Undo from messages, except for forms and bulk changes.

use domain::console::undos::MAX_UNDOS;
use domain::identity::workspaces::Role;
use serde_json::{Value, json};
use test_support::{Browser, Client, Screen};

use super::bulk_changes::undo_of;
use super::records::start;

const DEALS: &str = "/api/v1/crm/deals";
const UNDONE: &str = "Put 1 record back as it was.";

async fn record(client: &Client, api: &str) -> Value {
    client.get(api).await.expect(200).data().clone()
}

/// Presses Undo, which must succeed.
async fn undo(browser: &Browser, screen: &Screen) -> Screen {
    let undone = browser.submit(screen, &undo_of(screen), &[]).await.expect(200);
    undone.assert_contains(&[UNDONE]);
    undone
}

/// Members of a record, in this order.
fn members(record: &Value, names: &[&str]) -> Value {
    names.iter().map(|name| record[*name].clone()).collect()
}

const CLOSING: [&str; 4] = ["status", "stage", "lost_reason", "actual_close_date"];

#[tokio::test]
async fn moves_on_the_board_of_deals_are_undone() {
    let (_app, _tenant, client, browser) = start().await;
    let id = client.create(DEALS, json!({"title": "Pilot", "stage": "qualified"})).await;
    let (action, close, api) = (format!("/deals/{id}/stage"), format!("/deals/{id}/close"), format!("{DEALS}/{id}"));
    let board = browser.open("/deals/board").await.expect(200);
    let moved = browser.submit(&board, &action, &[("stage", "proposal")]).await.expect(200);
    moved.assert_contains(&["Moved “Pilot” to Proposal."]);
    let undone = undo(&browser, &moved).await;
    assert_eq!((undone.address.as_str(), &record(&client, &api).await["stage"]), ("/deals/board", &json!("qualified")));
    // Closing and undoing it both change the version.
    let prompt = browser.submit(&undone, &action, &[("stage", "closed_lost")]).await.expect(200);
    let reason = [("lost_reason", "Too dear"), ("actual_close_date", "2026-01-31")];
    let closed = browser.submit(&prompt, &close, &reason).await.expect(200);
    let lost = json!(["closed_lost", "closed_lost", "Too dear", "2026-01-31"]);
    assert_eq!(members(&record(&client, &api).await, &CLOSING), lost);
    let reopened = undo(&browser, &closed).await;
    assert_eq!(members(&record(&client, &api).await, &CLOSING), json!(["open", "qualified", null, null]));
    let redone = undo(&browser, &reopened).await;
    assert_eq!(members(&record(&client, &api).await, &CLOSING), lost);
    // Undoing the reopening of a deal closes it with its previous values.
    let opened = browser.submit(&redone, &action, &[("stage", "negotiation")]).await.expect(200);
    let _ = undo(&browser, &opened).await;
    assert_eq!(members(&record(&client, &api).await, &CLOSING), lost);
    // Changes by others stay.
    let opened =
        browser.submit(&browser.open("/deals/board").await, &action, &[("stage", "proposal")]).await.expect(200);
    let _ = client.patch(&api, json!({"title": "Pilot 2", "stage": "qualified"})).await.expect(200);
    let refused = browser.submit(&opened, &undo_of(&opened), &[]).await.expect(200);
    refused.assert_contains(&["It was changed again since, so it was left as it is."]);
    assert_eq!(members(&record(&client, &api).await, &CLOSING), json!(["open", "qualified", null, null]));
    // A refused undo can be retried.
    let _ = client.patch(&api, json!({"stage": "proposal"})).await.expect(200);
    let _ = undo(&browser, &refused).await;
    let now = record(&client, &api).await;
    assert_eq!((members(&now, &CLOSING), &now["title"]), (lost, &json!("Pilot 2")));
}

#[tokio::test]
async fn records_that_must_be_reopened_first_are_also_undone() {
    let (_app, _tenant, client, browser) = start().await;
    let paused = json!({"title": "Pilot", "stage": "proposal", "status": "on_hold", "value": 10});
    let id = client.create(DEALS, paused).await;
    let (close, api) = (format!("/deals/{id}/close"), format!("{DEALS}/{id}"));
    let prompt = browser.open(&format!("{close}?stage=closed_won&from=deal")).await.expect(200);
    let closed = browser.submit(&prompt, &close, &[("value", "12")]).await.expect(200);
    let now = record(&client, &api).await;
    assert_eq!(members(&now, &["status", "stage"]), json!(["closed_won", "closed_won"]));
    let undone = undo(&browser, &closed).await;
    let before = record(&client, &api).await;
    assert_eq!(members(&before, &CLOSING), json!(["on_hold", "proposal", null, null]));
    assert_eq!(before["value"].as_f64(), Some(10.0));
    let _ = undo(&browser, &undone).await;
    let after = record(&client, &api).await;
    let names = ["status", "stage", "value", "actual_close_date"];
    assert_eq!(members(&after, &names), members(&now, &names), "undoing that restores the previous state");

    for (kind, path, create, status, former) in [
        ("ticket", "/tickets", "/api/v1/issues", "closed", "pending"),
        ("ticket", "/tickets", "/api/v1/issues", "resolved", "on_hold"),
        ("project", "/projects", "/api/v1/projects", "archived", "on_hold"),
        ("project", "/projects", "/api/v1/projects", "cancelled", "completed"),
    ] {
        let body = if kind == "ticket" {
            json!({"kind": kind, "title": "Help", "status": former})
        } else {
            json!({"name": "Site", "status": former})
        };
        let id = client.create(create, body).await;
        let page = format!("{path}/{id}");
        let form = browser.open(&format!("{page}/edit?field=status")).await.expect(200);
        let changed = browser.submit(&form, &page, &[("status", status)]).await.expect(200);
        let _ = undo(&browser, &changed).await;
        assert_eq!(record(&client, &format!("{create}/{id}")).await["status"], former, "{kind} {status}");
    }
}

#[tokio::test]
async fn moves_of_tasks_and_edits_of_cycles_are_undone() {
    let (_app, _tenant, client, browser) = start().await;
    let project = client.create("/api/v1/projects", json!({"name": "Relaunch"})).await;
    let cycle = async |name: &str, month: u8| {
        let days = |day: u8| format!("2031-{month:02}-{day:02}");
        let body = json!({"name": name, "start_date": days(1), "end_date": days(20)});
        client.create(&format!("/api/v1/projects/{project}/cycles"), body).await
    };
    let (first, second) = (cycle("First", 1).await, cycle("Second", 2).await);
    let task = json!({"kind": "task", "title": "Roast", "project_id": project, "cycle_id": first});
    let task = client.create("/api/v1/issues", task).await;
    let api = format!("/api/v1/issues/{task}");

    let column = browser.open(&format!("/projects/{project}/board?status=todo")).await.expect(200);
    let moved = browser.submit(&column, &format!("/tasks/{task}/status"), &[("status", "done")]).await.expect(200);
    let undone = undo(&browser, &moved).await;
    assert_eq!((&undone.address, &record(&client, &api).await["status"]), (&column.address, &json!("todo")));

    let path = format!("/cycles/{first}/move");
    let ask = browser.open(&path).await.expect(200);
    let moved = browser.submit(&ask, &path, &[("cycle_id", &second)]).await.expect(200);
    moved.assert_contains(&["Moved 1 task."]);
    assert_eq!(record(&client, &api).await["cycle_id"], json!(second));
    let _ = undo(&browser, &moved).await;
    assert_eq!(record(&client, &api).await["cycle_id"], json!(first));

    let path = format!("/cycles/{first}");
    let edit = async || browser.open(&format!("{path}/edit")).await.expect(200);
    let new = [("name", "Renamed"), ("end_date", "2031-01-31")];
    let saved = browser.submit(&edit().await, &path, &new).await.expect(200);
    let undone = undo(&browser, &saved).await;
    assert_eq!(undone.address, path);
    let form = edit().await;
    let values = ["name", "end_date"].map(|name| form.value_of(&path, name).unwrap_or_default());
    assert_eq!(values, ["First", "2031-01-20"]);
    let redone = undo(&browser, &undone).await;
    let _ = browser.submit(&edit().await, &path, &[("name", "Other")]).await.expect(200);
    let refused = browser.submit(&redone, &undo_of(&redone), &[]).await.expect(200);
    refused.assert_contains(&["except for what was changed again since: Name."]);
    let form = edit().await;
    let values = ["name", "end_date"].map(|name| form.value_of(&path, name).unwrap_or_default());
    assert_eq!(values, ["Other", "2031-01-20"]);
}

#[tokio::test]
async fn later_changes_of_other_members_and_later_undos_do_not_block_an_undo() {
    let (_app, _tenant, client, browser) = start().await;
    let deal = json!({"title": "One", "expected_close_date": "2030-01-31"});
    let id = client.create(DEALS, deal).await;
    let (page, api) = (format!("/deals/{id}"), format!("{DEALS}/{id}"));
    let set = async |name: &str, value: &str| {
        let form = browser.open(&format!("{page}/edit?field={name}")).await.expect(200);
        browser.submit(&form, &page, &[(name, value)]).await.expect(200)
    };
    let first = set("title", "Two").await;
    let date = set("expected_close_date", "2031-01-31").await;
    let second = set("title", "Three").await;
    // The title was changed again after the first change, until that is undone.
    let refused = browser.submit(&first, &undo_of(&first), &[]).await.expect(200);
    refused.assert_contains(&["It was changed again since"]);
    for message in [&second, &first, &date] {
        let _ = undo(&browser, message).await;
    }
    let now = members(&record(&client, &api).await, &["title", "expected_close_date"]);
    assert_eq!(now, json!(["One", "2030-01-31"]));
    let used_up = browser.submit(&first, &undo_of(&first), &[]).await.expect(200);
    used_up.assert_contains(&["Nothing to undo"]);
}

#[tokio::test]
async fn an_edit_of_a_comment_is_undone() {
    let (_app, tenant, client, browser) = start().await;
    for (path, api, body) in [
        ("/deals", DEALS, json!({"title": "Pilot"})),
        ("/contacts", "/api/v1/crm/contacts", json!({"email": "a@example.com"})),
        ("/tasks", "/api/v1/issues", json!({"kind": "task", "title": "Roast"})),
    ] {
        let id = client.create(api, body).await;
        let page = format!("{path}/{id}");
        let shown = browser.open(&page).await.expect(200);
        let comment_page =
            browser.submit(&shown, &format!("{page}/comments"), &[("body", "Former words")]).await.expect(200);
        let comment = comment_page.html().split("action=\"/comments/").nth(1).unwrap().split('"').next().unwrap();
        let comment = format!("/comments/{comment}");
        let saved = browser.submit(&comment_page, &comment, &[("body", "Other words")]).await.expect(200);
        saved.assert_contains(&["Saved the comment."]);
        let undone = undo(&browser, &saved).await;
        assert!(undone.html().contains("Former words") && !undone.html().contains("Other words"), "{path}");
        // Only its author can undo it.
        let saved = browser.submit(&undone, &comment, &[("body", "New words")]).await.expect(200);
        let other = tenant.signed_in(Role::Owner).await;
        let token = other.open("/").await.fields_of("/sign-out");
        assert_eq!(other.send(other.post(&undo_of(&saved), &token)).await.status, 303, "{path}");
        assert!(browser.open(&page).await.html().contains("New words"), "{path}: it is somebody else's");
        let deleted = browser.submit(&saved, &format!("{comment}/delete"), &[]).await.expect(200);
        let refused = browser.submit(&saved, &undo_of(&saved), &[]).await.expect(200);
        assert!(!refused.html().contains(UNDONE) && !deleted.html().contains("New words"), "{}", refused.html());
    }
}

#[tokio::test]
async fn a_change_before_ten_later_ones_can_no_longer_be_undone() {
    let (_app, _tenant, client, browser) = start().await;
    let id = client.create(DEALS, json!({"title": "Pilot"})).await;
    let (page, api) = (format!("/deals/{id}"), format!("{DEALS}/{id}"));
    let set = async |title: &str| {
        let form = browser.open(&format!("{page}/edit?field=title")).await.expect(200);
        browser.submit(&form, &page, &[("title", title)]).await.expect(200)
    };
    let first = set("First").await;
    for number in 0..MAX_UNDOS {
        let _ = set(&format!("Later {number}")).await;
    }
    let refused = browser.submit(&first, &undo_of(&first), &[]).await.expect(200);
    assert_eq!(refused.address, page);
    refused.assert_contains(&["This can no longer be undone"]);
    assert_eq!(record(&client, &api).await["title"], format!("Later {}", MAX_UNDOS - 1));
}
