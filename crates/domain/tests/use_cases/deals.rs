use serde_json::json;
use time::Duration;

use super::{create, delete, events_of, fresh, listen, new, once, patch, read, refusal, start, update};
use domain::crm::companies::Company;
use domain::crm::deals::{Deal, DealFields, DealStage, DealStatus};
use domain::identity::access::{CreateDeals, UpdateDeals};
use domain::kernel::idempotency::{IdempotentResult, RETENTION};
use domain::kernel::versions::ExpectedVersion;
use domain::ports::Clock;
use domain::records::{self, RecordChange};
use domain::{DealId, Error};
use storage_contract::TestWorkspace;
use test_databases::TestPorts;
use uuid::Uuid;

#[test]
fn a_new_deal_has_defaults() {
    let (test, world) = start();
    let deal = create::<Deal>(&test, &world, json!({"title": "D", "value": 0.1, "stage": "closed_won"})).unwrap();
    assert_eq!((deal.version, deal.status, deal.currency.as_str()), (1, DealStatus::ClosedWon, "USD"));
    assert_eq!(deal.actual_close_date, Some(test.clock.now().date()));
    assert_eq!((deal.created_at, deal.updated_at), (test.clock.now(), test.clock.now()));
    assert_eq!(deal.created_by.id, Some(world.key_id().0));
    assert_eq!(read::<Deal>(&test, &world, deal.id).unwrap(), deal);
}

#[test]
fn a_deal_created_as_closed_emits_both_events() {
    let (test, world) = start();
    let hook = listen(&test, &world);
    create::<Deal>(&test, &world, json!({"title": "W", "stage": "closed_won"})).unwrap();
    create::<Deal>(&test, &world, json!({"title": "L", "status": "closed_lost"})).unwrap();
    create::<Deal>(&test, &world, json!({"title": "O", "status": "on_hold"})).unwrap();
    let names: Vec<_> = events_of(&test, &world, hook).into_iter().map(|(name, _)| name).collect();
    assert_eq!(names, ["deal.created", "deal.won", "deal.created", "deal.lost", "deal.created"]);
}

#[test]
fn references_must_be_live_and_all_missing_ones_are_reported() {
    let (test, world) = start();
    let id = world.id();
    let body =
        json!({"title": "D", "contact_id": id, "company_id": id, "assigned_to": id, "rep_id": id, "package_id": id});
    let expected = "validation_failed contact_id:not_found company_id:not_found assigned_to:not_found rep_id:not_found";
    assert_eq!(refusal(create::<Deal>(&test, &world, body)), expected);
    let contradiction = json!({"title": "D", "status": "open", "stage": "closed_won"});
    assert_eq!(super::refused_body::<DealFields>(contradiction), "validation_failed stage:contradicts_status");
}

#[test]
fn an_update_increments_the_version_only_if_something_changes() {
    let (test, world) = start();
    let deal = create::<Deal>(&test, &world, json!({"title": "D", "tags": ["a"]})).unwrap();
    test.clock.advance(Duration::MINUTE);
    let same = json!({"title": "D", "tags": ["a"], "status": null, "currency": null, "value": null});
    assert_eq!(update::<Deal>(&test, &world, deal.id, same).unwrap(), deal);
    let changed = update::<Deal>(&test, &world, deal.id, json!({"value": 12.5, "stage": "proposal"})).unwrap();
    let expected = Deal {
        value: Some("12.5".parse().unwrap()),
        stage: DealStage::Proposal,
        version: 2,
        updated_at: test.clock.now(),
        ..deal
    };
    assert_eq!(changed, expected);
    assert_eq!(read::<Deal>(&test, &world, expected.id).unwrap(), expected);
    // The same number in another notation is not a change.
    assert_eq!(update::<Deal>(&test, &world, expected.id, json!({"value": 12.50})).unwrap().version, 2);
}

