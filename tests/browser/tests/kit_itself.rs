//! Tests of the kit itself, on documents that these tests write.

use std::panic::AssertUnwindSafe;

use browser::{AriaRole, Key, walk};
use futures_util::FutureExt as _;
use serde_json::json;

#[tokio::test]
async fn elements_are_found_by_role_name_and_text() {
    walk(async |test| {
        let page = test.visitor().await;
        page.open_html(
            "<title>Deals</title><main><h1>Deals</h1>
            <ul><li>Pilot <button>Open</button></li><li>Renewal <button>Open</button></li></ul>
            <label for=s>Stage</label><select id=s><option>Lead<option>Won</select>
            <label><input type=checkbox> Only mine</label> <input aria-label='Deal title' value='old'>
            <button hidden>Delete</button><p id=said></p></main>
            <script>document.querySelectorAll('li button').forEach((button) => button.onclick = () =>
                document.getElementById('said').textContent = 'opened ' + button.parentNode.firstChild.textContent)</script>",
        )
        .await;
        assert_eq!(page.title().await, "Deals");
        page.heading("Deals").wait().await;
        assert_eq!(page.button("Open").count().await, 2);
        assert_eq!(page.button("Delete").count().await, 0, "hidden");
        page.button("Open").within(&page.any(AriaRole::ListItem).containing("Renewal")).click().await;
        page.shows("opened Renewal").await;
        page.shows_no("opened Pilot").await;
        page.field("Stage").select("Won").await;
        assert_eq!(page.field("Stage").value().await, "Won");
        page.field("Only mine").click().await;
        assert!(page.field("Only mine").is_checked().await);
        page.field("Deal title").fill("new").await;
        page.field("Deal title").type_text("er").await;
        assert_eq!(page.field("Deal title").value().await, "newer");
    })
    .await;
}

#[tokio::test]
async fn tabs_of_one_browser_share_its_cookies() {
    walk(async |test| {
        let page = test.visitor().await;
        page.open_html("<title>One</title><label for=a>Name</label><input id=a>").await;
        page.field("Name").fill("half typed").await;
        let first = page.tab().await;
        page.set_cookie("shared", "yes").await;
        let second = page.open_tab().await;
        assert_ne!(first, second);
        page.open_html("<title>Two</title>").await;
        assert_eq!(page.title().await, "Two");
        assert_eq!(page.cookie("shared").await.map(|cookie| cookie["value"].clone()), Some(json!("yes")));
        page.show_tab(&first).await;
        assert_eq!((page.title().await.as_str(), page.field("Name").value().await.as_str()), ("One", "half typed"));
    })
    .await;
}

#[tokio::test]
async fn it_waits_for_elements_to_appear_and_disappear() {
    walk(async |test| {
        let page = test.visitor().await;
        page.open_html(
            "<button onclick='later()'>Start</button><p>waiting</p><script>
            const later = () => requestAnimationFrame(() => setTimeout(() => {
                document.body.innerHTML = '<button>Finish</button><a href=\"#end\">End</a>'; }, 100))</script>",
        )
        .await;
        page.button("Start").click().await;
        page.button("Finish").click().await;
        page.button("Start").wait_until_gone().await;
        page.shows_no("waiting").await;
        page.link("End").click().await;
        test_support::eventually("the fragment changes", async || page.url().await.ends_with("#end")).await;
    })
    .await;
}

#[tokio::test]
async fn a_card_is_dragged_with_the_mouse() {
    walk(async |test| {
        let page = test.visitor().await;
        page.open_html(
            "<style>ul { float: left; width: 200px; min-height: 300px } li { height: 40px }</style>
            <ul aria-label=Lead><li>Pilot</li><li>Renewal</li></ul><ul aria-label=Won></ul>",
        )
        .await;
        page.script(include_str!("../../../crates/assets/vendor/sortablejs/Sortable.min.js"), vec![]).await;
        page.script(
            "document.querySelectorAll('ul').forEach((list) => new Sortable(list, { group: 'deals' }))",
            vec![],
        )
        .await;
        let (lead, won) = (page.role(AriaRole::List, "Lead"), page.role(AriaRole::List, "Won"));
        page.any(AriaRole::ListItem).containing("Pilot").drag_to(&won).await;
        page.any(AriaRole::ListItem).containing("Pilot").within(&won).wait().await;
        assert_eq!(lead.text().await, "Renewal");
    })
    .await;
}

