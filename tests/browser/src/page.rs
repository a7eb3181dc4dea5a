//! A browser for one test, with its own cookies. It shows one of its tabs.

use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use fantoccini::Client;
use fantoccini::wd::WindowHandle;
use serde_json::{Value, json};
use test_support::waiting::{WAIT_TIMEOUT, eventually, poll};

use crate::browsers::{Browser, HEIGHT, network};
use crate::messages::Message;

/// Screenshots are written to the documents only if this variable is set.
const SCREENSHOTS: &str = "BROWSER_SCREENSHOTS";

/// Parts that load with the page are requested before it is complete, and htmx marks elements that wait for one.
const SETTLED: &str =
    "return document.readyState === 'complete' && !document.querySelector('.htmx-request, .htmx-settling')";

/// Timeout of the report after a failed test.
const REPORT_TIMEOUT: Duration = Duration::from_secs(10);

/// Timeout of clearing a browser.
const RESET_TIMEOUT: Duration = Duration::from_secs(10);

/// A window. Clones refer to the same window.
#[derive(Clone)]
pub struct Page(Arc<Inner>);

/// A tab of a browser.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Tab(WindowHandle);

struct Inner {
    browser: Browser,
    base_url: String,
    /// Messages that the test expects.
    expected: Mutex<Vec<String>>,
    /// Messages so far.
    reported: Mutex<Vec<Message>>,
}

impl Page {
    pub(crate) async fn start(base_url: &str) -> Self {
        let (browser, base_url) = (Browser::take().await, base_url.to_owned());
        let page = Self(Arc::new(Inner { browser, base_url, expected: Mutex::default(), reported: Mutex::default() }));
        page.begin_tab().await;
        page
    }

    /// Initializes a tab.
    async fn begin_tab(&self) {
        self.cdp("Network.enable", json!({})).await;
        self.prefer_dark(false).await;
    }

    /// The tab that is shown.
    pub async fn tab(&self) -> Tab {
        Tab(self.client().window().await.unwrap_or_else(|error| panic!("no tab is shown: {error}")))
    }

    /// Opens another tab of the same browser, with the same cookies, and shows it.
    pub async fn open_tab(&self) -> Tab {
        let opened = self.client().new_window(true).await.unwrap_or_else(|error| panic!("no other tab: {error}"));
        let tab = Tab(opened.handle);
        self.show_tab(&tab).await;
        self.begin_tab().await;
        tab
    }

    /// Shows a tab. Everything after this applies to it.
    pub async fn show_tab(&self, tab: &Tab) {
        let shown = self.client().switch_to_window(tab.0.clone()).await;
        shown.unwrap_or_else(|error| panic!("the tab is gone: {error}"));
        self.cdp("Page.bringToFront", json!({})).await;
    }

    pub(crate) fn client(&self) -> &Client {
        &self.0.browser.client
    }

    /// Opens a path of the service.
    pub async fn open(&self, path: &str) {
        self.go(&format!("{}{path}", self.0.base_url)).await;
    }

    /// Opens a document that the test wrote.
    pub async fn open_html(&self, html: &str) {
        let file = self.0.browser.profile.path().join("document.html");
        std::fs::write(&file, html).unwrap_or_else(|error| panic!("cannot write the document: {error}"));
        self.go(&format!("file://{}", file.display())).await;
    }

    /// Opens an address, such as a link of an e-mail.
    pub async fn go(&self, url: &str) {
        self.client().goto(url).await.unwrap_or_else(|error| panic!("cannot open {url}: {error}"));
    }

    pub async fn reload(&self) {
        self.client().refresh().await.unwrap_or_else(|error| panic!("cannot reload: {error}"));
    }

    pub async fn back(&self) {
        self.client().back().await.unwrap_or_else(|error| panic!("cannot go back: {error}"));
    }

    pub async fn url(&self) -> String {
        self.client().current_url().await.unwrap_or_else(|error| panic!("no address: {error}")).into()
    }

    /// The address within the service: path, query and fragment, without the workspace. Opening a path without a workspace
    /// leads to the last used one.
    pub async fn path(&self) -> String {
        let url = self.url().await;
        let path = url.strip_prefix(&self.0.base_url).unwrap_or(&url);
        let Some(rest) = path.strip_prefix("/w/") else { return path.to_owned() };
        let page = &rest[rest.find(['/', '?', '#']).unwrap_or(rest.len())..];
        if page.starts_with('/') { page.to_owned() } else { format!("/{page}") }
    }

