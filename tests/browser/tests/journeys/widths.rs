//! Every page at common window widths, in light and dark mode, with words that do not fit: nothing scrolls sideways or is cut off,
//! and the menu on phones stays in place.

use browser::{Page, walk};
use domain::identity::workspaces::Role;
use serde_json::{Value, json};
use test_support::{Client, Samples};

use super::every_page::{OWNER, Viewer, pages_for};
use super::portal::portal_of;
use crate::people::{COMPANIES, at_work, follow_link};

const WIDTHS: [u32; 7] = [360, 390, 414, 768, 1024, 1366, 1920];

/// Layout faults of the page at the width of the window.
const FAULTS: &str = "const faults = [];
    const nameOf = (one) => (one.getAttribute('aria-label') || one.textContent).trim().slice(0, 40);
    const isInside = (one) => {
        const box = one.getBoundingClientRect();
        return box.left >= -1 && box.right <= window.innerWidth + 1;
    };
    const over = document.documentElement.scrollWidth - window.innerWidth;
    if (over > 0) faults.push(`it is ${over} px wider than the window`);
    for (const one of document.querySelectorAll('.page-header :is(a, button, summary), .navbar :is(a, summary), #notices *, .card-md *, .help-head *, .help-main *'))
        if (one.checkVisibility() && !isInside(one)) faults.push(`outside of the window: ${nameOf(one)}`);
    for (const cell of document.querySelectorAll('td, th'))
        if (cell.checkVisibility() && cell.scrollWidth > cell.clientWidth + 1) faults.push(`cut: ${nameOf(cell)}`);
    const board = document.querySelector('.board');
    if (board && board.scrollWidth > board.clientWidth && getComputedStyle(board).overflowX !== 'auto')
        faults.push('the last column is out of reach');
    for (const card of document.querySelectorAll('.board-card'))
        if (card.scrollWidth > card.clientWidth + 1) faults.push(`cut: ${nameOf(card)}`);
    const button = document.querySelector('.navigation-toggle > summary');
    if (button && window.innerWidth < 992) {
        if (!button.checkVisibility()) faults.push('no menu button');
        const before = button.getBoundingClientRect();
        button.click();
        const after = button.getBoundingClientRect();
        const menu = document.querySelector('.navigation').getBoundingClientRect();
        if (before.top !== after.top || before.left !== after.left) faults.push('the menu button moves');
        if (menu.height === 0 || menu.top < after.bottom) faults.push('the menu is not below its button');
        if (menu.width < window.innerWidth / 2) faults.push(`the menu is ${menu.width} px wide`);
        button.click();
    }
    return faults;";

/// Screens that show all six columns of a board at once.
const SCREENS: [u32; 3] = [1280, 1366, 1920];

/// Layout faults of the board at the width of the window.
const FAULTS_OF_BOARD: &str = "const faults = [];
    const board = document.querySelector('.board');
    const columns = [...board.querySelectorAll('.board-column')];
    const end = columns.at(-1).getBoundingClientRect().right;
    if (columns.length !== 6) faults.push(`it has ${columns.length} columns`);
    if (end > window.innerWidth) faults.push(`the last column ends at ${end} px`);
    if (board.scrollWidth > board.clientWidth + 1) faults.push('it is scrolled sideways');
    if (end < window.innerWidth - 48) faults.push(`it ends at ${end} px and does not use the whole width`);
    const menu = board.querySelector('.board-menu');
    menu.open = true;
    const field = menu.querySelector('select').getBoundingClientRect();
    for (const x of [field.left + 4, field.right - 4])
        if (!menu.contains(document.elementFromPoint(x, (field.top + field.bottom) / 2))) faults.push('its menu is cut');
    menu.open = false;
    return faults;";

#[tokio::test]
async fn all_columns_of_a_board_are_in_view_on_common_screens() {
    walk(async |test| {
        let (tenant, _) = test.app.demo().await;
        let samples = Samples::make(&tenant).await;
        let page = test.member(&tenant, OWNER).await;
        for row in ["/deals/board", "/projects/{project_id}/board"] {
            page.open(&samples.path_of(row)).await;
            page.settles().await;
            for width in SCREENS {
                page.set_width(width).await;
                assert_eq!(page.script(FAULTS_OF_BOARD, vec![]).await, json!([]), "{row}, {width} px");
            }
        }
    })
    .await;
}

