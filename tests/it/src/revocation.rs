//! How soon a revocation or suspension takes effect, on this and on other instances.

use std::time::{Duration, Instant};

use domain::identity::workspaces::{Role, SettableStatus};
use domain::limits::Plan;
use serde_json::json;
use test_support::{App, AppOptions, Client, eventually};

use crate::database::execute;

/// The limit of interface 5.6. Instances refresh every half second.
const MAX_DELAY: Duration = Duration::from_secs(2);

/// Calls until the credential is rejected. Every request that starts two seconds after `done` must be rejected.
pub(crate) async fn refused_within(client: &Client, since: Instant) {
    loop {
        let began = since.elapsed();
        let reply = client.get("/api/v1/projects").await;
        if reply.status == 401 {
            return;
        }
        assert_eq!(reply.status, 200, "{}", reply.text);
        assert!(began < MAX_DELAY, "still accepted");
    }
}

#[tokio::test]
async fn a_revocation_takes_effect_on_every_instance_within_two_seconds() {
    let app = App::start().await;
    let other = app.another(AppOptions::default()).await;
    let tenant = app.workspace().await;
    let (local, id) = tenant.key(json!({"preset": "full_access"})).await;
    let remote = other.with_key(local.key().unwrap());
    for client in [&local, &remote] {
        let _ = client.get("/api/v1/projects").await.expect(200);
    }
    tenant.revoke(id).await;
    let revoked_at = Instant::now();
    tokio::join!(refused_within(&local, revoked_at), refused_within(&remote, revoked_at));
}

#[tokio::test]
async fn a_suspension_takes_effect_and_is_lifted() {
    let (app, tenant) = App::with_workspace().await;
    let bystander = app.workspace().await.full_access().await;
    let client = tenant.full_access().await;
    let _ = client.get("/api/v1/projects").await.expect(200);
    tenant.set_status(SettableStatus::Suspended).await;
    refused_within(&client, Instant::now()).await;
    let _ = bystander.get("/api/v1/projects").await.expect(200);
    tenant.set_status(SettableStatus::Active).await;
    let _ = client.get("/api/v1/projects").await.expect(200);
}

/// An instance that cannot refresh its cache reads every credential from the database.
#[tokio::test]
async fn without_refreshes_no_credential_is_trusted() {
    let app = App::start_as(AppOptions { looks: false, ..AppOptions::default() }).await;
    let tenant = app.workspace().await;
    let (client, id) = tenant.key(json!({"preset": "full_access"})).await;
    let _ = client.get("/api/v1/projects").await.expect(200);
    tenant.revoke(id).await;
    assert_eq!(client.get("/api/v1/projects").await.status, 401);
}

/// Requests succeed without the credential tables: a cached credential is not read from the database.
#[tokio::test]
async fn a_cached_credential_needs_no_query() {
    let app = App::start().await;
    // For a minute after a change of a workspace or its limits, each refresh drops its credentials.
    let tenant = app.workspace_of(Plan::Starter).await;
    let (client, unknown) = (tenant.full_access().await, tenant.full_access().await);
    let user = tenant.user(Role::Member).await.client;
    for client in [&client, &user] {
        // Credentials that take longer to read are not cached.
        eventually("the credential is read within a second", async || {
            let began = Instant::now();
            let _ = client.get("/api/v1/projects").await.expect(200);
            began.elapsed() < Duration::from_secs(1)
        })
        .await;
    }
    for table in ["api_keys", "sessions", "workspaces", "members"] {
        execute(&app, &format!("ALTER TABLE {table} RENAME TO {table}_gone"));
    }
    for client in [&client, &user] {
        for _ in 0..5 {
            // On a busy machine, the cache is not always fresh.
            eventually("a request without the tables", async || {
                let is_fresh = || app.ports.credential_cache.is_fresh(app.ports.clock.elapsed());
                let was_fresh = is_fresh();
                let reply = client.get("/api/v1/projects").await;
                assert!(reply.status == 200 || !was_fresh || !is_fresh(), "{}", reply.text);
                reply.status == 200
            })
            .await;
        }
    }
    assert_eq!(unknown.get("/api/v1/projects").await.status, 500);
}
