//! Tasks in the console: lists, pages, plans and bulk changes.

use domain::identity::workspaces::Role;
use serde_json::json;
use test_support::{App, Client};

use super::bulk_changes::undo_of;
use crate::support::UNKNOWN_ID;

/// Stored text that must not become markup of a page.
const MARKUP: &str = "<img src=x onerror=alert(1)>";

async fn task(client: &Client, mut body: serde_json::Value) -> String {
    body["kind"] = json!("task");
    client.create("/api/v1/issues", body).await
}

#[tokio::test]
async fn the_list_starts_with_own_tasks_and_every_filter_is_a_chip() {
    let (app, tenant, client) = App::with_workspace_client().await;
    let user = tenant.user(Role::Member).await;
    let browser = app.browser_of(&user).await;
    let id = user.id.to_string();
    task(&client, json!({"title": "My own", "assignee_id": id})).await;
    task(&client, json!({"title": format!("Nobody's {MARKUP}")})).await;
    let _ = client.post("/api/v1/issues", json!({"kind": "ticket", "title": "A ticket"})).await.expect(201);
    let home = browser.open("/projects").await.expect(200);
    home.assert_contains(&["href=\"/tasks/mine\""]);
    let mine = browser.open("/tasks/mine").await.expect(200);
    assert_eq!(mine.address, format!("/tasks?assignee={id}"));
    assert!(mine.html().contains("My own") && !mine.html().contains("Nobody&#39;s"), "{}", mine.html());
    mine.assert_contains(&["Assignee: "]);
    let nobody = browser.open("/tasks?assignee=none").await.expect(200);
    assert!(nobody.html().contains("Nobody&#39;s &#60;img") && !nobody.html().contains("My own"), "{}", nobody.html());
    assert!(nobody.html().contains("Assignee: Nobody") && !nobody.html().contains(MARKUP), "{}", nobody.html());
    let all = browser.open("/tasks").await.expect(200);
    all.assert_contains(&["My own", "Nobody&#39;s"]);
    assert!(!all.html().contains("A ticket") && !all.html().contains("value=\"on_hold\""), "tickets are not tasks");
    // A time in the format of the browser's field.
    let due = browser.open("/tasks?due_before=2030-01-01T09%3A00").await.expect(200);
    due.assert_contains(&["No tasks match these filters"]);
    let _ = browser.open("/tasks?due_before=soon").await.expect(400);
}

#[tokio::test]
async fn a_task_is_created_in_its_project_and_changed_in_place() {
    let (_app, tenant, client) = App::with_workspace_client().await;
    let project = client.create("/api/v1/projects", json!({"name": "Relaunch"})).await;
    let dates = json!({"name": "First", "start_date": "2030-01-01", "end_date": "2030-01-10"});
    let cycle = client.create(&format!("/api/v1/projects/{project}/cycles"), dates).await;
    let browser = tenant.signed_in(Role::Member).await;
    let form = browser.open(&format!("/tasks/new?project_id={project}")).await.expect(200);
    assert!(form.fields_of("/tasks").contains(&("project_id".to_owned(), "Relaunch".to_owned())), "{}", form.html());
    form.assert_contains(&[&format!("<option value=\"{cycle}\">First")]);
    let refused = browser.submit(&form, "/tasks", &[("title", " "), ("description", "Kept")]).await.expect(422);
    assert!(refused.html().split("title-error").last().unwrap().contains("must"), "{}", refused.html());
    assert!(refused.fields_of("/tasks").contains(&("description".to_owned(), "Kept".to_owned())));
    let values = [("title", MARKUP), ("description", "**bold** <script>"), ("cycle_id", cycle.as_str())];
    let created = browser.submit(&refused, "/tasks", &values).await.expect(200);
    let path = created.address.clone();
    created.assert_contains(&["<strong>bold</strong>", "Relaunch", "First", "&#60;img src=x"]);
    assert!(!created.html().contains("<img src=x") && !created.html().contains("<script> "), "{}", created.html());
    let edit = browser.open(&format!("{path}/edit?field=status")).await.expect(200);
    assert!(!edit.html().contains("value=\"pending\""), "statuses of tickets are not offered");
    let saved = browser.submit(&edit, &path, &[("status", "in_review")]).await.expect(200);
    saved.assert_contains(&["In review"]);
    let commented = browser.submit(&saved, &format!("{path}/comments"), &[("body", MARKUP)]).await.expect(200);
    assert!(!commented.html().contains("<img src=x"), "{}", commented.html());
    let history = browser.open(&format!("{path}/history")).await.expect(200);
    assert!(history.html().contains("In review") || history.html().contains("in_review"), "{}", history.html());
    let viewer = tenant.signed_in(Role::Viewer).await;
    let shown = viewer.open(&path).await.expect(200);
    for action in ["plan", "delete", "comments"] {
        assert!(!shown.has_form(&format!("{path}/{action}")), "{action} is not offered to viewers");
    }
    assert!(!shown.has_form("/tasks") && !shown.html().contains("/edit"), "{}", shown.html());
    for page in ["/tasks/new", &format!("{path}/edit"), &format!("{path}/plan")] {
        let _ = viewer.open(page).await.expect(403);
    }
    let ticket = client.create("/api/v1/issues", json!({"kind": "ticket", "title": "T"})).await;
    let _ = browser.open(&format!("/tasks/{ticket}")).await.expect(404);
}

