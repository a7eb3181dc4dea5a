//! The cost of pages: SQL statements and transferred bytes.

use std::collections::HashMap;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, Once, PoisonError};

use console::OPERATIONS;
use diesel::connection::{InstrumentationEvent, set_default_instrumentation};
use domain::identity::workspaces::Role;
use serde_json::json;
use telemetry::log_context::Context;
use test_support::pages::PAGES;
use test_support::{ApiResponse, App, Browser, Samples, SimpleKind, simple_kinds};

/// Prefix of this module's request ids: other tests send statements in the same process.
const ID_PREFIX: &str = "statements-";
const MAX_STATEMENTS: usize = 4;
/// More deals than the board and the lists show at once.
const MAX_ROWS: usize = 80;
const STAGES: [&str; 4] = ["discovery", "qualified", "proposal", "negotiation"];
/// Compressed, with cached assets.
const MAX_PAGE_BYTES: usize = 20 * 1024;
const MAX_FIRST_LOAD_BYTES: usize = 200 * 1024;

/// Parts that pages fetch, and downloads.
const NOT_PAGES: [&str; 4] = ["/assets/{hash}/{name}", "/live", "/settings/audit-log.csv", "/export/{records}"];

/// Lists and histories with filters, other orders and later pages.
const FILTERED: &[&str] = &[
    "/contacts?company_id={company_id}&assignee={member_id}&contact_type=lead&status=active&tag=new&columns=company_id,created_by",
    "/contacts?search=ann",
    "/contacts?order=updated&limit=1",
    "/contacts?deleted=true",
    "/contacts/{contact_id}/history?limit=1",
    "/companies?search=acme&limit=1",
    "/companies?assignee={member_id}",
    "/companies?deleted=true",
    "/companies/{company_id}/history?limit=1",
    "/deals?company_id={company_id}&contact_id={contact_id}&assignee={member_id}&value_min=1&stage=proposal",
    "/deals?search=beans&columns=contact_id,company_id,assignee_id,created_by",
    "/deals?order=value&limit=1",
    "/deals?order=updated&limit=1",
    "/deals?order=expected_close_desc&limit=1",
    "/deals/totals?search=beans&stage=proposal",
    "/deals?deleted=true",
    "/deals/{deal_id}/history?limit=1",
    "/projects?search=shop&status=active",
    "/projects?deleted=true",
    "/projects/{project_id}/history?limit=1",
    "/projects/{project_id}/board?status=backlog&cycle_id={cycle_id}",
    "/tasks?project_id={project_id}&cycle_id={cycle_id}&assignee={member_id}&priority=high&status=todo",
    "/tasks?deal_id={deal_id}&contact_id={contact_id}&company_id={company_id}&label=new",
    "/tasks?search=roast&columns=epic_id,created_by,assignee_id,project_id",
    "/tasks?deleted=true",
    "/tasks/{issue_id}/history?limit=1",
    "/tickets?assignee={member_id}&status=open&priority=high",
    "/tickets?requester=ann@acme.example&search=late",
    "/tickets?waiting=true&overdue=true&order=due_asc&limit=1",
    "/tickets/{issue_id}?from=beginning",
    "/tickets/{issue_id}/history?limit=1",
    "/tickets/{issue_id}/replies?q=thanks",
    "/articles?status=published",
    "/articles?deleted=true",
    "/articles/{article_id}/history?limit=1",
    "/canned_replies?search=thanks&limit=1",
    "/time_entries?member={member_id}&task_id={issue_id}&billable=true&from=2026-01-01",
    "/time_entries?deleted=true",
    "/time_entries/{entry_id}/history?limit=1",
    "/search?q=acme",
    "/deals/board/more?stage=proposal",
    "/settings/events?record_id={deal_id}&since=2026-01-01T00:00:00Z&limit=1",
    "/settings/events?event=deal.updated&actor={member_id}",
    "/settings/audit-log?actor_id={member_id}&limit=1",
    "/settings/webhooks/{webhook_id}?state=succeeded",
    "/operator?search=acme",
    "/kb/{workspace}/-/search?q=water",
];

/// [`FILTERED`], and the list and the history of each simple kind.
fn filtered() -> Vec<String> {
    let of_kind = |kind: SimpleKind| {
        let list = format!("/{}", kind.plural);
        [format!("{list}?limit=1"), format!("{list}/{{{}}}/history?limit=1", kind.id)]
    };
    FILTERED.iter().map(|address| (*address).to_owned()).chain(simple_kinds().into_iter().flat_map(of_kind)).collect()
}

/// Pages without a sample, which report that the link or the ticket does not exist.
const WITHOUT_A_SAMPLE: [&str; 2] = ["/sign-in/link/{token}", "/kb/{workspace}/-/sent"];

/// Statements by request.
static SENT: Mutex<Option<HashMap<String, Vec<String>>>> = Mutex::new(None);

