//! Everything in the console works without scripts: for every route that takes a form, the HTML of some page contains
//! it.

use std::collections::{BTreeMap, BTreeSet, VecDeque};

use console::OPERATIONS;
use domain::identity::workspaces::Role;
use serde_json::{Value, json};
use test_support::{App, Browser, Samples, Screen, Tenant, is_match, simple_kinds};

use super::account::without_password;
use super::first_minutes::{second_factor, send_password};

/// How many pages of the same kind to open: which forms and buttons a page has may depend on the record's state.
const PAGES_PER_KIND: usize = 4;

/// Routes whose response is not a page.
const NOT_PAGES: [&str; 3] = ["/assets/{hash}/{name}", "/live", "/settings/audit-log.csv"];

/// Routes without a form, with the reason. The forms of those that end in `/bulk/apply` are on pages that edit selected records.
const WITHOUT_A_FORM: [(&str, &str); 12] = [
    ("/tickets/{issue_id}/presence", "only scripts report who has a ticket open"),
    ("/articles/{article_id}/comments", "every kind has the route, and articles have no comments: it answers 404"),
    ("/articles/{article_id}/draft", "the same"),
    ("/projects/{project_id}/comments", "every kind has the route, and projects have no comments: it answers 404"),
    ("/projects/{project_id}/draft", "the same"),
    (
        "/time_entries/{entry_id}/comments",
        "every kind has the route, and time entries have no comments: it answers 404",
    ),
    ("/time_entries/{entry_id}/draft", "the same"),
    ("/portal/link", "the page of a ticket needs scripts, which send it"),
    (
        "/import/{records}/columns",
        "scripts read the file and send it in parts; without them, the page names the command",
    ),
    ("/import/{records}/rows", "the same"),
    ("/import/{records}/finish", "the same"),
    ("/undo/{undo_id}", "the form is in the message that reports a change"),
];

/// Forms that create no record, or cannot create it twice, with the reason. Forms that end in `/bulk` are not listed: they change
/// records. All others have a number against double submission.
const WITHOUT_A_NUMBER: &[(&str, &str)] = &[
    ("/set-up", "its code is used up"),
    ("/accept-invitation", "its link is used up"),
    ("/reset-password", "its link is used up"),
    ("/sign-in", "creates a session; a browser has only one"),
    ("/sign-in/workspace", "the same"),
    ("/sign-in/code", "the same"),
    ("/sign-in/link", "the same"),
    ("/workspaces/switch", "the same"),
    ("/sign-out", "ends a session"),
    ("/forgotten-password", "an address gets one e-mail in five minutes"),
    ("/portal/links", "the same"),
    ("/workspaces", "a slug can be taken only once"),
    ("/settings/erasures", "erased data is not found a second time"),
    ("/settings/erasures/look", "only searches"),
    ("/home/hide-steps", "sets a cookie"),
    ("/account", "changes the account"),
    ("/account/appearance", "the same"),
    ("/account/password", "the same"),
    ("/account/first-password", "the same"),
    ("/account/second-factor", "starts over each time; there is at most one"),
    ("/account/second-factor/confirm", "its code is used up"),
    ("/account/second-factor/remove", "changes the account"),
    ("/account/sessions/end-all", "the same"),
    ("/settings", "changes the workspace"),
    ("/settings/delete", "deletes the workspace"),
    ("/settings/support", "the same"),
    ("/settings/time", "changes the workspace"),
    ("/settings/time/rates", "sets the rate of a member"),
    ("/settings/time/rates/remove", "the same"),
    ("/time/approval", "changes records"),
];
/// Path segments after a record's id in routes that create another record.
const CREATING_SEGMENTS: [&str; 5] = ["/comments", "/answer", "/note", "/cycles", "/replay"];

