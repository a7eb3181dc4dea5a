//! Tests of the binary, with the service and Postgres.
#![expect(clippy::unwrap_used, reason = "a panic is the report")]

mod killed;
mod pooled;

use std::process::{Child, Command, Stdio};

use domain::identity::workspaces::Role;
use serde_json::json;
use test_support::{MASTER_KEY, Receiver, Tenant};

/// A dispatcher process; dropping it kills it.
struct Program(Child);

impl Drop for Program {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

/// The binary, which may deliver to this machine.
fn command(database_url: &str) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_dispatcher"));
    command
        .env("DATABASE_URL", database_url)
        .env_remove("SERVICE_DATABASE_DIRECT_URL")
        .env("SERVICE_MASTER_KEY", MASTER_KEY)
        .env("DISPATCHER_ADMIN_BIND", "off")
        .env("SERVICE_WEBHOOK_ALLOW_HTTP", "true")
        .env("SERVICE_WEBHOOK_ALLOW_PRIVATE_NETWORKS", "true")
        .env("SERVICE_LOG", "warn")
        .stdin(Stdio::null());
    command
}

/// A receiver of the events of new deals.
async fn receiver_of_deals(tenant: &Tenant) -> Receiver {
    let (owner, hook) = (tenant.user(Role::Owner).await.client, Receiver::start().await);
    let body = json!({"module": "crm", "url": hook.url, "events": ["deal.created"]});
    let _ = owner.post("/api/settings/webhooks", body).await.expect(201);
    hook
}
