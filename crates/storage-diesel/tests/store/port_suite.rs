//! The port tests on Postgres.

use std::sync::LazyLock;

use domain::ports::{DeliveryQueue, EmailQueue};
use storage_contract::StoreUnderTest;

use crate::common::{Database, block_on};

static DATABASE: LazyLock<Database> = LazyLock::new(Database::migrated);

/// Runs a case with ports over the database.
pub(crate) fn run(database: &Database, case: impl AsyncFnOnce(&StoreUnderTest)) {
    block_on(async {
        // One pool per case: connections must not outlive the runtime.
        let (ports, clock) = database.ports();
        case(&StoreUnderTest { ports, clock }).await;
    });
}

fn on_postgres(case: impl AsyncFnOnce(&StoreUnderTest)) {
    run(&DATABASE, case);
}

fn with_queue(case: impl AsyncFnOnce(&StoreUnderTest, &dyn DeliveryQueue)) {
    let database = Database::migrated();
    run(&database, async |subject| case(subject, &database.store()).await);
}

fn with_email_queue(case: impl AsyncFnOnce(&StoreUnderTest, &dyn EmailQueue)) {
    let database = Database::migrated();
    run(&database, async |subject| case(subject, &database.store()).await);
}

storage_contract::port_suite!(on_postgres, with_email_queue, with_queue);