#[tokio::test]
async fn every_form_is_on_some_page_without_scripts() {
    let app = App::start().await;
    let mut crawl = Crawl::default();
    crawl.open(&app.browser(), "/set-up").await;
    let tenant = app.workspace().await;
    let samples = Samples::make(&tenant).await;
    let operator = tenant.operator(Role::Owner).await;
    let member = app.browser_of(&operator).await;
    crawl.send_forms(&app, &tenant, &member, &samples).await;
    crawl.sign_in(&app, &tenant).await;
    for browser in [&app.browser(), &member] {
        for operation in OPERATIONS.iter().filter(|one| one.method == "GET" && !NOT_PAGES.contains(&one.pattern)) {
            crawl.open(browser, &samples.path_of(operation.pattern)).await;
        }
        crawl.follow(browser).await;
    }

    let routes: BTreeSet<_> = OPERATIONS.iter().filter(|one| one.method == "POST").map(|one| one.pattern).collect();
    let ending_in = |end: &'static str| routes.iter().copied().filter(move |pattern| pattern.ends_with(end));
    // Exceptions for articles also apply to simple kinds.
    let of_simple_kinds = simple_kinds().into_iter().flat_map(|kind| kind.pages("POST"));
    let of_simple_kinds =
        of_simple_kinds.filter(|pattern| pattern.ends_with("/comments") || pattern.ends_with("/draft"));
    let excused = WITHOUT_A_FORM.iter().map(|(pattern, _)| *pattern);
    let excused: BTreeSet<_> = excused.chain(of_simple_kinds).chain(ending_in("/bulk/apply")).collect();
    let missing: Vec<_> = routes.difference(&crawl.forms).filter(|pattern| !excused.contains(*pattern)).collect();
    assert!(missing.is_empty(), "no page has a form for {missing:#?}");
    assert!(excused.is_disjoint(&crawl.forms), "on a page: {:?}", excused.intersection(&crawl.forms));
    assert!(excused.is_subset(&routes), "exceptions that are not routes: {:?}", excused.difference(&routes));
    let excused = WITHOUT_A_NUMBER.iter().map(|(pattern, _)| *pattern);
    let excused: BTreeSet<_> = excused.chain(ending_in("/bulk")).collect();
    let creates =
        |pattern: &&&str| !pattern.contains("/{") || CREATING_SEGMENTS.iter().any(|end| pattern.ends_with(end));
    let unnumbered: BTreeSet<_> = crawl.unnumbered.iter().filter(creates).copied().collect();
    let missing: Vec<_> = unnumbered.difference(&excused).collect();
    assert!(missing.is_empty(), "sent twice, these make two records: {missing:#?}");
    assert!(excused.is_subset(&unnumbered), "needless exceptions: {:?}", excused.difference(&unnumbered));
    assert!(crawl.nowhere.is_empty(), "forms whose address is not a route: {:#?}", crawl.nowhere);
}

/// Opens pages, and collects the forms on them.
#[derive(Default)]
struct Crawl {
    /// Patterns of the forms' actions.
    forms: BTreeSet<&'static str>,
    /// Patterns with a form that lacks a number.
    unnumbered: BTreeSet<&'static str>,
    /// Forms whose address is not a route, with their page.
    nowhere: BTreeMap<String, String>,
    seen: BTreeSet<String>,
    /// Addresses that pages link to.
    links: VecDeque<String>,
    /// The number of opened addresses per kind.
    opened: BTreeMap<String, usize>,
}

impl Crawl {
    async fn open(&mut self, browser: &Browser, address: &str) {
        self.note(&browser.open(address).await);
    }

    /// Collects the forms and links of a page.
    fn note(&mut self, screen: &Screen) {
        for action in screen.actions() {
            match pattern_of("POST", &action) {
                Some(pattern) => {
                    self.forms.insert(pattern);
                    if screen.has_form(&action) && screen.fields_of(&action).iter().all(|(name, _)| name != "_once") {
                        self.unnumbered.insert(pattern);
                    }
                }
                None => _ = self.nowhere.insert(action, screen.address.clone()),
            }
        }
        for link in screen.links() {
            if self.seen.insert(link.clone()) {
                self.links.push_back(link);
            }
        }
    }

    /// Follows links transitively, opening a few pages of each kind.
    async fn follow(&mut self, browser: &Browser) {
        while let Some(link) = self.links.pop_front() {
            let Some(kind) = kind_of(&link) else { continue };
            let opened = self.opened.entry(kind).or_default();
            *opened += 1;
            if *opened <= PAGES_PER_KIND {
                self.open(browser, &link).await;
            }
        }
        self.seen.clear();
        self.opened.clear();
    }
}

impl Crawl {
    /// Sends a form of a page, and collects from the page that it leads to.
    async fn send(&mut self, browser: &Browser, page: &str, action: &str, values: &[(&str, &str)]) -> Screen {
        let shown = browser.open(page).await.expect(200);
        let next = browser.submit(&shown, action, values).await.expect(200);
        self.note(&next);
        next
    }

