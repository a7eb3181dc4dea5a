//! How long the service keeps events, even if it delivers no webhooks.

use domain::events::EventRetention;
use serde_json::json;
use test_support::{App, AppOptions, eventually, trust_callers_clock};
use time::Duration;

use crate::database::count;

/// The number of log months that begin more than this many days from now, give or take a day.
fn months_ahead(app: &App, days: i64) -> i64 {
    let begins = "to_date(right(relname, 7), 'YYYY_MM')";
    count(
        app,
        &format!(
            "pg_class WHERE relname ~ '^events_[0-9]{{4}}_[0-9]{{2}}$' AND {begins} > now() + interval '{days} days'"
        ),
    )
}

fn keeping(days: i64) -> AppOptions {
    let event_retention = EventRetention::new(Duration::days(days)).unwrap();
    AppOptions { delivers: false, event_retention, ..AppOptions::default() }
}

#[tokio::test]
async fn months_are_dropped_after_the_retention_and_records_stay() {
    let app = App::start_as(keeping(60)).await;
    let client = app.workspace().await.full_access().await;
    let deal = client.create("/api/v1/crm/deals", json!({"title": "D"})).await;
    assert_eq!(count(&app, "events"), 1);
    // After a month and 60 days, its month has been over for 60 days.
    app.advance(Duration::days(58)).await;
    let early = app.another(keeping(60)).await;
    eventually("future months are created", async || months_ahead(&app, 58) >= 3).await;
    assert_eq!(count(&app, "events"), 1, "not 60 days old");
    trust_callers_clock(&app.database_url());
    app.advance(Duration::days(34)).await;
    let longer = app.another(keeping(60)).await;
    eventually("the month is dropped", async || count(&app, "events") == 0).await;
    for instance in [&app, &early, &longer] {
        let client = instance.with_key(client.key().unwrap());
        let _ = client.get(&format!("/api/v1/crm/deals/{deal}")).await.expect(200);
    }
    let _ = client.patch(&format!("/api/v1/crm/deals/{deal}"), json!({"title": "E"})).await.expect(200);
    assert_eq!(count(&app, "events"), 1, "and the log continues");
}
