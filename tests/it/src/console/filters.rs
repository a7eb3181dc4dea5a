//! Filters by member in workspaces with too many members for a drop-down list.

use domain::identity::workspaces::Role;
use serde_json::json;
use test_support::{App, Samples, Screen};

/// The address of the filter search that the list links to.
fn search_of(list: &Screen, name: &str) -> String {
    let links = list.html().split("href=\"").filter_map(|rest| rest.split('"').next());
    let mut links = links.map(|link| link.replace("&#38;", "&").replace("&amp;", "&"));
    let start = format!("/pick/member/filter?name={name}&list=");
    links.find(|link| link.starts_with(&start)).unwrap_or_else(|| panic!("no search for {name}: {}", list.html()))
}

#[tokio::test]
async fn a_member_among_many_is_found_by_typing_and_filters_the_list() {
    let (_app, tenant) = App::with_workspace().await;
    let member = tenant.member("zoe@people.example").await;
    let browser = tenant.signed_in(Role::Member).await;
    let few = browser.open("/tasks").await.expect(200);
    assert!(!few.html().contains("/pick/member/filter"), "a list has all of a few: {}", few.html());
    for number in 0..101 {
        let _ = tenant.member(&format!("person{number}@people.example")).await;
    }
    let client = tenant.full_access().await;
    for (title, kind, assignee) in
        [("Hers", "task", json!(member)), ("Nobody’s", "task", json!(null)), ("Her ticket", "ticket", json!(member))]
    {
        let issue = json!({"title": title, "kind": kind, "assignee_id": assignee});
        let _ = client.post("/api/v1/issues", issue).await.expect(201);
    }
    for (list, hers, others) in
        [("/tasks?status=todo", "Hers", "Nobody’s"), ("/tickets?status=open", "Her ticket", "–")]
    {
        let shown = browser.open(list).await.expect(200);
        let search = search_of(&shown, "assignee");
        let blank = browser.open(&search).await.expect(200);
        blank.assert_contains(&[&format!("name=\"list\" value=\"{list}\"")]);
        assert!(browser.open(&format!("{search}&q=nobody-like-this")).await.html().contains("Nothing found"));
        let results = browser.open(&format!("{search}&q=zoe")).await.expect(200);
        let chosen = format!("{list}&assignee={member}");
        results.assert_contains(&[&format!("href=\"{}\"", chosen.replace('&', "&#38;"))]);
        assert_eq!(results.html().matches("found-label").count(), 1, "{}", results.html());
        let filtered = browser.open(&chosen).await.expect(200);
        filtered.assert_contains(&[hers, "Assignee: A member"]);
        assert!(others == "–" || !filtered.html().contains(others), "{}", filtered.html());
        // The selected member stays when other filters are applied.
        let path = list.split('?').next().unwrap();
        let selected = ("assignee".to_owned(), member.to_string());
        assert!(filtered.fields_of(path).contains(&selected), "{:?}", filtered.fields_of(path));
    }
}

#[tokio::test]
async fn the_search_links_only_to_its_list_and_shows_typed_markup_as_text() {
    let (app, tenant) = App::with_workspace().await;
    let _ = tenant.member("zoe@people.example").await;
    let browser = tenant.signed_in(Role::Viewer).await;
    for list in ["https://evil.example/", "//evil.example/", "/\\evil.example"] {
        let shown = browser.open(&format!("/pick/member/filter?name=assignee&q=zoe&list={list}")).await.expect(200);
        assert!(!shown.html().contains("evil.example"), "{}", shown.html());
    }
    let markup = "%3Cimg+src%3Dx%3E";
    let shown = browser.open(&format!("/pick/member/filter?name={markup}&q={markup}&list=/{markup}")).await.expect(200);
    assert!(!shown.html().contains("<img"), "{}", shown.html());
    assert_eq!(app.browser().open("/pick/member/filter?q=zoe").await.response.status, 200, "the sign-in page");
    let other = app.workspace().await.signed_in(Role::Owner).await;
    let results = other.open("/pick/member/filter?name=assignee&q=zoe&list=/tasks").await.expect(200);
    assert!(!results.html().contains("zoe@"), "{}", results.html());
}

