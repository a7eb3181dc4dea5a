//! Restoring and erasing deleted records.

use serde_json::{Value as Json, json};
use time::macros::datetime;
use time::{Duration, OffsetDateTime};
use uuid::Uuid;

use super::kinds::{Sample, each_kind, each_simple};
use super::{StoreUnderTest, TestWorkspace, taken};
use domain::crm::companies::{Company, CompanyFilter};
use domain::crm::deals::Deal;
use domain::events::{Cascade, Event, EventRecord, Module};
use domain::kernel::IssueKind;
use domain::kernel::paging::PageRequest;
use domain::records::{DeletableKind, Deleted, Kind, RecordKind};
use domain::testing::event;
use domain::work::cycles::Cycle;
use domain::work::issues::Issue;
use domain::work::projects::Project;

/// Long before anything that other cases delete.
const LONG_AGO: OffsetDateTime = datetime!(2001-02-03 04:05 UTC);

/// A record of each kind, with its id.
async fn records(world: &TestWorkspace) -> Vec<(RecordKind, Uuid)> {
    let project = world.add(world.full_project().await).await.id;
    let mut ids = Vec::new();
    for kind in DeletableKind::all().map(DeletableKind::kind) {
        let id = match kind {
            RecordKind::Contact => {
                let company = world.add(world.bare_company()).await.id;
                world.add(world.full_contact(company)).await.id.0
            }
            RecordKind::Company => world.add(world.full_company()).await.id.0,
            RecordKind::Deal => world.add(world.full_deal().await).await.id.0,
            RecordKind::Project => project.0,
            RecordKind::Cycle => world.add(world.cycle(project, 1)).await.id.0,
            RecordKind::Task | RecordKind::Ticket => world.add(world.bare_issue(IssueKind::Task).await).await.id.0,
            RecordKind::TimeEntry => world.add(world.full_time_entry().await).await.id.0,
            kind => simple_record(world, kind).await,
        };
        ids.push((kind, id));
    }
    ids
}

