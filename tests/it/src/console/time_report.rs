//! The time report.

use domain::identity::workspaces::Role;
use serde_json::json;
use test_support::{App, Screen};

use super::time::task_of_acme;

const ENTRIES: &str = "/api/v1/time/entries";
const JANUARY: &str = "/time/report?from=2026-01-01&to=2026-01-31";

/// The texts of the cells of the report, without markup.
fn cells(page: &Screen) -> Vec<String> {
    let body = page.html().split("<tbody>").nth(1).unwrap_or_default().split("</table>").next().unwrap_or_default();
    let cells = body.split("<td").skip(1).filter_map(|rest| rest.split_once('>')).map(|(_, rest)| rest);
    let cells = cells.map(|rest| rest.split("</td>").next().unwrap_or_default());
    cells.filter(|cell| !cell.is_empty() && !cell.contains("<a ")).map(str::to_owned).collect()
}

/// The links of the rows to their entries.
fn entries_of(page: &Screen) -> Vec<String> {
    page.links().into_iter().filter(|link| link.starts_with("/time_entries?")).collect()
}

#[tokio::test]
async fn hours_and_amounts_are_added_up_by_what_the_reader_chooses() {
    let app = App::start().await;
    let tenant = app.workspace().await;
    let (ada, owner) = (tenant.user(Role::Member).await, tenant.user(Role::Owner).await);
    let task = task_of_acme(&owner.client).await;
    let rate = json!({"member_id": ada.id, "rate": 80, "currency": "CHF"});
    let _ = owner.client.post("/api/settings/time-rates", rate).await.expect(200);
    for (day, more) in [
        ("2026-01-05", json!({"task_id": task, "seconds": 5_400})),
        ("2026-01-12", json!({"task_id": task, "seconds": 1_800})),
        ("2026-01-12", json!({"billable": false, "seconds": 3_600})),
        ("2026-02-01", json!({"task_id": task, "seconds": 7_200})),
    ] {
        let mut entry = json!({"date": day});
        entry.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        let _ = ada.client.post(ENTRIES, entry).await.expect(201);
    }
    let browser = app.browser();
    let _ = browser.sign_in(&owner.email, owner.password, &tenant.workspace.slug).await;
    let amount = "CHF\u{a0}160.00";
    let whole = ["<strong>3:00</strong>", "<strong>2:00</strong>", "<strong>CHF\u{a0}160.00</strong>"];
    for (groups, rows) in [
        ("group_by=company", &["Acme", "2:00", "2:00", amount, "None", "1:00", "0:00"][..]),
        ("group_by=project", &["Shop", "2:00", "2:00", amount, "None", "1:00", "0:00"]),
        ("group_by=billable", &["billable", "2:00", "2:00", amount, "not billable", "1:00", "0:00"]),
    ] {
        let page = browser.open(&format!("{JANUARY}&{groups}")).await.expect(200);
        assert_eq!(cells(&page), [rows, &whole].concat(), "{groups}: {}", page.html());
    }
    let weeks = browser.open(&format!("{JANUARY}&group_by=task&then_by=week")).await.expect(200);
    weeks.assert_contains(&["Roast", "5 Jan 2026 – 11 Jan 2026", "12 Jan 2026 – 18 Jan 2026"]);
    let expected = format!("/time_entries?task_id={task}&from=2026-01-05&to=2026-01-11");
    assert!(entries_of(&weeks).contains(&expected), "{:?}", entries_of(&weeks));
    let list = browser.open(&expected).await.expect(200);
    assert!(list.html().contains("1:30") && !list.html().contains("12 Jan 2026"), "{}", list.html());
    let approved = browser.open(&format!("{JANUARY}&status=approved")).await.expect(200);
    assert!(approved.html().contains("No time in this period"), "{}", approved.html());
    // Others read hours, and the amounts of their own time.
    let other = tenant.signed_in(Role::Viewer).await;
    let page = other.open(&format!("{JANUARY}&group_by=member")).await.expect(200);
    assert!(page.html().contains("3:00") && !page.html().contains("CHF"), "{}", page.html());
    let own = app.browser();
    let _ = own.sign_in(&ada.email, ada.password, &tenant.workspace.slug).await;
    let page = own.open(&format!("{JANUARY}&group_by=member")).await.expect(200);
    page.assert_contains(&[amount, "Amounts cover only your own time."]);
}

#[tokio::test]
async fn a_report_begins_with_the_current_month_and_says_what_is_wrong_with_a_period() {
    let (_app, tenant) = App::with_workspace().await;
    let browser = tenant.signed_in(Role::Member).await;
    let page = browser.open("/time/report").await.expect(200);
    let current = page.attributes(["aria-current", "href"]).into_iter().filter_map(|[_, href]| href);
    let current: Vec<_> = current.filter(|href| href.starts_with("/time/report?")).collect();
    let [month] = current.as_slice() else { panic!("{current:?}") };
    assert!(month.contains("-01&to="), "{month}");
    for (query, message) in [
        ("from=2026-01-02&to=2026-01-01", "The last day must not be before the first."),
        ("from=2025-01-01&to=2026-01-02", "Choose at most 366 days."),
        ("from=2026-01-01", "Enter the first and the last day."),
        ("from=soon&to=2026-01-01", "Enter the first and the last day."),
    ] {
        let page = browser.open(&format!("/time/report?{query}")).await.expect(200);
        page.assert_contains(&[message, "name=\"from\""]);
    }
    let list = browser.open("/time_entries").await.expect(200);
    assert!(list.links().contains(&"/time/report".to_owned()), "{:?}", list.links());
}
