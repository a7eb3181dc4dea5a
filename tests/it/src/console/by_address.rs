//! Every page works when it is opened by its address, and every part that scripts fetch fits the page that fetches it.

use std::collections::BTreeSet;

use console::OPERATIONS;
use domain::identity::workspaces::Role;
use test_support::{App, Browser, Samples, Screen};

use super::addresses::{address_in, switch};

/// Parts that scripts fetch, files, and the stream of changes.
const NOT_PAGES: [&str; 6] = [
    "/assets/{hash}/{name}",
    "/live",
    "/pick/{kind}",
    "/deals/board/more",
    "/settings/audit-log.csv",
    "/export/{records}",
];

/// Pages without navigation: public ones, and those that ask a single question.
const BARE_PAGES: [&str; 8] = [
    "/set-up",
    "/sign-in",
    "/forgotten-password",
    "/reset-password",
    "/accept-invitation",
    "/portal",
    "/kb/",
    "/deals/{deal_id}/close",
];

/// Kinds of records, each with a field and its new text.
const RECORDS: [(&str, &str, &str); 8] = [
    ("/contacts/{contact_id}", "first_name", "Zoe"),
    ("/companies/{company_id}", "name", "Globex"),
    ("/deals/{deal_id}", "source", "A fair"),
    ("/projects/{project_id}", "name", "Café"),
    ("/tasks/{issue_id}", "title", "Grind"),
    ("/tickets/{issue_id}", "title", "Much too late"),
    ("/articles/{article_id}", "title", "Pouring"),
    ("/time_entries/{entry_id}", "note", "Grinding"),
];

/// The patterns of whole pages.
fn pages() -> impl Iterator<Item = &'static str> {
    let is_page = |pattern: &&str| !pattern.ends_with("/related") && !NOT_PAGES.contains(pattern);
    OPERATIONS.iter().filter(|one| one.method == "GET").map(|one| one.pattern).filter(is_page)
}

#[tokio::test]
async fn every_page_is_complete_and_every_part_fits_its_page() {
    let (app, tenant) = App::with_workspace().await;
    let samples = Samples::make(&tenant).await;
    let operator = tenant.operator(Role::Owner).await;
    let member = app.browser_of(&operator).await;
    let mut round = PageChecks::default();
    for pattern in pages() {
        let path = samples.path_of(pattern);
        round.open(&app.browser(), pattern, &path).await;
        round.open(&member, pattern, &path).await;
    }
    for (pattern, ..) in RECORDS {
        let path = samples.path_of(pattern);
        let whole = member.open(&format!("{path}/edit")).await.expect(200);
        let names: BTreeSet<_> = whole.fields_of(&path).into_iter().map(|(name, _)| name).collect();
        for name in names.iter().filter(|name| !name.starts_with('_')) {
            let page = round.open(&member, pattern, &format!("{path}/edit?field={name}")).await;
            round.check(page.has_form(&path), &page.address, "it has no form for the record");
        }
        // An unknown field leads to the form with all fields.
        let unknown = member.open(&format!("{path}/edit?field=none")).await.expect(200);
        assert_eq!(unknown.fields_of(&path).len(), whole.fields_of(&path).len(), "{path}");
    }
    assert!(round.wrong.is_empty(), "{}", round.wrong.join("\n"));
    assert!(round.fetched.len() > 50, "parts are fetched: {:?}", round.fetched);
}

#[tokio::test]
async fn a_field_whose_form_was_opened_by_address_is_saved() {
    let (_app, tenant) = App::with_workspace().await;
    let samples = Samples::make(&tenant).await;
    let owner = tenant.signed_in(Role::Owner).await;
    for (pattern, name, typed) in RECORDS {
        let path = samples.path_of(pattern);
        let form = owner.open(&format!("{path}/edit?field={name}")).await.expect(200);
        assert!(!form.html().contains(&format!("hx-post=\"{path}\"")), "{path}: {}", form.html());
        let saved = owner.submit(&form, &path, &[(name, typed)]).await.expect(200);
        assert_eq!(saved.address, path);
        let edit_form = owner.open(&format!("{path}/edit?field={name}")).await.expect(200);
        assert_eq!(edit_form.value_of(&path, name).as_deref(), Some(typed), "{path}");
    }
}