#[tokio::test]
async fn every_page_fits_every_width_with_the_longest_words() {
    walk(async |test| {
        let (tenant, _) = test.app.demo().await;
        let samples = Samples::make(&tenant).await;
        lengthen(&tenant.full_access().await, &samples).await;
        let page = test.member(&tenant, OWNER).await;
        let mut faults = Vec::new();
        for row in pages_for(Viewer::Owner) {
            page.open(&samples.path_of(row)).await;
            page.settles().await;
            check_all_widths(&page, row, &mut faults).await;
        }
        assert!(faults.is_empty(), "{}", faults.join("\n"));
    })
    .await;
}

/// Checks the open page at every width, in light and dark mode.
async fn check_all_widths(page: &Page, row: &str, faults: &mut Vec<String>) {
    for (is_dark, width) in [false, true].into_iter().flat_map(|dark| WIDTHS.map(|width| (dark, width))) {
        check_page(page, row, is_dark, width, faults).await;
    }
}

async fn check_page(page: &Page, row: &str, is_dark: bool, width: u32, faults: &mut Vec<String>) {
    if width == WIDTHS[0] {
        page.prefer_dark(is_dark).await;
    }
    page.set_width(width).await;
    let result = page.script(FAULTS, vec![]).await;
    let result = result.as_array().into_iter().flatten().filter_map(Value::as_str);
    let mode = if is_dark { "dark" } else { "light" };
    faults.extend(result.map(|fault| format!("{row}, {width} px, {mode}: {fault}")));
}

/// Gives each kind of record a title of one word with the maximum length.
async fn lengthen(key: &Client, samples: &Samples) {
    let word = "W".repeat(255);
    let short = &word[..200];
    for (row, from, to, name) in [
        ("/companies/{company_id}", "/companies", "/api/v1/crm/companies", "name"),
        ("/deals/{deal_id}", "/deals", "/api/v1/crm/deals", "title"),
        ("/projects/{project_id}", "/projects", "/api/v1/projects", "name"),
        ("/tasks/{issue_id}", "/tasks", "/api/v1/issues", "title"),
        ("/tickets/{issue_id}", "/tickets", "/api/v1/issues", "title"),
    ] {
        let path = samples.path_of(row).replacen(from, to, 1);
        let _ = key.patch(&path, json!({ name: if name == "name" { short } else { &word } })).await.expect(200);
    }
    let email = format!("{}@{}.example", "w".repeat(64), "w".repeat(60));
    let contact = json!({"email": email, "first_name": "W".repeat(100), "job_title": "W".repeat(100)});
    let _ = key.post("/api/v1/crm/contacts", contact).await.expect(201);
}

#[tokio::test]
async fn pages_without_a_session_fit_every_width_with_the_longest_words() {
    walk(async |test| {
        let page = test.visitor().await;
        let mut faults = Vec::new();
        for row in pages_for(Viewer::Installer) {
            page.open(row).await;
            page.settles().await;
            check_all_widths(&page, row, &mut faults).await;
        }
        let (tenant, key) = test.app.demo().await;
        let samples = Samples::make(&tenant).await;
        let owner = tenant.user(Role::Owner).await;
        let reference = lengthen_for_visitors(&key, &owner.client).await;
        let mut rows: Vec<(&str, String)> = Vec::new();
        for row in pages_for(Viewer::Visitor) {
            let path = match row {
                "/sign-in/link/{token}" => tenant.sign_in_link(&owner.email).await,
                row => samples.path_of(row),
            };
            rows.push((row, path));
        }
        let (help, workspace) = (format!("/kb/{}", tenant.workspace.slug), tenant.workspace.id);
        rows.extend([
            ("a long article", format!("{help}/longest")),
            ("a long tag", format!("{help}?tag={}", "W".repeat(TAG))),
            ("a long article that is found", format!("{help}/-/search?q={}", "W".repeat(200))),
            ("a long word that is not found", format!("{help}/-/search?q={}", "M".repeat(200))),
            ("a link that is requested", format!("/portal?workspace={workspace}#reference={reference}")),
            ("a link that was requested", "/portal?requested=yes".to_owned()),
        ]);
        for (row, path) in rows {
            page.open(&path).await;
            page.settles().await;
            check_all_widths(&page, row, &mut faults).await;
        }
        let invited = format!("{}@{}.example", "w".repeat(64), "w".repeat(60));
        let invitation = json!({"email": invited, "role": "member"});
        let _ = owner.client.post("/api/settings/members", invitation).await.expect(201);
        let joining = follow_link(test, &invited, 1).await;
        joining.button("Accept").wait().await;
        check_all_widths(&joining, "an invitation", &mut faults).await;
        let customer = portal_of(test, &key, &reference).await;
        check_all_widths(&customer, "a ticket in the portal", &mut faults).await;
        assert!(faults.is_empty(), "{}", faults.join("\n"));
    })
    .await;
}

