//! How much the pages cost: statements, and bytes on the way to the browser.

use std::collections::HashMap;
use std::sync::{Mutex, Once, PoisonError};

use console::OPERATIONS;
use diesel::connection::{InstrumentationEvent, set_default_instrumentation};
use domain::identity::workspaces::Role;
use kit::{App, Samples};
use log_context::Context;

/// Prefix of this module's request ids: other tests send statements in the same process.
const MINE: &str = "statements-";
const MOST_STATEMENTS: usize = 4;
/// Compressed, after the assets are there.
const LARGEST_PAGE: usize = 20 * 1024;
const LARGEST_FIRST_LOAD: usize = 200 * 1024;

/// Pages that still need more. This list may only become shorter: a task reads its sub-tasks beside its draft.
const TOO_MANY: [(&str, usize); 1] = [("/tasks/{issue_id}", 5)];

/// Not pages: what a page fetches, or downloads.
const BESIDE: [&str; 3] = ["/assets/{hash}/{name}", "/live", "/settings/audit-log.csv"];

/// They say that there is no such link, and no ticket that was just sent.
const WITHOUT_A_SAMPLE: [&str; 2] = ["/sign-in/link/{token}", "/kb/{workspace}/-/sent"];

/// Statements by request.
static SENT: Mutex<Option<HashMap<String, Vec<String>>>> = Mutex::new(None);

fn count_statements() {
    static BEGIN: Once = Once::new();
    BEGIN.call_once(|| {
        let counting = set_default_instrumentation(|| {
            Some(Box::new(|event: InstrumentationEvent<'_>| {
                let InstrumentationEvent::StartQuery { query, .. } = event else { return };
                let Some(id) = Context::current().text("request_id").filter(|id| id.starts_with(MINE)) else { return };
                let text = query.to_string();
                // The session is looked up once in two seconds at most (adr/0008).
                let is_beside = ["BEGIN", "COMMIT", "ROLLBACK", "SELECT \"sessions\""];
                if is_beside.iter().any(|start| text.starts_with(start)) {
                    return;
                }
                let mut sent = SENT.lock().unwrap_or_else(PoisonError::into_inner);
                sent.get_or_insert_default().entry(id).or_default().push(text);
            }))
        });
        counting.unwrap();
    });
}

fn statements_of(id: &str) -> Vec<String> {
    let sent = SENT.lock().unwrap_or_else(PoisonError::into_inner);
    sent.as_ref().and_then(|sent| sent.get(id).cloned()).unwrap_or_default()
}

#[tokio::test]
async fn no_page_needs_more_than_four_statements_or_twenty_kilobytes() {
    count_statements();
    let app = App::start().await;
    let tenant = app.workspace().await;
    let samples = Samples::make(&tenant).await;
    let operator = tenant.operator(Role::Owner).await;
    let browser = app.browser();
    let _ = browser.sign_in(&operator.email, operator.password, &tenant.workspace.slug).await;
    let mut excess = Vec::new();
    for operation in OPERATIONS.iter().filter(|one| one.method == "GET" && !BESIDE.contains(&one.pattern)) {
        let path = samples.path_of(operation.pattern);
        // The credential is cached by the first.
        for turn in 0..2 {
            let id = format!("{MINE}{turn}-{}", operation.pattern.replace(['/', '{', '}'], "."));
            let request = browser.request("GET", &path).header("X-Request-Id", &id);
            let response = browser.send(request.header("Accept-Encoding", "gzip")).await;
            if ![200, 303].contains(&response.status) && !WITHOUT_A_SAMPLE.contains(&operation.pattern) {
                excess.push(format!("{path}: status {}", response.status));
            }
            let statements = statements_of(&id);
            let most = TOO_MANY
                .iter()
                .find(|(pattern, _)| *pattern == operation.pattern)
                .map_or(MOST_STATEMENTS, |(_, most)| *most);
            if turn == 1 && statements.len() > most {
                excess.push(format!("{path}: {} statements\n  {}", statements.len(), statements.join("\n  ")));
            }
            let length: usize = response.header("content-length").parse().unwrap_or(0);
            if length > LARGEST_PAGE {
                excess.push(format!("{path}: {length} bytes"));
            }
        }
    }
    assert!(excess.is_empty(), "{}", excess.join("\n"));
}

#[tokio::test]
async fn the_first_page_with_all_that_it_loads_is_small() {
    let app = App::start().await;
    let tenant = app.workspace().await;
    let browser = tenant.signed_in(Role::Owner).await;
    let page = browser.open("/").await.expect(200);
    let mut bytes = page.html().len();
    for address in page.html().split('"').filter(|part| part.starts_with("/assets/")) {
        let asset = browser.send(browser.request("GET", address).header("Accept-Encoding", "gzip")).await;
        bytes += asset.header("content-length").parse::<usize>().unwrap();
    }
    assert!(bytes < LARGEST_FIRST_LOAD, "{bytes}");
}
