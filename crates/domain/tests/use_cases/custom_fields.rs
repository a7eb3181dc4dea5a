//! A change of custom fields sets and removes single fields and keeps the others, and its event names each changed field.

use serde_json::{Value, json};

use super::{create, events_of, listen, read, refusal, start, update, upsert};
use domain::crm::contacts::Contact;
use domain::crm::deals::Deal;
use domain::crm::upserts::ItemOutcome;
use storage_contract::TestWorkspace;
use test_databases::TestPorts;

fn fields_of(test: &TestPorts, world: &TestWorkspace, stored: &Contact) -> Value {
    read::<Contact>(test, world, stored.id).unwrap().custom_fields.into()
}

#[test]
fn an_update_sets_and_removes_members_and_leaves_the_others() {
    let (test, world) = start();
    let body = json!({"email": "a@example.org", "custom_fields": {"erp": "A1", "none": null}});
    let stored = create::<Contact>(&test, &world, body).unwrap();
    let sent = json!({"erp": "A1", "none": null});
    assert_eq!(Value::from(stored.custom_fields.clone()), sent, "a create stores what was sent");
    for (sent, expected) in [
        (json!({"shop": {"no": 9}}), json!({"erp": "A1", "none": null, "shop": {"no": 9}})),
        (json!({"shop": {"size": 1}, "none": null}), json!({"erp": "A1", "shop": {"size": 1}})),
        (json!({"erp": null, "absent": null}), json!({"shop": {"size": 1}})),
        (json!({}), json!({"shop": {"size": 1}})),
        (Value::Null, json!({})),
    ] {
        update::<Contact>(&test, &world, stored.id, json!({ "custom_fields": sent })).unwrap();
        assert_eq!(fields_of(&test, &world, &stored), expected, "{sent}");
    }
}

#[test]
fn unchanged_custom_fields_do_not_increment_the_version() {
    let (test, world) = start();
    let body = json!({"title": "d", "custom_fields": {"a": 1, "b": [2]}});
    let deal = create::<Deal>(&test, &world, body).unwrap();
    for same in [json!({}), json!({"a": 1}), json!({"b": [2], "absent": null})] {
        assert_eq!(update::<Deal>(&test, &world, deal.id, json!({ "custom_fields": same })).unwrap(), deal);
    }
}

#[test]
fn events_name_each_changed_custom_field() {
    let (test, world) = start();
    let subscription = listen(&test, &world);
    let body = json!({"title": "d", "external_id": "d", "custom_fields": {"region": "north", "size": 3, "keep": true}});
    let deal = create::<Deal>(&test, &world, body).unwrap();
    let sent = json!({"custom_fields": {"region": "south", "size": null, "owner.name": "Ada"}, "source": "fair"});
    update::<Deal>(&test, &world, deal.id, sent).unwrap();
    let item = json!({"external_id": "d", "custom_fields": {"region": null}});
    assert_eq!(upsert::<Deal>(&test, &world, [item]).outcomes, [ItemOutcome::Updated]);
    update::<Deal>(&test, &world, deal.id, json!({ "custom_fields": null })).unwrap();
    let events = events_of(&test, &world, subscription);
    let changes: Vec<_> = events.iter().map(|(name, payload)| (name.as_str(), payload["changes"].clone())).collect();
    let expected = [
        ("deal.created", json!({})),
        (
            "deal.updated",
            json!({
                "custom_fields.owner.name": {"from": null, "to": "Ada"},
                "custom_fields.region": {"from": "north", "to": "south"},
                "custom_fields.size": {"from": 3, "to": null},
                "source": {"from": null, "to": "fair"},
            }),
        ),
        ("deal.updated", json!({"custom_fields.region": {"from": "south", "to": null}})),
        (
            "deal.updated",
            json!({
                "custom_fields.keep": {"from": true, "to": null},
                "custom_fields.owner.name": {"from": "Ada", "to": null},
            }),
        ),
    ];
    assert_eq!(changes, expected);
}

#[test]
fn the_size_limit_applies_to_the_merged_object() {
    let (test, world) = start();
    let large = "x".repeat(40_000);
    let stored =
        create::<Contact>(&test, &world, json!({"email": "a@example.org", "custom_fields": {"a": large}})).unwrap();
    let too_large = json!({"custom_fields": {"b": large}});
    let refused = refusal(update::<Contact>(&test, &world, stored.id, too_large.clone()));
    assert_eq!(refused, "validation_failed custom_fields:too_long");
    let item = json!({"email": "a@example.org", "custom_fields": {"b": large}});
    let done = upsert::<Contact>(&test, &world, [&item]);
    assert_eq!((done.outcomes[0], done.failed[0].code), (ItemOutcome::Failed, "validation_failed"));
    assert!(done.failed[0].message.starts_with("custom_fields: must be at most 65536 bytes"), "{:?}", done.failed);
    assert_eq!(fields_of(&test, &world, &stored), json!({ "a": large }));
    let moved = json!({"custom_fields": {"a": null, "b": large}});
    update::<Contact>(&test, &world, stored.id, moved).unwrap();
    assert_eq!(fields_of(&test, &world, &stored), json!({ "b": large }));
    let again = update::<Contact>(&test, &world, stored.id, too_large);
    assert!(again.is_ok(), "the stored object already has these fields");
}

#[test]
fn repeating_an_upsert_changes_nothing() {
    let (test, world) = start();
    let item = json!({"email": "a@example.org", "custom_fields": {"a": 1, "none": null, "deep": {"none": null}}});
    let made = upsert::<Contact>(&test, &world, [&item]);
    let id = made.created[0].unwrap();
    assert_eq!(upsert::<Contact>(&test, &world, [&item]).unchanged, [id]);
    let found = read::<Contact>(&test, &world, id.into()).unwrap();
    assert_eq!(Value::from(found.custom_fields), json!({"a": 1, "deep": {"none": null}}));
    let other = json!({"email": "a@example.org", "custom_fields": {"b": 2, "a": null}});
    assert_eq!(upsert::<Contact>(&test, &world, [&other]).updated, [id]);
    let found = read::<Contact>(&test, &world, id.into()).unwrap();
    assert_eq!(Value::from(found.custom_fields), json!({"b": 2, "deep": {"none": null}}));
}
