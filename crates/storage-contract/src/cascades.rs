//! Events of records that were deleted or restored with their project.

use std::collections::BTreeSet;

use time::Duration;
use uuid::Uuid;

use super::{StoreUnderTest, TestWorkspace};
use domain::events::{EventCause, EventView, LoggedEvent};
use domain::identity::access::DeleteProjects;
use domain::kernel::IssueKind;
use domain::kernel::versions::ExpectedVersion;
use domain::records::{self, RecordKind};
use domain::work::cascades::{CascadeVerb, STEP, announce_in};
use domain::work::issues::Issue;
use domain::work::projects::Project;
use domain::{CycleId, Error, IssueId, ProjectId};

struct Whole {
    project: ProjectId,
    cycle: CycleId,
    tasks: Vec<IssueId>,
}

impl Whole {
    fn records(&self) -> BTreeSet<Uuid> {
        self.tasks.iter().map(|id| id.0).chain([self.cycle.0]).collect()
    }
}

async fn make(world: &TestWorkspace, tasks: usize) -> Whole {
    let project = world.add(world.bare_project()).await.id;
    let cycle = world.add(world.cycle(project, 1)).await.id;
    let mut ids = Vec::new();
    for _ in 0..tasks {
        let task = world.bare_issue(IssueKind::Task).await;
        ids.push(world.add(Issue { project_id: Some(project), cycle_id: Some(cycle), ..task }).await.id);
    }
    Whole { project, cycle, tasks: ids }
}

async fn delete(world: &TestWorkspace, project: ProjectId) {
    let permit = world.permit::<DeleteProjects>();
    records::delete::<Project>(&world.ports, &permit, project, ExpectedVersion::Any).await.unwrap();
}

async fn restore(world: &TestWorkspace, project: ProjectId) {
    let permit = world.permit::<DeleteProjects>();
    let _ = records::restore::<Project>(&world.ports, &permit, None, project).await.unwrap();
}

async fn announce(world: &TestWorkspace, most: u32) -> bool {
    announce_in(&world.ports, world.workspace.id, most).await.unwrap()
}

async fn announce_all(world: &TestWorkspace) {
    while announce(world, 2).await {}
}

async fn log(world: &TestWorkspace) -> Vec<EventView> {
    world.logged_events().await.into_iter().map(LoggedEvent::view).collect()
}

/// The events with a cause and this verb, in the order of the log.
async fn announced(world: &TestWorkspace, verb: CascadeVerb) -> Vec<EventView> {
    let of_verb = |event: &EventView| event.cause.is_some() && event.event.ends_with(verb.as_str());
    log(world).await.into_iter().filter(of_verb).collect()
}

fn records(events: &[EventView]) -> Vec<Uuid> {
    events.iter().map(|event| event.record.as_ref().unwrap().id).collect()
}

/// Each record is announced once, caused by the project's event, by the user who deleted the project, with its own next version.
pub async fn records_deleted_with_a_project_are_announced(subject: &StoreUnderTest) {
    let (world, other) = (subject.world().await, subject.world().await);
    let whole = make(&world, 3).await;
    let waits = async || subject.ports.directory.workspaces_with_cascades(1_000).await.unwrap();
    delete(&world, whole.project).await;
    assert!(waits().await.contains(&world.workspace.id));
    assert!(!announce(&other, STEP).await, "from another workspace");
    assert!(announce(&world, STEP).await);
    assert!(!announce(&world, STEP).await);
    assert!(!waits().await.contains(&world.workspace.id));
    let of_project = log(&world).await.into_iter().find(|event| event.event == "project.deleted").unwrap();
    let cause = EventCause { event: "project.deleted".to_owned(), id: of_project.id.0 };
    let events = announced(&world, CascadeVerb::Deleted).await;
    assert_eq!(events.len(), 4);
    assert_eq!(records(&events).into_iter().collect::<BTreeSet<_>>(), whole.records());
    for event in &events {
        assert_eq!((event.cause.as_ref(), &event.actor, event.version), (Some(&cause), &of_project.actor, Some(2)));
        let is_cycle = event.record.as_ref().unwrap().id == whole.cycle.0;
        assert_eq!(event.event, if is_cycle { "cycle.deleted" } else { "task.deleted" });
        assert_eq!(event.parsed_data()["version"], 2, "{event:?}");
    }
}

