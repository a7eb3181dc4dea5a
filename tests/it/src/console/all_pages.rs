//! Every page and every form of the console: who may not use it, and odd input. The test fails for a page without a row here.

mod who_may;

use console::OPERATIONS;
use domain::identity::workspaces::Role;
use http_core::Operation;
use test_support::{ApiResponse, App, Browser, Samples, Tenant};

use who_may::MinimumRole::{Admin, Anybody, Member, Operator, Viewer};
use who_may::rows;

fn name_of(operation: &Operation) -> String {
    format!("{} {}", operation.method, operation.pattern)
}

/// The form token. Public pages need none.
async fn token_of(browser: &Browser) -> (String, String) {
    let page = browser.open("/account").await;
    let form = if page.has_form("/sign-out") { "/sign-out" } else { "/sign-in" };
    page.fields_of(form).into_iter().find(|(name, _)| name == "_token").unwrap()
}

/// Opens a page, or submits its form without fields.
async fn call(browser: &Browser, token: &(String, String), method: &str, path: &str) -> ApiResponse {
    let request =
        if method == "GET" { browser.request("GET", path) } else { browser.post(path, std::slice::from_ref(token)) };
    browser.send(request).await
}

/// The path of a page with ids from the samples; kinds without a sample get an unknown id.
fn path_of(samples: &Samples, pattern: &str) -> String {
    let unknown = ["{view_id}", "{undo_id}", "{hash}", "{name}"];
    let known = unknown.into_iter().fold(pattern.to_owned(), |path, part| {
        path.replace(part, if part.ends_with("_id}") { "00000000-0000-7000-8000-00000000000a" } else { "x" })
    });
    samples.path_of(&known)
}

async fn samples_of(tenant: &Tenant) -> Samples {
    let samples = Samples::make(tenant).await;
    let owner = tenant.user(Role::Owner).await;
    let on = serde_json::json!({"help_centre_enabled": true});
    let _ = owner.client.patch("/api/settings/workspace", on).await.expect(200);
    samples
}

#[test]
fn every_page_has_a_row() {
    let (rows, pages): (Vec<_>, Vec<_>) = (rows().into_keys().collect(), OPERATIONS.iter().map(name_of).collect());
    let missing: Vec<_> = pages.iter().filter(|page| !rows.contains(page)).collect();
    assert!(missing.is_empty(), "pages without a row: {missing:?}");
    let unknown_rows: Vec<_> = rows.iter().filter(|row| !pages.contains(row)).collect();
    assert!(unknown_rows.is_empty(), "rows without a page: {unknown_rows:?}");
}

