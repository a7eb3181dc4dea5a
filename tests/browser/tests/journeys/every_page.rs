//! Requirements on every page of the console: axe-core finds nothing in light mode, in dark mode and on a narrow screen;
//! nothing is wider than a phone; there is one top-level heading, and the title is unique. Browser messages about a page,
//! such as script errors and policy violations, always fail a walk.

use std::collections::{BTreeMap, BTreeSet};

use browser::{Page, walk};
use console::OPERATIONS;
use serde_json::json;
use test_support::{Samples, simple_kinds};

const NARROW: u32 = 360;
const WIDE: u32 = 1280;
pub(super) const OWNER: &str = "owner@demo.example";

/// Elements that are visible despite `hidden` or a closed dialog, because of a class.
const VISIBLE_BUT_HIDDEN: &str = "return [...document.querySelectorAll('[hidden], dialog:not([open])')]\
    .filter((one) => one.checkVisibility()).map((one) => one.outerHTML.slice(0, 100))";

/// Targets of scripts that are not on the page.
const MISSING_TARGETS: &str = "return [...document.querySelectorAll('[hx-target^=\"#\"]')]\
    .map((one) => one.getAttribute('hx-target')).filter((target) => !document.querySelector(target))";

/// For each kind of record: its path, the label of a field, and the field's name in addresses.
const FIELDS: [(&str, &str, &str); 8] = [
    ("/contacts/{contact_id}", "First name", "first_name"),
    ("/companies/{company_id}", "Name", "name"),
    ("/deals/{deal_id}", "Source", "source"),
    ("/projects/{project_id}", "Name", "name"),
    ("/tasks/{issue_id}", "Title", "title"),
    ("/tickets/{issue_id}", "Title", "title"),
    ("/articles/{article_id}", "Title", "title"),
    ("/time_entries/{entry_id}", "Note", "note"),
];

/// The viewer of a page.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Viewer {
    /// A visitor without a session.
    Visitor,
    /// A workspace owner who is also an operator.
    Owner,
    /// The person who installs the service.
    Installer,
    /// Nobody: it is not a page.
    Nobody,
}

use Viewer::{Installer, Nobody, Owner, Visitor};