#[test]
fn a_deleted_record_keeps_old_references_and_gets_no_new_ones() {
    let (test, world) = start();
    let company = test.block_on(world.add(world.bare_company()));
    let other = test.block_on(world.add(world.bare_company()));
    let deal = create::<Deal>(&test, &world, json!({"title": "D", "company_id": company.id})).unwrap();
    for id in [company.id, other.id] {
        test.block_on(world.delete::<Company>(id));
    }
    let changed = update::<Deal>(&test, &world, deal.id, json!({"title": "E", "company_id": company.id})).unwrap();
    assert_eq!((changed.version, changed.company_id), (2, Some(company.id)));
    let refused = "validation_failed company_id:not_found";
    assert_eq!(refusal(update::<Deal>(&test, &world, deal.id, json!({"company_id": other.id}))), refused);
    assert_eq!(refusal(create::<Deal>(&test, &world, json!({"title": "D", "company_id": company.id}))), refused);
    update::<Deal>(&test, &world, deal.id, json!({"company_id": null})).unwrap();
    assert_eq!(refusal(update::<Deal>(&test, &world, deal.id, json!({"company_id": company.id}))), refused);
}

#[test]
fn refused_status_changes_change_nothing() {
    let (test, world) = start();
    let deal =
        create::<Deal>(&test, &world, json!({"title": "D", "status": "closed_lost", "lost_reason": "price"})).unwrap();
    for body in [json!({"status": "closed_won"}), json!({"status": "on_hold"}), json!({"stage": "proposal"})] {
        assert_eq!(refusal(update::<Deal>(&test, &world, deal.id, body)), "invalid_state_change");
    }
    // References are checked before the state.
    let both = json!({"status": "closed_won", "company_id": world.id()});
    assert_eq!(refusal(update::<Deal>(&test, &world, deal.id, both)), "validation_failed company_id:not_found");
    assert_eq!(read::<Deal>(&test, &world, deal.id).unwrap(), deal);
    let reopened = update::<Deal>(&test, &world, deal.id, json!({"status": "open"})).unwrap();
    assert_eq!((reopened.stage, reopened.actual_close_date), (DealStage::Negotiation, None));
    assert_eq!(reopened.lost_reason, None);
}

#[test]
fn deletion_happens_once_and_frees_the_external_id() {
    let (test, world) = start();
    let body = json!({"title": "D", "external_id": "x"});
    let deal = create::<Deal>(&test, &world, body.clone()).unwrap();
    assert_eq!(refusal(create::<Deal>(&test, &world, body.clone())), "duplicate external_id:duplicate");
    delete::<Deal>(&test, &world, deal.id, ExpectedVersion::Any).unwrap();
    assert_eq!(refusal(delete::<Deal>(&test, &world, deal.id, ExpectedVersion::Any)), "not_found");
    assert_eq!(refusal(read::<Deal>(&test, &world, deal.id)), "not_found");
    assert_eq!(refusal(update::<Deal>(&test, &world, deal.id, json!({"title": "E"}))), "not_found");
    let recreated = create::<Deal>(&test, &world, body).unwrap();
    let other = create::<Deal>(&test, &world, json!({"title": "O"})).unwrap();
    let duplicate = update::<Deal>(&test, &world, other.id, json!({"external_id": "x"}));
    assert_eq!(refusal(duplicate), "duplicate external_id:duplicate");
    assert_ne!(recreated.id, deal.id);
}

#[test]
fn an_idempotent_create_happens_once() {
    let (test, world) = start();
    let permit = world.permit::<CreateDeals>();
    let post = |key, fingerprint, title: &str| {
        let fields = new(json!({"title": title}));
        test.block_on(records::create::<Deal>(&test.ports, &permit, Some(once(key, fingerprint)), fields))
    };
    let first = fresh(post("k", 1, "D"));
    test.clock.advance(RETENTION);
    let Ok(IdempotentResult::Replayed(response)) = post("k", 1, "D") else { panic!() };
    assert_eq!(response.body, serde_json::to_string(&first).unwrap());
    assert!(matches!(post("k", 2, "E"), Err(Error::IdempotencyConflict(_))));
    fresh(post("l", 2, "E"));
    test.clock.advance(Duration::MICROSECOND);
    assert_ne!(fresh(post("k", 2, "F")).id, first.id);
}

