//! Every page and every form of the console: who may not, and odd input. A page without a row here fails.

use std::collections::BTreeMap;

use console::OPERATIONS;
use domain::identity::workspaces::Role;
use http_core::Operation;
use kit::{ApiResponse, App, Browser, Samples, Tenant};

/// The least that somebody must be.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Least {
    Anybody,
    Viewer,
    Member,
    Admin,
    Operator,
}
use Least::{Admin, Anybody, Member, Operator, Viewer};

/// What has these endings below a path of records with pages of their own.
const OF_RECORDS: &[(&str, Least)] = &[
    ("GET {path}", Viewer),
    ("GET {path}/new", Member),
    ("POST {path}", Member),
    ("GET {path}/related", Viewer),
    ("POST {path}/bulk", Member),
    ("GET {path}/{id}", Viewer),
    ("GET {path}/{id}/edit", Member),
    ("POST {path}/{id}", Member),
    ("POST {path}/{id}/delete", Member),
    ("POST {path}/{id}/restore", Member),
    ("GET {path}/{id}/history", Viewer),
    ("POST {path}/{id}/comments", Member),
    ("POST {path}/{id}/draft", Member),
];

const RECORDS: &[(&str, &str)] = &[
    ("/contacts", "{contact_id}"),
    ("/companies", "{company_id}"),
    ("/deals", "{deal_id}"),
    ("/projects", "{project_id}"),
    ("/tasks", "{issue_id}"),
];

