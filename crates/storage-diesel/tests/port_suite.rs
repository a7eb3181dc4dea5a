//! The domain's port tests over Postgres.
#![expect(clippy::unwrap_used, reason = "helpers of tests, where a panic is the report")]

mod common;

use std::sync::LazyLock;

use diesel::connection::SimpleConnection;
use domain::ports::{DeliveryQueue, EmailQueue};
use storage_contract::StoreUnderTest;

static DATABASE: LazyLock<common::Database> = LazyLock::new(common::Database::migrated);

/// What other cases left in the queues, where all share one database: then one case may run at a time (`--test-threads=1`).
const QUEUES: [&str; 10] = [
    "webhook_attempts",
    "webhook_deliveries",
    "webhook_backlog",
    "webhook_replays",
    "webhook_subscriptions",
    "mail_parts",
    "mails",
    "mail_hours",
    "mail_recipients",
    "link_requests",
];

fn on_postgres(case: impl AsyncFnOnce(&StoreUnderTest)) {
    common::block_on(async {
        // One pool per case: connections must not outlive the runtime.
        let (ports, clock) = DATABASE.ports();
        case(&StoreUnderTest { ports, clock }).await;
    });
}

fn with_empty_queues() -> common::Database {
    let database = common::Database::migrated();
    if database.is_shared() {
        // Each on its own: one transaction does not change sharded and local tables on all nodes at once.
        let mut connection = database.connection();
        for table in QUEUES {
            connection.batch_execute(&format!("DELETE FROM {table}")).unwrap();
        }
    }
    database
}

fn with_queue(case: impl AsyncFnOnce(&StoreUnderTest, &dyn DeliveryQueue)) {
    let database = with_empty_queues();
    common::block_on(async {
        let (ports, clock) = database.ports();
        case(&StoreUnderTest { ports, clock }, &database.store()).await;
    });
}

fn with_email_queue(case: impl AsyncFnOnce(&StoreUnderTest, &dyn EmailQueue)) {
    let database = with_empty_queues();
    common::block_on(async {
        let (ports, clock) = database.ports();
        case(&StoreUnderTest { ports, clock }, &database.store()).await;
    });
}

storage_contract::port_suite!(on_postgres);
storage_contract::email_suite!(with_email_queue);
storage_contract::queue_suite!(with_queue);
