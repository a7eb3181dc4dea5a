//! Timers in the console, on pages that are out of date.

use domain::identity::workspaces::Role;
use test_support::App;

use super::time::{entries, signed_in};

#[tokio::test]
async fn a_stale_stop_button_stops_no_other_timer() {
    let app = App::start().await;
    let tenant = app.workspace().await;
    let (browser, client, _) = signed_in(&tenant, &app, Role::Member).await;
    let blank = browser.open("/time/timer").await.expect(200);
    let stale = browser.submit(&blank, "/time/start", &[]).await.expect(200);
    let other_tab = browser.open("/time/timer").await.expect(200);
    let _ = browser.submit(&other_tab, "/time/start", &[]).await.expect(200);
    let refused = browser.submit(&stale, "/time/stop", &[]).await.expect(200);
    assert!(refused.html().contains("Another timer is running"), "{}", refused.html());
    let running = entries(&client).await.into_iter().filter(|entry| entry["status"] == "running").count();
    assert_eq!(running, 1);
    // The page shows the timer that runs.
    let stopped = browser.submit(&refused, "/time/stop", &[]).await.expect(200);
    assert!(stopped.html().contains("Stopped the timer at 0:00."), "{}", stopped.html());
}
