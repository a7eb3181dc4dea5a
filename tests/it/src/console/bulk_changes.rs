//! Bulk changes and undo.

use domain::console::undos::MAX_UNDO_RECORDS;
use domain::identity::workspaces::Role;
use domain::kernel::input::format_timestamp;
use domain::limits::FixedLimits;
use serde_json::{Value, json};
use test_support::{App, AppOptions, Browser, Client, Screen};
use time::Duration;

use super::records::{added, start};
use crate::tools::run;

const APPLY: &str = "/deals/bulk/apply";

/// The address of the undo form.
pub(super) fn undo_of(screen: &Screen) -> String {
    let id = screen.html().split("action=\"/undo/").nth(1).and_then(|rest| rest.split('"').next());
    format!("/undo/{}", id.unwrap_or_else(|| panic!("nothing to undo: {}", screen.html())))
}

/// Three deals with tags, by id.
async fn three_deals(client: &Client) -> Vec<String> {
    let mut ids = Vec::new();
    for name in ["One", "Two", "Three"] {
        let deal = json!({"title": name, "tags": ["old"], "expected_close_date": "2030-01-31"});
        let (page, _) = added(client, "/deals", deal).await;
        ids.push(page.rsplit('/').next().unwrap_or_default().to_owned());
    }
    ids
}

async fn member(client: &Client, id: &str, name: &str) -> Value {
    client.get(&format!("/api/v1/crm/deals/{id}")).await.expect(200).data()[name].clone()
}

/// Sends the form of a list with these records selected. Unless a button says otherwise, it leads to the bulk edit page.
async fn send(browser: &Browser, list: &str, ids: &[String], values: &[(&str, &str)]) -> Screen {
    let list = browser.open(list).await.expect(200);
    let ticked: Vec<_> = ids.iter().map(|id| format!("{id}:1")).collect();
    let mut fields = values.to_vec();
    fields.extend(ticked.iter().map(|one| ("selected", one.as_str())));
    browser.submit(&list, "/deals/bulk", &fields).await
}

async fn set(browser: &Browser, list: &str, ids: &[String], values: &[(&str, &str)]) -> Screen {
    let page = send(browser, list, ids, &[]).await.expect(200);
    browser.submit(&page, APPLY, values).await
}

#[tokio::test]
async fn only_filled_in_fields_are_set_and_can_be_undone() {
    let (_app, tenant, client, browser) = start().await;
    let ids = three_deals(&client).await;
    let ana = tenant.user(Role::Member).await;
    let owner = ana.id.to_string();
    let _ = client.patch(&format!("/api/v1/crm/deals/{}", ids[0]), json!({"assigned_to": owner})).await.expect(200);
    let filtered = "/deals?tag=old";

    let page = send(&browser, filtered, &ids, &[]).await.expect(200);
    page.assert_contains(&["Edit 3 records", "Now: Discovery (3)", "Now: nothing (2), "]);
    let result = browser.submit(&page, APPLY, &[("assigned_to", &owner)]).await.expect(200);
    result.assert_contains(&["Changed 3 records."]);
    assert_eq!(result.address, filtered, "the link back keeps the filter");
    for id in &ids {
        assert_eq!(member(&client, id, "assigned_to").await, json!(owner));
        assert_eq!(member(&client, id, "expected_close_date").await, "2030-01-31");
    }
    let undo = undo_of(&result);
    let other = tenant.signed_in(Role::Owner).await;
    let token = other.open("/").await.fields_of("/sign-out");
    assert_eq!(other.send(other.post(&undo, &token)).await.status, 303);
    assert_eq!(member(&client, &ids[1], "assigned_to").await, json!(owner), "it belongs to another user");
    let undone = browser.submit(&result, &undo, &[]).await.expect(200);
    undone.assert_contains(&["Put 2 records back as they were."]);
    assert_eq!(undone.address, filtered);
    assert_eq!(member(&client, &ids[0], "assigned_to").await, json!(owner), "it had this owner before");
    assert_eq!(member(&client, &ids[1], "assigned_to").await, Value::Null);
    let twice = browser.submit(&result, &undo, &[]).await.expect(200);
    twice.assert_contains(&["Nothing to undo"]);
}

