//! The documentation: the reference, which the viewer renders from the OpenAPI document, and the guides. Browser messages,
//! such as policy violations and failed requests, always fail a walk.

use api_docs::reference::GUIDES;
use browser::{AriaRole, Key, Page, walk};
use domain::identity::workspaces::Role;
use serde_json::json;
use test_support::eventually;

use crate::people::{at_work, go_to};

const NARROW: u32 = 360;
const WIDE: u32 = 1280;

/// Resources that a page loaded from another origin.
const FROM_ELSEWHERE: &str = "return performance.getEntriesByType('resource').map((one) => one.name)\
    .filter((name) => !name.startsWith(location.origin + '/') && !name.startsWith('data:'))";
/// Violations that axe-core finds in our parts of the reference.
const AXE_OF_BAR: &str = "const done = arguments[arguments.length - 1]; axe.run('.docs-bar')\
    .then((found) => done(found.violations.map((rule) => rule.id + ': ' + rule.nodes.map((node) => node.html).join(' '))))";

async fn assert_no_external_resources(page: &Page) {
    assert_eq!(page.script(FROM_ELSEWHERE, vec![]).await, json!([]), "{}", page.url().await);
}

/// Opens the reference at an operation, and waits until the viewer shows it.
async fn open_operation(page: &Page, fragment: &str, heading: &str) {
    page.open(&format!("/docs{fragment}")).await;
    page.heading(&of_viewer(heading)).wait().await;
}

/// The accessible name of a heading of the viewer, which contains a link to itself.
fn of_viewer(heading: &str) -> String {
    format!("link to {heading} {heading}")
}

#[tokio::test]
async fn the_reference_shows_and_finds_operations_without_a_network() {
    walk(async |test| {
        let page = test.visitor().await;
        page.open("/docs").await;
        page.heading(&of_viewer("Contacts")).wait().await;
        for part in ["Deals", "Public tickets", "Webhooks", "/api/v1/crm/contacts"] {
            page.shows(part).await;
        }
        assert_no_external_resources(&page).await;

        open_operation(&page, "#/contacts/contacts_create", "Create a contact").await;
        for part in ["contacts.write", "Idempotency-Key", "company_name", "Responses"] {
            page.shows(part).await;
        }
        page.script("document.querySelector('redoc input, redoc [role=button], redoc button').click()", vec![]).await;
        assert_no_external_resources(&page).await;
    })
    .await;
}

#[tokio::test]
async fn the_reference_fits_a_phone_and_follows_the_colour_scheme() {
    walk(async |test| {
        for (width, is_dark) in [(NARROW, false), (NARROW, true), (WIDE, true)] {
            let page = test.visitor().await;
            page.set_width(width).await;
            page.prefer_dark(is_dark).await;
            open_operation(&page, "#/contacts/contacts_create", "Create a contact").await;
            assert!(page.fits_its_width().await, "at {width}");
            let colours = "return [document.documentElement.dataset.bsTheme, document.documentElement.className]";
            let theme = if is_dark { "dark" } else { "light" };
            eventually("the viewer and the bar have the same colours", async || {
                let is = page.script(colours, vec![]).await;
                is[0] == json!(theme) && is[1].as_str().is_some_and(|class| class.contains(theme))
            })
            .await;
            page.load_axe().await;
            assert_eq!(page.async_script(AXE_OF_BAR, vec![]).await, json!([]), "at {width}, dark: {is_dark}");
        }
    })
    .await;
}

#[tokio::test]
async fn every_guide_opens_fits_a_phone_and_is_accessible() {
    walk(async |test| {
        let page = test.visitor().await;
        let addresses = GUIDES.iter().map(|guide| format!("/docs/{}", guide.slug));
        for path in addresses {
            page.set_width(WIDE).await;
            page.prefer_dark(false).await;
            page.open(&path).await;
            page.settles().await;
            assert_eq!(page.status().await, json!(200), "{path}");
            assert_eq!(page.script("return document.querySelectorAll('h1').length", vec![]).await, json!(1), "{path}");
            // Tables with row headers have empty header cells.
            page.axe_except(&["empty-table-header"]).await;
            assert_no_external_resources(&page).await;
            page.prefer_dark(true).await;
            page.set_width(NARROW).await;
            assert!(page.fits_its_width().await, "{path}");
            assert_eq!(page.axe_faults_of_colours().await, Vec::<String>::new(), "{path}");
        }
    })
    .await;
}

#[tokio::test]
async fn a_reader_goes_from_the_console_to_a_guide_copies_code_and_chooses_colours() {
    walk(async |test| {
        let tenant = test.app.workspace().await;
        let page = at_work(test, &tenant, Role::Member, "Max").await;
        page.open("/").await;
        go_to(&page, "API").await;
        page.wait_for_path("/docs").await;
        // The menu moves until the viewer has rendered its part.
        page.heading(&of_viewer("Contacts")).wait().await;
        page.script("document.querySelector('.docs-menu summary').click()", vec![]).await;
        page.link("AI clients").click().await;
        page.wait_for_path("/docs/ai-clients").await;
        page.role(AriaRole::Heading, "AI clients").wait().await;

        page.script("document.querySelector('.docs-copy').focus()", vec![]).await;
        page.press(Key::Enter).await;
        page.shows("Copied").await;

        let theme = "return document.documentElement.dataset.bsTheme";
        let before = page.script(theme, vec![]).await;
        page.button("Switch between light and dark").click().await;
        let chosen = page.script(theme, vec![]).await;
        assert_ne!(before, chosen);
        page.reload().await;
        assert_eq!(page.script(theme, vec![]).await, chosen, "it is kept");
        page.open("/docs").await;
        page.heading(&of_viewer("Contacts")).wait().await;
        let class = page.script("return document.documentElement.className", vec![]).await;
        assert!(class.as_str().unwrap().contains(chosen.as_str().unwrap()), "the reference has the same: {class}");
    })
    .await;
}

#[tokio::test]
async fn without_scripts_the_reference_says_where_to_read_instead() {
    walk(async |test| {
        let page = test.visitor().await;
        page.allow_scripts(false).await;
        page.open("/docs").await;
        page.shows("This page needs JavaScript.").await;
        page.open("/docs/webhooks").await;
        page.heading("Webhooks").wait().await;
    })
    .await;
}