fn count_statements() {
    static BEGIN: Once = Once::new();
    BEGIN.call_once(|| {
        let counting = set_default_instrumentation(|| {
            Some(Box::new(|event: InstrumentationEvent<'_>| {
                let InstrumentationEvent::StartQuery { query, .. } = event else { return };
                let Some(id) = Context::current().text("request_id").filter(|id| id.starts_with(ID_PREFIX)) else {
                    return;
                };
                let text = query.to_string();
                // The session is looked up once in two seconds at most (adr/0008).
                let ignored = ["BEGIN", "COMMIT", "ROLLBACK", "SELECT \"sessions\""];
                if ignored.iter().any(|start| text.starts_with(start)) {
                    return;
                }
                let mut statements = SENT.lock().unwrap_or_else(PoisonError::into_inner);
                statements.get_or_insert_default().entry(id).or_default().push(text);
            }))
        });
        counting.unwrap();
    });
}

fn statements_of(id: &str) -> Vec<String> {
    let statements = SENT.lock().unwrap_or_else(PoisonError::into_inner);
    statements.as_ref().and_then(|statements| statements.get(id).cloned()).unwrap_or_default()
}

/// Opens a page, and records which limits it exceeds.
async fn measure(browser: &Browser, path: &str, statuses: &[u16], excess: &mut Vec<String>) -> ApiResponse {
    static COUNTED: AtomicUsize = AtomicUsize::new(0);
    let id = format!("{ID_PREFIX}{}", COUNTED.fetch_add(1, Ordering::Relaxed));
    // The first request caches the credential.
    let shown = browser.send(browser.request("GET", path)).await;
    if !statuses.contains(&shown.status) {
        excess.push(format!("{path}: status {}", shown.status));
    }
    let cached = browser.request("GET", path).header("X-Request-Id", &id);
    let cached = browser.send(cached.header("Accept-Encoding", "gzip")).await;
    let statements = statements_of(&id);
    if statements.len() > MAX_STATEMENTS {
        excess.push(format!("{path}: {} statements\n  {}", statements.len(), statements.join("\n  ")));
    }
    let length: usize = cached.header("content-length").parse().unwrap_or(0);
    if length > MAX_PAGE_BYTES {
        excess.push(format!("{path}: {length} bytes"));
    }
    shown
}

async fn operator_of(app: &App, tenant: &test_support::Tenant) -> Browser {
    count_statements();
    app.browser_of(&tenant.operator(Role::Owner).await).await
}

#[tokio::test]
async fn no_page_needs_more_than_four_statements_or_twenty_kilobytes() {
    let (app, tenant) = App::with_workspace().await;
    let samples = Samples::make(&tenant).await;
    let browser = operator_of(&app, &tenant).await;
    let narrowed = filtered();
    let mut excess = Vec::new();
    for operation in OPERATIONS.iter().filter(|one| one.method == "GET" && !NOT_PAGES.contains(&one.pattern)) {
        let path = samples.path_of(operation.pattern);
        let statuses = if WITHOUT_A_SAMPLE.contains(&operation.pattern) { &[404, 422][..] } else { &[200, 303] };
        let page = measure(&browser, &path, statuses, &mut excess).await;
        let can_be_narrowed = page.text.contains("list-filters") || operation.pattern.ends_with("/history");
        let row = |address: &String| address.split('?').next() == Some(operation.pattern);
        if can_be_narrowed && !narrowed.iter().any(row) {
            excess.push(format!("{}: add an address with filters to NARROWED", operation.pattern));
        }
    }
    assert!(excess.is_empty(), "{}", excess.join("\n"));
}

/// `cargo xtask bench console` measures every page except public ones, whose forms need no record.
#[test]
fn every_page_is_measured() {
    const PUBLIC: [&str; 9] = [
        "/sign-in",
        "/sign-in/link/{token}",
        "/set-up",
        "/accept-invitation",
        "/forgotten-password",
        "/reset-password",
        "/portal",
        "/kb/{workspace}/-/ticket",
        "/kb/{workspace}/-/sent",
    ];
    let is_of = |address: &str, pattern: &str| {
        let segments =
            |text: &str| text.split('?').next().unwrap_or_default().split('/').map(str::to_owned).collect::<Vec<_>>();
        let (address, pattern) = (segments(address), segments(pattern));
        let is_id = |segment: &str| segment.starts_with('{');
        address.len() == pattern.len()
            && address.iter().zip(&pattern).all(|(one, other)| one == other || is_id(one) && is_id(other))
    };
    let left_out = |pattern: &str| NOT_PAGES.contains(&pattern) || PUBLIC.contains(&pattern);
    let pages = OPERATIONS.iter().filter(|one| one.method == "GET" && !left_out(one.pattern));
    let of_simple_kinds: Vec<_> = simple_kinds().into_iter().flat_map(|kind| kind.pages("GET")).collect();
    let pages = pages.filter(|page| !of_simple_kinds.contains(&page.pattern));
    let missing = pages.filter(|page| !PAGES.iter().any(|address| is_of(address, page.pattern)));
    let missing: Vec<_> = missing.map(|page| page.pattern).collect();
    assert!(missing.is_empty(), "add them to test_support::pages: {missing:?}");
}