#[tokio::test]
async fn values_are_cleared_only_by_their_checkbox() {
    let (_app, _tenant, client, browser) = start().await;
    let ids = three_deals(&client).await;
    let both = [("_clear", "expected_close_date"), ("expected_close_date", "2031-01-01")];
    let refused = set(&browser, "/deals", &ids, &both).await.expect(422);
    refused.assert_contains(&["id=\"expected_close_date-error\""]);
    assert!(refused.html().contains("2031-01-01"), "what was typed stays: {}", refused.html());
    refused.assert_contains(&["Now: 31 Jan 2030 (3)"]);
    let wrong = set(&browser, "/deals", &ids, &[("stage", "x")]).await.expect(422);
    wrong.assert_contains(&["id=\"stage-error\""]);
    let nothing = set(&browser, "/deals", &ids, &[]).await.expect(422);
    nothing.assert_contains(&["Choose what to change."]);
    // The refused page sends the same records again.
    let fixed = [("_clear", ""), ("expected_close_date", ""), ("_add_tags", "hot, OLD"), ("_remove_tags", "")];
    let tagged = browser.submit(&refused, APPLY, &fixed).await.expect(200);
    tagged.assert_contains(&["Changed 3 records."]);
    assert_eq!(member(&client, &ids[0], "tags").await, json!(["old", "hot"]));
    let cleared = set(&browser, "/deals", &ids, &[("_clear", "expected_close_date"), ("_remove_tags", "Hot")]).await;
    cleared.assert_contains(&["Changed 3 records."]);
    assert_eq!(member(&client, &ids[0], "expected_close_date").await, Value::Null);
    assert_eq!(member(&client, &ids[0], "tags").await, json!(["old"]));
    let undone = browser.submit(&cleared, &undo_of(&cleared), &[]).await.expect(200);
    undone.assert_contains(&["Put 3 records back"]);
    assert_eq!(member(&client, &ids[0], "expected_close_date").await, "2030-01-31");
    assert_eq!(member(&client, &ids[0], "tags").await, json!(["old", "hot"]));
}

#[tokio::test]
async fn changes_by_others_are_kept_and_reported() {
    let (app, _tenant, client, browser) = start().await;
    let ids = three_deals(&client).await;
    let change = async |id: &str, title: &str| {
        let _ = client.patch(&format!("/api/v1/crm/deals/{id}"), json!({"title": title})).await.expect(200);
    };
    let page = send(&browser, "/deals", &ids, &[]).await.expect(200);
    change(&ids[1], "Two, changed").await;
    let set_both = [("status", "on_hold"), ("expected_close_date", "2031-01-31")];
    let result = browser.submit(&page, APPLY, &set_both).await.expect(200);
    result.assert_contains(&["Changed 2 records."]);
    let row = result.html().split("Two, changed").nth(1).unwrap_or_default();
    assert!(row.contains("It was changed after this page was opened"), "{}", result.html());
    for (id, status) in ids.iter().zip(["on_hold", "open", "on_hold"]) {
        assert_eq!(member(&client, id, "status").await, status);
    }
    // Fields that others changed are kept; the rest are restored.
    change(&ids[0], "One, changed").await;
    let date = json!({"expected_close_date": "2032-01-31"});
    let _ = client.patch(&format!("/api/v1/crm/deals/{}", ids[0]), date).await.expect(200);
    let undone = browser.submit(&result, &undo_of(&result), &[]).await.expect(200);
    let message = "Put 1 record back as it was. 1 record was put back in part.";
    assert!(undone.html().contains(message), "{}", undone.html());
    // Undo is separate from retrying the rest.
    for label in ["Reapply the changes", "Try the others again"] {
        undone.assert_contains(&[&format!("<button class=\"btn\">{label}</button>")]);
    }
    let row = undone.html().split("One, changed").nth(1).unwrap_or_default();
    assert!(row.contains("except for what was changed again since: Expected close date."), "{}", undone.html());
    for (id, date) in ids.iter().zip(["2032-01-31", "2030-01-31", "2030-01-31"]) {
        assert_eq!(member(&client, id, "status").await, "open");
        assert_eq!(member(&client, id, "expected_close_date").await, date);
    }
    assert_eq!(member(&client, &ids[0], "title").await, "One, changed");
    // After a day it is too late.
    let stale = set(&browser, "/deals", &ids[2..], &[("status", "on_hold")]).await;
    let undo = undo_of(&stale);
    app.clock.advance(Duration::hours(25));
    let expired = browser.submit(&stale, &undo, &[]).await;
    assert!(!expired.html().contains("Put 1 record"), "{}", expired.html());
    assert_eq!(member(&client, &ids[2], "status").await, "on_hold");
}