#[tokio::test]
async fn nobody_opens_pages_or_sends_forms_without_permission() {
    let (app, tenant) = App::with_workspace().await;
    let samples = samples_of(&tenant).await;
    let mut wrong = Vec::new();
    for role in [None, Some(Role::Viewer), Some(Role::Member), Some(Role::Admin), Some(Role::Owner)] {
        let browser = match role {
            Some(role) => tenant.signed_in(role).await,
            None => app.browser(),
        };
        let token = token_of(&browser).await;
        let callers_role = match role {
            None => Anybody,
            Some(Role::Viewer) => Viewer,
            Some(Role::Member) => Member,
            Some(Role::Admin | Role::Owner) => Admin,
        };
        for (row, minimum) in rows() {
            let (method, pattern) = row.split_once(' ').unwrap();
            // A form that this role may send would change something.
            if callers_role >= minimum && method == "POST" {
                continue;
            }
            // A stream does not end by itself.
            if callers_role >= minimum && pattern == "/live" {
                continue;
            }
            let answer = call(&browser, &token, method, &path_of(&samples, pattern)).await;
            let leads_to_sign_in = answer.status == 303 && answer.header("location").starts_with("/sign-in");
            let must_sign_in = minimum > Anybody && (leads_to_sign_in || answer.status == 401);
            let is_refused = answer.status == 403 || callers_role == Anybody && must_sign_in;
            if is_refused == (callers_role >= minimum) || answer.status >= 500 {
                wrong.push(format!("{role:?} {row}: {}", answer.status));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// Prefixes of patterns whose ids do not belong to a workspace.
const WITHOUT_WORKSPACE: [&str; 2] = ["/kb/", "/sign-in/"];

#[tokio::test]
async fn nothing_of_another_workspace_is_shown_or_changed() {
    let app = App::start().await;
    let (tenant, other) = (app.workspace().await, app.workspace().await);
    let samples = samples_of(&tenant).await;
    let outsider = other.signed_in(Role::Owner).await;
    let filled_in =
        ["_version=1", "state=looking", "labels=x", "body=x", "visibility=internal", "name=x", "status=done"];
    let filled_in = filled_in.iter().filter_map(|pair| pair.split_once('='));
    let mut filled_in: Vec<_> = filled_in.map(|(name, value)| (name.to_owned(), value.to_owned())).collect();
    filled_in.push(token_of(&outsider).await);
    let mut wrong = Vec::new();
    for (row, _) in rows().into_iter().filter(|(_, minimum)| (Viewer..=Admin).contains(minimum)) {
        let (method, pattern) = row.split_once(' ').unwrap();
        let is_of_a_record = pattern.contains("_id}");
        if WITHOUT_WORKSPACE.iter().any(|start| pattern.starts_with(start)) || (method == "POST" && !is_of_a_record) {
            continue;
        }
        // A stream does not end by itself, discarding a draft that does not exist succeeds, the next and previous ticket are always the
        // caller's own, and undoing a change by somebody else is always too late.
        let harmless = [
            "/live",
            "/tickets/{issue_id}/draft/discard",
            "/tickets/{issue_id}/next",
            "/tickets/{issue_id}/previous",
            "/undo/{undo_id}",
        ];
        if harmless.contains(&pattern) {
            continue;
        }
        let path = path_of(&samples, pattern);
        let request = if method == "GET" { outsider.request(method, &path) } else { outsider.post(&path, &filled_in) };
        let answer = outsider.send(request).await;
        let refused: &[u16] = if method == "GET" { &[404] } else { &[400, 404, 422] };
        if is_of_a_record && !refused.contains(&answer.status) {
            wrong.push(format!("{row}: {}", answer.status));
        }
        for theirs in ["Acme", "acme.example", "Beans", "Roast", "They like it", "Brewing"] {
            if answer.text.contains(theirs) {
                wrong.push(format!("{row} shows {theirs:?}"));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[tokio::test]
async fn every_time_field_shows_its_zone() {
    let (_app, tenant) = App::with_workspace().await;
    let samples = samples_of(&tenant).await;
    let browser = tenant.signed_in(Role::Owner).await;
    let (mut count, mut wrong) = (0, Vec::new());
    for (row, minimum) in rows() {
        let Some(pattern) = row.strip_prefix("GET ").filter(|pattern| minimum != Operator && *pattern != "/live")
        else {
            continue;
        };
        let page = browser.send(browser.request("GET", &path_of(&samples, pattern))).await.text;
        let (times, zones) = (page.matches("type=\"datetime-local\"").count(), page.matches("name=\"_zone.").count());
        count += times;
        if times != zones {
            wrong.push(format!("{row}: {times} times, {zones} zones"));
        }
    }
    assert!(wrong.is_empty() && count > 8, "{count} times\n{}", wrong.join("\n"));
}

const ODD: &str = "%00 %FF%FE %C3%28 1e400 -99999-01-01 9999-12-31T23:59 99999999999999999999999 %0D%0AX:+y \
    %7B%22a%22:1%7D %F0%9F%98%80 % null";
const FIELDS: &str = "_many _next _records _version actor_id assignee_id body code company_id cursor due_at email events \
    expires_at group_by id ids invite kind limit month name networks next order page position priority q query search \
    shared since slug sort stage start_date state status tags theme zone title to token until url value \
    visibility website week workspace";
/// Operations that end the test's session or workspace.
const ENDS_SESSION: [&str; 4] =
    ["/sign-out", "/account/sessions/end-all", "/account/sessions/{session_id}/end", "/settings/delete"];

fn is_sound(answer: &ApiResponse) -> bool {
    let in_ascii =
        |name: &str| answer.headers.get(name).is_none_or(|value| value.as_bytes().iter().all(u8::is_ascii_graphic));
    answer.status < 500 && in_ascii("location") && in_ascii("hx-redirect")
}

#[tokio::test]
async fn odd_input_is_refused_and_never_an_error_of_the_service() {
    let (_app, tenant) = App::with_workspace().await;
    let samples = samples_of(&tenant).await;
    let browser = tenant.signed_in(Role::Owner).await;
    let (_, token) = token_of(&browser).await;
    let odd_ones: Vec<_> = ODD.split(' ').collect();
    let mut wrong = Vec::new();
    for (page, (row, _)) in rows().into_iter().filter(|(_, minimum)| *minimum != Operator).enumerate() {
        let (method, pattern) = row.split_once(' ').unwrap();
        if ENDS_SESSION.contains(&pattern) || pattern == "/live" {
            continue;
        }
        let path = path_of(&samples, pattern);
        // One field per request, because unknown fields are refused before known ones are read. Each page gets a few of the fields.
        for (at, name) in FIELDS.split(' ').enumerate().filter(|(at, _)| method == "GET" && (at + page) % 4 == 0) {
            let odd_value = odd_ones[(at / 4 + page) % odd_ones.len()];
            let answer = browser.send(browser.request("GET", &format!("{path}?{name}={odd_value}"))).await;
            if !is_sound(&answer) {
                wrong.push(format!("{row} {name}={odd_value}: {}", answer.status));
            }
        }
        // All fields with the same odd value, and each field once with a different one.
        for turn in 0..3 {
            let odd_value =
                |field: usize| odd_ones[(page + turn * 5 + if turn == 0 { 0 } else { field }) % odd_ones.len()];
            let fields: Vec<_> =
                FIELDS.split(' ').enumerate().map(|(at, name)| format!("{name}={}", odd_value(at))).collect();
            let query = if turn == 2 { [fields.clone(), fields].concat().join("&") } else { fields.join("&") };
            let request = if method == "GET" {
                browser.request("GET", &format!("{path}?{query}"))
            } else {
                browser.post(&path, &[]).body(format!("_token={token}&_version=1&{query}"))
            };
            let answer = browser.send(request).await;
            if !is_sound(&answer) {
                wrong.push(format!("{row} {turn}: {} {:?}", answer.status, answer.headers.get("location")));
            }
        }
        if let Some(id) = pattern.split('/').find(|part| part.starts_with('{')) {
            for odd_value in ["%00", "%FF", "..%2F..", "%C3%A4"] {
                let path = path_of(&samples, &pattern.replace(id, "-")).replacen("/-", &format!("/{odd_value}"), 1);
                let answer = call(&browser, &("_token".to_owned(), String::new()), "GET", &path).await;
                if !is_sound(&answer) {
                    wrong.push(format!("{path}: {}", answer.status));
                }
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[tokio::test]
async fn a_form_has_a_bounded_number_of_fields() {
    let (app, tenant, signed_in) = App::with_browser(Role::Owner).await;
    let help = format!("/kb/{}/-/ticket", tenant.workspace.slug);
    for (browser, path) in [(app.browser(), "/sign-in"), (signed_in, "/companies"), (app.browser(), &*help)] {
        let (_, token) = token_of(&browser).await;
        for (fields, is_refused) in [(1_998, false), (2_000, true), (500_000, true)] {
            let body = format!("_token={token}&{}", ["a"].repeat(fields).join("&"));
            let answer = browser.send(browser.post(path, &[]).body(body)).await;
            let matches = answer.status == 400 && answer.text.contains("at most 2000 fields");
            assert_eq!(matches, is_refused, "{path} {fields}: {} {}", answer.status, answer.text);
        }
    }
}