async fn simple_record(world: &TestWorkspace, kind: RecordKind) -> Uuid {
    macro_rules! sample {
        ([$($(#[$doc:meta])* $kinds:ident = $name:literal: $one:ident, $type:ty, $id:ty;)+]) => { $(
            if kind == RecordKind::$one {
                return world.add(<$type as Sample>::full(world).await).await.uuid();
            }
        )+ };
    }
    domain::simple_kinds!(sample!());
    panic!("no sample of {kind}")
}

fn event_about(id: Uuid, at: OffsetDateTime) -> Event {
    let actor = json!({ "type": "system", "id": null, "name": "service" });
    let payload = json!({ "data": { "id": id, "name": "Ann \"é\" %s" }, "changes": { "name": 1 }, "actor": actor });
    let record = Some(EventRecord { noun: "company", id });
    Event { record, payload: payload.to_string(), ..event(Module::Crm, "company.updated", at) }
}

async fn erase(world: &TestWorkspace, kind: RecordKind, id: Uuid, most: u32) -> u64 {
    let at = world.now();
    world.commit(move |tx| tx.record_erasure().erase(kind, &[id], at, most)).await
}

/// A record of each kind is erased once, live or not, with its events; other records are not affected.
pub async fn a_record_is_erased_with_its_events(subject: &StoreUnderTest) {
    let (world, other) = (subject.world().await, subject.world().await);
    let at = world.now();
    for (kind, id) in records(&world).await {
        let bystander = world.id();
        let before = world.logged_events().await.len();
        world.commit(move |tx| tx.emit(&[event_about(id, at), event_about(bystander, at)])).await;
        assert_eq!(erase(&other, kind, id, 100).await, 0, "{kind} of another workspace");
        assert_eq!(erase(&world, kind, id, 100).await, 2, "{kind}: an event and the record");
        assert_eq!(erase(&world, kind, id, 100).await, 0, "{kind}: once");
        let events = world.logged_events().await;
        let payloads: Vec<Json> =
            events[before..].iter().map(|event| serde_json::from_str(&event.payload).unwrap()).collect();
        let payload_about =
            |id: Uuid| payloads.iter().find(|payload| payload["data"]["id"] == json!(id)).unwrap().clone();
        let actor = json!({ "type": "system", "id": null, "name": "service" });
        let expected = json!({ "data": { "id": id }, "changes": {}, "actor": actor, "erased": true });
        assert_eq!(payload_about(id), expected, "{kind}");
        assert_eq!(payload_about(bystander)["data"]["name"], json!("Ann \"é\" %s"), "{kind}");
    }
}

/// Steps are bounded, and the record comes last, so an unfinished erasure is found again.
pub async fn an_erasure_is_done_in_steps(subject: &StoreUnderTest) {
    let world = subject.world().await;
    let company = world.add(Company { name: "Ann".to_owned(), ..world.bare_company() }).await;
    let (id, at) = (company.id, world.now());
    world.commit(move |tx| tx.emit(&[event_about(id.0, at), event_about(id.0, at), event_about(id.0, at)])).await;
    for _ in 0..3 {
        assert_eq!(erase(&world, RecordKind::Company, id.0, 1).await, 1);
        assert!(world.get::<Company>(id).await.is_some(), "it is live until the end");
    }
    assert_eq!(erase(&world, RecordKind::Company, id.0, 1).await, 1);
    assert_eq!(world.get::<Company>(id).await, None);
    assert_eq!(erase(&world, RecordKind::Company, id.0, 1).await, 0);
}

/// Records deleted long enough ago are erased, in any workspace; their unique values stay free.
pub async fn due_records_are_erased(subject: &StoreUnderTest) {
    let (world, other) = (subject.world().await, subject.world().await);
    let due = async |before| subject.ports.directory.erase_deleted_records(before, world.now(), 100).await.unwrap();
    for world in [&world, &other] {
        let id = world.add(world.full_company()).await.id;
        assert!(world.commit(move |tx| tx.records::<Company>().delete(id, LONG_AGO)).await);
    }
    let id = world.add(world.full_deal().await).await.id;
    assert!(world.commit(move |tx| tx.records::<Deal>().delete(id, LONG_AGO + Duration::SECOND)).await);
    assert_eq!(due(LONG_AGO - Duration::MICROSECOND).await, 0);
    assert_eq!(due(LONG_AGO).await, 2);
    assert_eq!(due(LONG_AGO).await, 0);
    assert_eq!(due(LONG_AGO + Duration::SECOND).await, 1);
    world.add(world.full_company()).await;
}

async fn check_restoration<K: Sample>(world: &TestWorkspace, other: &TestWorkspace) {
    let record = world.add(K::full(world).await).await;
    let (id, at) = (record.id(), world.now());
    let before = at - Duration::MICROSECOND;
    let found = async |world: &TestWorkspace, since| {
        world.commit(move |tx| tx.records::<K>().get_deleted_for_update(id.into(), since)).await
    };
    let listed = async |world: &TestWorkspace, since| {
        let page = PageRequest::first(10);
        world.read(move |tx| tx.records::<K>().list_deleted(&K::Filter::default(), since, &page)).await
    };
    assert_eq!(found(world, before).await, None, "it is live");
    assert!(world.commit(move |tx| tx.records::<K>().delete(id, at)).await);
    let deleted = Deleted { record: record.clone(), deleted_at: at };
    assert_eq!(found(world, before).await.as_ref(), Some(&deleted));
    assert_eq!(listed(world, before).await, [deleted]);
    assert_eq!((found(world, at).await, listed(world, at).await.len()), (None, 0), "it was not deleted after that");
    assert_eq!((found(other, before).await, listed(other, before).await.len()), (None, 0));
    let mut restored = record;
    // The deletion was a version as well.
    restored.bump_version(at);
    restored.bump_version(at + Duration::SECOND);
    let deletion = Deleted { record: restored.clone(), deleted_at: at };
    let foreign = deletion.clone();
    assert!(other.run(move |tx| Ok(tx.records::<K>().restore(&foreign)?)).await.is_err());
    world.commit(move |tx| tx.records::<K>().restore(&deletion)).await;
    assert_eq!(world.get::<K>(id).await, Some(restored));
    assert_eq!((found(world, before).await, listed(world, before).await.len()), (None, 0));
}

/// A deleted record is found and listed until it is erased, only in its own workspace; once restored, it is live again.
pub async fn deleted_records_are_found_and_restored(subject: &StoreUnderTest) {
    let (world, other) = (subject.world().await, subject.world().await);
    each_kind!(check_restoration(&world, &other));
    let company = world.add(Company { domain: Some("one.example".to_owned()), ..world.bare_company() }).await;
    let (id, at) = (company.id, world.now());
    assert!(world.commit(move |tx| tx.records::<Company>().delete(id, at)).await);
    // Another record has the unique value by now.
    let rival = Company { domain: company.domain.clone(), ..world.bare_company() };
    let rival = world.add(rival).await.id;
    let deleted = Deleted { record: company, deleted_at: at };
    assert_eq!(taken(world.run(move |tx| Ok(tx.records::<Company>().restore(&deleted)?)).await), "domain");
    assert!(world.commit(move |tx| tx.records::<Company>().delete(rival, at)).await);
    assert!(erase(&world, RecordKind::Company, id.0, 100).await > 0);
    let before = at - Duration::MICROSECOND;
    let rest = world.read(move |tx| {
        tx.records::<Company>().list_deleted(&CompanyFilter::default(), before, &PageRequest::first(10))
    });
    assert_eq!(rest.await.iter().map(|deleted| deleted.record.id).collect::<Vec<_>>(), [rival]);
    let erased = world.commit(move |tx| tx.records::<Company>().get_deleted_for_update(id.0, before)).await;
    assert_eq!(erased, None);
}

/// Restores only the cycles and tasks that were deleted at the same time as their project.
pub async fn records_deleted_with_a_project_are_restored(subject: &StoreUnderTest) {
    let world = subject.world().await;
    let project = world.add(world.bare_project()).await;
    let (id, at) = (project.id, world.now());
    let cycle = world.add(world.cycle(id, 1)).await.id;
    let task = async || {
        let issue = world.bare_issue(IssueKind::Task).await;
        world.add(Issue { project_id: Some(id), ..issue }).await.id
    };
    let (with_it, earlier) = (task().await, task().await);
    assert!(world.commit(move |tx| tx.records::<Issue>().delete(earlier, at - Duration::SECOND)).await);
    assert!(world.commit(move |tx| tx.records::<Project>().delete(id, at)).await);
    let cascade = world.commit(move |tx| tx.projects().note_deleted(id, at)).await;
    let count = world.commit(move |tx| tx.projects().deleted_with(id, at)).await;
    assert_eq!((cascade, count), (Cascade { tasks: 1, cycles: 1 }, Cascade { tasks: 1, cycles: 1 }));
    let deleted = Deleted { record: project, deleted_at: at };
    world.commit(move |tx| tx.records::<Project>().restore(&deleted)).await;
    assert!(world.get::<Project>(id).await.is_some());
    assert!(world.get::<Issue>(with_it).await.is_some());
    assert_eq!(world.get::<Issue>(earlier).await, None);
    assert!(world.commit(move |tx| tx.records::<Cycle>().get_for_update(cycle)).await.is_some());
}