#[tokio::test]
async fn the_keyboard_alone_is_enough() {
    walk(async |test| {
        let page = test.visitor().await;
        page.open_html(
            "<style>#plain:focus { outline: none }</style><a href='#a'>Home</a><button id=plain>Plain</button><input aria-label=Search>
            <p></p><script>onkeydown = (event) => {
                if (event.ctrlKey && event.key === 'k') { event.preventDefault(); document.querySelector('input').focus(); } };
            document.querySelector('button').onclick = () => document.querySelector('p').textContent = 'pressed';</script>",
        )
        .await;
        page.press(Key::Tab).await;
        let home = page.focused().await;
        assert_eq!((home.role.as_str(), home.name.as_str(), home.is_visible), ("link", "Home", true));
        page.press(Key::Tab).await;
        let plain = page.focused().await;
        assert_eq!((plain.role.as_str(), plain.name.as_str(), plain.is_visible), ("button", "Plain", false));
        page.press(Key::Enter).await;
        page.shows("pressed").await;
        page.press_with(&[Key::Control], 'k').await;
        page.type_text("Pilot deal").await;
        assert_eq!(page.field("Search").value().await, "Pilot deal");
    })
    .await;
}

#[tokio::test]
async fn width_colour_scheme_and_time_zone_can_be_set() {
    walk(async |test| {
        let page = test.visitor().await;
        page.set_width(360).await;
        page.open_html("<meta name=viewport content='width=device-width'><p style='width: 500px'>wide").await;
        assert!(!page.fits_its_width().await);
        page.set_width(600).await;
        assert!(page.fits_its_width().await);
        for (is_dark, expected) in [(true, json!(true)), (false, json!(false))] {
            page.prefer_dark(is_dark).await;
            assert_eq!(
                page.script("return matchMedia('(prefers-color-scheme: dark)').matches", vec![]).await,
                expected
            );
        }
        page.set_time_zone("Asia/Tokyo").await;
        assert_eq!(page.script("return new Date(0).getHours()", vec![]).await, json!(9));
    })
    .await;
}

#[tokio::test]
async fn scripts_and_the_network_can_be_turned_off() {
    walk(async |test| {
        let page = test.visitor().await;
        let html = "<p>plain</p><script>document.querySelector('p').textContent = 'scripted'</script>";
        page.allow_scripts(false).await;
        page.open_html(html).await;
        page.shows("plain").await;
        page.allow_scripts(true).await;
        page.open_html(html).await;
        page.shows("scripted").await;

        page.open("/portal").await;
        let reaches = "const done = arguments[0]; fetch('/healthz').then(() => done('online'), () => done('offline'))";
        for (is_offline, expected) in [(true, "offline"), (false, "online")] {
            page.set_offline(is_offline).await;
            assert_eq!(page.async_script(reaches, vec![]).await, json!(expected));
        }
        page.expect_message("ERR_INTERNET_DISCONNECTED");
        page.expect_message("/favicon.ico");
    })
    .await;
}

#[tokio::test]
async fn each_visitor_has_their_own_cookies() {
    walk(async |test| {
        let (one, other) = (test.visitor_with_cookie("session", "of-one").await, test.visitor().await);
        let cookie = one.cookie("session").await.unwrap();
        assert_eq!(
            (&cookie["value"], &cookie["httpOnly"], &cookie["sameSite"]),
            (&json!("of-one"), &json!(true), &json!("Lax"))
        );
        assert_eq!(other.cookie("session").await, None);
    })
    .await;
}

#[tokio::test]
async fn browser_messages_are_faults_unless_expected() {
    walk(async |test| {
        let page = test.visitor().await;
        page.open("/portal").await;
        page.expect_message("/favicon.ico");
        assert_eq!(page.faults().await, [""; 0]);
        page.script("const style = document.createElement('style'); style.textContent = 'p { color: red }'; document.head.append(style)", vec![]).await;
        page.script("setTimeout(() => { throw new Error('a bug') })", vec![]).await;
        for part in ["Content Security Policy", "a bug"] {
            test_support::eventually(part, async || page.faults().await.iter().any(|fault| fault.contains(part))).await;
            page.expect_message(part);
        }
        assert_eq!(page.faults().await, [""; 0]);
    })
    .await;
}

#[tokio::test]
async fn axe_finds_inaccessible_elements() {
    walk(async |test| {
        let page = test.visitor().await;
        let html = |image: &str| {
            format!("<!doctype html><html lang=en><title>Logo</title><main><h1>Logo</h1>{image}</main></html>")
        };
        page.open_html(&html("<img alt='A bean' src='data:,'>")).await;
        page.axe().await;
        page.open_html(&html("<img src='data:,'>")).await;
        let found = AssertUnwindSafe(page.axe_except(&["image-alt"])).catch_unwind().await.unwrap_err();
        let message = found.downcast_ref::<String>().unwrap();
        assert!(message.contains("image-alt (critical)"), "{message}");
    })
    .await;
}

#[tokio::test]
async fn nothing_beyond_loopback_is_reached() {
    walk(async |test| {
        let page = test.visitor().await;
        page.open("/portal").await;
        page.open_html("<img src='http://elsewhere.example/a.png' onerror=\"document.title = 'refused'\">").await;
        test_support::eventually("the image fails", async || page.title().await == "refused").await;
        page.expect_message("ERR_NAME_NOT_RESOLVED");
        page.expect_message("/favicon.ico");
    })
    .await;
}
