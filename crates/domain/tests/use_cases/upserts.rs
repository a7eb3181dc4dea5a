use proptest::prelude::*;
use serde_json::{Value, json};

use super::{add_world, create, events_of, list, listen, new, once, start, update, upsert};
use domain::crm::companies::{Company, CompanyFilter};
use domain::crm::deals::Deal;
use domain::crm::upserts::{self, ItemOutcome};
use domain::identity::access::UpsertCompanies;
use domain::kernel::idempotency::IdempotentResult;
use storage_contract::TestWorkspace;
use test_databases::TestPorts;

fn all(test: &TestPorts, world: &TestWorkspace) -> Vec<Company> {
    let mut found = list::<Company>(test, world, CompanyFilter::default());
    found.sort_by_key(|company| company.external_id.clone());
    found
}

#[test]
fn an_item_behaves_like_a_create_or_an_update() {
    let ((test, world), (other, other_world)) = (start(), start());
    let (subscription, other_subscription) = (listen(&test, &world), listen(&other, &other_world));
    let create_body = json!({"title": "d", "external_id": "d", "stage": "proposal", "value": 12.5, "tags": ["a"]});
    let won_body = json!({"external_id": "d", "status": "closed_won", "tags": null, "source": "fair"});
    for item in [&create_body, &won_body, &won_body] {
        assert_eq!(upsert::<Deal>(&test, &world, [item]).failed, []);
    }
    let deal = create::<Deal>(&other, &other_world, create_body).unwrap();
    for _ in 0..2 {
        update::<Deal>(&other, &other_world, deal.id, won_body.clone()).unwrap();
    }
    let comparable = |(name, mut payload): (String, Value)| {
        let data = payload["data"].as_object_mut().unwrap();
        for field in ["id", "created_at", "updated_at", "created_by"] {
            data.remove(field);
        }
        (name, data.clone(), payload["changes"].clone())
    };
    let events = |test, world, subscription| {
        events_of(test, world, subscription).into_iter().map(comparable).collect::<Vec<_>>()
    };
    assert_eq!(events(&test, &world, subscription), events(&other, &other_world, other_subscription));
}

#[test]
fn an_idempotency_key_replays_the_outcomes_except_of_dry_runs() {
    let (test, world) = start();
    let permit = world.permit::<UpsertCompanies>();
    let call = |is_dry: bool| {
        let arguments = new(json!({"items": [{"name": "n", "external_id": "x"}], "dry_run": is_dry}));
        test.block_on(upserts::upsert::<Company>(&test.ports, &permit, Some(once("k", 1)), arguments)).unwrap()
    };
    for _ in 0..2 {
        let IdempotentResult::Fresh(dry) = call(true) else { panic!("kept") };
        assert_eq!((dry.created, dry.outcomes), (vec![None], vec![ItemOutcome::Created]));
    }
    let IdempotentResult::Fresh(created) = call(false) else { panic!("kept") };
    assert!(created.created[0].is_some());
    assert!(matches!(call(false), IdempotentResult::Replayed(_)));
    assert_eq!(all(&test, &world).len(), 1);
}

#[test]
fn an_item_with_an_outdated_version_is_refused_and_the_others_are_written() {
    let (test, world) = start();
    let items = [json!({"name": "a", "external_id": "a"}), json!({"name": "b", "external_id": "b"})];
    let first = upsert::<Company>(&test, &world, items);
    let ids: Vec<_> = first.created.into_iter().flatten().collect();
    let items = [
        json!({"name": "a2", "external_id": "a", "expected_version": 1}),
        json!({"name": "b2", "external_id": "b", "expected_version": 2}),
        json!({"name": "c", "external_id": "c", "expected_version": 1}),
        json!({"name": "d", "external_id": "d", "expected_version": 0}),
        json!({"name": "e", "external_id": "e", "expected_version": null}),
    ];
    let second = upsert::<Company>(&test, &world, items);
    let [created, updated, failed] = [ItemOutcome::Created, ItemOutcome::Updated, ItemOutcome::Failed];
    assert_eq!(second.outcomes, [updated, failed, failed, failed, created]);
    let failures: Vec<_> =
        second.failed.iter().map(|failure| (failure.index, failure.code, failure.existing_id)).collect();
    let expected = [(1, "concurrent_update", Some(ids[1])), (2, "not_found", None), (3, "validation_failed", None)];
    assert_eq!(failures, expected, "{:?}", second.failed);
    // As in an update, the version is checked even if the values change nothing.
    let repeated = upsert::<Company>(&test, &world, [json!({"name": "a2", "external_id": "a", "expected_version": 1})]);
    assert_eq!(repeated.failed[0].code, "concurrent_update");
    let names: Vec<_> = all(&test, &world).into_iter().map(|company| company.name).collect();
    assert_eq!(names, ["a2", "b", "e"]);
}

/// However a sync is split into calls, it results in the same records, and repeating it changes nothing.
#[test]
fn the_result_does_not_depend_on_the_size_of_calls() {
    let (test, _) = start();
    let rows = || {
        let columns = ("[x-z]{0,2}", proptest::option::of("[0-9]{1,3}"));
        proptest::collection::btree_map("[a-d]{1,2}", columns, 1..12)
    };
    proptest!(ProptestConfig::with_cases(64), |(rows in rows(), size in 1_usize..12)| {
        let items: Vec<_> = rows
            .iter()
            .map(|(id, (name, phone))| json!({"external_id": id, "name": format!("n{name}"), "phone": phone}))
            .collect();
        let world = add_world(&test);
        for part in items.chunks(size) {
            prop_assert_eq!(upsert::<Company>(&test, &world, part).created.len(), part.len());
        }
        let after = all(&test, &world);
        let stored: Vec<_> = after.iter().map(|it| (it.external_id.clone(), it.name.clone(), it.phone.clone())).collect();
        let sent: Vec<_> =
            rows.into_iter().map(|(id, (name, phone))| (Some(id), format!("n{name}"), phone)).collect();
        prop_assert_eq!(stored, sent);
        prop_assert_eq!(upsert::<Company>(&test, &world, &items).unchanged.len(), items.len());
        prop_assert_eq!(all(&test, &world), after);
    });
}
