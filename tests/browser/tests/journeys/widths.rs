//! Every page at the usual widths of windows, in light and dark, with words that do not fit: nothing is scrolled sideways or cut,
//! and the menu of phones stays where it is.

use browser::{Page, walk};
use serde_json::{Value, json};
use test_support::{Client, Samples};

use super::every_page::{By, OWNER, seen_by};

const WIDTHS: [u32; 7] = [360, 390, 414, 768, 1024, 1366, 1920];

/// What is wrong with the page at the width of the window.
const FAULTS: &str = "const faults = [];
    const nameOf = (one) => (one.getAttribute('aria-label') || one.textContent).trim().slice(0, 40);
    const isInside = (one) => {
        const box = one.getBoundingClientRect();
        return box.left >= -1 && box.right <= window.innerWidth + 1;
    };
    const over = document.documentElement.scrollWidth - window.innerWidth;
    if (over > 0) faults.push(`it is ${over} px wider than the window`);
    for (const one of document.querySelectorAll('.page-header :is(a, button, summary), .navbar :is(a, summary), #notices *'))
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

/// What is wrong with the board at the width of the window.
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
async fn all_columns_of_a_board_are_in_view_on_usual_screens() {
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
        for row in seen_by(By::Owner) {
            open_at_every_width(&page, row, &samples.path_of(row), &mut faults).await;
        }
        assert!(faults.is_empty(), "{}", faults.join("\n"));
    })
    .await;
}

#[tokio::test]
async fn every_page_without_a_session_fits_every_width() {
    walk(async |test| {
        let page = test.visitor().await;
        let mut faults = Vec::new();
        for path in seen_by(By::Installer) {
            open_at_every_width(&page, path, path, &mut faults).await;
        }
        let (tenant, _) = test.app.demo().await;
        let samples = Samples::make(&tenant).await;
        for row in seen_by(By::Visitor) {
            let path = match row {
                "/sign-in/link/{token}" => tenant.sign_in_link(OWNER).await,
                row => samples.path_of(row),
            };
            open_at_every_width(&page, row, &path, &mut faults).await;
        }
        assert!(faults.is_empty(), "{}", faults.join("\n"));
    })
    .await;
}

async fn open_at_every_width(page: &Page, row: &str, path: &str, faults: &mut Vec<String>) {
    page.open(path).await;
    page.settles().await;
    for (is_dark, width) in [false, true].into_iter().flat_map(|dark| WIDTHS.map(|width| (dark, width))) {
        look_at(page, row, is_dark, width, faults).await;
    }
}

async fn look_at(page: &Page, row: &str, is_dark: bool, width: u32, faults: &mut Vec<String>) {
    if width == WIDTHS[0] {
        page.prefer_dark(is_dark).await;
    }
    page.set_width(width).await;
    let found = page.script(FAULTS, vec![]).await;
    let found = found.as_array().into_iter().flatten().filter_map(Value::as_str);
    let look = if is_dark { "dark" } else { "light" };
    faults.extend(found.map(|fault| format!("{row}, {width} px, {look}: {fault}")));
}

/// Gives each kind of record a title of one word, as long as it may be.
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
