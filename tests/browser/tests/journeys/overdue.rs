//! Overdue dates are marked in lists and on record pages, in light and dark mode, and not by colour alone.

use browser::{Page, walk};
use domain::identity::workspaces::Role;
use serde_json::{Value, json};

use crate::people::at_work;

/// The marks in a part of the page.
const MARKS: &str = "return [...document.querySelectorAll(arguments[0] + ' .overdue')].map((one) => {
    const [red, green, blue] = getComputedStyle(one).color.match(/[0-9.]+/g).map(Number);
    const sign = one.querySelector('svg');
    return {
        text: one.textContent.replace(/\\s+/g, ' ').trim(),
        isRed: red > green + 40 && red > blue + 40,
        hasSign: sign !== null && sign.checkVisibility(),
    };
})";

async fn marks(page: &Page, part: &str) -> Vec<Value> {
    let result = page.script(MARKS, vec![json!(part)]).await;
    result.as_array().cloned().unwrap_or_default()
}

fn is_labelled(mark: &Value) -> bool {
    let text = mark["text"].as_str().unwrap_or_default();
    text.starts_with("Overdue: 1 Jan 2020") && mark["isRed"] == json!(true) && mark["hasSign"] == json!(true)
}

#[tokio::test]
async fn overdue_dates_are_red_and_labelled_in_lists_and_on_pages() {
    walk(async |test| {
        let tenant = test.app.workspace().await;
        let client = tenant.full_access().await;
        let mut kinds = Vec::new();
        for (list, api, title, due, time, done) in [
            ("/tasks", "/api/v1/issues", "title", "due_at", "2020-01-01T12:00:00Z", "done"),
            ("/deals", "/api/v1/crm/deals", "title", "expected_close_date", "2020-01-01", "closed_won"),
            ("/projects", "/api/v1/projects", "name", "end_date", "2020-01-01", "completed"),
        ] {
            let mut record = json!({ title: "Late", due: time });
            if list == "/tasks" {
                record["kind"] = json!("task");
            }
            let late = client.post(api, record.clone()).await.expect(201).id();
            record[title] = json!("Finished");
            record["status"] = json!(done);
            let finished = client.post(api, record).await.expect(201).id();
            kinds.push((list, late, finished));
        }
        let page = at_work(test, &tenant, Role::Member, "Ann").await;
        for is_dark in [false, true] {
            page.prefer_dark(is_dark).await;
            for (list, late, finished) in &kinds {
                page.open(list).await;
                page.settles().await;
                let (all, own) = (marks(&page, "#list").await, format!("#list tr:has(a[href$='{late}'])"));
                assert!(matches!(all.as_slice(), [mark] if is_labelled(mark)), "{list}, dark: {is_dark}: {all:?}");
                assert_eq!(marks(&page, &own).await, all, "{list}");
                page.open(&format!("{list}/{late}")).await;
                let result = marks(&page, "#record").await;
                assert!(
                    matches!(result.as_slice(), [mark] if is_labelled(mark)),
                    "{list}, dark: {is_dark}: {result:?}"
                );
                page.open(&format!("{list}/{finished}")).await;
                page.shows("1 Jan 2020").await;
                let result = marks(&page, "main").await;
                assert!(result.is_empty(), "{list}, dark: {is_dark}: {result:?}");
            }
        }
    })
    .await;
}