const PAGES: &[(&str, Least)] = &[
    ("GET /assets/{hash}/{name}", Anybody),
    ("GET /live", Viewer),
    ("GET /sign-in", Anybody),
    ("POST /sign-in", Anybody),
    ("POST /sign-in/workspace", Anybody),
    ("POST /sign-in/code", Anybody),
    ("GET /sign-in/link/{token}", Anybody),
    ("POST /sign-in/link", Anybody),
    ("GET /set-up", Anybody),
    ("POST /set-up", Anybody),
    ("GET /forgotten-password", Anybody),
    ("POST /forgotten-password", Anybody),
    ("GET /reset-password", Anybody),
    ("POST /reset-password", Anybody),
    ("GET /accept-invitation", Anybody),
    ("POST /accept-invitation", Anybody),
    ("GET /portal", Anybody),
    ("GET /kb/{workspace}", Anybody),
    ("GET /kb/{workspace}/-/search", Anybody),
    ("GET /kb/{workspace}/-/ticket", Anybody),
    ("POST /kb/{workspace}/-/ticket", Anybody),
    ("GET /kb/{workspace}/-/sent", Anybody),
    ("GET /kb/{workspace}/{slug}", Anybody),
    // One's own.
    ("POST /sign-out", Viewer),
    ("GET /", Viewer),
    ("POST /home/hide-steps", Viewer),
    ("GET /account", Viewer),
    ("POST /account", Viewer),
    ("POST /account/appearance", Viewer),
    ("GET /account/security", Viewer),
    ("POST /account/password", Viewer),
    ("POST /account/sessions/end-all", Viewer),
    ("POST /account/sessions/{session_id}/end", Viewer),
    ("POST /account/second-factor", Viewer),
    ("POST /account/second-factor/confirm", Viewer),
    ("POST /account/second-factor/remove", Viewer),
    ("GET /workspaces", Viewer),
    ("POST /workspaces/switch", Viewer),
    ("GET /search", Viewer),
    ("GET /pick/{kind}", Viewer),
    ("POST /views", Viewer),
    ("POST /views/{view_id}", Viewer),
    ("POST /views/{view_id}/delete", Viewer),
    ("POST /preview", Viewer),
    // Records
    ("POST /comments/{comment_id}", Member),
    ("POST /comments/{comment_id}/delete", Member),
    ("GET /deals/board", Viewer),
    ("GET /deals/board/more", Viewer),
    ("POST /deals/{deal_id}/stage", Member),
    ("GET /deals/{deal_id}/close", Member),
    ("POST /deals/{deal_id}/close", Member),
    ("GET /tickets", Viewer),
    ("GET /tickets/new", Member),
    ("POST /tickets", Member),
    ("GET /tickets/related", Viewer),
    ("POST /tickets/bulk", Member),
    ("GET /tickets/{issue_id}", Viewer),
    ("GET /tickets/{issue_id}/edit", Member),
    ("POST /tickets/{issue_id}", Member),
    ("GET /tickets/{issue_id}/history", Viewer),
    ("POST /tickets/{issue_id}/set", Member),
    ("POST /tickets/{issue_id}/labels", Member),
    ("POST /tickets/{issue_id}/link", Member),
    ("GET /tickets/{issue_id}/requester", Viewer),
    ("POST /tickets/{issue_id}/answer", Member),
    ("POST /tickets/{issue_id}/note", Member),
    ("POST /tickets/{issue_id}/draft", Member),
    ("POST /tickets/{issue_id}/draft/discard", Member),
    ("POST /tickets/{issue_id}/presence", Viewer),
    ("GET /tasks/mine", Viewer),
    ("GET /tasks/{issue_id}/plan", Member),
    ("POST /tasks/{issue_id}/plan", Member),
    ("POST /tasks/{issue_id}/status", Member),
    ("GET /projects/{project_id}/board", Viewer),
    ("GET /projects/{project_id}/progress", Viewer),
    ("GET /projects/{project_id}/cycles", Viewer),
    ("GET /projects/{project_id}/cycles/new", Member),
    ("POST /projects/{project_id}/cycles", Member),
    ("GET /cycles/{cycle_id}", Viewer),
    ("GET /cycles/{cycle_id}/edit", Member),
    ("POST /cycles/{cycle_id}", Member),
    ("POST /cycles/{cycle_id}/delete", Member),
    ("POST /cycles/{cycle_id}/restore", Member),
    ("GET /cycles/{cycle_id}/move", Member),
    ("POST /cycles/{cycle_id}/move", Member),
    // The knowledge base
    ("GET /articles", Admin),
    ("GET /articles/new", Admin),
    ("POST /articles", Admin),
    ("GET /articles/searched", Admin),
    ("GET /articles/related", Admin),
    ("POST /articles/bulk", Admin),
    ("GET /articles/{article_id}", Admin),
    ("GET /articles/{article_id}/edit", Admin),
    ("POST /articles/{article_id}", Admin),
    ("POST /articles/{article_id}/delete", Admin),
    ("POST /articles/{article_id}/restore", Member),
    ("GET /articles/{article_id}/history", Viewer),
    ("POST /articles/{article_id}/comments", Member),
    ("POST /articles/{article_id}/draft", Member),
    // Settings
    ("GET /settings", Admin),
    ("POST /settings", Admin),
    ("POST /settings/delete", Admin),
    ("GET /settings/members", Admin),
    ("POST /settings/members", Admin),
    ("POST /settings/members/{member_id}", Admin),
    ("POST /settings/members/{member_id}/remove", Admin),
    ("GET /settings/keys", Admin),
    ("GET /settings/keys/new", Admin),
    ("POST /settings/keys", Admin),
    ("GET /settings/keys/{key_id}", Admin),
    ("POST /settings/keys/{key_id}", Admin),
    ("POST /settings/keys/{key_id}/revoke", Admin),
    ("GET /settings/usage", Admin),
    ("GET /settings/audit-log", Admin),
    ("GET /settings/audit-log.csv", Admin),
    ("GET /settings/support", Admin),
    ("POST /settings/support", Admin),
    ("POST /settings/support/keys", Admin),
    ("GET /settings/erasures", Admin),
    ("POST /settings/erasures", Admin),
    ("POST /settings/erasures/look", Admin),
    ("GET /settings/erasures/{erasure_id}", Admin),
    ("GET /settings/events", Admin),
    ("GET /settings/webhooks", Admin),
    ("GET /settings/webhooks/new", Admin),
    ("POST /settings/webhooks", Admin),
    ("GET /settings/webhooks/{webhook_id}", Admin),
    ("GET /settings/webhooks/{webhook_id}/edit", Admin),
    ("POST /settings/webhooks/{webhook_id}", Admin),
    ("POST /settings/webhooks/{webhook_id}/test", Admin),
    ("GET /settings/webhooks/{webhook_id}/secret", Admin),
    ("POST /settings/webhooks/{webhook_id}/secret", Admin),
    ("GET /settings/webhooks/{webhook_id}/delete", Admin),
    ("POST /settings/webhooks/{webhook_id}/delete", Admin),
    ("GET /settings/webhooks/{webhook_id}/deliveries/{delivery_id}", Admin),
    ("POST /settings/webhooks/{webhook_id}/deliveries/{delivery_id}/redeliver", Admin),
    ("GET /settings/webhooks/{webhook_id}/health", Admin),
    ("GET /settings/webhooks/{webhook_id}/replay", Admin),
    ("POST /settings/webhooks/{webhook_id}/replay", Admin),
    ("GET /settings/webhooks/{webhook_id}/replays/{replay_id}", Admin),
    ("POST /settings/webhooks/{webhook_id}/replays/{replay_id}/cancel", Admin),
    // Operators
    ("GET /workspaces/new", Operator),
    ("POST /workspaces", Operator),
    ("GET /operator", Operator),
    ("GET /operator/new", Operator),
    ("POST /operator", Operator),
    ("GET /operator/{workspace_id}", Operator),
    ("POST /operator/{workspace_id}", Operator),
    ("POST /operator/{workspace_id}/delete", Operator),
    ("POST /operator/{workspace_id}/restore", Operator),
];