    /// Waits until the address within the service is this one.
    pub async fn wait_for_path(&self, path: &str) {
        let check = async || {
            let now = self.path().await;
            if now == path { Ok(()) } else { Err(now) }
        };
        if let Err(last) = poll(check).await {
            panic!("the address is {last} and not {path} after {WAIT_TIMEOUT:?}");
        }
    }

    pub async fn title(&self) -> String {
        self.client().title().await.unwrap_or_else(|error| panic!("no title: {error}"))
    }

    /// All visible text.
    pub async fn text(&self) -> String {
        let text = self.script("return document.body ? document.body.innerText : ''", vec![]).await;
        text.as_str().unwrap_or_default().split_whitespace().collect::<Vec<_>>().join(" ")
    }

    /// Waits until the visible text contains this.
    pub async fn shows(&self, text: &str) {
        let check = async || {
            let all = self.text().await;
            if all.contains(text) { Ok(()) } else { Err(all) }
        };
        if let Err(all) = poll(check).await {
            panic!("the page does not show {text:?} after {WAIT_TIMEOUT:?}: {all}");
        }
    }

    /// Waits until the visible text does not contain this.
    pub async fn shows_no(&self, text: &str) {
        let check = async || if self.text().await.contains(text) { Err(String::new()) } else { Ok(()) };
        assert!(poll(check).await.is_ok(), "the page shows {text:?} after {WAIT_TIMEOUT:?}");
    }

    /// Sets a cookie of the service as the service would, such as that of a session.
    pub async fn set_cookie(&self, name: &str, value: &str) {
        let url = &self.0.base_url;
        let cookie =
            json!({"name": name, "value": value, "url": url, "path": "/", "httpOnly": true, "sameSite": "Lax"});
        let set = self.cdp("Network.setCookie", cookie).await;
        assert_eq!(set["success"], json!(true), "the cookie {name} was not set");
    }

    /// A cookie with its attributes (`value`, `httpOnly`, `secure`, `sameSite`, …).
    pub async fn cookie(&self, name: &str) -> Option<Value> {
        let found = self.cdp("Network.getCookies", json!({"urls": [self.0.base_url]})).await;
        found["cookies"].as_array()?.iter().find(|cookie| cookie["name"] == json!(name)).cloned()
    }

    /// Sets the width of the window in CSS pixels; the height stays.
    pub async fn set_width(&self, width: u32) {
        self.set_size(width, HEIGHT).await;
    }

    /// Sets the size of the window in CSS pixels.
    pub async fn set_size(&self, width: u32, height: u32) {
        let metrics = json!({"width": width, "height": height, "deviceScaleFactor": 1, "mobile": false});
        self.cdp("Emulation.setDeviceMetricsOverride", metrics).await;
    }

    /// Whether the page needs no horizontal scrolling.
    pub async fn fits_its_width(&self) -> bool {
        self.script("return document.documentElement.scrollWidth <= window.innerWidth", vec![]).await == json!(true)
    }

    /// Sets the preferred colour scheme. Also turns off animations, so that colours are never in transition.
    pub async fn prefer_dark(&self, is_dark: bool) {
        let value = if is_dark { "dark" } else { "light" };
        let features = json!({"features": [
            {"name": "prefers-color-scheme", "value": value}, {"name": "prefers-reduced-motion", "value": "reduce"},
        ]});
        self.cdp("Emulation.setEmulatedMedia", features).await;
    }

    /// Waits until the parts of the page are loaded.
    pub async fn settles(&self) {
        let is_settled = async || self.script(SETTLED, vec![]).await == json!(true);
        eventually("the page has loaded its parts", is_settled).await;
    }

    /// The status of the page's response.
    pub async fn status(&self) -> Value {
        self.script("return performance.getEntriesByType('navigation')[0].responseStatus", vec![]).await
    }

    /// Sets the time zone, such as `Asia/Tokyo`.
    pub async fn set_time_zone(&self, name: &str) {
        self.cdp("Emulation.setTimezoneOverride", json!({"timezoneId": name})).await;
    }

