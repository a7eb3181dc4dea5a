//! Runs the port tests against the in-memory store.

use domain::ports::{DeliveryQueue, EmailQueue};
use storage_contract::StoreUnderTest;
use storage_memory::TestPorts;

fn on_memory(case: impl AsyncFnOnce(&StoreUnderTest)) {
    let test = TestPorts::new();
    let subject = StoreUnderTest { ports: test.ports.clone(), clock: test.clock.clone() };
    test.block_on(case(&subject));
}

fn with_queue(case: impl AsyncFnOnce(&StoreUnderTest, &dyn DeliveryQueue)) {
    let test = TestPorts::new();
    let subject = StoreUnderTest { ports: test.ports.clone(), clock: test.clock.clone() };
    test.block_on(case(&subject, &*test.store));
}

fn with_email_queue(case: impl AsyncFnOnce(&StoreUnderTest, &dyn EmailQueue)) {
    let test = TestPorts::new();
    let subject = StoreUnderTest { ports: test.ports.clone(), clock: test.clock.clone() };
    test.block_on(case(&subject, &*test.store));
}

storage_contract::port_suite!(on_memory);
storage_contract::email_suite!(with_email_queue);
storage_contract::queue_suite!(with_queue);
