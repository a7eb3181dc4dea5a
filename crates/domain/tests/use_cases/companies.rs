use serde_json::{Value, json};
use time::Duration;

use super::{at_version, events_of, fresh, listen, new, once, patch, refusal, refused_body, refused_patch, start};
use domain::crm::companies::{self, Company, CompanyFields, CompanyFilter};
use domain::identity::access::{CreateCompanies, DeleteCompanies, ReadCompanies, UpdateCompanies};
use domain::kernel::idempotency::IdempotentResult;
use domain::kernel::paging::{ListName, PageRequest};
use domain::kernel::search::SearchQuery;
use domain::kernel::versions::ExpectedVersion;
use domain::ports::Clock;
use domain::{CompanyId, Error};
use storage_contract::TestWorkspace;
use storage_memory::TestPorts;

fn create(test: &TestPorts, world: &TestWorkspace, body: Value) -> Result<Company, Error> {
    let permit = world.permit::<CreateCompanies>();
    let created = companies::create(&test.ports, &permit, None, new(body));
    test.block_on(created).map(|outcome| outcome.fresh().unwrap())
}

fn update(test: &TestPorts, world: &TestWorkspace, id: CompanyId, body: Value) -> Result<Company, Error> {
    let permit = world.permit::<UpdateCompanies>();
    test.block_on(companies::update(&test.ports, &permit, id, ExpectedVersion::Any, patch(body)))
}

fn delete(test: &TestPorts, world: &TestWorkspace, id: CompanyId, expected: ExpectedVersion) -> Result<(), Error> {
    test.block_on(companies::delete(&test.ports, &world.permit::<DeleteCompanies>(), id, expected))
}

fn read(test: &TestPorts, world: &TestWorkspace, id: CompanyId) -> Result<Company, Error> {
    test.block_on(companies::read(&test.ports, &world.permit::<ReadCompanies>(), id))
}

#[test]
fn a_create_is_read_back_with_its_domain_in_lower_case() {
    let (test, world) = start();
    let body =
        json!({"name": " Acme ", "domain": "Shop.ACME.example", "website": "https://acme.example", "notes": null});
    let company = create(&test, &world, body).unwrap();
    assert_eq!((company.name.as_str(), company.domain.as_deref()), ("Acme", Some("shop.acme.example")));
    assert_eq!((company.version, company.notes.as_deref()), (1, None));
    assert_eq!((company.created_at, company.updated_at), (test.clock.now(), test.clock.now()));
    assert_eq!(company.created_by.id, Some(world.key_id().0));
    assert_eq!(read(&test, &world, company.id).unwrap(), company);
}

#[test]
fn inputs_are_validated() {
    for (body, expected) in [
        (json!({}), "invalid_value name:required"),
        (json!({"name": null}), "validation_failed name:required"),
        (json!({"name": " "}), "validation_failed name:required"),
        (json!({"name": "x".repeat(256)}), "validation_failed name:too_long"),
        (json!({"name": "x", "email": "a@b.example"}), "unknown_field email:unknown_field"),
        (json!({"name": "x", "domain": "https://a.example"}), "validation_failed domain:invalid_domain"),
        (
            json!({"name": "x", "website": "a.example", "phone": "1".repeat(51)}),
            "validation_failed phone:too_long website:invalid_url",
        ),
        (
            json!({"name": "x", "industry": "x".repeat(181), "external_id": "x".repeat(256)}),
            "validation_failed industry:too_long external_id:too_long",
        ),
        (json!({"name": "x", "notes": "x".repeat(10_001)}), "validation_failed notes:too_long"),
    ] {
        assert_eq!(refused_body::<CompanyFields>(body), expected);
    }
    assert_eq!(refused_patch::<CompanyFields>(json!({"name": null})), "validation_failed name:required");
    assert_eq!(refused_patch::<CompanyFields>(json!({})), "validation_failed :empty_patch");
}

