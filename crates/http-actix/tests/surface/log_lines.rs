//! The log line of each request.

use std::cell::RefCell;
use std::sync::{Arc, Once};
use std::time::Instant;

use log::{Level, LevelFilter, Log, Metadata, Record};

use async_trait::async_trait;
use domain::WorkspaceId;
use domain::identity::access::{PlainToken, TokenKind};
use domain::ports::{Job, Store, StoreError};
use domain::testing::SequenceRandom;
use http_core::testing::{TestApp, anonymous};

use super::SURFACES;

thread_local! {
    /// The lines of this thread, which runs one test's requests.
    static LINES: RefCell<Vec<(Level, String)>> = const { RefCell::new(Vec::new()) };
}

struct Collector;

impl Log for Collector {
    fn enabled(&self, _: &Metadata<'_>) -> bool {
        true
    }

    fn log(&self, record: &Record<'_>) {
        if record.target() == "request" || record.args().to_string().starts_with("the request could not be served") {
            LINES.with_borrow_mut(|lines| lines.push((record.level(), record.args().to_string())));
        }
    }

    fn flush(&self) {}
}

fn collect() {
    static BEGIN: Once = Once::new();
    BEGIN.call_once(|| {
        log::set_logger(&Collector).unwrap();
        log::set_max_level(LevelFilter::Debug);
    });
}

fn take_lines() -> Vec<(Level, String)> {
    LINES.take()
}

#[actix_web::test]
async fn one_line_without_client_data() {
    collect();
    let app = TestApp::new(SURFACES);
    let id = "01890a5d-ac96-774b-bcce-b302099a8057";
    let request = app.request("GET", &format!("/api/v1/crm/deals/{id}?q=secret"));
    let _ = app.answer(request.insert_header(("X-Request-Id", "r-1"))).await;
    let lines = take_lines();
    let [(level, line)] = &lines[..] else { panic!("{lines:?}") };
    assert_eq!(*level, Level::Info);
    assert!(line.starts_with("method=GET route=/api/v1/crm/deals/{deal_id} status=400 duration_ms="), "{line}");
    assert!(line.ends_with(" request_id=r-1") && !line.contains("workspace=-") && !line.contains("key=-"), "{line}");
    assert!(!line.contains("secret") && !line.contains(id) && !line.contains(&app.key), "{line}");
    let link = PlainToken::generate(TokenKind::TrackingLink, &SequenceRandom::default());
    let body = format!("{{\"token\":\"{}\"}}", link.reveal());
    let visit = anonymous("POST", "/api/portal/sessions").insert_header(("Content-Type", "application/json"));
    let _ = app.answer(visit.set_payload(body)).await;
    let visit =
        anonymous("GET", "/api/portal/ticket").insert_header(("Authorization", format!("Bearer {}", link.reveal())));
    let _ = app.answer(visit).await;
    let lines = take_lines();
    assert!(lines.len() == 2 && lines.iter().all(|(_, line)| line.contains("status=401")), "{lines:?}");
    assert!(lines.iter().all(|(_, line)| !line.contains(link.lookup_id())), "{lines:?}");
    for (method, path, level, begin) in [
        ("BREW", "/nope/secret", Level::Info, "method=- route=- status=404 "),
        ("PUT", "/api/v1/projects", Level::Info, "method=PUT route=/api/v1/projects status=405 "),
        // A probe every few seconds would fill the log.
        ("GET", "/healthz", Level::Debug, "method=GET route=/healthz status=200 "),
    ] {
        let _ = app.answer(anonymous(method, path)).await;
        let lines = take_lines();
        assert!(lines.len() == 1 && lines[0].0 == level && lines[0].1.starts_with(begin), "{lines:?}");
        assert!(lines[0].1.contains(" workspace=- key=- user=- "), "{lines:?}");
    }
}

/// Fails as if the database's disk were full.
struct Full;

#[async_trait]
impl Store for Full {
    async fn run(&self, _: WorkspaceId, _: Job) -> Result<(), StoreError> {
        Err(StoreError::DiskFull("could not extend file: No space left on device".to_owned()))
    }

    async fn statement(&self, workspace: WorkspaceId, job: Job) -> Result<(), StoreError> {
        self.run(workspace, job).await
    }
}

/// Ten lines per second and kind: the request's line, and the reason why it could not be served.
#[actix_web::test]
async fn requests_that_cannot_be_served_do_not_fill_the_log() {
    const REQUESTS: usize = 300;
    collect();
    let mut app = TestApp::new(SURFACES);
    app.ports().store = Arc::new(Full);
    let start = Instant::now();
    for _ in 0..REQUESTS {
        assert_eq!(app.answer(app.json("POST", "/api/v1/projects", "{\"name\":\"P\"}")).await.status, 503);
    }
    // On a busy machine the requests may take many seconds.
    let seconds = usize::try_from(start.elapsed().as_secs()).unwrap();
    let lines = take_lines();
    for (level, begin) in [(Level::Warn, "the request could not be served: "), (Level::Error, "method=POST ")] {
        let count = lines.iter().filter(|line| line.0 == level && line.1.starts_with(begin)).count();
        assert!((1..=10 * (seconds + 2)).contains(&count), "{count} lines in {seconds} s: {begin}");
    }
}
