//! Time: filling in a week by keyboard alone, and a timer that keeps running on other pages.

use browser::{AriaRole, Key, Page, walk};
use domain::identity::workspaces::Role;
use serde_json::json;
use test_support::eventually;

use crate::people::{at_work, browser_of, go_to, member, tab_to};

async fn focus_is_on(page: &Page, name: &str) {
    eventually(&format!("{name:?} has the focus"), async || page.focused().await.name == name).await;
}

#[tokio::test]
async fn a_week_is_filled_in_by_keyboard_alone() {
    walk(async |test| {
        let tenant = test.app.workspace().await;
        let client = tenant.full_access().await;
        let body = json!({"kind": "task", "title": "Roast"});
        let task = client.post("/api/v1/issues", body).await.expect(201).id();
        let page = at_work(test, &tenant, Role::Member, "Ann").await;
        page.open(&format!("/time?week=2026-01-05&row=task-{task}")).await;
        let (monday, tuesday) = ("Roast, Mon 5 Jan", "Roast, Tue 6 Jan");
        let general = "No task or other record, Mon 5 Jan";
        tab_to(&page, monday).await;
        page.type_text("1h30").await;
        // Saves, and moves down.
        page.press(Key::Enter).await;
        focus_is_on(&page, general).await;
        let saved = async || page.field(monday).value().await == "1:30";
        eventually("the cell is saved", saved).await;
        focus_is_on(&page, general).await;
        page.press(Key::Up).await;
        focus_is_on(&page, monday).await;
        page.press(Key::Right).await;
        focus_is_on(&page, tuesday).await;
        page.type_text("2").await;
        page.press(Key::Escape).await;
        assert_eq!(page.field(tuesday).value().await, "", "Escape restores the value");
        page.type_text("45m").await;
        page.press(Key::Enter).await;
        eventually("the cell is saved", async || page.field(tuesday).value().await == "0:45").await;
        page.press(Key::Left).await;
        page.press(Key::Up).await;
        focus_is_on(&page, monday).await;
        page.type_text("soon").await;
        page.press(Key::Enter).await;
        page.shows("Type hours and minutes").await;
        assert_eq!(page.field(monday).value().await, "soon");
        let entries = client.get("/api/v1/time/entries").await.expect(200);
        assert_eq!(entries.ids().len(), 2);
    })
    .await;
}

/// The name of a cell of the row without a record.
fn general(day: &str) -> String {
    format!("No task or other record, {day}")
}

#[tokio::test]
async fn cells_are_saved_without_enter_and_changes_by_others_appear() {
    walk(async |test| {
        let tenant = test.app.workspace().await;
        let client = tenant.full_access().await;
        let user = member(&tenant, Role::Member, "Ann").await;
        let page = browser_of(test, &user).await;
        page.open("/time?week=2026-01-05").await;
        let [monday, tuesday, wednesday] = ["Mon 5 Jan", "Tue 6 Jan", "Wed 7 Jan"].map(general);
        page.field(&monday).fill("1h30").await;
        page.field(&tuesday).click().await;
        eventually("the cell is saved", async || page.field(&monday).value().await == "1:30").await;
        page.field(&tuesday).type_text("45m").await;
        page.button("Submit week").click().await;
        page.shows("Submitted 2 time entries.").await;
        assert_eq!(page.field(&tuesday).value().await, "0:45");
        let entry = json!({"member_id": user.id.to_string(), "date": "2026-01-07", "seconds": 3_600});
        let id = client.post("/api/v1/time/entries", entry).await.expect(201).id();
        let appears = async || page.field(&wednesday).value().await == "1:00";
        eventually("what a program logs appears", appears).await;
        // What is being typed stays, and is not saved over what has changed since.
        let _ = page.script("document.getElementById('cell-none-2026-01-07').focus()", vec![]).await;
        page.type_text("2:00").await;
        let longer = json!({"seconds": 10_800});
        let _ = client.patch(&format!("/api/v1/time/entries/{id}"), longer).await.expect(200);
        page.field(&tuesday).click().await;
        page.shows("It was changed to 3:00 in the meantime. You typed 2:00").await;
        assert_eq!(page.field(&wednesday).value().await, "2:00");
        page.field(&wednesday).click().await;
        page.press(Key::Enter).await;
        page.shows_no("in the meantime").await;
        let stored = client.get(&format!("/api/v1/time/entries/{id}")).await.expect(200);
        assert_eq!(stored.data()["seconds"], json!(7_200));
    })
    .await;
}

/// Whether all cells of the week are in the window.
const FITS: &str = "return [...document.querySelectorAll('#grid td')].every((cell) => {
    const box = cell.getBoundingClientRect();
    return box.width > 0 && box.left >= 0 && box.right <= window.innerWidth;
});";