#[tokio::test]
async fn filters_and_later_pages_stay_within_the_limits() {
    let (app, tenant) = App::with_workspace().await;
    let samples = Samples::make(&tenant).await;
    let browser = operator_of(&app, &tenant).await;
    let key = tenant.full_access().await;
    let deal = format!("/api/v1/crm/deals/{}", samples.id("deal_id"));
    let moved = json!({"assigned_to": samples.id("member_id"), "company_id": null});
    let _ = key.patch(&deal, moved).await.expect(200);
    let mut excess = Vec::new();
    let mut later_pages = 0;
    for address in filtered() {
        let (pattern, query) = address.split_once('?').unwrap();
        let ids = query.split('&').map(|pair| {
            let (name, value) = pair.split_once('=').unwrap();
            let id = value.strip_prefix('{').and_then(|rest| rest.strip_suffix('}'));
            format!("{name}={}", id.map_or(value, |id| samples.id(id)))
        });
        let path = format!("{}?{}", samples.path_of(pattern), ids.collect::<Vec<_>>().join("&"));
        let page = measure(&browser, &path, &[200], &mut excess).await;
        let next = page.text.split("rel=\"next\" href=\"").nth(1).and_then(|rest| rest.split('"').next());
        if let Some(next) = next {
            let _ = measure(&browser, &next.replace("&#38;", "&"), &[200], &mut excess).await;
            later_pages += 1;
        }
    }
    assert!(excess.is_empty(), "{}", excess.join("\n"));
    assert!(later_pages > 0, "no list had a second page");
}

#[tokio::test]
async fn every_page_with_its_assets_is_small() {
    let (app, tenant) = App::with_workspace().await;
    let samples = Samples::make(&tenant).await;
    let browser = operator_of(&app, &tenant).await;
    let mut assets: HashMap<String, usize> = HashMap::new();
    let mut excess = Vec::new();
    let mut with_assets = 0;
    for operation in OPERATIONS.iter().filter(|one| one.method == "GET" && !NOT_PAGES.contains(&one.pattern)) {
        let page = browser.send(browser.request("GET", &samples.path_of(operation.pattern))).await;
        let mut bytes = page.text.len();
        for address in page.text.split('"').filter(|part| part.starts_with("/assets/")) {
            if !assets.contains_key(address) {
                let asset = browser.request("GET", address).header("Accept-Encoding", "gzip");
                let length = browser.send(asset).await.header("content-length").parse().unwrap();
                assets.insert(address.to_owned(), length);
            }
            bytes += assets[address];
            with_assets += 1;
        }
        if bytes >= MAX_FIRST_LOAD_BYTES {
            excess.push(format!("{}: {bytes} bytes", operation.pattern));
        }
    }
    assert!(excess.is_empty(), "{}", excess.join("\n"));
    assert!(with_assets > OPERATIONS.len() / 2, "{with_assets}");
}

/// Full lists and boards.
#[tokio::test]
async fn full_pages_are_small() {
    let (app, tenant, key) = App::with_workspace_client().await;
    let user = tenant.user(Role::Owner).await;
    let browser = app.browser_of(&user).await;
    let member = user.id.to_string();
    let project = key.create("/api/v1/projects", json!({"name": "Shop"})).await;
    let company = key.create("/api/v1/crm/companies", json!({"name": "Acme Coffee"})).await;
    for number in 0..MAX_ROWS {
        let stage = STAGES[number % STAGES.len()];
        let title = format!("{stage} of {number} beans a year");
        let closes = format!("2026-12-{:02}", 1 + number % 28);
        let deal = json!({
            "title": title, "stage": stage, "value": number, "assigned_to": member, "company_id": company,
            "expected_close_date": closes,
        });
        let _ = key.post("/api/v1/crm/deals", deal).await.expect(201);
        let status = if number % 3 == 0 { "in_progress" } else { "todo" };
        let task = json!({
            "kind": "task", "title": title, "status": status, "assignee_id": member, "project_id": project,
            "due_at": "2026-12-24T12:00:00Z",
        });
        let _ = key.post("/api/v1/issues", task).await.expect(201);
    }
    let board = format!("/projects/{project}/board?status=todo");
    for path in ["/", "/deals", "/deals/board", "/tasks", &board, "/settings/events"] {
        let request = browser.request("GET", path).header("Accept-Encoding", "gzip");
        let length: usize = browser.send(request).await.header("content-length").parse().unwrap();
        assert!(length <= MAX_PAGE_BYTES, "{path}: {length} bytes");
    }
}
