//! That whatever the console can do can be done without scripts: the HTML of some page has the form of every route that
//! takes one.

use std::collections::{BTreeMap, BTreeSet, VecDeque};

use console::OPERATIONS;
use domain::identity::workspaces::Role;
use kit::{App, Browser, Client, Samples};
use serde_json::json;

/// Pages of the same kind that are opened: one may lack what another has, such as a button of a state.
const OF_A_KIND: usize = 4;

/// They answer with no page.
const BESIDE: [&str; 3] = ["/assets/{hash}/{name}", "/live", "/settings/audit-log.csv"];

/// Their forms are on pages that another form leads to, and the named test sends them from there as this one's browser would.
const AFTER_ANOTHER: [(&str, &str); 0] = [];

/// What scripts send while somebody types or looks, and what there is in their place.
const FOR_SCRIPTS: [(&str, &str); 0] = [];

#[tokio::test]
async fn every_form_is_on_some_page_without_scripts() {
    let app = App::start().await;
    let mut crawl = Crawl::default();
    crawl.open(&app.browser(), "/set-up").await;
    let tenant = app.workspace().await;
    let samples = Samples::make(&tenant).await;
    delete_some(&tenant.full_access().await, &samples).await;
    let operator = tenant.operator(Role::Owner).await;
    let member = app.browser();
    let _ = member.sign_in(&operator.email, operator.password, &tenant.workspace.slug).await;
    for browser in [&app.browser(), &member] {
        for operation in OPERATIONS.iter().filter(|one| one.method == "GET" && !BESIDE.contains(&one.pattern)) {
            crawl.open(browser, &samples.path_of(operation.pattern)).await;
        }
        crawl.follow(browser).await;
    }

    let excused: BTreeSet<_> = AFTER_ANOTHER.iter().chain(&FOR_SCRIPTS).map(|(pattern, _)| *pattern).collect();
    let routes: BTreeSet<_> = OPERATIONS.iter().filter(|one| one.method == "POST").map(|one| one.pattern).collect();
    let missing: Vec<_> = routes.difference(&crawl.forms).filter(|pattern| !excused.contains(*pattern)).collect();
    assert!(missing.is_empty(), "no page has a form for {missing:#?}");
    assert!(excused.is_disjoint(&crawl.forms), "on a page, so no exception: {:?}", excused.intersection(&crawl.forms));
    assert!(excused.is_subset(&routes), "no routes: {:?}", excused.difference(&routes));
    assert!(crawl.nowhere.is_empty(), "forms that lead nowhere: {:#?}", crawl.nowhere);
}

/// Deletes a record of each kind that is restored from its page.
async fn delete_some(key: &Client, samples: &Samples) {
    let project = samples.id("project_id");
    for (path, body) in [
        ("/api/v1/crm/companies".to_owned(), json!({"name": "Gone"})),
        ("/api/v1/crm/contacts".to_owned(), json!({"email": "gone@acme.example"})),
        ("/api/v1/crm/deals".to_owned(), json!({"title": "Gone"})),
        ("/api/v1/projects".to_owned(), json!({"name": "Gone"})),
        (
            format!("/api/v1/projects/{project}/cycles"),
            json!({"name": "Gone", "start_date": "2026-02-02", "end_date": "2026-02-15"}),
        ),
        ("/api/v1/issues".to_owned(), json!({"kind": "task", "title": "Gone", "project_id": project})),
    ] {
        let made = key.post(&path, body).await.expect(201);
        let _ = key.delete(&format!("{path}/{}", made.id())).await.expect(204);
    }
}

/// Opens pages, and notes the forms on them.
#[derive(Default)]
struct Crawl {
    /// The patterns that forms are sent to.
    forms: BTreeSet<&'static str>,
    /// Forms whose address is no route, with their page.
    nowhere: BTreeMap<String, String>,
    seen: BTreeSet<String>,
    /// Addresses that pages link to.
    links: VecDeque<String>,
    /// How many addresses of a kind were opened.
    opened: BTreeMap<String, usize>,
}

impl Crawl {
    async fn open(&mut self, browser: &Browser, address: &str) {
        let screen = browser.open(address).await;
        for action in screen.actions() {
            match pattern_of("POST", &action) {
                Some(pattern) => _ = self.forms.insert(pattern),
                None => _ = self.nowhere.insert(action, screen.address.clone()),
            }
        }
        for link in screen.links() {
            if self.seen.insert(link.clone()) {
                self.links.push_back(link);
            }
        }
    }

    /// Opens what the pages so far link to, and what those link to, a few of each kind.
    async fn follow(&mut self, browser: &Browser) {
        while let Some(link) = self.links.pop_front() {
            let Some(kind) = kind_of(&link) else { continue };
            let opened = self.opened.entry(kind).or_default();
            *opened += 1;
            if *opened <= OF_A_KIND {
                self.open(browser, &link).await;
            }
        }
        self.seen.clear();
        self.opened.clear();
    }
}

/// The route that a link leads to, with the names of its parameters.
fn kind_of(link: &str) -> Option<String> {
    let pattern = pattern_of("GET", link).filter(|pattern| !BESIDE.contains(pattern))?;
    let query = link.split_once('?').map_or("", |(_, query)| query);
    let names = query.split(['&', '#']).filter_map(|pair| pair.split_once('=')).map(|(name, _)| name);
    Some(format!("{pattern} {:?}", names.collect::<BTreeSet<_>>()))
}

/// The first route of this method that an address matches.
fn pattern_of(method: &str, address: &str) -> Option<&'static str> {
    let path = address.split(['?', '#']).next().unwrap_or_default();
    let is_match = |pattern: &str| {
        pattern.split('/').count() == path.split('/').count()
            && pattern.split('/').zip(path.split('/')).all(|(one, other)| one.starts_with('{') || one == other)
    };
    OPERATIONS.iter().filter(|one| one.method == method).map(|one| one.pattern).find(|pattern| is_match(pattern))
}