/// Every GET route, and more states of its page as queries.
#[rustfmt::skip]
const PAGES: &[(&str, Viewer)] = &[
    // Parts that pages fetch, and files.
    ("/assets/{hash}/{name}", Nobody),
    ("/live", Nobody),
    ("/pick/{kind}", Nobody),
    ("/deals/board/more", Nobody),
    ("/contacts/related", Nobody),
    ("/companies/related", Nobody),
    ("/deals/related", Nobody),
    ("/projects/related", Nobody),
    ("/tasks/related", Nobody),
    ("/tickets/related", Nobody),
    ("/tickets/{issue_id}/next", Nobody),
    ("/tickets/{issue_id}/previous", Nobody),
    ("/articles/related", Nobody),
    ("/time_entries/related", Nobody),
    ("/settings/audit-log.csv", Nobody),
    ("/export/{records}", Nobody),
    // Without a session.
    ("/set-up", Installer),
    ("/sign-in", Visitor),
    ("/sign-in/link/{token}", Visitor),
    ("/forgotten-password", Visitor),
    ("/reset-password", Visitor),
    ("/accept-invitation", Visitor),
    ("/portal", Visitor),
    ("/kb/{workspace}", Visitor),
    ("/kb/{workspace}/{slug}", Visitor),
    ("/kb/{workspace}/-/search", Visitor),
    ("/kb/{workspace}/-/search?q=coffee", Visitor),
    ("/kb/{workspace}/-/ticket", Visitor),
    ("/kb/{workspace}/-/sent?reference=TKT-0123456789", Visitor),
    // Work.
    ("/", Owner),
    ("/search", Owner),
    ("/search?q=coffee", Owner),
    ("/pick/{kind}/filter", Owner),
    ("/pick/{kind}/filter?q=coffee&name=company_id&list=/deals", Owner),
    ("/contacts", Owner),
    ("/contacts/totals", Owner),
    ("/contacts/new", Owner),
    ("/contacts/bulk?all=true&list=/contacts", Owner),
    ("/contacts/{contact_id}", Owner),
    ("/contacts/{contact_id}/edit", Owner),
    ("/contacts/{contact_id}/history", Owner),
    ("/companies", Owner),
    ("/companies?search=nobody", Owner),
    ("/companies?deleted=true", Owner),
    ("/companies/totals", Owner),
    ("/companies/new", Owner),
    ("/companies/bulk?all=true&list=/companies", Owner),
    ("/companies/{company_id}", Owner),
    ("/companies/{company_id}/edit", Owner),
    ("/companies/{company_id}/edit?field=name", Owner),
    ("/companies/{company_id}/history", Owner),
    ("/deals", Owner),
    ("/deals/totals", Owner),
    ("/deals/new", Owner),
    ("/deals/bulk?all=true&list=/deals", Owner),
    ("/deals/board", Owner),
    ("/deals/{deal_id}", Owner),
    ("/deals/{deal_id}/edit", Owner),
    ("/deals/{deal_id}/close", Owner),
    ("/deals/{deal_id}/history", Owner),
    ("/projects", Owner),
    ("/projects/totals", Owner),
    ("/projects/new", Owner),
    ("/projects/bulk?all=true&list=/projects", Owner),
    ("/projects/{project_id}", Owner),
    ("/projects/{project_id}/edit", Owner),
    ("/projects/{project_id}/history", Owner),
    ("/projects/{project_id}/board", Owner),
    ("/projects/{project_id}/progress", Owner),
    ("/projects/{project_id}/cycles", Owner),
    ("/projects/{project_id}/cycles/new", Owner),
    ("/cycles/{cycle_id}", Owner),
    ("/cycles/{cycle_id}/edit", Owner),
    ("/cycles/{cycle_id}/move", Owner),
    ("/tasks", Owner),
    ("/tasks/mine", Owner),
    ("/tasks/totals", Owner),
    ("/tasks/new", Owner),
    ("/tasks/bulk?all=true&list=/tasks", Owner),
    ("/tasks/{issue_id}", Owner),
    ("/tasks/{issue_id}/edit", Owner),
    ("/tasks/{issue_id}/plan", Owner),
    ("/tasks/{issue_id}/history", Owner),
    ("/tickets", Owner),
    ("/tickets/totals", Owner),
    ("/tickets/new", Owner),
    ("/tickets/bulk?all=true&list=/tickets", Owner),
    ("/tickets/{issue_id}", Owner),
    ("/tickets/{issue_id}/edit", Owner),
    ("/tickets/{issue_id}/history", Owner),
    ("/tickets/{issue_id}/requester", Owner),
    ("/tickets/{issue_id}/replies", Owner),
    ("/time", Owner),
    ("/time/timer", Owner),
    ("/time/logged", Owner),
    ("/time/approval", Owner),
    ("/time/report", Owner),
    ("/time_entries", Owner),
    ("/time_entries/totals", Owner),
    ("/time_entries/new", Owner),
    ("/time_entries/bulk?all=true&list=/time_entries", Owner),
    ("/time_entries/{entry_id}", Owner),
    ("/time_entries/{entry_id}/edit", Owner),
    ("/time_entries/{entry_id}/history", Owner),
    ("/articles", Owner),
    ("/articles/totals", Owner),
    ("/articles/new", Owner),
    ("/articles/bulk?all=true&list=/articles", Owner),
    ("/articles/searched", Owner),
    ("/articles/{article_id}", Owner),
    ("/articles/{article_id}/edit", Owner),
    ("/articles/{article_id}/history", Owner),
    ("/import/{records}", Owner),
    // Administration.
    ("/account", Owner),
    ("/account/security", Owner),
    ("/workspaces", Owner),
    ("/workspaces/new", Owner),
    ("/settings", Owner),
    ("/settings/members", Owner),
    ("/settings/keys", Owner),
    ("/settings/keys/new", Owner),
    ("/settings/keys/{key_id}", Owner),
    ("/settings/webhooks", Owner),
    ("/settings/webhooks/new", Owner),
    ("/settings/webhooks/new?module=crm", Owner),
    ("/settings/webhooks/{webhook_id}", Owner),
    ("/settings/webhooks/{webhook_id}/edit", Owner),
    ("/settings/webhooks/{webhook_id}/secret", Owner),
    ("/settings/webhooks/{webhook_id}/delete", Owner),
    ("/settings/webhooks/{webhook_id}/delete-group", Owner),
    ("/settings/webhooks/{webhook_id}/health", Owner),
    ("/settings/webhooks/{webhook_id}/deliveries/{delivery_id}", Owner),
    ("/settings/webhooks/{webhook_id}/replay", Owner),
    ("/settings/webhooks/{webhook_id}/replays/{replay_id}", Owner),
    ("/settings/time", Owner),
    ("/settings/support", Owner),
    ("/settings/usage", Owner),
    ("/settings/audit-log", Owner),
    ("/settings/events", Owner),
    ("/settings/erasures", Owner),
    ("/settings/erasures/{erasure_id}", Owner),
    ("/operator", Owner),
    ("/operator/new", Owner),
    ("/operator/{workspace_id}", Owner),
];

const ADMINISTRATION: [&str; 4] = ["/account", "/workspaces", "/settings", "/operator"];

#[test]
fn every_page_has_a_row() {
    let routes: BTreeSet<_> = OPERATIONS.iter().filter(|one| one.method == "GET").map(|one| one.pattern).collect();
    let rows: BTreeSet<_> = PAGES.iter().map(|(path, _)| pattern_of(path)).chain(pages_of_simple_kinds()).collect();
    assert_eq!(rows.difference(&routes).collect::<Vec<_>>(), Vec::<&&str>::new(), "rows without a page");
    assert_eq!(routes.difference(&rows).collect::<Vec<_>>(), Vec::<&&str>::new(), "pages without a row");
}

