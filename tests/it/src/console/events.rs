//! The history of the workspace in the console.

use domain::identity::workspaces::Role;
use serde_json::json;
use test_support::{App, Browser, Screen};

const EVENTS: &str = "/settings/events";

/// The positions of these texts in a page, which must contain all.
fn positions_of(screen: &Screen, texts: &[&str]) -> Vec<usize> {
    let position = |text: &&str| screen.html().find(text).unwrap_or_else(|| panic!("no {text}: {}", screen.html()));
    texts.iter().map(position).collect()
}

async fn entries(browser: &Browser, query: &str) -> usize {
    let page = browser.open(&format!("{EVENTS}{query}")).await.expect(200);
    page.html().matches("<li class=\"history-entry\">").count()
}

#[tokio::test]
async fn events_are_listed_newest_first_with_actor_and_record() {
    let (_app, tenant, browser) = App::with_browser(Role::Owner).await;
    let empty = browser.open(EVENTS).await.expect(200);
    empty.assert_contains(&["Nothing has happened yet"]);
    let key = tenant.full_access().await;
    let markup = "<img src=x onerror=alert(1)>";
    let deal = key.create("/api/v1/crm/deals", json!({ "title": markup })).await;
    let path = format!("/api/v1/crm/deals/{deal}");
    let _ = key.patch(&path, json!({"stage": "proposal"})).await.expect(200);
    let member = tenant.user(Role::Member).await;
    let _ = member.client.post("/api/v1/crm/companies", json!({"name": "Acme"})).await.expect(201);
    let page = browser.open(EVENTS).await.expect(200);
    let positions = positions_of(&page, &["/companies/", "</strong> moved"]);
    assert!(positions[0] < positions[1], "{}", page.html());
    assert_eq!(page.html().matches("</strong> created").count(), 2, "{}", page.html());
    positions_of(&page, &["A member", ">Acme</a>", &format!("/deals/{deal}"), "&#60;img src=x", "roposal</ins>"]);
    assert!(!page.html().contains(markup), "{}", page.html());
    page.assert_contains(&["data-live=\"contact company deal"]);
    assert!(!page.html().contains("value=\"procurement\""), "nothing here is of other systems: {}", page.html());
    let chosen = browser.open(&format!("{EVENTS}?module=procurement")).await.expect(200);
    chosen.assert_contains(&["value=\"procurement\""]);

    for (query, count) in [
        ("", 3),
        ("?module=crm", 3),
        ("?module=support", 0),
        ("?event=deal.stage_changed", 1),
        ("?actor=user", 1),
        ("?actor=api_key&module=", 2),
        (&*format!("?record_id={deal}"), 2),
        ("?since=2000-01-01T00:00", 3),
        ("?since=2999-01-01T00:00", 0),
    ] {
        assert_eq!(entries(&browser, query).await, count, "{query}");
    }
    for bad in ["?event=deal.wom", "?actor=x", "?cursor=x", "?limit=0", "?other=1"] {
        let _ = browser.open(&format!("{EVENTS}{bad}")).await.expect(400);
    }
    let _ = key.delete(&path).await.expect(200);
    let page = browser.open(EVENTS).await.expect(200);
    assert!(!page.html().contains(&format!("href=\"/deals/{deal}\"")), "what is deleted has no page: {}", page.html());
}

#[tokio::test]
async fn pages_continue_to_the_first_event_and_show_each_once() {
    let (_app, tenant) = App::with_workspace().await;
    let (browser, key) = (tenant.signed_in(Role::Admin).await, tenant.full_access().await);
    for number in 0..5 {
        let _ = key.post("/api/v1/crm/companies", json!({"name": format!("Company {number}")})).await.expect(201);
    }
    let mut seen = Vec::new();
    let mut next = Some(format!("{EVENTS}?limit=2&module=crm"));
    while let Some(address) = next {
        let page = browser.open(&address).await.expect(200);
        let names = page.html().split(">Company ").skip(1).map(|rest| rest[..1].to_owned());
        seen.extend(names);
        let link = page.html().split("rel=\"next\" href=\"").nth(1).and_then(|rest| rest.split('"').next());
        next = link.map(|link| link.replace("&#38;", "&").replace("&amp;", "&"));
        assert!(seen.len() <= 5, "{seen:?}");
    }
    assert_eq!(seen, ["4", "3", "2", "1", "0"]);
}

#[tokio::test]
async fn the_history_is_for_owners_and_admins_of_the_workspace() {
    let (app, tenant) = App::with_workspace().await;
    let _ = tenant.full_access().await.post("/api/v1/crm/companies", json!({"name": "Acme"})).await.expect(201);
    for role in [Role::Owner, Role::Admin] {
        assert_eq!(entries(&tenant.signed_in(role).await, "").await, 1, "{role}");
    }
    for role in [Role::Member, Role::Viewer] {
        let _ = tenant.signed_in(role).await.open(EVENTS).await.expect(403);
    }
    let outsider = app.workspace().await.signed_in(Role::Owner).await;
    assert_eq!(entries(&outsider, "").await, 0);
}
