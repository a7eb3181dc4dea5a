//! The binary behind PgBouncer in transaction mode, and a service behind it that leaves webhooks to the binary.

use std::fs::File;
use std::process::Command;

use pgbouncer::PgBouncer;
use serde_json::json;
use test_support::{App, AppOptions, Pooled, eventually};

use super::{Program, command, receiver_of_deals};

const DEALS: usize = 20;

fn pooled_command(pooled: &Pooled) -> Command {
    let mut command = command(&pooled.url);
    command.env("SERVICE_DB_PREPARED", if pooled.prepares { "on" } else { "off" }).env("SERVICE_LOG", "info");
    if let Some(url) = &pooled.direct_url {
        command.env("SERVICE_DATABASE_DIRECT_URL", url);
    }
    command
}

/// A PgBouncer in front of the database of an instance.
fn pooler_of(app: &App, prepares: bool) -> Option<(PgBouncer, Pooled)> {
    let direct_url = app.database_url();
    let pooler = PgBouncer::start(&direct_url, "transaction", prepares)?;
    let url = pooler.url(direct_url.rsplit('/').next().unwrap());
    let prepares = prepares && pooler.version.keeps_prepared_statements();
    Some((pooler, Pooled { url, prepares, direct_url: Some(direct_url) }))
}

/// Creates deals and waits for their webhooks. `listeners` is the number of sessions that should listen before and after.
async fn delivers(app: &App, pooled: &Pooled, listeners: usize) {
    let service =
        app.another(AppOptions { is_shared: true, pooled: Some(pooled.clone()), ..AppOptions::default() }).await;
    let tenant = service.workspace().await;
    let hook = receiver_of_deals(&tenant).await;
    let folder = tempfile::tempdir().unwrap();
    let log = folder.path().join("log");
    let read = || std::fs::read_to_string(&log).unwrap();
    let program = Program(pooled_command(pooled).stderr(File::create(&log).unwrap()).spawn().unwrap());
    eventually("it delivers", async || read().contains("delivering webhooks")).await;
    eventually("it listens, or does not", async || app.count_delivery_listeners() == listeners).await;
    let client = tenant.full_access().await;
    for number in 0..DEALS {
        let _ = client.post("/api/v1/crm/deals", json!({"title": format!("{number}")})).await.expect(201);
    }
    let mut titles: Vec<_> =
        hook.wait_for(DEALS).await.iter().map(|one| one.body["payload"]["data"]["title"].clone()).collect();
    titles.sort_by_key(|title| title.as_str().and_then(|title| title.parse::<usize>().ok()));
    assert_eq!(titles, (0..DEALS).map(|number| json!(number.to_string())).collect::<Vec<_>>(), "each arrives once");
    eventually("all are recorded", async || app.count_deliveries("succeeded") == DEALS).await;
    assert_eq!(app.count_delivery_listeners(), listeners);
    drop(program);
    let message = read();
    assert!(!message.contains("WARN") && !message.contains("ERROR"), "{message}");
}

#[tokio::test(flavor = "multi_thread")]
async fn the_dispatcher_listens_on_an_address_without_the_pooler() {
    let app = App::start().await;
    let Some((bouncer, pooled)) = pooler_of(&app, true) else { return };
    delivers(&app, &pooled, 1).await;
    let log = bouncer.log();
    assert!(!log.contains("ERROR") && !log.contains("WARNING"), "{log}");
}

#[tokio::test(flavor = "multi_thread")]
async fn without_an_address_past_the_pooler_the_dispatcher_polls_often() {
    let app = App::start().await;
    let Some((bouncer, pooled)) = pooler_of(&app, true) else { return };
    delivers(&app, &Pooled { direct_url: None, ..pooled }, 0).await;
    let log = bouncer.log();
    assert!(!log.contains("ERROR") && !log.contains("WARNING"), "{log}");
}

/// Versions before 1.21 never keep prepared statements, and later ones do not with this setting.
#[tokio::test(flavor = "multi_thread")]
async fn a_pooler_that_loses_prepared_statements_is_refused_with_a_fix() {
    let app = App::start().await;
    let Some((_bouncer, pooled)) = pooler_of(&app, false) else { return };
    let refused = pooled_command(&Pooled { prepares: true, ..pooled.clone() }).output().unwrap();
    let message = String::from_utf8_lossy(&refused.stderr);
    assert!(
        !refused.status.success() && message.contains("set SERVICE_DB_PREPARED=off, or use PgBouncer 1.21"),
        "{message}"
    );
    // With the suggested fix it works.
    delivers(&app, &pooled, 1).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn an_address_past_the_pooler_to_another_database_is_refused() {
    let (app, other) = (App::start().await, App::start().await);
    let pooled = Pooled { url: app.database_url(), prepares: true, direct_url: Some(other.database_url()) };
    let refused = pooled_command(&pooled).output().unwrap();
    let message = String::from_utf8_lossy(&refused.stderr);
    assert!(!refused.status.success() && message.contains("leads to another database"), "{message}");
}