#[test]
fn an_update_counts_a_version_only_when_something_changes() {
    let (test, world) = start();
    let company = create(&test, &world, json!({"name": "Acme", "domain": "acme.example", "phone": "1"})).unwrap();
    test.clock.advance(Duration::MINUTE);
    let same = json!({"name": "Acme ", "domain": "ACME.example", "notes": null});
    assert_eq!(update(&test, &world, company.id, same).unwrap(), company);
    let changed = update(&test, &world, company.id, json!({"name": "Acme 2", "phone": null})).unwrap();
    let expected =
        Company { name: "Acme 2".to_owned(), phone: None, version: 2, updated_at: test.clock.now(), ..company };
    assert_eq!(changed, expected);
    assert_eq!(read(&test, &world, expected.id).unwrap(), expected);
}

#[test]
fn another_version_is_refused_and_changes_nothing() {
    let (test, world) = start();
    let company = create(&test, &world, json!({"name": "Acme"})).unwrap();
    let permit = world.permit::<UpdateCompanies>();
    let change = |expected| {
        let fields = patch::<CompanyFields>(json!({"name": "Other"}));
        test.block_on(companies::update(&test.ports, &permit, company.id, expected, fields))
    };
    assert!(matches!(change(at_version(2)), Err(Error::ConcurrentUpdate { current: 1 })));
    assert_eq!(refusal(delete(&test, &world, company.id, at_version(2))), "concurrent_update");
    assert_eq!(read(&test, &world, company.id).unwrap(), company);
    assert_eq!(change(at_version(1)).unwrap().version, 2);
    delete(&test, &world, company.id, at_version(2)).unwrap();
}

#[test]
fn domain_and_external_id_are_reserved_until_the_company_is_deleted() {
    let (test, world) = start();
    let body = |name: &str| json!({"name": name, "domain": "acme.example", "external_id": "x"});
    let first = create(&test, &world, body("Acme")).unwrap();
    let other = create(&test, &world, json!({"name": "Other"})).unwrap();
    let shouted = json!({"name": "Second", "domain": "ACME.EXAMPLE"});
    assert_eq!(refusal(create(&test, &world, shouted.clone())), "duplicate domain:duplicate");
    assert_eq!(refusal(update(&test, &world, other.id, shouted.clone())), "duplicate domain:duplicate");
    let external_id = json!({"external_id": "x"});
    assert_eq!(refusal(update(&test, &world, other.id, external_id)), "duplicate external_id:duplicate");
    assert_eq!(read(&test, &world, other.id).unwrap(), other);
    delete(&test, &world, first.id, ExpectedVersion::Any).unwrap();
    update(&test, &world, other.id, shouted).unwrap();
}

#[test]
fn a_deleted_company_is_found_nowhere_and_what_refers_to_it_keeps_its_id() {
    let (test, world) = start();
    let company = create(&test, &world, json!({"name": "Acme"})).unwrap();
    let contact = test.block_on(world.add(world.full_contact(company.id)));
    delete(&test, &world, company.id, ExpectedVersion::Any).unwrap();
    assert_eq!(refusal(delete(&test, &world, company.id, ExpectedVersion::Any)), "not_found");
    assert_eq!(refusal(read(&test, &world, company.id)), "not_found");
    assert_eq!(refusal(update(&test, &world, company.id, json!({"name": "B"}))), "not_found");
    assert_eq!(test.block_on(world.contacts()), [contact]);
}

