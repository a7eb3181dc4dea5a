//! Undo in messages: changes to an article, one-click changes to a ticket, and changes to a task's plan.

use browser::{AriaRole, Key, Page, walk};
use domain::identity::workspaces::Role;
use serde_json::{Value, json};

use crate::people::{as_typed, at_work, browser_of, member};
use crate::tickets::ticket;

const ARTICLES: &str = "/api/settings/kb/articles";

/// Undoes the change that the message reports.
async fn undo(page: &Page, message: &str) {
    page.shows(message).await;
    page.button("Undo").click().await;
    page.shows("Put 1 record back as it was.").await;
}

#[tokio::test]
async fn an_article_is_restored_after_an_edit_and_after_publishing() {
    walk(async |test| {
        let tenant = test.app.workspace().await;
        let owner = tenant.user(Role::Owner).await.client;
        let article = json!({"title": "Brewing", "body": "Use **soft** water."});
        let id = owner.post(ARTICLES, article).await.expect(201).id();
        let read = async |name: &str| owner.get(&format!("{ARTICLES}/{id}")).await.expect(200).data()[name].clone();
        let page = at_work(test, &tenant, Role::Member, "Mia").await;
        page.open(&format!("/articles/{id}")).await;
        page.link("Edit").click().await;
        page.field("Title").fill("Brewing tea").await;
        page.field("Body").fill("Use any water.").await;
        page.button("Save").click().await;
        page.heading("Brewing tea").wait().await;
        page.shows("Use any water.").await;
        undo(&page, "Saved “Brewing tea”.").await;
        page.heading("Brewing").wait().await;
        page.shows("Use soft water.").await;
        assert_eq!((read("title").await, read("body").await), (json!("Brewing"), json!("Use **soft** water.")));

        page.button("Publish").click().await;
        page.button("Back to draft").wait().await;
        assert_eq!(read("status").await, "published");
        undo(&page, "Saved “Brewing”.").await;
        page.button("Publish").wait().await;
        assert_eq!(read("status").await, "draft");
    })
    .await;
}

#[tokio::test]
async fn one_click_changes_to_a_ticket_are_undone() {
    walk(async |test| {
        let tenant = test.app.workspace().await;
        let client = tenant.full_access().await;
        let path = ticket(&client).await;
        let issue = path.replace("/tickets/", "/api/v1/issues/");
        let read = async |name: &str| client.get(&issue).await.expect(200).data()[name].clone();
        let ann = member(&tenant, Role::Member, "Ann").await;
        let page = browser_of(test, &ann).await;
        page.open(&path).await;
        let saved = "Saved “It does not print”.";

        page.button("Assign to me").click().await;
        page.shows(saved).await;
        assert_eq!(read("assignee_id").await, json!(ann.id));
        undo(&page, saved).await;
        assert_eq!(read("assignee_id").await, Value::Null);

        let priority = read("priority").await;
        page.field("Priority").select("Urgent").await;
        page.shows(saved).await;
        assert_eq!(read("priority").await, "urgent");
        undo(&page, saved).await;
        assert_eq!(read("priority").await, priority);

        page.button("Set status to Pending").click().await;
        page.shows(saved).await;
        assert_eq!(read("status").await, "pending");
        undo(&page, saved).await;
        assert_eq!(read("status").await, "open");

        page.field("Labels").fill("printer, urgent").await;
        page.press(Key::Enter).await;
        page.shows("Saved the labels.").await;
        assert_eq!(read("labels").await, json!(["printer", "urgent"]));
        undo(&page, "Saved the labels.").await;
        assert_eq!(read("labels").await, json!([]));
    })
    .await;
}

#[tokio::test]
async fn changes_to_the_plan_of_a_task_are_undone() {
    walk(async |test| {
        let tenant = test.app.workspace().await;
        let client = tenant.full_access().await;
        let task = |title: &str| json!({"kind": "task", "title": title});
        let epic = client.post("/api/v1/issues", task("Harvest")).await.expect(201).id();
        let id = client.post("/api/v1/issues", task("Roast")).await.expect(201).id();
        let read =
            async |name: &str| client.get(&format!("/api/v1/issues/{id}")).await.expect(200).data()[name].clone();
        let page = at_work(test, &tenant, Role::Member, "Ann").await;
        page.open(&format!("/tasks/{id}")).await;
        page.field("Add labels").fill("beans").await;
        page.button("Add").within(&page.role(AriaRole::Region, "Labels and epic")).click().await;
        page.button("Remove the label beans").wait().await;
        assert_eq!(read("labels").await, json!(["beans"]));
        undo(&page, "Saved the task.").await;
        assert_eq!(read("labels").await, json!([]));

        let today = test.app.ports.clock.now().date();
        page.link("Change labels, epic and first day").click().await;
        page.field("Epic").type_text("harv").await;
        page.any(AriaRole::Option).containing("Harvest").click().await;
        page.field("First day").type_text(&as_typed(today)).await;
        page.button("Save").click().await;
        page.shows("Saved the task.").await;
        assert_eq!((read("epic_id").await, read("start_date").await), (json!(epic), json!(today.to_string())));
        undo(&page, "Saved the task.").await;
        assert_eq!((read("epic_id").await, read("start_date").await), (Value::Null, Value::Null));
    })
    .await;
}