#[tokio::test]
async fn all_days_of_a_week_are_in_view() {
    walk(async |test| {
        let tenant = test.app.workspace().await;
        let client = tenant.full_access().await;
        let body = json!({"kind": "task", "title": "W".repeat(120)});
        let task = client.post("/api/v1/issues", body).await.expect(201).id();
        let page = at_work(test, &tenant, Role::Member, "Ann").await;
        page.open(&format!("/time?week=2026-01-05&row=task-{task}")).await;
        page.settles().await;
        for width in [1280, 1024, 390] {
            page.set_width(width).await;
            assert_eq!(page.script(FITS, vec![]).await, json!(true), "{width} px");
        }
    })
    .await;
}

#[tokio::test]
async fn a_timer_keeps_running_on_other_pages() {
    walk(async |test| {
        let tenant = test.app.workspace().await;
        let client = tenant.full_access().await;
        let body = json!({"kind": "task", "title": "Roast"});
        let task = client.post("/api/v1/issues", body).await.expect(201).id();
        let page = at_work(test, &tenant, Role::Member, "Ann").await;
        page.open(&format!("/tasks/{task}")).await;
        let timer = page.role(AriaRole::Region, "Timer");
        page.button("Start timer").within(&page.any(AriaRole::Main)).click().await;
        page.shows("Started the timer.").await;
        page.link("Roast").within(&timer).wait().await;
        go_to(&page, "Deals").await;
        page.heading("Deals").wait().await;
        let seconds = "return document.querySelector('#timer [data-seconds]')?.textContent ?? ''";
        let ticks =
            async || page.script(seconds, vec![]).await.as_str().is_some_and(|text| text.split(':').count() == 3);
        eventually("the timer ticks", ticks).await;
        page.button("Stop timer").within(&timer).click().await;
        page.button("Start timer").within(&timer).wait().await;
        let stored = client.get("/api/v1/time/entries").await.expect(200);
        assert_eq!((&stored.data()[0]["status"], &stored.data()[0]["task_id"]), (&json!("stopped"), &json!(task)));
    })
    .await;
}

#[tokio::test]
async fn the_page_of_a_record_stops_its_timer() {
    walk(async |test| {
        let tenant = test.app.workspace().await;
        let client = tenant.full_access().await;
        let mut tasks = Vec::new();
        for title in ["Roast", "Grind"] {
            tasks.push(client.post("/api/v1/issues", json!({"kind": "task", "title": title})).await.expect(201).id());
        }
        let page = at_work(test, &tenant, Role::Member, "Ann").await;
        let (timer, main) = (page.role(AriaRole::Region, "Timer"), page.any(AriaRole::Main));
        page.open(&format!("/tasks/{}", tasks[0])).await;
        page.button("Start timer").within(&main).click().await;
        page.button("Stop timer").within(&main).wait().await;
        page.button("Start timer").within(&main).wait_until_gone().await;
        page.open(&format!("/tasks/{}", tasks[1])).await;
        page.link("Roast").within(&timer).wait().await;
        page.button("Start timer").within(&main).wait().await;
        page.open(&format!("/tasks/{}", tasks[0])).await;
        page.button("Stop timer").within(&main).click().await;
        page.button("Start timer").within(&main).wait().await;
        page.button("Start timer").within(&timer).wait().await;
        let stored = client.get("/api/v1/time/entries").await.expect(200);
        assert_eq!((stored.ids().len(), &stored.data()[0]["status"]), (1, &json!("stopped")));
        page.link("Timer with task and note").click().await;
        page.field("Note").fill("Sketches").await;
        page.button("Start timer").within(&main).click().await;
        page.shows("Started the timer.").await;
        page.link("Change task and note").within(&timer).click().await;
        page.heading("Sketches").wait().await;
        page.button("Stop timer").within(&main).click().await;
        page.shows("Stopped the timer").await;
    })
    .await;
}

/// Windows of laptops, screens, tablets and phones.
const WINDOWS: [(u32, u32); 6] = [(1280, 650), (1366, 768), (1920, 950), (768, 900), (390, 844), (360, 740)];

/// What is wrong with the timer: a link or a button that something covers, or a name on several lines.
const FAULTS_OF_TIMER: &str = "const faults = [];
    const timer = document.getElementById('timer');
    const nameOf = (one) => (one.getAttribute('aria-label') || one.textContent).trim().slice(0, 40);
    const all = [...timer.querySelectorAll('a, button')];
    for (const one of all) {
        const box = one.getBoundingClientRect();
        const found = document.elementFromPoint((box.left + box.right) / 2, (box.top + box.bottom) / 2);
        if (!one.contains(found)) faults.push(`covered: ${nameOf(one)}`);
        if (box.height > 40) faults.push(`${box.height} px high: ${nameOf(one)}`);
        if (box.width < 24) faults.push(`${box.width} px wide: ${nameOf(one)}`);
    }
    if (!all.some((one) => one.matches('form button'))) faults.push('it has no button');
    return faults;";