fn rows() -> BTreeMap<String, Least> {
    let of_records = RECORDS.iter().flat_map(|(path, id)| {
        OF_RECORDS.iter().map(move |(row, least)| (row.replace("{path}", path).replace("{id}", id), *least))
    });
    PAGES.iter().map(|(row, least)| ((*row).to_owned(), *least)).chain(of_records).collect()
}

fn name_of(operation: &Operation) -> String {
    format!("{} {}", operation.method, operation.pattern)
}

/// The token that forms have. Public pages need none.
async fn token_of(browser: &Browser) -> (String, String) {
    let page = browser.open("/account").await;
    let form = if page.has_form("/sign-out") { "/sign-out" } else { "/sign-in" };
    page.fields_of(form).into_iter().find(|(name, _)| name == "_token").unwrap()
}

/// Opens a page, or sends its form with nothing filled in.
async fn call(browser: &Browser, token: &(String, String), method: &str, path: &str) -> ApiResponse {
    let request =
        if method == "GET" { browser.request("GET", path) } else { browser.post(path, std::slice::from_ref(token)) };
    browser.send(request).await
}

/// The path of a page with the records of the samples; what there is no sample of has an unknown id.
fn path_of(samples: &Samples, pattern: &str) -> String {
    let unknown = ["{view_id}", "{hash}", "{name}"];
    let known = unknown.into_iter().fold(pattern.to_owned(), |path, part| {
        path.replace(part, if part == "{view_id}" { "00000000-0000-7000-8000-00000000000a" } else { "x" })
    });
    samples.path_of(&known)
}

async fn samples_of(tenant: &Tenant<'_>) -> Samples {
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
    assert!(missing.is_empty(), "write down who may: {missing:?}");
    let gone: Vec<_> = rows.iter().filter(|row| !pages.contains(row)).collect();
    assert!(gone.is_empty(), "there is no such page: {gone:?}");
}

