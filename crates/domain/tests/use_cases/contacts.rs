use serde_json::json;
use time::Duration;

use super::{at_version, create, delete, events_of, listen, patch, read, refusal, refused_patch, start, update};
use domain::Error;
use domain::crm::companies::Company;
use domain::crm::contacts::{Contact, ContactFields, ContactStatus, ContactType};
use domain::crm::deals::Deal;
use domain::identity::access::UpdateContacts;
use domain::kernel::versions::ExpectedVersion;
use domain::ports::Clock;
use domain::records;

#[test]
fn an_update_increments_the_version_only_if_something_changes() {
    let (test, world) = start();
    let body = json!({"email": "Ann@example.org", "tags": ["a"], "phone": "1", "custom_fields": {"a": 1}});
    let contact = create::<Contact>(&test, &world, body).unwrap();
    test.clock.advance(Duration::MINUTE);
    let same = json!({"email": " Ann@example.org", "tags": ["a"], "status": null, "contact_type": "new", "company_id": "",
        "custom_fields": {"a": 1}});
    assert_eq!(update::<Contact>(&test, &world, contact.id, same).unwrap(), contact);
    let changed =
        update::<Contact>(&test, &world, contact.id, json!({"email": "ANN@example.org", "phone": null})).unwrap();
    let expected = Contact {
        email: "ANN@example.org".to_owned(),
        phone: None,
        version: 2,
        updated_at: test.clock.now(),
        ..contact
    };
    assert_eq!(changed, expected);
    assert_eq!(read::<Contact>(&test, &world, expected.id).unwrap(), expected);
}

#[test]
fn null_restores_the_default_and_is_refused_for_required_members() {
    let (test, world) = start();
    let set = json!({"email": "a@example.org", "contact_type": "customer", "status": "blocked", "tags": ["a"],
        "custom_fields": {"a": 1}, "city": "Bern"});
    let contact = create::<Contact>(&test, &world, set).unwrap();
    let nulls = json!({"contact_type": null, "status": null, "tags": null, "custom_fields": null, "city": ""});
    let cleared = update::<Contact>(&test, &world, contact.id, nulls).unwrap();
    assert_eq!((cleared.contact_type, cleared.status), (ContactType::New, ContactStatus::Active));
    assert!(cleared.tags.is_empty() && cleared.custom_fields.is_empty() && cleared.city.is_none());
    for (body, expected) in [
        (json!({"email": null}), "validation_failed email:required"),
        (json!({"email": ""}), "validation_failed email:required"),
        (json!({}), "validation_failed :empty_patch"),
    ] {
        assert_eq!(refused_patch::<ContactFields>(body), expected);
    }
}

#[test]
fn addresses_and_external_ids_are_reserved_until_the_contact_is_deleted() {
    let (test, world) = start();
    let first = create::<Contact>(&test, &world, json!({"email": "ann@example.org", "external_id": "x"})).unwrap();
    let other = create::<Contact>(&test, &world, json!({"email": "bob@example.org"})).unwrap();
    let (email, external_id) = (json!({"email": "Ann@Example.org"}), json!({"external_id": "x"}));
    assert_eq!(refusal(update::<Contact>(&test, &world, other.id, email.clone())), "duplicate email:duplicate");
    let duplicate = update::<Contact>(&test, &world, other.id, external_id.clone());
    assert_eq!(refusal(duplicate), "duplicate external_id:duplicate");
    assert_eq!(read::<Contact>(&test, &world, other.id).unwrap(), other);
    delete::<Contact>(&test, &world, first.id, ExpectedVersion::Any).unwrap();
    update::<Contact>(&test, &world, other.id, email).unwrap();
    update::<Contact>(&test, &world, other.id, external_id).unwrap();
}

