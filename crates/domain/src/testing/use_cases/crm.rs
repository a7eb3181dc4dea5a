use serde_json::json;

use super::{fresh, new, once, refusal, start};
use crate::Error;
use crate::access::{CreateContacts, ReadContacts};
use crate::contacts::{self, Contact, ContactFilter};
use crate::idempotency::Outcome;
use crate::paging::{ListName, PageRequest};
use crate::search::Query;
use crate::testing::TestPorts;
use crate::testing::suite::World;

fn create(test: &TestPorts, world: &World, body: serde_json::Value) -> Result<Contact, Error> {
    let permit = world.permit::<CreateContacts>();
    let created = contacts::create(&test.ports, &permit, None, new(body));
    test.block_on(created).map(|outcome| outcome.fresh().unwrap())
}

#[test]
fn a_contact_keeps_its_address_as_given_and_takes_it_without_regard_to_case() {
    let (test, world) = start();
    let contact = create(&test, &world, json!({"email": " Ann@Example.ORG ", "company_id": ""})).unwrap();
    assert_eq!((contact.email.as_str(), contact.company_id), ("Ann@Example.ORG", None));
    let taken = create(&test, &world, json!({"email": "ann@example.org"}));
    assert_eq!(refusal(taken), "duplicate email:duplicate");
}

#[test]
fn a_company_must_be_there() {
    let (test, world) = start();
    let company = test.block_on(world.add(world.bare_company())).id;
    let body = |id| json!({"email": world.new_email(), "company_id": id});
    assert_eq!(create(&test, &world, body(company.0)).unwrap().company_id, Some(company));
    let refused = create(&test, &world, body(world.id()));
    assert_eq!(refusal(refused), "validation_failed company_id:not_found");
}

#[test]
fn pages_lead_to_each_other() {
    let (test, world) = start();
    let body = || json!({"email": world.new_email(), "last_name": "Lee"});
    let mut all: Vec<_> = (0..5).map(|_| create(&test, &world, body()).unwrap().id).collect();
    all.reverse();
    let filter = || ContactFilter { statuses: Vec::new(), search: Query::parse("lee").unwrap() };
    let permit = world.permit::<ReadContacts>();
    let list = |request| test.block_on(contacts::list(&test.ports, &permit, filter(), request)).unwrap();
    let (mut found, mut request) = (Vec::new(), PageRequest::first(2));
    loop {
        let page = list(request);
        found.extend(page.items.iter().map(|contact| contact.id));
        let Some(cursor) = page.next_cursor else { break };
        let mut problems = crate::input::Problems::default();
        request = PageRequest::parse(ListName::Contacts, None, Some("2"), Some(&cursor), &mut problems);
        problems.into_result().unwrap();
    }
    assert_eq!(found, all);
    let nothing = ContactFilter { statuses: Vec::new(), search: Query::parse("lee &").unwrap() };
    let page = test.block_on(contacts::list(&test.ports, &permit, nothing, PageRequest::first(2))).unwrap();
    assert!(page.items.is_empty() && page.next_cursor.is_none());
}

#[test]
fn an_idempotent_create_happens_once() {
    let (test, world) = start();
    let permit = world.permit::<CreateContacts>();
    let post = || {
        let fields = new(json!({"email": "a@example.org"}));
        test.block_on(contacts::create(&test.ports, &permit, Some(once("k", 1)), fields))
    };
    let first = fresh(post());
    let Ok(Outcome::Replayed(answer)) = post() else { panic!() };
    assert_eq!(answer.body, serde_json::to_string(&first).unwrap());
}
