//! The in-memory store passes the suite that every store must pass.

use domain::ports::{DeliveryQueue, MailQueue};
use storage_contract::Subject;
use storage_memory::TestPorts;

fn on_memory(case: impl AsyncFnOnce(&Subject)) {
    let test = TestPorts::new();
    let subject = Subject { ports: test.ports.clone(), clock: test.clock.clone() };
    test.block_on(case(&subject));
}

fn with_queue(case: impl AsyncFnOnce(&Subject, &dyn DeliveryQueue)) {
    let test = TestPorts::new();
    let subject = Subject { ports: test.ports.clone(), clock: test.clock.clone() };
    test.block_on(case(&subject, &*test.store));
}

fn with_mails(case: impl AsyncFnOnce(&Subject, &dyn MailQueue)) {
    let test = TestPorts::new();
    let subject = Subject { ports: test.ports.clone(), clock: test.clock.clone() };
    test.block_on(case(&subject, &*test.store));
}

storage_contract::port_suite!(on_memory);
storage_contract::mail_suite!(with_mails);
storage_contract::queue_suite!(with_queue);