fn pattern_of(path: &'static str) -> &'static str {
    path.split('?').next().unwrap_or(path)
}

pub(super) fn pages_for(viewer: Viewer) -> impl Iterator<Item = &'static str> {
    // A page of several records needs their ids.
    let is_page = |path: &&str| !path.ends_with("/related") && !path.ends_with("/bulk");
    let of_simple_kinds = pages_of_simple_kinds().filter(is_page).filter(move |_| viewer == Owner);
    PAGES.iter().filter(move |(_, one)| *one == viewer).map(|(path, _)| *path).chain(of_simple_kinds)
}

/// Simple kinds need no rows.
fn pages_of_simple_kinds() -> impl Iterator<Item = &'static str> {
    simple_kinds().into_iter().flat_map(|kind| kind.pages("GET"))
}

fn is_administration(path: &str) -> bool {
    ADMINISTRATION.iter().any(|start| path.starts_with(start))
}

#[tokio::test]
async fn pages_without_a_session() {
    walk(async |test| {
        let page = test.visitor().await;
        let mut report = Report::default();
        for path in pages_for(Installer) {
            report.check_page(&page, path, path).await;
        }
        let (tenant, _) = test.app.demo().await;
        let samples = Samples::make(&tenant).await;
        for row in pages_for(Visitor) {
            let path = match row {
                "/sign-in/link/{token}" => tenant.sign_in_link(OWNER).await,
                row => samples.path_of(row),
            };
            report.check_page(&page, row, &path).await;
        }
        report.end();
    })
    .await;
}

#[tokio::test]
async fn pages_of_work() {
    check_as_owner(|path| !is_administration(path)).await;
}

#[tokio::test]
async fn pages_of_administration() {
    check_as_owner(is_administration).await;
}

/// Opened from a copied link or in a separate tab.
#[tokio::test]
async fn a_field_whose_form_was_opened_by_address_is_saved() {
    walk(async |test| {
        let (tenant, _) = test.app.demo().await;
        let samples = Samples::make(&tenant).await;
        let page = test.member(&tenant, OWNER).await;
        for (pattern, label, name) in FIELDS {
            let path = samples.path_of(pattern);
            let typed = format!("Changed by address {name}");
            page.open(&format!("{path}/edit?field={name}")).await;
            page.settles().await;
            let missing = page.script(MISSING_TARGETS, vec![]).await;
            assert_eq!(missing, json!([]), "{path}");
            page.field(label).fill(&typed).await;
            page.button("Save").click().await;
            page.wait_for_path(&path).await;
            page.shows(&typed).await;
        }
    })
    .await;
}

async fn check_as_owner(is_mine: fn(&str) -> bool) {
    walk(async |test| {
        let (tenant, _) = test.app.demo().await;
        let samples = Samples::make(&tenant).await;
        let page = test.member(&tenant, OWNER).await;
        let mut report = Report::default();
        for row in pages_for(Owner).filter(|row| is_mine(row)) {
            report.check_page(&page, row, &samples.path_of(row)).await;
        }
        report.end();
    })
    .await;
}

/// Results so far.
#[derive(Default)]
struct Report {
    /// Paths of pages by title.
    titles: BTreeMap<String, String>,
    faults: Vec<String>,
}

impl Report {
    async fn check_page(&mut self, page: &Page, row: &'static str, path: &str) {
        page.open(path).await;
        page.settles().await;
        let status = page.status().await;
        self.check(status == json!(200), row, &format!("status {status}"));
        let headings = page.script("return document.querySelectorAll('h1').length", vec![]).await;
        self.check(headings == json!(1), row, &format!("{headings} headings of the first level"));
        let shown = page.script(VISIBLE_BUT_HIDDEN, vec![]).await;
        self.check(shown == json!([]), row, &format!("hidden elements are visible: {shown}"));
        let missing = page.script(MISSING_TARGETS, vec![]).await;
        self.check(missing == json!([]), row, &format!("targets of scripts are missing: {missing}"));
        let title = page.title().await;
        self.check(!title.is_empty(), row, "it has no title");
        let shown = page.path().await.split('?').next().unwrap_or_default().to_owned();
        if let Some(other) = self.titles.insert(title.clone(), shown.clone()) {
            self.check(other == shown, row, &format!("{other} has the title {title:?} too"));
        }
        self.add(row, "light", page.axe_faults().await);
        page.prefer_dark(true).await;
        self.add(row, "dark", page.axe_faults_of_colours().await);
        page.set_width(NARROW).await;
        self.check(page.fits_its_width().await, row, "it is wider than a phone");
        self.add(row, "dark and narrow", page.axe_faults().await);
        page.set_width(WIDE).await;
        page.prefer_dark(false).await;
    }

    fn check(&mut self, passes: bool, row: &str, fault: &str) {
        if !passes {
            self.faults.push(format!("{row}: {fault}"));
        }
    }

    fn add(&mut self, row: &str, mode: &str, faults: Vec<String>) {
        self.faults.extend(faults.into_iter().map(|fault| format!("{row}, {mode}:\n{fault}")));
    }

    fn end(self) {
        assert!(self.faults.is_empty(), "{}", self.faults.join("\n"));
    }
}