#[tokio::test]
async fn the_timer_is_in_reach_in_every_window() {
    walk(async |test| {
        let tenant = test.app.workspace().await;
        let client = tenant.full_access().await;
        let page = at_work(test, &tenant, Role::Member, "Ann").await;
        let (timer, main) = (page.role(AriaRole::Region, "Timer"), page.any(AriaRole::Main));
        let long = "Prepare the quarterly presentation for the supervisory board. ".repeat(3);
        let word = "W".repeat(255);
        for title in ["Design landing page", long.trim_end(), &*word] {
            let body = json!({"kind": "task", "title": title});
            let task = client.post("/api/v1/issues", body).await.expect(201).id();
            page.open(&format!("/tasks/{task}")).await;
            // On a phone, too, without opening a menu.
            page.button("Start timer").within(&timer).wait().await;
            page.button("Start timer").within(&main).click().await;
            page.button("Stop timer").within(&timer).wait().await;
            for (width, height) in WINDOWS {
                page.set_size(width, height).await;
                let faults = page.script(FAULTS_OF_TIMER, vec![]).await;
                assert_eq!(faults, json!([]), "{title}: {width} x {height}");
                assert!(page.fits_its_width().await, "{title}: {width} x {height}");
            }
            page.button("Stop timer").within(&timer).click().await;
            page.button("Start timer").within(&timer).wait().await;
            let faults = page.script(FAULTS_OF_TIMER, vec![]).await;
            assert_eq!(faults, json!([]), "without a timer");
        }
    })
    .await;
}

/// Types into a cell without moving the focus, and leaves it.
const TYPE_AND_LEAVE: &str = "const cell = document.getElementById(arguments[0]);
    cell.value = arguments[1];
    cell.dispatchEvent(new FocusEvent('focusout', { bubbles: true }));";
const FOCUS: &str = "document.getElementById(arguments[0]).focus()";

#[tokio::test]
async fn text_in_a_cell_that_becomes_a_link_is_reported() {
    walk(async |test| {
        let tenant = test.app.workspace().await;
        let client = tenant.full_access().await;
        let user = member(&tenant, Role::Member, "Ann").await;
        let page = browser_of(test, &user).await;
        page.open("/time?week=2026-01-05").await;
        page.shows("Arrow keys move").await;
        let _ = page.script(FOCUS, vec![json!("cell-none-2026-01-07")]).await;
        page.type_text("2:00").await;
        for seconds in [3_600, 1_800] {
            let entry = json!({"member_id": user.id.to_string(), "date": "2026-01-07", "seconds": seconds});
            let _ = client.post("/api/v1/time/entries", entry).await.expect(201);
        }
        // Another cell is saved while this one has the focus.
        let _ = page.script(TYPE_AND_LEAVE, vec![json!("cell-none-2026-01-05"), json!("1h")]).await;
        page.shows("Wed 7 Jan: “2:00” was not saved").await;
        assert_eq!(page.field(&general("Mon 5 Jan")).value().await, "1:00");
        page.shows("Arrow keys move").await;
        // It stays when the next cell is saved.
        page.field(&general("Tue 6 Jan")).fill("45m").await;
        page.press(Key::Enter).await;
        eventually("the cell is saved", async || page.field(&general("Tue 6 Jan")).value().await == "0:45").await;
        page.shows("Wed 7 Jan: “2:00” was not saved").await;
    })
    .await;
}

#[tokio::test]
async fn what_is_refused_after_leaving_the_page_is_offered_again() {
    walk(async |test| {
        let tenant = test.app.workspace().await;
        let client = tenant.full_access().await;
        let page = at_work(test, &tenant, Role::Member, "Ann").await;
        let (monday, tuesday) = (general("Mon 5 Jan"), general("Tue 6 Jan"));
        let leave_after_typing = async |day: &str, text: &str| {
            page.open("/time?week=2026-01-05").await;
            let _ = page.script(FOCUS, vec![json!(format!("cell-none-{day}"))]).await;
            page.type_text(text).await;
            page.open("/deals").await;
        };
        leave_after_typing("2026-01-05", "soon").await;
        page.open("/time?week=2026-01-05").await;
        page.shows("You left this page before the service confirmed").await;
        page.shows("Mon 5 Jan: “soon”").await;
        assert_eq!(page.field(&monday).value().await, "soon");
        page.field(&monday).fill("1:15").await;
        page.press(Key::Enter).await;
        let count = async || client.get("/api/v1/time/entries").await.expect(200).ids().len();
        eventually("the cell is saved", async || count().await == 1).await;
        // What was saved is not reported.
        leave_after_typing("2026-01-06", "1h30").await;
        eventually("the cell is saved", async || count().await == 2).await;
        page.open("/time?week=2026-01-05").await;
        eventually("the cell is shown", async || page.field(&tuesday).value().await == "1:30").await;
        page.shows_no("You left this page").await;
    })
    .await;
}