/// Simulates two tabs: before each page and form of one workspace, the other tab opens a page of the other.
#[tokio::test]
async fn pages_and_forms_stay_in_their_workspace_while_another_tab_is_in_another() {
    let app = App::start().await;
    let (one, two) = (app.workspace().await, app.workspace().await);
    let samples = Samples::make(&one).await;
    let operator = one.operator(Role::Owner).await;
    let _ = two.join(&operator.email, Role::Owner).await;
    let (alone, browser) = (app.browser(), app.browser().literally());
    for browser in [&alone, &browser] {
        let _ = browser.sign_in(&operator.email, operator.password, &one.workspace.slug).await;
    }
    switch(&browser, &one, &two).await;
    let other_tab = async || browser.open(&address_in(&two, "/companies")).await.expect(200);
    let (own_prefix, foreign) = (address_in(&one, ""), address_in(&two, "/"));
    for path in pages().map(|pattern| samples.path_of(pattern)).filter(|path| console::is_of_workspace(path)) {
        let _ = other_tab().await;
        let (page, expected) = (browser.open(&address_in(&one, &path)).await, alone.open(&path).await);
        let shown = page.address.strip_prefix(&own_prefix).unwrap_or(&page.address);
        let shown = if shown.starts_with('/') { shown.to_owned() } else { format!("/{shown}") };
        assert_eq!((page.response.status, shown), (expected.response.status, expected.address), "{path}");
        let foreign_actions: Vec<_> =
            page.actions().into_iter().filter(|action| action.starts_with(&foreign)).collect();
        assert_eq!(foreign_actions, [""; 0], "{path}: forms to the other workspace");
    }
    for (pattern, name, typed) in RECORDS {
        let path = address_in(&one, &samples.path_of(pattern));
        let form = browser.open(&format!("{path}/edit?field={name}")).await.expect(200);
        let _ = other_tab().await;
        let saved = browser.send(browser.post(&path, &filled(&form, &path, name, typed))).await.expect(303);
        assert_eq!(saved.header("location"), path);
        assert!(!other_tab().await.html().contains("alert-success"), "{path}: it is told where it was done");
        let edit_form = browser.open(&format!("{path}/edit?field={name}")).await.expect(200);
        assert_eq!(edit_form.value_of(&path, name).as_deref(), Some(typed), "{path}");
    }
}

/// The fields of a form with one value replaced.
fn filled(form: &Screen, action: &str, name: &str, value: &str) -> Vec<(String, String)> {
    let fields = form.fields_of(action).into_iter().filter(|(known, _)| known != name);
    fields.chain([(name.to_owned(), value.to_owned())]).collect()
}

/// Faults so far, and the parts fetched by pages.
#[derive(Default)]
struct PageChecks {
    wrong: Vec<String>,
    fetched: BTreeSet<String>,
}

impl PageChecks {
    async fn open(&mut self, browser: &Browser, pattern: &str, path: &str) -> Screen {
        let page = browser.open(path).await;
        let (html, address) = (page.html(), &*page.address);
        for part in ["<!doctype html>", "<title>", "<main id=\"main\"", "</html>"] {
            self.check(html.contains(part), address, &format!("it has no {part}"));
        }
        let is_narrow = BARE_PAGES.iter().any(|start| pattern.starts_with(start) || address.starts_with(start));
        if page.response.status == 200 && !is_narrow {
            self.check(html.contains("class=\"navigation\""), address, "it has no navigation");
        }
        self.check_targets(&page, &page);
        for [part, select] in page.attributes(["hx-get", "hx-select"]) {
            self.fetch(browser, &page, &part.unwrap_or_default(), select).await;
        }
        page
    }

    /// Fetches a part as scripts do, once.
    async fn fetch(&mut self, browser: &Browser, page: &Screen, part: &str, select: Option<String>) {
        if part.is_empty() || !self.fetched.insert(part.to_owned()) {
            return;
        }
        let response = browser.send(browser.request("GET", part).header("HX-Request", "true")).await;
        let answer = Screen { address: part.to_owned(), response };
        self.check(answer.response.status < 300, part, &format!("status {}", answer.response.status));
        let selected = select.as_deref().and_then(|select| select.strip_prefix('#'));
        if let Some(id) = selected.and_then(|select| select.split(' ').next()) {
            self.check(answer.has_id(id), part, &format!("it lacks #{id}, which {} shows", page.address));
        }
        self.check_targets(&answer, page);
    }

    /// Checks that the targets of scripts exist, in the response itself or in the page that it becomes part of.
    fn check_targets(&mut self, answer: &Screen, page: &Screen) {
        for [target] in answer.attributes(["hx-target"]) {
            let target = target.unwrap_or_default();
            let Some(id) = target.strip_prefix('#') else { continue };
            self.check(answer.has_id(id) || page.has_id(id), &answer.address, &format!("it has no {target}"));
        }
    }

    fn check(&mut self, is_good: bool, address: &str, fault: &str) {
        if !is_good {
            self.wrong.push(format!("{address}: {fault}"));
        }
    }
}