#[tokio::test]
async fn sub_tasks_are_added_on_the_page_and_an_epic_shows_its_tasks() {
    let (_app, tenant, client) = App::with_workspace_client().await;
    let parent = task(&client, json!({"title": "Parent"})).await;
    let other = task(&client, json!({"title": format!("Part of it {MARKUP}")})).await;
    let browser = tenant.signed_in(Role::Member).await;
    let path = format!("/tasks/{parent}");
    let page = browser.open(&path).await.expect(200);
    let added = browser.submit(&page, "/tasks", &[("title", "A step")]).await.expect(200);
    assert!(added.address == path && added.html().contains(">A step</a>"), "{}", added.html());
    added.assert_contains(&["0 / 1"]);
    let plan = browser.open(&format!("/tasks/{other}/plan")).await.expect(200);
    let action = format!("/tasks/{other}/plan");
    let loops = [("epic_id", other.as_str())];
    let refused = browser.submit(&plan, &action, &loops).await.expect(422);
    refused.assert_contains(&["An issue cannot belong to itself"]);
    let missing = browser.submit(&plan, &action, &[("epic_id", UNKNOWN_ID), ("add_labels", "kept")]).await.expect(422);
    let error = missing.html().split("epic_id-error").last().unwrap();
    assert!(error.contains("must be the id of an issue"), "{}", missing.html());
    assert!(missing.fields_of(&action).contains(&("add_labels".to_owned(), "kept".to_owned())));
    let values = [("epic_id", parent.as_str()), ("add_labels", "urgent, <b>odd</b>"), ("start_date", "2030-01-02")];
    let saved = browser.submit(&plan, &action, &values).await.expect(200);
    saved.assert_contains(&["Parent", "urgent", "&#60;b&#62;odd", "2 Jan 2030"]);
    let epic = browser.open(&path).await.expect(200);
    epic.assert_contains(&["In this epic", "Part of it &#60;img"]);
    // Changes by others appear there automatically.
    for id in ["sub-tasks", "epic-tasks"] {
        assert!(epic.html().contains(&format!("id=\"{id}\" data-live=\"task\"")), "{id}: {}", epic.html());
    }
    for many in ["that they belong to", "work on them"] {
        assert!(!plan.html().contains(many), "the form is about one task: {many}");
    }
    let removed = browser.submit(&saved, &action, &[]).await.expect(200);
    assert!(!removed.html().contains("Remove the label urgent"), "{}", removed.html());
}

#[tokio::test]
async fn the_link_of_a_deleted_task_says_who_deleted_it_and_offers_to_restore_it() {
    let (_app, tenant, client) = App::with_workspace_client().await;
    let path = format!("/tasks/{}", task(&client, json!({"title": format!("Kept {MARKUP}")})).await);
    let owner = tenant.signed_in(Role::Owner).await;
    let page = owner.open(&path).await.expect(200);
    let _ = owner.submit(&page, &format!("{path}/delete"), &[]).await.expect(200);
    let member = tenant.signed_in(Role::Member).await;
    let hidden = member.open(&path).await.expect(404);
    assert!(!hidden.html().contains("id=\"gone\"") && !hidden.html().contains("Kept"), "{}", hidden.html());
    let deleted = owner.open(&path).await.expect(404);
    let alert = deleted.html().split("id=\"gone\"").nth(1).unwrap_or_default();
    assert!(alert.contains("deleted this."), "{}", deleted.html());
    assert!(deleted.html().contains("Kept &#60;img") && !deleted.html().contains(MARKUP), "{}", deleted.html());
    let restored = owner.submit(&deleted, &format!("{path}/restore"), &[]).await.expect(200);
    assert_eq!(restored.address, path);
    let _ = owner.open(&format!("/tasks/{UNKNOWN_ID}")).await.expect(404);
}

#[tokio::test]
async fn many_tasks_change_at_once_and_each_has_its_result() {
    let (_app, tenant, client) = App::with_workspace_client().await;
    let first = task(&client, json!({"title": format!("First {MARKUP}")})).await;
    let second = task(&client, json!({"title": "Second"})).await;
    let browser = tenant.signed_in(Role::Owner).await;
    let (one, two) = (format!("{first}:1"), format!("{second}:1"));
    let chosen = [("selected", one.as_str()), ("selected", two.as_str())];
    let set = async |more: &[(&str, &str)]| {
        let list = browser.open("/tasks").await.expect(200);
        let page = browser.submit(&list, "/tasks/bulk", &chosen).await.expect(200);
        browser.submit(&page, "/tasks/bulk/apply", more).await.expect(200)
    };
    let result = set(&[("status", "done"), ("priority", "high")]).await;
    result.assert_contains(&["Changed 2 records"]);
    let member = async |id: &str, name: &str| client.get(&format!("/api/v1/issues/{id}")).await.data()[name].clone();
    for id in [&first, &second] {
        assert_eq!((member(id, "status").await, member(id, "priority").await), (json!("done"), json!("high")));
    }
    // An epic cannot be its own epic: one task is changed, the other is refused with the reason.
    let mixed = set(&[("epic_id", &first)]).await;
    mixed.assert_contains(&["Changed 1 record.", "an issue cannot belong to itself"]);
    assert!(!mixed.html().contains(MARKUP));
    let labels = set(&[("add_labels", "a, b")]).await;
    labels.assert_contains(&["Changed 2 records"]);
    assert_eq!(member(&second, "labels").await, json!(["a", "b"]));
    let undone = browser.submit(&labels, &undo_of(&labels), &[]).await.expect(200);
    undone.assert_contains(&["Put 2 records back"]);
    assert_eq!(member(&second, "labels").await, json!([]));
    let viewer = tenant.signed_in(Role::Viewer).await;
    let shown = viewer.open("/tasks").await.expect(200);
    assert!(!shown.html().contains("class=\"bulk-bar") && !shown.html().contains("/tasks/new"), "{}", shown.html());
}