#[tokio::test]
async fn all_matching_records_are_changed_at_once() {
    let (_app, _tenant, client, browser) = start().await;
    for number in 0..60 {
        let tag = if number < 55 { "hot" } else { "cold" };
        let _ = added(&client, "/deals", json!({"title": format!("Deal {number}"), "tags": [tag]})).await;
    }
    let list = browser.open("/deals?tag=hot").await.expect(200);
    list.assert_contains(&["Select all that match"]);
    // All of them are selected in the list, or on the bulk edit page.
    let page = browser.submit(&list, "/deals/bulk", &[("_all", "true")]).await.expect(200);
    let all = "Edit all 55 records that match";
    assert!(page.html().contains(all) && page.html().contains("Now: Discovery (55)"), "{}", page.html());
    let id = list.html().split("name=\"selected\" value=\"").nth(1).and_then(|rest| rest.split('"').next()).unwrap();
    let one = browser.submit(&list, "/deals/bulk", &[("selected", id)]).await.expect(200);
    one.assert_contains(&["Edit 1 record", "formaction=\"/deals/bulk\" formnovalidate name=\"_all\""]);
    let typed = [("_all", "true"), ("stage", "proposal")];
    let page = browser.submit(&list, "/deals/bulk", &typed).await.expect(200);
    assert_eq!(page.value_of(APPLY, "stage").as_deref(), Some("proposal"), "typed text is kept");
    assert!(page.html().contains(all), "{}", page.html());
    let _ = added(&client, "/deals", json!({"title": "Late", "tags": ["hot"]})).await;
    let result = browser.submit(&page, APPLY, &[]).await.expect(200);
    assert!(result.html().contains("Changed 55 records."), "what matches since is left alone: {}", result.html());
    let count = async |query: &str| {
        let results = client.get(&format!("/api/v1/crm/deals?limit=100&{query}")).await.expect(200);
        results.data().as_array().map_or(0, Vec::len)
    };
    assert_eq!((count("stage=proposal").await, count("stage=proposal&tag=cold").await), (55, 0));
    let undone = browser.submit(&result, &undo_of(&result), &[]).await.expect(200);
    undone.assert_contains(&["Put 55 records back"]);
    assert_eq!(count("stage=proposal").await, 0);
    // For deletion each record has to be selected.
    let refused = browser.submit(&list, "/deals/bulk", &[("_all", "true"), ("_action", "delete")]).await.expect(200);
    refused.assert_contains(&["Nothing was changed."]);
    assert_eq!(count("").await, 61);
}

