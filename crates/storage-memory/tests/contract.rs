//! Runs the port tests against the in-memory store.

use domain::ports::EmailQueue;
use storage_contract::StoreUnderTest;
use storage_memory::TestPorts;

fn with_email_queue(case: impl AsyncFnOnce(&StoreUnderTest, &dyn EmailQueue)) {
    let test = TestPorts::new();
    let subject = StoreUnderTest { ports: test.ports.clone(), clock: test.clock.clone() };
    test.block_on(case(&subject, &*test.store));
}

fn on_memory(case: impl AsyncFnOnce(&StoreUnderTest)) {
    with_email_queue(async |subject, _| case(subject).await);
}

storage_contract::port_suite!(on_memory, with_email_queue);
