use serde_json::json;
use time::Duration;

use super::{create, delete, events_of, listen, read, refusal, start, update};
use domain::crm::companies::Company;
use domain::kernel::versions::ExpectedVersion;
use domain::ports::Clock;

#[test]
fn a_new_company_has_its_domain_in_lower_case() {
    let (test, world) = start();
    let body =
        json!({"name": " Acme ", "domain": "Shop.ACME.example", "website": "https://acme.example", "notes": null});
    let company = create::<Company>(&test, &world, body).unwrap();
    assert_eq!((company.name.as_str(), company.domain.as_deref()), ("Acme", Some("shop.acme.example")));
    assert_eq!((company.version, company.notes.as_deref()), (1, None));
    assert_eq!((company.created_at, company.updated_at), (test.clock.now(), test.clock.now()));
    assert_eq!(company.created_by.id, Some(world.key_id().0));
    assert_eq!(read::<Company>(&test, &world, company.id).unwrap(), company);
}

#[test]
fn an_update_increments_the_version_only_if_something_changes() {
    let (test, world) = start();
    let company =
        create::<Company>(&test, &world, json!({"name": "Acme", "domain": "acme.example", "phone": "1"})).unwrap();
    test.clock.advance(Duration::MINUTE);
    let same = json!({"name": "Acme ", "domain": "ACME.example", "notes": null});
    assert_eq!(update::<Company>(&test, &world, company.id, same).unwrap(), company);
    let changed = update::<Company>(&test, &world, company.id, json!({"name": "Acme 2", "phone": null})).unwrap();
    let expected =
        Company { name: "Acme 2".to_owned(), phone: None, version: 2, updated_at: test.clock.now(), ..company };
    assert_eq!(changed, expected);
    assert_eq!(read::<Company>(&test, &world, expected.id).unwrap(), expected);
}

#[test]
fn every_change_is_one_event() {
    let (test, world) = start();
    let hook = listen(&test, &world);
    let company = create::<Company>(&test, &world, json!({"name": "Acme"})).unwrap();
    test.clock.advance(Duration::SECOND);
    update::<Company>(&test, &world, company.id, json!({"name": "Acme"})).unwrap();
    let second = update::<Company>(&test, &world, company.id, json!({"name": "B", "domain": "b.example"})).unwrap();
    assert_eq!(refusal(update::<Company>(&test, &world, world.id().into(), json!({"name": "C"}))), "not_found");
    test.clock.advance(Duration::SECOND);
    delete::<Company>(&test, &world, company.id, ExpectedVersion::Any).unwrap();
    let deleted = Company { version: 3, updated_at: test.clock.now(), ..second.clone() };
    let actor = json!({"type": "api_key", "id": world.key_id(), "name": "suite"});
    let changes = json!({"name": {"from": "Acme", "to": "B"}, "domain": {"from": null, "to": "b.example"}});
    let expected = [
        ("company.created", json!({"data": company, "changes": {}, "actor": actor})),
        ("company.updated", json!({"data": second, "changes": changes, "actor": actor})),
        ("company.deleted", json!({"data": deleted, "changes": {}, "actor": actor})),
    ];
    assert_eq!(events_of(&test, &world, hook), expected.map(|(name, payload)| (name.to_owned(), payload)));
}

#[test]
fn a_company_counts_towards_the_monthly_quota() {
    let (test, world) = start();
    let month = domain::limits::quota::month_of(world.now());
    let count = || test.block_on(world.read(move |tx| tx.quota().used(month)));
    let before = count();
    create::<Company>(&test, &world, json!({"name": "Acme", "external_id": "x"})).unwrap();
    assert_eq!(count(), before + 1);
    let duplicate = create::<Company>(&test, &world, json!({"name": "B", "external_id": "x"}));
    assert_eq!(refusal(duplicate), "duplicate external_id:duplicate");
    assert_eq!(count(), before + 1, "a rolled-back create does not count");
}
