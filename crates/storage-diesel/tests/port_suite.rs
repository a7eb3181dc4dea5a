//! The domain's port tests over Postgres.
#![expect(clippy::unwrap_used, reason = "helpers of tests, where a panic is the report")]

mod common;

use std::sync::LazyLock;

use domain::ports::{DeliveryQueue, MailQueue};
use storage_contract::Subject;

static DATABASE: LazyLock<common::Database> = LazyLock::new(common::Database::migrated);

fn on_postgres(case: impl AsyncFnOnce(&Subject)) {
    common::block_on(async {
        // A pool a case: connections belong to the runtime's time, not to the process's.
        let (ports, clock) = DATABASE.ports();
        case(&Subject { ports, clock }).await;
    });
}

fn with_queue(case: impl AsyncFnOnce(&Subject, &dyn DeliveryQueue)) {
    let database = common::Database::migrated();
    common::block_on(async {
        let (ports, clock) = database.ports();
        case(&Subject { ports, clock }, &database.store()).await;
    });
}

fn with_mails(case: impl AsyncFnOnce(&Subject, &dyn MailQueue)) {
    let database = common::Database::migrated();
    common::block_on(async {
        let (ports, clock) = database.ports();
        case(&Subject { ports, clock }, &database.store()).await;
    });
}

storage_contract::port_suite!(on_postgres);
storage_contract::mail_suite!(with_mails);
storage_contract::queue_suite!(with_queue);
