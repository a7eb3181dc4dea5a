//! Projects and tasks: cycles with their chart, tasks on the board, sub-tasks, Markdown, and bulk changes.

use browser::{AriaRole, walk};
use domain::identity::workspaces::Role;
use serde_json::json;

use crate::people::{as_typed, at_work, go_to};

#[tokio::test]
async fn a_project_is_planned_in_a_cycle_and_its_chart_shows_progress() {
    walk(async |test| {
        let tenant = test.app.workspace().await;
        let page = at_work(test, &tenant, Role::Member, "Ann").await;
        page.open("/").await;
        go_to(&page, "Projects").await;
        page.open("/projects/new").await;
        page.field("Name").fill("Shop").await;
        page.button("Save").click().await;
        page.shows("Created “Shop”.").await;
        let project = page.path().await;
        page.link("New cycle").click().await;
        let today = test.app.ports.clock.now().date();
        page.field("Name").fill("First").await;
        page.field("First day").type_text(&as_typed(today)).await;
        page.field("Last day").type_text(&as_typed(today.next_day().unwrap())).await;
        page.button("Save").click().await;
        page.heading("Burn-up").wait().await;
        let cycle = page.path().await;

        page.link("New task").click().await;
        page.field("Title").fill("Roast").await;
        page.field("Description").fill("- **dark**\n- light").await;
        page.button("Preview").click().await;
        page.any(AriaRole::ListItem).containing("dark").wait().await;
        page.button("Save").click().await;
        page.shows("Created “Roast”.").await;
        page.link("First").wait().await;
        page.any(AriaRole::ListItem).containing("light").wait().await;
        page.field("New sub-task").fill("Buy beans").await;
        page.button("Add").within(&page.role(AriaRole::Region, "Sub-tasks")).click().await;
        page.link("Buy beans").within(&page.role(AriaRole::Region, "Sub-tasks")).wait().await;

        page.open(&cycle).await;
        page.role(AriaRole::Image, "Issues in the cycle and how many of them are done, by day").wait().await;
        page.shows("0 / 1").await;
        page.link("Board").click().await;
        let card = page.any(AriaRole::ListItem).containing("Roast");
        let column = page.role(AriaRole::Region, "In progress");
        card.drag_to(&column).await;
        card.clone().within(&column).wait().await;
        page.shows("Moved “Roast” to In progress.").await;
        page.button("Undo").click().await;
        card.clone().within(&page.role(AriaRole::Region, "To do")).wait().await;
        page.shows("Moved “Roast” to To do.").await;
        card.drag_to(&page.link("Projects").within(&page.role(AriaRole::Navigation, "Main"))).await;
        card.within(&page.role(AriaRole::Region, "To do")).wait().await;
        // The card's menu also changes the status.
        page.open_details("Move Roast").await;
        page.field("To status").select("Done").await;
        page.button("Move").click().await;
        page.link("Roast").within(&page.role(AriaRole::Region, "Done")).wait().await;
        page.open(&cycle).await;
        page.shows("1 / 1").await;
        page.open(&project).await;
        page.role(AriaRole::Region, "Progress").containing("50 %").wait().await;
    })
    .await;
}

#[tokio::test]
async fn many_tasks_are_changed_at_once_and_commented_on() {
    walk(async |test| {
        let tenant = test.app.workspace().await;
        let client = tenant.full_access().await;
        for title in ["Roast", "Grind", "Brew"] {
            let _ = client.post("/api/v1/issues", json!({"kind": "task", "title": title})).await.expect(201);
        }
        let page = at_work(test, &tenant, Role::Member, "Ann").await;
        page.open("/tasks").await;
        for title in ["Select Roast", "Select Brew"] {
            page.field(title).click().await;
        }
        page.button("Edit").click().await;
        page.field("Priority").select("Urgent").await;
        page.button("Apply").click().await;
        page.shows("Changed 2 records.").await;
        page.link("Brew").click().await;
        page.shows("Urgent").await;

        let colleague = at_work(test, &tenant, Role::Member, "Bob").await;
        colleague.open(&page.path().await).await;
        page.field("New comment").fill("Not *too* hot").await;
        page.button("Preview").click().await;
        page.shows("Not too hot").await;
        page.button("Add comment").click().await;
        colleague.any(AriaRole::ListItem).containing("Not too hot").wait().await;
        colleague.any(AriaRole::Status).containing("Changed by Ann").wait().await;
    })
    .await;
}

/// Types a time into a member's field, like the browser's date picker.
const PICK_TIME: &str = "const field = document.querySelector(`[name=${arguments[0]}]`);
    field.value = arguments[1];
    field.dispatchEvent(new Event('input', { bubbles: true }));
    field.dispatchEvent(new Event('change', { bubbles: true }));";

#[tokio::test]
async fn times_are_typed_in_the_browsers_zone_from_the_first_page_on() {
    walk(async |test| {
        let tenant = test.app.workspace().await;
        let client = tenant.full_access().await;
        let body = json!({"kind": "task", "title": "Roast", "due_at": "2030-07-01T00:30:00Z"});
        let task = client.post("/api/v1/issues", body).await.expect(201).id();
        let due_at = async || {
            let stored = client.get(&format!("/api/v1/issues/{task}")).await.expect(200);
            stored.data()["due_at"].as_str().unwrap().to_owned()
        };
        let page = at_work(test, &tenant, Role::Member, "Ann").await;
        page.set_time_zone("Asia/Tokyo").await;
        // The server knows the zone only from the next page on, but the form already uses it.
        page.open(&format!("/tasks/{task}/edit")).await;
        page.shows("Time zone: Asia/Tokyo").await;
        assert_eq!(page.field("Due").value().await, "2030-07-01T09:30");
        page.field("Title").fill("Grind").await;
        page.button("Save").click().await;
        page.shows("Saved “Grind”.").await;
        assert_eq!(due_at().await, "2030-07-01T00:30:00.000000Z");

        // The same after travelling to another zone.
        page.set_time_zone("America/New_York").await;
        page.open(&format!("/tasks/{task}/edit")).await;
        page.shows("Time zone: America/New_York").await;
        assert_eq!(page.field("Due").value().await, "2030-06-30T20:30");
        page.script(PICK_TIME, vec![json!("due_at"), json!("2030-07-01T09:00")]).await;
        page.button("Save").click().await;
        page.shows("Saved “Grind”.").await;
        assert_eq!(due_at().await, "2030-07-01T13:00:00.000000Z");
    })
    .await;
}