    /// Visits pages that are reached only through a member's forms.
    async fn send_forms(&mut self, app: &App, tenant: &Tenant, member: &Browser, samples: &Samples) {
        let key = tenant.full_access().await;
        for (page, path, body) in deletable(samples.id("project_id"), samples.id("member_id")) {
            let page = format!("{page}/{}", key.create(&path, body).await);
            let _ = self.send(member, &page, &format!("{page}/delete"), &[]).await;
        }
        let of_simple_kinds = simple_kinds().into_iter().map(|kind| (kind.plural, kind.id));
        for (plural, id) in std::iter::once(("articles", "article_id")).chain(of_simple_kinds) {
            let page = format!("/{plural}/{}", samples.id(id));
            let deleted = self.send(member, &page, &format!("{page}/delete"), &[]).await;
            let _ = member.submit(&deleted, &format!("{page}/restore"), &[]).await.expect(200);
        }
        let cycles = format!("/api/v1/projects/{}/cycles", samples.id("project_id"));
        let next = json!({"name": "Next", "start_date": "2096-03-05", "end_date": "2096-03-18"});
        let _ = key.post(&cycles, next).await.expect(201);
        let other = app.workspace().await.workspace;
        let page = format!("/operator/{}", other.id.0);
        let _ = self.send(member, &page, &format!("{page}/delete"), &[("slug", &*other.slug)]).await;
        let _ =
            self.send(member, "/settings/erasures", "/settings/erasures/look", &[("email", "ann@acme.example")]).await;
        let _ = self.send(member, "/account/security", "/account/second-factor", &[]).await;
        let _ = self.send(member, "/companies?search=acme", "/views", &[("name", "Ours")]).await;
        let _ = self.send(member, "/time/timer", "/time/start", &[]).await;
        let rate = [("member_id", samples.id("member_id")), ("rate", "80"), ("currency", "CHF")];
        let _ = self.send(member, "/settings/time", "/settings/time/rates", &rate).await;
        // Another day of the same week: today has the timer's entry.
        let today = app.ports.clock.now().date();
        let is_first = today.weekday() == time::Weekday::Monday;
        let day = if is_first { today.next_day() } else { today.previous_day() }.unwrap();
        let cell = format!("cell-none-{day}");
        let saved = self.send(member, "/time", "/time", &[(&cell, "1:30")]).await;
        let submitted = member.press(&saved, "/time", "/time/submit", &[]).await.expect(200);
        self.note(&submitted);
        let page = format!("/tickets/{}", samples.id("ticket_id"));
        let shown = member.open(&page).await.expect(200);
        let fields = shown.fields_with(&format!("{page}/answer"), &[("body", "Dear Ann")]);
        let draft = member.send(member.post(&format!("{page}/draft"), &fields)).await;
        assert_eq!(draft.status, 303, "{}", draft.text);
    }

    async fn sign_in(&mut self, app: &App, tenant: &Tenant) {
        let careful = tenant.user(Role::Member).await;
        self.open(&app.browser(), &tenant.sign_in_link(&careful.email).await).await;
        let secret = second_factor(app, &careful).await;
        let browser = app.browser();
        let prompt = send_password(&browser, &careful, "/").await.expect(200);
        self.note(&prompt);
        let code = secret.code_at(app.ports.clock.now());
        let _ = browser.submit(&prompt, "/sign-in/code", &[("code", &code)]).await.expect(200);
        self.open(&browser, "/account/security").await;
        self.open(&without_password(app).await.0, "/account/security").await;
        let busy = tenant.user(Role::Member).await;
        let _ = app.workspace().await.join(&busy.email, Role::Member).await;
        self.note(&send_password(&app.browser(), &busy, "/").await.expect(200));
    }
}

/// Records that can be deleted: the path of their page, the path that creates them, and the body.
fn deletable(project: &str, member: &str) -> [(&'static str, String, Value); 7] {
    let cycle = json!({"name": "Gone", "start_date": "2026-02-02", "end_date": "2026-02-15"});
    let task = json!({"kind": "task", "title": "Gone", "project_id": project});
    let entry = json!({"member_id": member, "date": "2026-02-02", "seconds": 60});
    [
        ("/companies", "/api/v1/crm/companies".to_owned(), json!({"name": "Gone"})),
        ("/contacts", "/api/v1/crm/contacts".to_owned(), json!({"email": "gone@acme.example"})),
        ("/deals", "/api/v1/crm/deals".to_owned(), json!({"title": "Gone"})),
        ("/projects", "/api/v1/projects".to_owned(), json!({"name": "Gone"})),
        ("/cycles", format!("/api/v1/projects/{project}/cycles"), cycle),
        ("/tasks", "/api/v1/issues".to_owned(), task),
        ("/time_entries", "/api/v1/time/entries".to_owned(), entry),
    ]
}

/// The route that a link leads to, with the names of its parameters.
fn kind_of(link: &str) -> Option<String> {
    let pattern = pattern_of("GET", link).filter(|pattern| !NOT_PAGES.contains(pattern))?;
    let query = link.split_once('?').map_or("", |(_, query)| query);
    let names = query.split(['&', '#']).filter_map(|pair| pair.split_once('=')).map(|(name, _)| name);
    Some(format!("{pattern} {:?}", names.collect::<BTreeSet<_>>()))
}

/// The first route of this method that an address matches.
fn pattern_of(method: &str, address: &str) -> Option<&'static str> {
    let path = address.split(['?', '#']).next().unwrap_or_default();
    OPERATIONS.iter().filter(|one| one.method == method).map(|one| one.pattern).find(|pattern| is_match(pattern, path))
}