    /// Sets whether scripts of pages run, from the next page on. Scripts of the test always run.
    pub async fn allow_scripts(&self, are_allowed: bool) {
        self.cdp("Emulation.setScriptExecutionDisabled", json!({"value": !are_allowed})).await;
    }

    /// Disconnects or reconnects the network. Messages about it are
    /// [expected](Self::expect_message).
    pub async fn set_offline(&self, is_offline: bool) {
        self.cdp("Network.emulateNetworkConditions", network(is_offline)).await;
    }

    /// Runs a script in the page, for checks that users cannot make. `return` gives the result.
    pub async fn script(&self, script: &str, arguments: Vec<Value>) -> Value {
        self.client().execute(script, arguments).await.unwrap_or_else(|error| panic!("a script failed: {error}"))
    }

    /// Runs a script that returns its result by calling its last argument.
    pub async fn async_script(&self, script: &str, arguments: Vec<Value>) -> Value {
        let answer = self.client().execute_async(script, arguments).await;
        answer.unwrap_or_else(|error| panic!("a script failed: {error}"))
    }

    /// Writes `docs/images/NAME.png`, if `BROWSER_SCREENSHOTS` is set.
    pub async fn screenshot(&self, name: &str) {
        if std::env::var_os(SCREENSHOTS).is_none() {
            return;
        }
        let image = self.client().screenshot().await.unwrap_or_else(|error| panic!("no screenshot: {error}"));
        let folder = repository().join("docs/images");
        let written =
            std::fs::create_dir_all(&folder).and_then(|()| std::fs::write(folder.join(format!("{name}.png")), image));
        written.unwrap_or_else(|error| panic!("cannot write the screenshot {name}: {error}"));
    }

    /// Expects a message that contains this text, which would otherwise fail the test.
    pub fn expect_message(&self, part: &str) {
        self.0.expected.lock().unwrap_or_else(PoisonError::into_inner).push(part.to_owned());
    }

    /// The messages so far that fail the test.
    pub async fn faults(&self) -> Vec<String> {
        let new = self.0.browser.messages().await;
        let mut reported = self.0.reported.lock().unwrap_or_else(PoisonError::into_inner);
        reported.extend(new.as_array().into_iter().flatten().map(Message::read));
        let expected = self.0.expected.lock().unwrap_or_else(PoisonError::into_inner);
        let is_unexpected = |message: &&Message| !expected.iter().any(|part| message.text.contains(part));
        reported.iter().filter(|message| message.is_fault()).filter(is_unexpected).map(Message::to_string).collect()
    }

    /// Reports the state after a failed test, on standard error and as a screenshot below `target`.
    pub(crate) async fn report(&self, test: &str, number: usize) {
        let reporting = async {
            let file =
                repository().join("target/browser-failures").join(format!("{}-{number}.png", test.replace("::", "-")));
            let image = self.client().screenshot().await.unwrap_or_default();
            let written =
                file.parent().map_or(Ok(()), std::fs::create_dir_all).and_then(|()| std::fs::write(&file, image));
            let picture = written.map_or_else(|error| error.to_string(), |()| file.display().to_string());
            eprintln!("page {number}: {}\n  {}\n  {picture}", self.url().await, self.text().await);
            for fault in self.faults().await {
                eprintln!("  {fault}");
            }
        };
        if tokio::time::timeout(REPORT_TIMEOUT, reporting).await.is_err() {
            eprintln!("page {number} does not answer");
        }
    }

    /// Returns the browser for the next test, or closes it if it is broken.
    pub(crate) async fn close(&self, is_kept: bool) {
        let browser = &self.0.browser;
        let keeping = async { is_kept && browser.give_back(&self.0.base_url).await.is_ok() };
        if tokio::time::timeout(RESET_TIMEOUT, keeping).await == Ok(true) {
            return;
        }
        // Without a response, it ends with the driver.
        let _ = tokio::time::timeout(REPORT_TIMEOUT, self.client().clone().close()).await;
    }

    /// A command of the Chrome `DevTools` Protocol.
    pub(crate) async fn cdp(&self, command: &str, parameters: Value) -> Value {
        let answer = self.0.browser.cdp(command, parameters).await;
        answer.unwrap_or_else(|error| panic!("{command} failed: {error}"))
    }
}

fn repository() -> PathBuf {
    let own = Path::new(env!("CARGO_MANIFEST_DIR"));
    own.ancestors().nth(2).unwrap_or(own).to_owned()
}