#[tokio::test]
async fn up_to_two_thousand_matches_are_edited_and_more_must_be_narrowed_first() {
    let (_app, _tenant, client, browser) = start().await;
    let mut created = Vec::new();
    // The maximum that the tool accepts at once.
    let numbers: Vec<_> = (0..=MAX_UNDO_RECORDS).collect();
    for some in numbers.chunks(500) {
        let item =
            |number: &usize| json!({"name": format!("Company {number}"), "domain": format!("c{number}.example")});
        let items: Vec<_> = some.iter().map(item).collect();
        let upserted = run(&client, "upsert_companies", json!({ "items": items })).await;
        created.extend(upserted["created"].as_array().unwrap().iter().map(|id| id.as_str().unwrap().to_owned()));
    }
    assert_eq!(created.len(), MAX_UNDO_RECORDS + 1);
    let list = browser.open("/companies").await.expect(200);
    let all = async || browser.submit(&list, "/companies/bulk", &[("_all", "true")]).await.expect(200);
    let refused = all().await;
    assert_eq!(refused.address, "/companies");
    let message = "More than 2,000 records match. Narrow the filters first.";
    assert!(refused.html().contains(message), "{}", refused.html());
    let _ = client.delete(&format!("/api/v1/crm/companies/{}", created[0])).await.expect(200);
    let page = all().await;
    assert!(page.has_form("/companies/bulk/apply") && page.html().contains("records that match"), "{}", page.html());
    assert!(page.html().contains("Now: nothing (2000)") && !page.html().contains(message), "{}", page.html());
}

#[tokio::test]
async fn records_that_match_only_later_are_not_changed() {
    let (app, _tenant, client, browser) = start().await;
    let mut ids = Vec::new();
    for (title, seconds) in [("Late", -60), ("Soon", 7)] {
        let due_at = format_timestamp(app.ports.clock.now() + Duration::seconds(seconds));
        let ticket = json!({"kind": "ticket", "title": title, "due_at": due_at});
        ids.push(client.create("/api/v1/issues", ticket).await);
    }
    let list = browser.open("/tickets?overdue=true").await.expect(200);
    let page = browser.submit(&list, "/tickets/bulk", &[("_all", "true")]).await.expect(200);
    page.assert_contains(&["Edit the record that matches"]);
    app.clock.advance(Duration::seconds(8));
    let result = browser.submit(&page, "/tickets/bulk/apply", &[("priority", "urgent")]).await.expect(200);
    result.assert_contains(&["Changed 1 record."]);
    for (id, priority) in ids.iter().zip(["urgent", "medium"]) {
        let ticket = client.get(&format!("/api/v1/issues/{id}")).await.expect(200);
        assert_eq!(ticket.data()["priority"], priority);
    }
    // "All matches" means those in the list that the form names.
    let list = browser.open("/tickets").await.expect(200);
    for address in ["", "/deals", "https://example.com/tickets", "/tickets/../tickets"] {
        let forged = browser.submit(&list, "/tickets/bulk", &[("_all", "true"), ("_next", address)]).await;
        assert_eq!(forged.response.status, 400, "{address}: {}", forged.html());
    }
}

#[tokio::test]
async fn matches_that_were_changed_or_deleted_since_are_reported() {
    let (_app, _tenant, client, browser) = start().await;
    let ids = three_deals(&client).await;
    let one_page = send(&browser, "/deals", &ids, &[]).await.expect(200);
    let list = browser.open("/deals?tag=old").await.expect(200);
    let page = browser.submit(&list, "/deals/bulk", &[("_all", "true")]).await.expect(200);
    let wrong = browser.submit(&page, APPLY, &[("stage", "x")]).await.expect(422);
    let renamed = json!({"title": "Renamed", "tags": []});
    let _ = client.patch(&format!("/api/v1/crm/deals/{}", ids[0]), renamed).await.expect(200);
    let _ = client.delete(&format!("/api/v1/crm/deals/{}", ids[1])).await.expect(200);
    let _ = added(&client, "/deals", json!({"title": "Late", "tags": ["old"]})).await;
    for (page, changed) in [(wrong, "Changed 1 record."), (one_page, "Changed 0 records.")] {
        let result = browser.submit(&page, APPLY, &[("stage", "proposal")]).await.expect(200);
        assert!(result.html().contains(changed), "{}", result.html());
        let row = |name: &str| result.html().split(&format!(">{name}</a>")).nth(1).unwrap_or_default().to_owned();
        assert!(row("Renamed").contains("It was changed after this page was opened"), "{}", result.html());
        assert!(row("Two").contains("deleted or hidden"), "by what it was called: {}", result.html());
        assert!(!result.html().contains("Late"), "{}", result.html());
    }
}