/// The maximum length of a tag.
const TAG: usize = 100;

/// Gives public content one-word names with the maximum length. Returns the reference of a ticket.
async fn lengthen_for_visitors(key: &Client, owner: &Client) -> String {
    let words = |length: usize| "W".repeat(length);
    for (path, body) in [
        ("/api/account", json!({"name": words(120)})),
        ("/api/settings/workspace", json!({"name": words(120), "help_centre_enabled": true})),
    ] {
        let _ = owner.patch(path, body).await.expect(200);
    }
    let article = json!({
        "title": words(255), "slug": "longest", "body": words(300), "tags": [words(TAG)], "status": "published",
    });
    let _ = owner.post("/api/settings/kb/articles", article).await.expect(201);
    let asked = json!({
        "name": words(120), "email": "ada@example.org", "subject": words(255), "description": words(300),
    });
    let asked = key.post("/api/public/tickets", asked).await.expect(201);
    let reference = asked.data()["reference"].as_str().unwrap().to_owned();
    let result = key.get(&format!("/api/v1/issues?kind=ticket&reference={reference}")).await.expect(200);
    let answer = json!({"body": words(300), "visibility": "public"});
    let _ = key.post(&format!("/api/v1/issues/{}/comments", result.ids().remove(0)), answer).await.expect(201);
    reference
}

/// Parts of a message that are outside the window or cut off.
const FAULTS_OF_MESSAGE: &str = "const faults = [];
    for (const one of document.querySelectorAll('#notices *')) {
        if (!one.checkVisibility()) continue;
        const box = one.getBoundingClientRect();
        if (box.left < 0 || box.right > window.innerWidth) faults.push(`outside of the window: ${one.localName}`);
        if (one.clientWidth > 0 && one.scrollWidth > one.clientWidth + 1) faults.push(`cut: ${one.localName}`);
    }
    return faults;";

/// Waits for a message, and checks that all of it is in view.
async fn message_fits(page: &Page, message: &str) {
    page.shows(message).await;
    page.settles().await;
    assert_eq!(page.script(FAULTS_OF_MESSAGE, vec![]).await, json!([]), "{message}");
    assert!(page.fits_its_width().await, "{message}");
}

#[tokio::test]
async fn a_message_about_a_word_of_200_letters_stays_within_a_phone() {
    walk(async |test| {
        let tenant = test.app.workspace().await;
        let client = tenant.full_access().await;
        let word = "W".repeat(200);
        let company = json!({"name": word, "industry": "Steel"});
        let id = client.post(COMPANIES, company).await.expect(201).id();
        let page = at_work(test, &tenant, Role::Owner, "Olga").await;
        page.set_width(WIDTHS[0]).await;
        page.open(&format!("/companies/{id}")).await;
        page.link("Edit Industry").click().await;
        page.field("Industry").fill("Coffee").await;
        page.button("Save").click().await;
        message_fits(&page, &format!("Saved “Industry” of “{word}”.")).await;
        page.open(&format!("/companies/{id}/edit")).await;
        page.field("Industry").fill("Tea").await;
        page.button("Save").click().await;
        message_fits(&page, &format!("Saved “{word}”.")).await;
        page.button("Undo").wait().await;
        page.open_details("More").await;
        page.button("Delete").click().await;
        message_fits(&page, &format!("Deleted “{word}”.")).await;
        page.button("Restore").click().await;
        message_fits(&page, &format!("Restored “{word}”.")).await;
    })
    .await;
}

/// Layout faults of the workspace's name in the navigation.
const FAULTS_OF_NAME: &str = "const faults = [];
    const name = document.querySelector('.navbar-brand');
    const box = name.getBoundingClientRect();
    if (name.scrollHeight > name.clientHeight + 4 || box.top < 0) faults.push('it is cut');
    const button = document.querySelector('.navigation-toggle > summary').getBoundingClientRect();
    if (button.width > 0 && box.left - button.right < 8) faults.push(`it is ${box.left - button.right} px from the button`);
    return faults;";

#[tokio::test]
async fn the_name_of_the_workspace_is_complete_and_clear_of_the_menu_button() {
    walk(async |test| {
        let tenant = test.app.workspace().await;
        let page = at_work(test, &tenant, Role::Owner, "Olga").await;
        page.open("/").await;
        for (width, height) in [(390, 900), (768, 900), (1366, 600)] {
            page.set_size(width, height).await;
            let faults = page.script(FAULTS_OF_NAME, vec![]).await;
            assert_eq!(faults, json!([]), "{width} x {height}");
        }
        page.button("Sign out").click().await;
        page.wait_for_path("/sign-in").await;
    })
    .await;
}
