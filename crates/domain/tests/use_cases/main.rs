//! Tests of the use cases with Postgres.
#![expect(clippy::unwrap_used, reason = "all of this is tests: they fail by panicking")]

mod access;
mod accounts;
mod addresses;
mod canned_replies;
mod changes;
mod checked_store;
mod companies;
mod console;
mod contacts;
mod custom_fields;
mod customer_email;
mod cycles;
mod deals;
mod event_log;
mod exports;
mod first_minutes;
mod issues;
mod kb;
mod limits;
mod members;
mod portal;
mod presets;
mod projects;
mod sign_ins;
mod ticket_emails;
mod time_approval;
mod time_days;
mod time_entries;
mod time_histories;
mod timers;
mod transfer;
mod transfer_columns;
mod transfer_exports;
mod transfer_repeats;
mod transfer_rows;
mod transfer_time;
mod transfer_whole;
mod upserts;
mod webhook_seals;
mod workspace;

use serde::Serialize;
use serde_json::{Value, json};

use domain::crm::upserts::{Upsertable, Upserted, upsert as upsert_records};
use domain::events::Module;
use domain::kernel::idempotency::{IdempotentRequest, IdempotentResult, StoredResponse};
use domain::kernel::input::{Input, InputMode};
use domain::kernel::paging::PageRequest;
use domain::kernel::versions::ExpectedVersion;
use domain::ports::Ports;
use domain::records::{self, Editable, ListedKind, Readable};
use domain::webhooks::DeliveryFilter;
use domain::{Error, SubscriptionId};
use storage_contract::{StoreUnderTest, TestWorkspace};
use test_databases::TestPorts;

/// New ports with a workspace.
fn start() -> (TestPorts, TestWorkspace) {
    let mut test = TestPorts::new();
    let world = add_world(&test);
    // From here on, writes of use cases need an event; those of the fixture do not.
    test.ports.store = test.checked_store();
    (test, world)
}

/// Another workspace, whose fixture can write without events: new ports take too long for each case of a property test.
fn add_world(test: &TestPorts) -> TestWorkspace {
    let ports = Ports { store: test.store.clone(), ..test.ports.clone() };
    test.block_on(StoreUnderTest { ports, clock: test.clock.clone() }.world())
}

fn new<I: Input>(body: Value) -> I {
    let Value::Object(object) = body else { panic!("no object") };
    I::from_object(object, InputMode::Create).unwrap()
}

fn patch<I: Input>(body: Value) -> I {
    let Value::Object(object) = body else { panic!("no object") };
    I::from_object(object, InputMode::Patch).unwrap()
}

fn create<K: Editable>(test: &TestPorts, world: &TestWorkspace, body: Value) -> Result<K, Error> {
    let permit = world.permit();
    test.block_on(records::create::<K>(&test.ports, &permit, None, new(body)))?.made_now()
}

fn update<K: Editable>(test: &TestPorts, world: &TestWorkspace, id: K::Id, body: Value) -> Result<K, Error> {
    let permit = world.permit();
    test.block_on(records::update::<K>(&test.ports, &permit, id, ExpectedVersion::Any, patch(body)))
}

fn delete<K: Editable>(
    test: &TestPorts,
    world: &TestWorkspace,
    id: K::Id,
    expected: ExpectedVersion,
) -> Result<(), Error> {
    let permit = world.permit();
    test.block_on(records::delete::<K>(&test.ports, &permit, id, expected)).map(drop)
}

fn read<K: Readable>(test: &TestPorts, world: &TestWorkspace, id: K::Id) -> Result<K, Error> {
    test.block_on(records::read(&test.ports, &world.permit(), id))
}

fn list<K: Readable + ListedKind>(test: &TestPorts, world: &TestWorkspace, filter: K::Filter) -> Vec<K> {
    let permit = world.permit();
    test.block_on(records::list::<K>(&test.ports, &permit, filter, PageRequest::first(100))).unwrap().items
}

fn upsert<K: Upsertable>(test: &TestPorts, world: &TestWorkspace, items: impl Serialize) -> Upserted {
    let permit = world.permit();
    fresh(test.block_on(upsert_records::<K>(&test.ports, &permit, None, new(json!({ "items": items })))))
}

/// The error for an invalid create body.
fn refused_body<I: Input + std::fmt::Debug>(body: Value) -> String {
    let Value::Object(object) = body else { panic!("no object") };
    refusal(I::from_object(object, InputMode::Create))
}

/// The error for an invalid patch body.
fn refused_patch<I: Input + std::fmt::Debug>(body: Value) -> String {
    let Value::Object(object) = body else { panic!("no object") };
    refusal(I::from_object(object, InputMode::Patch))
}

/// A subscription to all events of the CRM.
fn listen(test: &TestPorts, world: &TestWorkspace) -> SubscriptionId {
    test.block_on(world.subscribe(world.subscription(Module::Crm)))
}

/// Names and payloads of the events queued for a subscription, oldest first.
fn events_of(test: &TestPorts, world: &TestWorkspace, subscription: SubscriptionId) -> Vec<(String, Value)> {
    let mut deliveries = test.block_on(world.list_deliveries(subscription, DeliveryFilter::default()));
    // Lists omit the bodies.
    let event = |id| {
        let delivery = test.block_on(world.read(move |tx| tx.deliveries().get(id))).unwrap();
        let mut body: Value = serde_json::from_str(&delivery.body).unwrap();
        (delivery.event, body["payload"].take())
    };
    // The clock stands still, so only the ids of events show their order.
    deliveries.sort_by_key(|delivery| delivery.event_id);
    deliveries.iter().map(|delivery| event(delivery.id)).collect()
}

/// The error code and the fields that the error names.
fn refusal<T: std::fmt::Debug>(result: Result<T, Error>) -> String {
    let error = result.unwrap_err();
    let fields: Vec<_> =
        error.details().into_iter().map(|problem| format!("{}:{}", problem.field, problem.code)).collect();
    format!("{} {}", error.code().as_str(), fields.join(" ")).trim_end().to_owned()
}

fn fresh<T: std::fmt::Debug>(outcome: Result<IdempotentResult<T>, Error>) -> T {
    outcome.unwrap().fresh().unwrap()
}

fn at_version(version: i64) -> ExpectedVersion {
    ExpectedVersion::OneOf(vec![version])
}

fn once<T: Serialize>(key: &str, fingerprint: u8) -> IdempotentRequest<T> {
    IdempotentRequest {
        key: key.to_owned(),
        route: "POST /test",
        fingerprint: [fingerprint; 32],
        render: |made| StoredResponse { status: 201, location: None, body: serde_json::to_string(made).unwrap() },
    }
}