/// After a step that is not committed, no event is missing or repeated.
pub async fn an_interrupted_announcement_resumes(subject: &StoreUnderTest) {
    let world = subject.world().await;
    let whole = make(&world, 5).await;
    delete(&world, whole.project).await;
    assert!(announce(&world, 2).await);
    let failed = world.run(|tx| {
        assert!(tx.cascades().take(2)?.is_some());
        Err::<(), _>(Error::NotFound("project"))
    });
    assert!(failed.await.is_err());
    assert_eq!(announced(&world, CascadeVerb::Deleted).await.len(), 2);
    announce_all(&world).await;
    let events = records(&announced(&world, CascadeVerb::Deleted).await);
    assert_eq!(events.len(), 6);
    assert_eq!(events.into_iter().collect::<BTreeSet<_>>(), whole.records());
}

/// Records whose deletion was not announced are only announced as restored. All are two versions later, like all restored records.
pub async fn a_restoration_ends_an_unfinished_deletion(subject: &StoreUnderTest) {
    let world = subject.world().await;
    let whole = make(&world, 3).await;
    delete(&world, whole.project).await;
    assert!(announce(&world, 2).await);
    subject.clock.advance(Duration::SECOND);
    restore(&world, whole.project).await;
    announce_all(&world).await;
    let deleted = announced(&world, CascadeVerb::Deleted).await;
    assert_eq!(deleted.len(), 2);
    let restored = announced(&world, CascadeVerb::Restored).await;
    assert_eq!(restored.len(), 4);
    assert_eq!(records(&restored).into_iter().collect::<BTreeSet<_>>(), whole.records());
    for event in &restored {
        assert_eq!((event.version, event.cause.as_ref().unwrap().event.as_str()), (Some(3), "project.restored"));
        let mut earlier = deleted.iter().filter(|before| before.record == event.record);
        assert!(earlier.all(|before| before.id < event.id && before.created_at < event.created_at));
    }
    for id in whole.tasks {
        assert_eq!(world.get::<Issue>(id).await.unwrap().version, 3);
    }
}

/// Records deleted before the project are not part of its deletion.
pub async fn records_deleted_alone_are_not_announced_with_a_project(subject: &StoreUnderTest) {
    let world = subject.world().await;
    let whole = make(&world, 2).await;
    let (alone, at) = (whole.tasks[0], world.now());
    assert!(world.commit(move |tx| tx.records::<Issue>().delete(alone, at - Duration::SECOND)).await);
    delete(&world, whole.project).await;
    announce_all(&world).await;
    subject.clock.advance(Duration::SECOND);
    restore(&world, whole.project).await;
    announce_all(&world).await;
    for verb in [CascadeVerb::Deleted, CascadeVerb::Restored] {
        let events = records(&announced(&world, verb).await);
        assert_eq!(events.len(), 2, "{verb}");
        assert!(!events.contains(&alone.0), "{verb}");
    }
    assert_eq!(world.get::<Issue>(alone).await, None);
}

/// A restored record is not announced if it was changed or deleted since.
pub async fn records_changed_since_their_restoration_are_not_announced(subject: &StoreUnderTest) {
    let world = subject.world().await;
    let whole = make(&world, 2).await;
    delete(&world, whole.project).await;
    announce_all(&world).await;
    subject.clock.advance(Duration::SECOND);
    restore(&world, whole.project).await;
    let task = world.get::<Issue>(whole.tasks[0]).await.unwrap();
    world.save_issues(&[Issue { title: "New".to_owned(), version: task.version + 1, ..task }]).await;
    world.delete::<Issue>(whole.tasks[1]).await;
    announce_all(&world).await;
    let events = announced(&world, CascadeVerb::Restored).await;
    assert_eq!(records(&events).into_iter().collect::<Vec<_>>(), [whole.cycle.0]);
}

/// A deleted record that was erased meanwhile is announced without its content.
pub async fn an_erased_record_is_announced_without_content(subject: &StoreUnderTest) {
    let world = subject.world().await;
    let whole = make(&world, 1).await;
    delete(&world, whole.project).await;
    let (id, at) = (whole.tasks[0].0, world.now());
    assert_eq!(world.commit(move |tx| tx.record_erasure().erase(RecordKind::Task, &[id], at, 100)).await, 1);
    announce_all(&world).await;
    let events = announced(&world, CascadeVerb::Deleted).await;
    let of_task = events.iter().find(|event| event.event == "task.deleted").unwrap();
    assert_eq!(of_task.parsed_data()["title"], "erased");
}
