//! The store of these tests detects writes without an event.

use super::start;
use domain::crm::comments::{CrmRecord, RecordComment};
use domain::crm::deals::Deal;
use domain::events::{Event, EventRecord, Module};
use domain::identity::access::ReadDeals;
use domain::ports::{StoreError, Tx, transact};
use domain::{CommentId, testing};
use storage_contract::TestWorkspace;
use test_databases::TestPorts;

fn event(deal: &Deal, version: Option<i64>) -> Event {
    Event {
        record: Some(EventRecord { noun: "deal", id: deal.id.0 }),
        version,
        ..testing::event(Module::Crm, "deal.updated", deal.updated_at)
    }
}

/// Whether the store accepts the work of a use case.
fn accepts(
    test: &TestPorts,
    world: &TestWorkspace,
    mut work: impl FnMut(&mut dyn Tx) -> Result<(), StoreError> + Send + 'static,
) -> bool {
    let permit = world.permit::<ReadDeals>();
    match test.block_on(transact(&test.ports, &permit, move |tx| Ok(work(tx)?))) {
        Ok(()) => true,
        Err(error) => {
            assert!(format!("{error:?}").contains("was written without an event"), "{error:?}");
            false
        }
    }
}

#[test]
fn a_write_needs_an_event_of_its_record_and_version() {
    let (test, world) = start();
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
    assert!(!accepts(&test, &world, insert(Some(event(&other, Some(1))))), "the event of another record");
    assert!(!accepts(&test, &world, insert(Some(event(&deal, Some(2))))), "the event of another version");
    assert!(accepts(&test, &world, insert(Some(event(&deal, Some(1))))));
    let changed = Deal { title: "Changed".to_owned(), version: 2, ..deal.clone() };
    let save = |event: Option<Event>| {
        let changed = changed.clone();
        move |tx: &mut dyn Tx| {
            tx.records::<Deal>().save(&changed)?;
            tx.emit(event.as_slice())
        }
    };
    assert!(!accepts(&test, &world, save(None)));
    assert!(accepts(&test, &world, save(Some(event(&deal, Some(2))))));
    let (id, author) = (CommentId(world.id()), world.member_actor());
    let blank = RecordComment::blank(id, CrmRecord::Deal(deal.id), author, author, now);
    let comment = |event: Option<Event>| {
        let comment = RecordComment { body: "Said".to_owned(), ..blank.clone() };
        move |tx: &mut dyn Tx| {
            tx.record_comments().insert(&comment)?;
            tx.emit(event.as_slice())
        }
    };
    assert!(!accepts(&test, &world, comment(None)));
    assert!(accepts(&test, &world, comment(Some(event(&deal, None)))));
    let id = deal.id;
    assert!(!accepts(&test, &world, move |tx| tx.records::<Deal>().delete(id, now).map(drop)));
    let deletion = event(&deal, Some(3));
    assert!(accepts(&test, &world, move |tx| {
        tx.records::<Deal>().delete(id, now)?;
        tx.emit(std::slice::from_ref(&deletion))
    }));
}