#[tokio::test]
async fn a_rate_limited_form_is_kept_until_it_can_be_sent() {
    let limits = FixedLimits { bulk: 1, ..AppOptions::default().limits };
    let app = App::start_as(AppOptions { limits, ..AppOptions::default() }).await;
    let tenant = app.workspace().await;
    let (client, browser) = (tenant.full_access().await, tenant.signed_in(Role::Owner).await);
    let ids = three_deals(&client).await;
    let first = send(&browser, "/deals", &ids[..1], &[]).await.expect(200);
    let second = send(&browser, "/deals", &ids[1..2], &[]).await.expect(200);
    app.begin_window(Duration::MINUTE).await;
    let result = browser.submit(&first, APPLY, &[("stage", "proposal")]).await.expect(200);
    let limited = browser.submit(&second, APPLY, &[("stage", "proposal")]).await.expect(429);
    let seconds = limited.response.header("retry-after");
    limited.assert_contains(&[&format!("send it again in {seconds} second")]);
    let line = |label: &str, value: &str| format!("<dt>{label}</dt><dd class=\"conflict-value\">{value}</dd>");
    limited.assert_contains(&[&line("Records", "1 record: Two"), &line("Stage", "Proposal")]);
    let discard = "href=\"/deals\">Discard</a>";
    assert!(limited.html().contains(discard), "{}", limited.html());
    let undo = browser.submit(&result, &undo_of(&result), &[]).await.expect(429);
    for line_text in [line("Action", "Undo"), line("Records", "One"), line("Stage", "Discovery"), discard.to_owned()] {
        assert!(undo.html().contains(&line_text), "{line_text}: {}", undo.html());
    }
    // Scripts show the error on the current page.
    let fields = limited.fields_of(APPLY);
    let by_script = browser.send(browser.post(APPLY, &fields).header("HX-Request", "true")).await.expect(429);
    assert!(!by_script.text.contains("name=\"_records\"") && !by_script.text.contains("name=\"selected\""));
    app.advance(Duration::minutes(2)).await;
    let result = browser.submit(&limited, APPLY, &[]).await.expect(200);
    result.assert_contains(&["Changed 1 record."]);
    assert_eq!(member(&client, &ids[1], "stage").await, "proposal");
}

#[tokio::test]
async fn many_records_are_deleted_and_restored() {
    let (_app, _tenant, client, browser) = start().await;
    let ids = three_deals(&client).await;
    let filtered = "/deals?tag=old";
    let deleted = send(&browser, filtered, &ids[..2], &[("_action", "delete")]).await.expect(200);
    deleted.assert_contains(&["Deleted 2 records."]);
    assert_eq!(deleted.address, filtered);
    // The notice restores the records that it reports.
    let restored = browser.submit(&deleted, "/deals/bulk", &[]).await.expect(200);
    restored.assert_contains(&["Restored 2 records."]);
    assert_eq!(member(&client, &ids[0], "title").await, "One");
    let none = send(&browser, "/deals", &[], &[("_action", "delete")]).await.expect(200);
    none.assert_contains(&["Select records first."]);
    for address in ["https://example.com/deals", "//example.com", "/contacts", "/deals/../contacts"] {
        let none = send(&browser, "/deals", &[], &[("_action", "delete"), ("_next", address)]).await;
        assert_eq!(none.address, "/deals", "{address}");
    }
}

