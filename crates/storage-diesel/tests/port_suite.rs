//! The domain's port tests over Postgres.
#![expect(clippy::unwrap_used, reason = "helpers of tests, where a panic is the report")]

mod common;

use std::sync::LazyLock;

use domain::ports::{DeliveryQueue, EmailQueue};
use storage_contract::StoreUnderTest;

static DATABASE: LazyLock<common::Database> = LazyLock::new(common::Database::migrated);

fn on_postgres(case: impl AsyncFnOnce(&StoreUnderTest)) {
    common::block_on(async {
        // One pool per case: connections must not outlive the runtime.
        let (ports, clock) = DATABASE.ports();
        case(&StoreUnderTest { ports, clock }).await;
    });
}

fn with_queue(case: impl AsyncFnOnce(&StoreUnderTest, &dyn DeliveryQueue)) {
    let database = common::Database::migrated();
    common::block_on(async {
        let (ports, clock) = database.ports();
        case(&StoreUnderTest { ports, clock }, &database.store()).await;
    });
}

fn with_email_queue(case: impl AsyncFnOnce(&StoreUnderTest, &dyn EmailQueue)) {
    let database = common::Database::migrated();
    common::block_on(async {
        let (ports, clock) = database.ports();
        case(&StoreUnderTest { ports, clock }, &database.store()).await;
    });
}

storage_contract::port_suite!(on_postgres);
storage_contract::email_suite!(with_email_queue);
storage_contract::queue_suite!(with_queue);
