//! A browser test: a service and its users.

use std::panic::{AssertUnwindSafe, resume_unwind};
use std::sync::{LazyLock, Mutex, PoisonError};

use futures_util::FutureExt as _;
use test_support::{App, AppOptions, Tenant};
use tokio::sync::Semaphore;

use crate::{Page, driver};

/// Set where Chromium is required: without it, tests fail instead of being skipped. `CI=true` has the same effect.
const REQUIRED: &str = "BROWSER_TESTS_REQUIRED";

/// Limits concurrent walks. A browser is several processes, and a walk may have several browsers.
static TURNS: LazyLock<Semaphore> = LazyLock::new(|| {
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    Semaphore::new(cores.clamp(1, 4))
});

/// A service whose public URL is its own address, and the pages that are open on it.
pub struct Walk {
    pub app: App,
    pages: Mutex<Vec<Page>>,
}

impl Walk {
    /// Opens a browser without cookies. Each visitor has their own.
    pub async fn visitor(&self) -> Page {
        let page = Page::start(&self.app.base_url).await;
        self.pages.lock().unwrap_or_else(PoisonError::into_inner).push(page.clone());
        page
    }

    /// A visitor who signs in by a link.
    pub async fn member(&self, tenant: &Tenant, email: &str) -> Page {
        let page = self.visitor().await;
        page.open(&tenant.sign_in_link(email).await).await;
        page.button("Sign in").click().await;
        page.wait_for_path("/").await;
        page
    }

    /// A visitor with the cookie of a session.
    pub async fn visitor_with_cookie(&self, name: &str, value: &str) -> Page {
        let page = self.visitor().await;
        page.set_cookie(name, value).await;
        page
    }
}

/// Runs a test with a service with the usual options. On a machine without Chromium, reports the calling test as
/// skipped. Call it on the thread that the harness started for the test: the name of the thread is that of the test.
pub async fn walk(body: impl AsyncFnOnce(&Walk)) {
    walk_with(AppOptions::default(), body).await;
}

/// Like [`walk`], with these options.
pub async fn walk_with(options: AppOptions, body: impl AsyncFnOnce(&Walk)) {
    if let Some(missing) = driver::missing() {
        assert!(std::env::var_os(REQUIRED).is_none(), "{REQUIRED} is set, and this machine lacks {missing}");
        not_run::report(missing);
        return;
    }
    let _turn = TURNS.acquire().await;
    let app = App::start_as(AppOptions { is_public_at_its_address: true, ..options }).await;
    let walk = Walk { app, pages: Mutex::default() };
    let outcome = AssertUnwindSafe(body(&walk)).catch_unwind().await;
    let pages = std::mem::take(&mut *walk.pages.lock().unwrap_or_else(PoisonError::into_inner));
    let thread = std::thread::current();
    let mut faults = Vec::new();
    for (number, page) in pages.iter().enumerate() {
        if outcome.is_err() {
            page.report(thread.name().unwrap_or("test"), number + 1).await;
        } else {
            faults.extend(page.faults().await);
        }
        page.close(outcome.is_ok()).await;
    }
    match outcome {
        Err(panic) => resume_unwind(panic),
        Ok(()) => assert!(faults.is_empty(), "the browser reported:\n{}", faults.join("\n")),
    }
}
