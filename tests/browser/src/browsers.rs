//! Browsers that tests reuse, because starting one costs as much as a short test.

use std::sync::{Arc, LazyLock, Mutex, PoisonError};

use fantoccini::error::CmdError;
use fantoccini::wd::WebDriverCompatibleCommand;
use fantoccini::{Client, ClientBuilder};
use http::Method;
use hyper_util::client::legacy::connect::HttpConnector;
use serde_json::{Value, json};
use tempfile::TempDir;
use tokio::runtime::{Builder, Runtime};
use url::{ParseError, Url};

use crate::driver;

const WIDTH: u32 = 1280;
pub(crate) const HEIGHT: u32 = 900;

/// Shared, since a browser outlives the runtime of the test that started it.
static RUNTIME: LazyLock<Runtime> = LazyLock::new(|| {
    let runtime = Builder::new_multi_thread().worker_threads(1).enable_all().build();
    runtime.unwrap_or_else(|error| panic!("no runtime for the browsers: {error}"))
});

/// Idle browsers.
static IDLE: Mutex<Vec<Browser>> = Mutex::new(Vec::new());

/// A running browser. Clones share it.
#[derive(Clone)]
pub(crate) struct Browser {
    pub(crate) client: Client,
    /// The browser's own profile folder.
    pub(crate) profile: Arc<TempDir>,
}

impl Browser {
    /// Takes a browser without state from earlier tests.
    pub(crate) async fn take() -> Self {
        let idle = IDLE.lock().unwrap_or_else(PoisonError::into_inner).pop();
        match idle {
            Some(browser) => browser,
            None => Self::start().await,
        }
    }

    async fn start() -> Self {
        let profile = driver::profile();
        let capabilities = driver::capabilities(&profile, WIDTH, HEIGHT).as_object().cloned().unwrap_or_default();
        let connecting = RUNTIME.spawn(async move {
            ClientBuilder::new(HttpConnector::new()).capabilities(capabilities).connect(driver::url()).await
        });
        let client = connecting.await.unwrap_or_else(|error| panic!("Chromium was not started: {error}"));
        let client = client.unwrap_or_else(|error| panic!("Chromium did not start: {error}"));
        Self { client, profile: Arc::new(profile) }
    }

    /// Clears the browser and keeps it for the next test.
    ///
    /// # Errors
    /// Errors of the driver; the browser is then not kept.
    pub(crate) async fn give_back(&self, origin: &str) -> Result<(), CmdError> {
        for (command, parameters) in [
            ("Network.emulateNetworkConditions", network(false)),
            ("Emulation.setScriptExecutionDisabled", json!({"value": false})),
            ("Emulation.clearDeviceMetricsOverride", json!({})),
            ("Emulation.setTimezoneOverride", json!({"timezoneId": ""})),
        ] {
            self.cdp(command, parameters).await?;
        }
        self.client.goto("about:blank").await?;
        for (command, parameters) in [
            ("Network.clearBrowserCookies", json!({})),
            ("Network.clearBrowserCache", json!({})),
            ("Storage.clearDataForOrigin", json!({"origin": origin, "storageTypes": "all"})),
            ("Page.resetNavigationHistory", json!({})),
        ] {
            self.cdp(command, parameters).await?;
        }
        let _ = self.messages().await;
        if self.client.windows().await?.len() == 1 {
            IDLE.lock().unwrap_or_else(PoisonError::into_inner).push(self.clone());
            return Ok(());
        }
        self.client.clone().close().await
    }

    /// A command of the Chrome `DevTools` Protocol.
    pub(crate) async fn cdp(&self, command: &str, parameters: Value) -> Result<Value, CmdError> {
        self.extension("goog/cdp/execute", json!({"cmd": command, "params": parameters})).await
    }

    /// The events that the browser has reported since the last call.
    pub(crate) async fn messages(&self) -> Value {
        self.extension("se/log", json!({"type": "browser"})).await.unwrap_or_default()
    }

    async fn extension(&self, path: &'static str, body: Value) -> Result<Value, CmdError> {
        self.client.issue_cmd(Extension { path, body }).await
    }
}

/// The parameters that put the network online or offline.
pub(crate) fn network(is_offline: bool) -> Value {
    let unlimited = -1;
    json!({"offline": is_offline, "latency": 0, "downloadThroughput": unlimited, "uploadThroughput": unlimited})
}

/// A chromedriver command that is not in the standard.
#[derive(Debug)]
struct Extension {
    path: &'static str,
    body: Value,
}

impl WebDriverCompatibleCommand for Extension {
    fn endpoint(&self, base_url: &Url, session_id: Option<&str>) -> Result<Url, ParseError> {
        base_url.join(&format!("session/{}/{}", session_id.unwrap_or_default(), self.path))
    }

    fn method_and_body(&self, _request_url: &Url) -> (Method, Option<String>) {
        (Method::POST, Some(self.body.to_string()))
    }
}