#[test]
fn every_change_is_one_event() {
    let (test, world) = start();
    let hook = listen(&test, &world);
    let company = create(&test, &world, json!({"name": "Acme"})).unwrap();
    test.clock.advance(Duration::SECOND);
    update(&test, &world, company.id, json!({"name": "Acme"})).unwrap();
    let second = update(&test, &world, company.id, json!({"name": "B", "domain": "b.example"})).unwrap();
    assert_eq!(refusal(update(&test, &world, world.id().into(), json!({"name": "C"}))), "not_found");
    test.clock.advance(Duration::SECOND);
    delete(&test, &world, company.id, ExpectedVersion::Any).unwrap();
    let gone = Company { version: 3, updated_at: test.clock.now(), ..second.clone() };
    let actor = json!({"type": "api_key", "id": world.key_id(), "name": "suite"});
    let changes = json!({"name": {"from": "Acme", "to": "B"}, "domain": {"from": null, "to": "b.example"}});
    let expected = [
        ("company.created", json!({"data": company, "changes": {}, "actor": actor})),
        ("company.updated", json!({"data": second, "changes": changes, "actor": actor})),
        ("company.deleted", json!({"data": gone, "changes": {}, "actor": actor})),
    ];
    assert_eq!(events_of(&test, &world, hook), expected.map(|(name, payload)| (name.to_owned(), payload)));
}

#[test]
fn a_company_takes_one_of_the_months_quota() {
    let (test, world) = start();
    let month = domain::limits::quota::month_of(world.now());
    let count = || test.block_on(world.look(move |tx| tx.quota().used(month)));
    let before = count();
    create(&test, &world, json!({"name": "Acme", "external_id": "x"})).unwrap();
    assert_eq!(count(), before + 1);
    assert_eq!(
        refusal(create(&test, &world, json!({"name": "B", "external_id": "x"}))),
        "duplicate external_id:duplicate"
    );
    assert_eq!(count(), before + 1, "what is rolled back was never counted");
}

#[test]
fn a_search_is_paged_by_cursors_of_its_own_list() {
    let (test, world) = start();
    let mut all: Vec<_> =
        (0..5).map(|number| create(&test, &world, json!({"name": format!("Acme {number}")})).unwrap().id).collect();
    create(&test, &world, json!({"name": "Other"})).unwrap();
    all.reverse();
    let permit = world.permit::<ReadCompanies>();
    let list = |text, request| {
        let filter = CompanyFilter { search: SearchQuery::parse(text).unwrap(), ..CompanyFilter::default() };
        test.block_on(companies::list(&test.ports, &permit, filter, request)).unwrap()
    };
    let (mut found, mut request) = (Vec::new(), PageRequest::first(2));
    loop {
        let page = list("acme", request);
        found.extend(page.items.iter().map(|company| company.id));
        let Some(cursor) = page.next_cursor else { break };
        let mut problems = domain::kernel::input::Problems::default();
        request = PageRequest::parse(ListName::Companies, None, Some("2"), Some(&cursor), &mut problems);
        problems.into_result().unwrap();
    }
    assert_eq!(found, all);
    let page = list("acme &", PageRequest::first(2));
    assert!(page.items.is_empty() && page.next_cursor.is_none());
}

#[test]
fn an_idempotent_create_happens_once() {
    let (test, world) = start();
    let permit = world.permit::<CreateCompanies>();
    let post = || {
        let fields = new(json!({"name": "Acme", "domain": "acme.example"}));
        test.block_on(companies::create(&test.ports, &permit, Some(once("k", 1)), fields))
    };
    let first = fresh(post());
    let Ok(IdempotentResult::Replayed(answer)) = post() else { panic!() };
    assert_eq!(answer.body, serde_json::to_string(&first).unwrap());
}

#[test]
fn companies_need_the_scopes_of_the_crm() {
    let caller = |scope| domain::testing::caller(&[scope]);
    assert!(caller("crm.read").permit::<ReadCompanies>().is_ok());
    assert!(caller("crm.read").permit::<CreateCompanies>().is_err());
    assert!(caller("contacts.write").permit::<ReadCompanies>().is_err());
    let writer = caller("crm.write");
    assert!(writer.permit::<CreateCompanies>().is_ok() && writer.permit::<UpdateCompanies>().is_ok());
    assert!(writer.permit::<DeleteCompanies>().is_ok());
}