#[tokio::test]
async fn the_change_of_one_record_is_undone_from_its_message() {
    let (_app, _tenant, client, browser) = start().await;
    for (path, api, body, name, before, after) in [
        ("/contacts", "/api/v1/crm/contacts", json!({"email": "a@example.com"}), "job_title", Value::Null, "Chef"),
        ("/companies", "/api/v1/crm/companies", json!({"name": "Acme", "phone": "1"}), "phone", json!("1"), "2"),
        ("/deals", "/api/v1/crm/deals", json!({"title": "Pilot"}), "title", json!("Pilot"), "Other"),
        ("/projects", "/api/v1/projects", json!({"name": "Site"}), "description", Value::Null, "Text"),
        ("/tasks", "/api/v1/issues", json!({"title": "Do", "kind": "task"}), "priority", json!("medium"), "high"),
        ("/tickets", "/api/v1/issues", json!({"title": "Ask", "kind": "ticket"}), "title", json!("Ask"), "Asked"),
    ] {
        let id = client.create(api, body).await;
        let page = format!("{path}/{id}");
        let form = browser.open(&format!("{page}/edit?field={name}")).await.expect(200);
        let saved = browser.submit(&form, &page, &[(name, after)]).await.expect(200);
        let undone = browser.submit(&saved, &undo_of(&saved), &[]).await.expect(200);
        assert!(undone.html().contains("Put 1 record back as it was."), "{path}: {}", undone.html());
        assert_eq!(undone.address, page);
        let now = browser.open(&format!("{page}/edit?field={name}")).await.expect(200);
        assert_eq!(now.value_of(&page, name).unwrap_or_default(), before.as_str().unwrap_or_default(), "{path}");
    }
}

#[tokio::test]
async fn going_back_to_the_bulk_edit_page_works() {
    let (_app, _tenant, client, browser) = start().await;
    let ids = three_deals(&client).await;
    let page = send(&browser, "/deals?tag=old", &ids, &[]).await.expect(200);
    assert!(page.address.starts_with("/deals/bulk?list=%2Fdeals%3Ftag%3Dold&ids="), "{}", page.address);
    let result = browser.submit(&page, APPLY, &[("stage", "proposal")]).await.expect(200);
    assert!(result.html().contains("Changed 3 records.") && result.address == "/deals?tag=old", "{}", result.address);
    let reopened = browser.open(&page.address).await.expect(200);
    reopened.assert_contains(&["Edit 3 records", "Now: Proposal (3)"]);
    let result = browser.submit(&reopened, APPLY, &[("_add_tags", "hot")]).await.expect(200);
    result.assert_contains(&["Changed 3 records."]);

    let list = browser.open("/deals?tag=old").await.expect(200);
    let all = browser.submit(&list, "/deals/bulk", &[("_all", "true")]).await.expect(200);
    assert_eq!(all.address, "/deals/bulk?list=%2Fdeals%3Ftag%3Dold&all=true");
    all.assert_contains(&["Edit all 3 records that match"]);
    // Without records it leads to the list, and "all" never refers to another list.
    for bare in ["/deals/bulk", "/deals/bulk?ids=x", "/deals/bulk?all=true", "/deals/bulk?all=true&list=/contacts"] {
        assert_eq!(browser.open(bare).await.expect(200).address, "/deals", "{bare}");
    }
}

#[tokio::test]
async fn a_value_that_no_record_accepts_is_reported_next_to_its_field() {
    let (_app, _tenant, client, browser) = start().await;
    let ids = three_deals(&client).await;
    let nobody = "00000000-0000-7000-8000-00000000000a";
    let typed = [("assigned_to", nobody), ("_add_tags", "hot")];
    let refused = set(&browser, "/deals", &ids, &typed).await.expect(422);
    refused.assert_contains(&["id=\"assigned_to-error\""]);
    assert_eq!(refused.value_of(APPLY, "_add_tags").as_deref(), Some("hot"), "typed text is kept");
    assert_eq!(member(&client, &ids[0], "tags").await, json!(["old"]));
    let result = browser.submit(&refused, APPLY, &[("assigned_to", "")]).await.expect(200);
    result.assert_contains(&["Changed 3 records."]);
}
