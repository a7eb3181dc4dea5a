//! The port tests with the statements for a Citus cluster, on a plain Postgres, where they have the same effect.

use std::sync::LazyLock;

use domain::ports::{DeliveryQueue, EmailQueue};
use storage_contract::StoreUnderTest;

use crate::common::Database;
use crate::port_suite::run;

static DATABASE: LazyLock<Database> = LazyLock::new(Database::like_a_cluster);

fn on_postgres(case: impl AsyncFnOnce(&StoreUnderTest)) {
    run(&DATABASE, case);
}

fn with_queue(case: impl AsyncFnOnce(&StoreUnderTest, &dyn DeliveryQueue)) {
    let database = Database::like_a_cluster();
    run(&database, async |subject| case(subject, &database.store()).await);
}

fn with_email_queue(case: impl AsyncFnOnce(&StoreUnderTest, &dyn EmailQueue)) {
    let database = Database::like_a_cluster();
    run(&database, async |subject| case(subject, &database.store()).await);
}

storage_contract::port_suite!(on_postgres, with_email_queue, with_queue);