#[tokio::test]
async fn nobody_opens_or_sends_what_they_may_not() {
    let app = App::start().await;
    let tenant = app.workspace().await;
    let samples = samples_of(&tenant).await;
    let mut wrong = Vec::new();
    for role in [None, Some(Role::Viewer), Some(Role::Member), Some(Role::Admin), Some(Role::Owner)] {
        let browser = match role {
            Some(role) => tenant.signed_in(role).await,
            None => app.browser(),
        };
        let token = token_of(&browser).await;
        let is = match role {
            None => Anybody,
            Some(Role::Viewer) => Viewer,
            Some(Role::Member) => Member,
            Some(Role::Admin | Role::Owner) => Admin,
        };
        for (row, least) in rows() {
            let (method, pattern) = row.split_once(' ').unwrap();
            // What they may send has an effect.
            if is >= least && method == "POST" {
                continue;
            }
            // A stream ends when it is closed.
            if is >= least && pattern == "/live" {
                continue;
            }
            let answer = call(&browser, &token, method, &path_of(&samples, pattern)).await;
            let leads_to_sign_in = answer.status == 303 && answer.header("location").starts_with("/sign-in");
            let must_sign_in = least > Anybody && (leads_to_sign_in || answer.status == 401);
            let is_refused = answer.status == 403 || is == Anybody && must_sign_in;
            if is_refused == (is >= least) || answer.status >= 500 {
                wrong.push(format!("{role:?} {row}: {}", answer.status));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// Patterns with an id that is of no workspace.
const OF_NO_WORKSPACE: [&str; 2] = ["/kb/", "/sign-in/"];

#[tokio::test]
async fn nothing_of_another_workspace_is_shown_or_changed() {
    let app = App::start().await;
    let (tenant, other) = (app.workspace().await, app.workspace().await);
    let samples = samples_of(&tenant).await;
    let stranger = other.signed_in(Role::Owner).await;
    let filled_in =
        ["_version=1", "state=looking", "labels=x", "body=x", "visibility=internal", "name=x", "status=done"];
    let filled_in = filled_in.iter().filter_map(|pair| pair.split_once('='));
    let mut filled_in: Vec<_> = filled_in.map(|(name, value)| (name.to_owned(), value.to_owned())).collect();
    filled_in.push(token_of(&stranger).await);
    let mut wrong = Vec::new();
    for (row, _) in rows().into_iter().filter(|(_, least)| (Viewer..=Admin).contains(least)) {
        let (method, pattern) = row.split_once(' ').unwrap();
        let is_of_a_record = pattern.contains("_id}");
        if OF_NO_WORKSPACE.iter().any(|start| pattern.starts_with(start)) || (method == "POST" && !is_of_a_record) {
            continue;
        }
        // A stream ends when it is closed, and what somebody has not written can be discarded.
        if ["/live", "/tickets/{issue_id}/draft/discard"].contains(&pattern) {
            continue;
        }
        let path = path_of(&samples, pattern);
        let request = if method == "GET" { stranger.request(method, &path) } else { stranger.post(&path, &filled_in) };
        let answer = stranger.send(request).await;
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

const ODD: &[&str] = &[
    "%00",
    "%FF%FE",
    "%C3%28",
    "1e400",
    "-99999-01-01",
    "9999-12-31T23:59",
    "99999999999999999999999",
    "%0D%0AX:+y",
    "%7B%22a%22:1%7D",
    "%F0%9F%98%80",
    "%",
    "null",
];
const FIELDS: &[&str] = &[
    "_next",
    "_version",
    "actor_id",
    "assignee_id",
    "body",
    "code",
    "company_id",
    "cursor",
    "due_at",
    "email",
    "events",
    "expires_at",
    "group_by",
    "id",
    "ids",
    "kind",
    "limit",
    "month",
    "name",
    "networks",
    "next",
    "order",
    "page",
    "position",
    "priority",
    "q",
    "query",
    "search",
    "shared",
    "since",
    "slug",
    "sort",
    "stage",
    "start_date",
    "state",
    "status",
    "tags",
    "theme",
    "zone",
    "title",
    "to",
    "token",
    "until",
    "url",
    "value",
    "visibility",
    "website",
    "workspace",
];
/// They end the session or the workspace of the test.
const ENDS: [&str; 4] =
    ["/sign-out", "/account/sessions/end-all", "/account/sessions/{session_id}/end", "/settings/delete"];

fn is_sound(answer: &ApiResponse) -> bool {
    let in_ascii =
        |name: &str| answer.headers.get(name).is_none_or(|value| value.as_bytes().iter().all(u8::is_ascii_graphic));
    answer.status < 500 && in_ascii("location") && in_ascii("hx-redirect")
}

#[tokio::test]
async fn odd_input_is_refused_and_never_an_error_of_the_service() {
    let app = App::start().await;
    let tenant = app.workspace().await;
    let samples = samples_of(&tenant).await;
    let browser = tenant.signed_in(Role::Owner).await;
    let (_, token) = token_of(&browser).await;
    let mut wrong = Vec::new();
    for (place, (row, _)) in rows().into_iter().filter(|(_, least)| *least != Operator).enumerate() {
        let (method, pattern) = row.split_once(' ').unwrap();
        if ENDS.contains(&pattern) || pattern == "/live" {
            continue;
        }
        let path = path_of(&samples, pattern);
        // All fields with one odd value each time, and every field once with another.
        for turn in 0..3 {
            let odd = |field: usize| ODD[(place + turn * 5 + if turn == 0 { 0 } else { field }) % ODD.len()];
            let fields: Vec<_> = FIELDS.iter().enumerate().map(|(at, name)| format!("{name}={}", odd(at))).collect();
            let sent = if turn == 2 { [fields.clone(), fields].concat().join("&") } else { fields.join("&") };
            let request = if method == "GET" {
                browser.request("GET", &format!("{path}?{sent}"))
            } else {
                browser.post(&path, &[]).body(format!("_token={token}&_version=1&{sent}"))
            };
            let answer = browser.send(request).await;
            if !is_sound(&answer) {
                wrong.push(format!("{row} {turn}: {} {:?}", answer.status, answer.headers.get("location")));
            }
        }
        if let Some(id) = pattern.split('/').find(|part| part.starts_with('{')) {
            for odd in ["%00", "%FF", "..%2F..", "%C3%A4"] {
                let path = path_of(&samples, &pattern.replace(id, "-")).replacen("/-", &format!("/{odd}"), 1);
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
    let app = App::start().await;
    let tenant = app.workspace().await;
    let signed_in = tenant.signed_in(Role::Owner).await;
    let help = format!("/kb/{}/-/ticket", tenant.workspace.slug);
    for (browser, path) in [(app.browser(), "/sign-in"), (signed_in, "/companies"), (app.browser(), &*help)] {
        let (_, token) = token_of(&browser).await;
        for (fields, is_refused) in [(1_998, false), (2_000, true), (500_000, true)] {
            let body = format!("_token={token}&{}", ["a"].repeat(fields).join("&"));
            let answer = browser.send(browser.post(path, &[]).body(body)).await;
            let said = answer.status == 400 && answer.text.contains("at most 2000 fields");
            assert_eq!(said, is_refused, "{path} {fields}: {} {}", answer.status, answer.text);
        }
    }
}