fn as_json(test: &TestPorts, world: &TestWorkspace, id: DealId) -> serde_json::Map<String, serde_json::Value> {
    let deal = json!(read::<Deal>(test, world, id).unwrap()).as_object().cloned().unwrap();
    deal.into_iter().filter(|(name, _)| !["version", "updated_at"].contains(&name.as_str())).collect()
}

#[test]
fn updates_of_several_deals_change_only_sent_members_and_can_be_undone() {
    let (test, world) = start();
    let permit = world.permit::<UpdateDeals>();
    let ids = ["One", "Two", "Three"].map(|title| {
        let body = json!({
            "title": title, "tags": ["a"], "custom_fields": {"size": "M"}, "expected_close_date": "2030-01-31",
            "assigned_to": world.member, "value": 12.5,
        });
        create::<Deal>(&test, &world, body).unwrap().id
    });
    let change = |changes| test.block_on(records::update_each::<Deal>(&test.ports, &permit, changes)).unwrap();
    for body in [
        json!({"assigned_to": null}),
        json!({"stage": "proposal"}),
        json!({"status": "closed_lost", "lost_reason": "Price"}),
        json!({"stage": "closed_won"}),
        json!({"expected_close_date": null}),
        json!({"tags": []}),
        json!({"custom_fields": {"size": null, "new": 1}}),
        json!({"title": "Same", "value": null, "source": "Fair"}),
    ] {
        let before = ids.map(|id| as_json(&test, &world, id));
        let change_to =
            |id: DealId| RecordChange { id: id.0, expected: ExpectedVersion::Any, fields: patch(body.clone()) };
        let mut former = Vec::new();
        for outcome in change(ids.map(change_to).to_vec()) {
            let values = outcome.result.unwrap();
            let index = ids.iter().position(|id| id.0 == outcome.id).unwrap();
            let after = as_json(&test, &world, ids[index]);
            for (name, value) in &before[index] {
                assert_eq!(values.patch.contains_key(name), after[name] != *value, "{body} {name}");
            }
            former.push(values);
        }
        let back = former.into_iter().map(|one| RecordChange {
            id: one.id,
            expected: ExpectedVersion::OneOf(vec![one.version]),
            fields: patch(serde_json::Value::Object(one.patch)),
        });
        assert!(change(back.collect()).into_iter().all(|outcome| outcome.result.is_ok()), "{body}");
        assert_eq!(ids.map(|id| as_json(&test, &world, id)), before, "{body}");
    }
}

#[test]
fn each_of_several_deals_has_its_own_outcome() {
    let (test, world) = start();
    let ids = ["Open", "Won"].map(|title| create::<Deal>(&test, &world, json!({"title": title})).unwrap().id);
    let _ = update::<Deal>(&test, &world, ids[1], json!({"status": "closed_won"})).unwrap();
    let change_of = |id: Uuid, expected| RecordChange { id, expected, fields: patch(json!({"status": "on_hold"})) };
    let changes = vec![
        change_of(ids[0].0, ExpectedVersion::OneOf(vec![1])),
        change_of(ids[1].0, ExpectedVersion::Any),
        change_of(world.id(), ExpectedVersion::Any),
    ];
    let permit = world.permit::<UpdateDeals>();
    let outcomes = test.block_on(records::update_each::<Deal>(&test.ports, &permit, changes.clone())).unwrap();
    let outcome_of = |id: DealId| outcomes.iter().find(|outcome| outcome.id == id.0).unwrap();
    assert_eq!(outcome_of(ids[0]).result.as_ref().unwrap().version, 2);
    assert!(matches!(outcome_of(ids[1]).result, Err(Error::InvalidStateChange(_))));
    assert_eq!(outcomes.iter().filter(|outcome| matches!(outcome.result, Err(Error::NotFound(_)))).count(), 1);
    let repeated = test.block_on(records::update_each::<Deal>(&test.ports, &permit, changes)).unwrap();
    let outcome_of = repeated.iter().find(|outcome| outcome.id == ids[0].0).unwrap();
    assert!(matches!(outcome_of.result, Err(Error::ConcurrentUpdate { current: 2 })));
}
