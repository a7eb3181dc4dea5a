//! `/readyz`: what removes an instance from a load balancer, and what does not.

use std::time::Duration;

use http_core::HttpSettings;
use serde_json::json;
use test_support::{App, AppOptions, eventually};

use crate::database::{OtherTransaction, count, execute};

const COMPANIES: &str = "/api/v1/crm/companies";

/// A busy machine may need more than the second that readiness checks have. After 4 s, requests that wait for a lock would time out.
fn patient() -> HttpSettings {
    HttpSettings { ready_deadline: Duration::from_secs(3), ..HttpSettings::default() }
}

/// A slow query or locked table of one tenant must not take all instances out of service.
#[tokio::test]
async fn requests_that_wait_for_a_lock_leave_an_instance_ready() {
    let app = App::start_as(AppOptions { pool_size: 1, settings: patient(), ..AppOptions::default() }).await;
    let client = app.workspace().await.full_access().await;
    let _ = client.get(COMPANIES).await.expect(200);
    // workspaces, too: it is what most statements read.
    let blocker = OtherTransaction::begin(&app, "LOCK TABLE companies, workspaces IN ACCESS EXCLUSIVE MODE");
    let waiting: Vec<_> = (0..8)
        .map(|_| {
            let client = client.clone();
            tokio::spawn(async move { client.get(COMPANIES).await })
        })
        .collect();
    eventually("the pool is exhausted", async || count(&app, "pg_locks WHERE NOT granted") >= 1).await;
    for _ in 0..3 {
        assert_eq!(app.anonymous().get("/readyz").await.expect(200).body, json!({"status": "ready"}));
    }
    assert!(waiting.iter().any(|request| !request.is_finished()), "nothing was delayed");
    blocker.commit();
    for request in waiting {
        let _ = request.await.unwrap();
    }
}

/// Raises Postgres' own error on writes to the table and on creating tables.
const FULL: &str = "
    CREATE FUNCTION full_disk() RETURNS trigger LANGUAGE plpgsql AS $$
        BEGIN RAISE EXCEPTION 'could not extend file \"base/1/2\": No space left on device' USING ERRCODE = 'disk_full'; END $$;
    CREATE TRIGGER full_disk BEFORE INSERT ON companies EXECUTE FUNCTION full_disk();
    CREATE FUNCTION full_disk_of_tables() RETURNS event_trigger LANGUAGE plpgsql AS $$
        BEGIN RAISE EXCEPTION 'could not extend file \"base/1/2\": No space left on device' USING ERRCODE = 'disk_full'; END $$;
    CREATE EVENT TRIGGER full_disk ON ddl_command_start WHEN TAG IN ('CREATE TABLE AS') EXECUTE FUNCTION full_disk_of_tables()";

#[tokio::test]
async fn a_full_disk_refuses_writes_and_is_reported_until_space_is_freed() {
    let app = App::start_with(patient()).await;
    let client = app.workspace().await.full_access().await;
    execute(&app, FULL);
    let _ = app.anonymous().get("/readyz").await.expect(200);
    let refused = client.post(COMPANIES, json!({"name": "A"})).await.expect(503);
    assert_eq!((refused.code(), refused.header("retry-after")), ("unavailable", "1"));
    assert!(!refused.text.contains("base/1/2"), "{}", refused.text);
    let readiness = app.anonymous().get("/readyz").await.expect(503);
    assert_eq!((&readiness.body, readiness.header("retry-after")), (&json!({"status": "disk_full"}), "1"));
    let _ = client.get(COMPANIES).await.expect(200);
    execute(&app, "DROP EVENT TRIGGER full_disk; DROP TRIGGER full_disk ON companies");
    assert_eq!(app.anonymous().get("/readyz").await.expect(200).body, json!({"status": "ready"}));
    let _ = client.post(COMPANIES, json!({"name": "A"})).await.expect(201);
}