#[test]
fn a_company_is_checked_only_when_it_changes() {
    let (test, world) = start();
    let [company, other] = [0, 1].map(|_| test.block_on(world.add(world.bare_company())).id);
    let contact = create::<Contact>(&test, &world, json!({"email": "a@example.org", "company_id": company})).unwrap();
    for id in [company, other] {
        test.block_on(world.delete::<Company>(id));
    }
    let updated = update::<Contact>(&test, &world, contact.id, json!({"city": "Bern", "company_id": company})).unwrap();
    assert_eq!((updated.version, updated.company_id), (2, Some(company)));
    let refused = "validation_failed company_id:not_found";
    assert_eq!(refusal(update::<Contact>(&test, &world, contact.id, json!({"company_id": other}))), refused);
    // References are checked before the version.
    let permit = world.permit::<UpdateContacts>();
    let fields = patch(json!({"company_id": other}));
    let both = records::update::<Contact>(&test.ports, &permit, contact.id, at_version(9), fields);
    assert_eq!(refusal(test.block_on(both)), refused);
    assert_eq!(update::<Contact>(&test, &world, contact.id, json!({"company_id": null})).unwrap().company_id, None);
    assert_eq!(refusal(update::<Contact>(&test, &world, contact.id, json!({"company_id": company}))), refused);
}

#[test]
fn another_version_is_refused_and_changes_nothing() {
    let (test, world) = start();
    let contact = create::<Contact>(&test, &world, json!({"email": "a@example.org"})).unwrap();
    let permit = world.permit::<UpdateContacts>();
    let change = |expected| {
        let fields = patch::<ContactFields>(json!({"city": "Bern"}));
        test.block_on(records::update::<Contact>(&test.ports, &permit, contact.id, expected, fields))
    };
    assert!(matches!(change(at_version(2)), Err(Error::ConcurrentUpdate { current: 1 })));
    assert_eq!(refusal(delete::<Contact>(&test, &world, contact.id, at_version(2))), "concurrent_update");
    assert_eq!(read::<Contact>(&test, &world, contact.id).unwrap(), contact);
    assert_eq!(change(at_version(1)).unwrap().version, 2);
    delete::<Contact>(&test, &world, contact.id, at_version(2)).unwrap();
}

#[test]
fn a_deleted_contact_is_not_found_and_references_keep_its_id() {
    let (test, world) = start();
    let contact = create::<Contact>(&test, &world, json!({"email": "a@example.org"})).unwrap();
    let deal = Deal { contact_id: Some(contact.id), ..world.bare_deal() };
    let deal = test.block_on(world.add(deal));
    delete::<Contact>(&test, &world, contact.id, ExpectedVersion::Any).unwrap();
    assert_eq!(refusal(delete::<Contact>(&test, &world, contact.id, ExpectedVersion::Any)), "not_found");
    assert_eq!(refusal(read::<Contact>(&test, &world, contact.id)), "not_found");
    assert_eq!(refusal(update::<Contact>(&test, &world, contact.id, json!({"city": "Bern"}))), "not_found");
    assert!(test.block_on(world.contacts()).is_empty());
    assert_eq!(test.block_on(world.get::<Deal>(deal.id)), Some(deal));
}

#[test]
fn every_change_is_one_event() {
    let (test, world) = start();
    let hook = listen(&test, &world);
    let contact = create::<Contact>(&test, &world, json!({"email": "a@example.org"})).unwrap();
    test.clock.advance(Duration::SECOND);
    update::<Contact>(&test, &world, contact.id, json!({"status": "active"})).unwrap();
    let second = update::<Contact>(&test, &world, contact.id, json!({"status": "blocked", "tags": ["a"]})).unwrap();
    test.clock.advance(Duration::SECOND);
    delete::<Contact>(&test, &world, contact.id, ExpectedVersion::Any).unwrap();
    let deleted = Contact { version: 3, updated_at: test.clock.now(), ..second.clone() };
    let actor = json!({"type": "api_key", "id": world.key_id(), "name": "suite"});
    let changes = json!({"status": {"from": "active", "to": "blocked"}, "tags": {"from": [], "to": ["a"]}});
    let expected = [
        ("contact.created", json!({"data": contact, "changes": {}, "actor": actor})),
        ("contact.updated", json!({"data": second, "changes": changes, "actor": actor})),
        ("contact.deleted", json!({"data": deleted, "changes": {}, "actor": actor})),
    ];
    assert_eq!(events_of(&test, &world, hook), expected.map(|(name, payload)| (name.to_owned(), payload)));
}