#[tokio::test]
async fn an_invalid_filter_is_reported_next_to_its_field_and_above_the_list() {
    let (_app, tenant, client) = App::with_workspace_client().await;
    for (title, stage) in [("Cheap", "proposal"), ("Early", "discovery")] {
        let _ = client.post("/api/v1/crm/deals", json!({"title": title, "stage": stage})).await.expect(201);
    }
    let browser = tenant.signed_in(Role::Member).await;
    let page = browser.open("/deals?stage=proposal&value_min=1,5").await.expect(400);
    assert!(page.html().contains("Cheap") && !page.html().contains("Early"), "the others narrow: {}", page.html());
    page.assert_contains(&[
        "The filter “Value from” was ignored. Must be a number such as 1250.5",
        "id=\"value_min-error\"",
        "value=\"1,5\"",
        "<details class=\"filter-menu\" open>",
    ]);
    let chips =
        page.html().split("class=\"chips\"").nth(1).unwrap_or_default().split("</ul>").next().unwrap_or_default();
    assert!(chips.contains("Proposal") && !chips.contains("1,5"), "{chips}");
    for (list, wrong) in [
        ("/deals", "value_max=%3Cimg%20src=x%3E"),
        ("/tasks", "due_before=tomorrow"),
        ("/tasks", "status=nowhere&priority=none-of-them"),
        ("/tickets", "assignee=nobody-like-this"),
    ] {
        let page = browser.open(&format!("{list}?{wrong}")).await.expect(400);
        assert!(
            page.html().contains("was ignored.") && page.html().contains("id=\"list\""),
            "{wrong}: {}",
            page.html()
        );
        assert!(!page.html().contains("<img src=x"), "{}", page.html());
    }
    // People do not type ids: a bad one comes from a truncated or mistyped address.
    for (list, label) in [("/tasks?project_id=x", "Project"), ("/deals?company_id=0193&stage=proposal", "Company")] {
        let page = browser.open(list).await.expect(400);
        let message = format!("The filter “{label}” was ignored. The id in the address is incomplete");
        assert!(page.html().contains(&message) && page.html().contains("id=\"list\""), "{list}: {}", page.html());
        assert!(!page.html().contains("UUID"), "{list}: {}", page.html());
    }
    // Unknown filters show no list either.
    let page = browser.open("/deals?nope=1").await.expect(400);
    assert!(!page.html().contains("id=\"list\""), "{}", page.html());
}

#[tokio::test]
async fn an_invalid_page_or_order_is_reported_above_the_list() {
    let (_app, tenant, client) = App::with_workspace_client().await;
    for (title, stage) in [("Cheap", "proposal"), ("Early", "discovery")] {
        let _ = client.post("/api/v1/crm/deals", json!({"title": title, "stage": stage})).await.expect(201);
    }
    let browser = tenant.signed_in(Role::Member).await;
    for (wrong, message) in [
        ("order=zzz", "The order in the address was ignored"),
        ("page=0", "The page in the address was ignored"),
        ("cursor=zzz", "The page in the address was ignored"),
        ("limit=0", "The page in the address was ignored"),
    ] {
        let page = browser.open(&format!("/deals?stage=proposal&{wrong}")).await.expect(400);
        assert!(page.html().contains(message), "{wrong}: {}", page.html());
        assert!(page.html().contains("Cheap") && !page.html().contains("Early"), "{wrong}: {}", page.html());
        assert!(page.html().contains("<details class=\"filter-menu\"><summary"), "{wrong}: {}", page.html());
        assert!(page.links().iter().all(|link| !link.contains(wrong)), "{wrong}: {:?}", page.links());
    }
    let inbox = browser.open("/tickets?order=zzz").await.expect(400);
    inbox.assert_contains(&["The order in the address was ignored"]);
    // Unknown columns are ignored.
    let usual = browser.open("/deals").await.expect(200);
    let heads = |page: &Screen| page.html().matches("<th scope=\"col\"").count();
    for (columns, count) in [("zzz", heads(&usual)), ("zzz&columns=stage", 3)] {
        let page = browser.open(&format!("/deals?columns={columns}")).await.expect(200);
        assert_eq!(heads(&page), count, "{columns}: {}", page.html());
    }
}

#[tokio::test]
async fn filters_are_explained_in_plain_language() {
    let (_app, _tenant, browser) = App::with_browser(Role::Member).await;
    for list in ["/contacts", "/companies", "/deals", "/projects", "/tasks", "/tickets"] {
        let page = browser.open(list).await.expect(200);
        for word in ["nextCursor", "Legacy", "case-insensitive", "default)"] {
            assert!(!page.html().contains(word), "{list}: {word}");
        }
    }
    assert!(browser.open("/deals").await.html().contains("Such as 1250.50, in any currency."));
}

