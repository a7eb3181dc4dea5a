//! The checked store detects changes without an event.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;

use domain::crm::deals::Deal;
use domain::events::{Event, EventRecord, Module};
use domain::ports::{StoreError, Tx, transact};
use domain::testing;
use storage_contract::{StoreUnderTest, TestWorkspace};
use storage_memory::{CheckedStore, TestPorts};

fn version(deal: &Deal, version: i64) -> Event {
    Event {
        record: Some(EventRecord { noun: "deal", id: deal.id.0 }),
        version: Some(version),
        ..testing::event(Module::Crm, "deal.updated", deal.updated_at)
    }
}

/// Whether the store accepts the changes of a use case.
fn accepts(
    test: &TestPorts,
    world: &TestWorkspace,
    mut work: impl FnMut(&mut dyn Tx) -> Result<(), StoreError> + Send + 'static,
) -> bool {
    let mut ports = test.ports.clone();
    ports.store = Arc::new(CheckedStore(Arc::clone(&test.store)));
    let permit = world.permit::<domain::identity::access::ReadDeals>();
    let done = catch_unwind(AssertUnwindSafe(|| test.block_on(transact(&ports, &permit, move |tx| Ok(work(tx)?)))));
    done.is_ok_and(|result| result.is_ok())
}

#[test]
fn a_write_needs_an_event_of_its_record_and_version() {
    let test = TestPorts::new();
    let subject = StoreUnderTest { ports: test.ports.clone(), clock: test.clock.clone() };
    let world = test.block_on(subject.world());
    let (deal, other) = (world.bare_deal(), world.bare_deal());
    let now = world.now();
    let insert = |event: Option<Event>| {
        let deal = deal.clone();
        move |tx: &mut dyn Tx| {
            tx.records::<Deal>().insert(&deal)?;
            tx.emit(event.as_slice())
        }
    };
    assert!(!accepts(&test, &world, insert(None)));
    assert!(!accepts(&test, &world, insert(Some(version(&other, 1)))), "of another record");
    assert!(!accepts(&test, &world, insert(Some(version(&deal, 2)))), "of another version");
    assert!(accepts(&test, &world, insert(Some(version(&deal, 1)))));
    let changed = Deal { title: "Changed".to_owned(), version: 2, ..deal.clone() };
    let save = |event: Option<Event>| {
        let changed = changed.clone();
        move |tx: &mut dyn Tx| {
            tx.records::<Deal>().save(&changed)?;
            tx.emit(event.as_slice())
        }
    };
    assert!(!accepts(&test, &world, save(None)));
    assert!(accepts(&test, &world, save(Some(version(&deal, 2)))));
    let id = deal.id;
    assert!(!accepts(&test, &world, move |tx| tx.records::<Deal>().delete(id, now).map(drop)));
    let gone = version(&deal, 3);
    assert!(accepts(&test, &world, move |tx| {
        tx.records::<Deal>().delete(id, now)?;
        tx.emit(std::slice::from_ref(&gone))
    }));
}