#[tokio::test]
async fn an_empty_list_says_why_and_leads_back() {
    let (_app, tenant) = App::with_workspace().await;
    let samples = Samples::make(&tenant).await;
    let owner = tenant.signed_in(Role::Owner).await;
    let webhook = format!("/settings/webhooks/{}", samples.id("webhook_id"));
    let cycles = format!("/projects/{}/cycles", samples.id("project_id"));
    let records = ["/contacts", "/companies", "/deals", "/projects", "/tasks", "/tickets", "/articles"];
    let others =
        ["/settings/members", "/settings/keys", "/settings/audit-log", "/settings/erasures", &*webhook, &*cycles];
    for path in records.into_iter().chain(others) {
        let beyond = owner.open(&format!("{path}?page=90")).await.expect(200);
        assert!(beyond.html().contains("Nothing on this page"), "{path}: {}", beyond.html());
        assert!(beyond.html().contains(&format!("href=\"{path}\">First page")), "{path}: {}", beyond.html());
        let first = owner.open(&format!("{path}?page=1")).await.expect(200);
        assert!(!first.html().contains("Nothing on this page"), "{path}: {}", first.html());
    }
    for (path, filter, message) in [
        ("/contacts", "status=blocked", "No contacts match these filters"),
        ("/companies", "domain=none.example", "No companies match these filters"),
        ("/deals", "search=nobody", "No deals match these filters"),
        ("/projects", "status=on_hold", "No projects match these filters"),
        ("/tasks", "priority=urgent", "No tasks match these filters"),
        ("/tickets", "priority=urgent", "No tickets match these filters"),
        ("/articles", "status=draft", "No articles match these filters"),
        ("/settings/audit-log", "until=2020-01-01T00%3A00", "No entries match"),
        (&*webhook, "state=pending&event=deal.won", "No deliveries match"),
    ] {
        let none = owner.open(&format!("{path}?{filter}")).await.expect(200);
        assert!(none.html().contains(message), "{path}: {}", none.html());
        assert!(none.html().contains(&format!("href=\"{path}\">Remove all filters")), "{path}: {}", none.html());
    }
    let filtered = owner.open("/deals?search=nobody&order=value&columns=stage").await.expect(200);
    filtered.assert_contains(&["href=\"/deals?order=value&#38;columns=stage\">Remove all"]);
    let deleted = owner.open("/deals?deleted=true").await.expect(200);
    deleted.assert_contains(&["Nothing was deleted in the last 30 days"]);
    // The end of a list by change, which programs follow, has no next page.
    let changed = owner.open("/deals?order=updated").await.expect(200);
    assert!(!changed.html().contains("rel=\"next\""), "{}", changed.html());
}

#[tokio::test]
async fn time_is_filtered_by_project_and_by_what_is_not_billable() {
    let (_app, tenant) = App::with_workspace().await;
    let user = tenant.user(Role::Member).await;
    let browser = tenant.signed_in(Role::Member).await;
    let shop = user.client.post("/api/v1/projects", json!({"name": "Shop"})).await.expect(201).id();
    for (note, more) in [("Sketches", json!({"project_id": shop})), ("Training", json!({"billable": false}))] {
        let mut entry = json!({"date": "2026-01-05", "seconds": 3_600, "note": note});
        entry.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        let _ = user.client.post("/api/v1/time/entries", entry).await.expect(201);
    }
    let list = browser.open("/time_entries?billable=true").await.expect(200);
    let links = list.links();
    for (kind, name) in [("project", "project_id"), ("company", "company_id"), ("task", "task_id")] {
        let search = format!("/pick/{kind}/filter?name={name}&");
        let links = links.iter().map(|link| link.replace("&#38;", "&").replace("&amp;", "&"));
        assert!(links.clone().any(|link| link.starts_with(&search)), "{search}: {:?}", links.collect::<Vec<_>>());
    }
    // Another project replaces the one that was chosen before.
    let list = format!("/time_entries%3Fbillable%3Dtrue%26project_id%3D{}", user.id);
    let results = browser.open(&format!("/pick/project/filter?name=project_id&q=shop&list={list}")).await.expect(200);
    let chosen = format!("/time_entries?billable=true&project_id={shop}");
    results.assert_contains(&["Project: find by name", &format!("href=\"{}\"", chosen.replace('&', "&#38;"))]);
    let filtered = browser.open(&chosen).await.expect(200);
    assert!(filtered.html().contains("Sketches") && !filtered.html().contains("Training"), "{}", filtered.html());
    filtered.assert_contains(&["Project: Shop", "Billable: yes"]);
    let unpaid = browser.open("/time_entries?billable=false").await.expect(200);
    assert!(unpaid.html().contains("Training") && !unpaid.html().contains("Sketches"), "{}", unpaid.html());
    unpaid.assert_contains(&["Billable: no", "<option value=\"false\" selected>"]);
    // The tab with one's own time.
    let own = browser.open("/time_entries").await.expect(200);
    let links = own.links();
    let mine =
        links.iter().find(|link| link.starts_with("/time_entries?member=")).unwrap_or_else(|| panic!("{links:?}"));
    let shown = browser.open(mine).await.expect(200);
    assert!(!shown.html().contains("Sketches") && !shown.html().contains("Training"), "{}", shown.html());
}
