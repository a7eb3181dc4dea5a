//! Tasks and tickets: fields, changes, hierarchy.

use rust_decimal::Decimal;
use time::Duration;

use super::records::MADE;
use super::{StoreUnderTest, TestWorkspace};
use domain::kernel::IssueKind;
use domain::ports::StoreError;
use domain::work::issues::{Issue, IssueStatus, Relation};
use domain::{Error, IssueId};

async fn check_round_trips(world: &TestWorkspace, kind: IssueKind) {
    for issue in [world.full_issue(kind).await, world.bare_issue(kind).await] {
        world.add(issue.clone()).await;
        assert_eq!(world.get::<Issue>(issue.id).await.as_ref(), Some(&issue));
        assert_eq!(world.read(move |tx| tx.issues().kind_of(issue.id)).await, Some(kind));
        let id = issue.id;
        assert_eq!(world.commit(move |tx| tx.records::<Issue>().get_for_update(id)).await.as_ref(), Some(&issue));
        assert_eq!(world.commit(move |tx| tx.issues().get_many_for_update(&[id])).await, [issue]);
    }
    for status in IssueStatus::ALL.iter().copied().filter(|status| status.kind() == kind) {
        let completed_at = (status == IssueStatus::Done).then_some(MADE);
        let issue = world.add(Issue { status, completed_at, ..world.bare_issue(kind).await }).await;
        assert_eq!(world.get::<Issue>(issue.id).await, Some(issue));
    }
}

pub async fn all_fields_of_a_task_round_trip(subject: &StoreUnderTest) {
    let world = subject.world().await;
    check_round_trips(&world, IssueKind::Task).await;
    for hours in ["0", "0.01", "0.1", "7.5", "10000"] {
        let estimate_hours: Option<Decimal> = hours.parse().ok();
        let issue = world.add(Issue { estimate_hours, ..world.bare_issue(IssueKind::Task).await }).await;
        let found = world.get::<Issue>(issue.id).await.unwrap();
        assert_eq!(found, issue);
        assert_eq!(serde_json::to_string(&found).unwrap(), serde_json::to_string(&issue).unwrap());
    }
}

pub async fn all_fields_of_a_ticket_round_trip(subject: &StoreUnderTest) {
    check_round_trips(&subject.world().await, IssueKind::Ticket).await;
}

/// Each kind has its own numbers in each workspace, from 1.
pub async fn numbers_rise_by_kind_and_workspace(subject: &StoreUnderTest) {
    let (world, other) = (subject.world().await, subject.world().await);
    let mut last = 0;
    for _ in 0..3 {
        let number = world.next_number(IssueKind::Task).await;
        assert!(number > last, "{number} after {last}");
        last = number;
    }
    assert_eq!(world.next_number(IssueKind::Ticket).await, 1);
    assert_eq!(other.next_number(IssueKind::Task).await, 1);
}

/// A reference in use is reported as contention, so that the rerun uses another one.
pub async fn a_reference_collision_is_contention(subject: &StoreUnderTest) {
    let (world, other) = (subject.world().await, subject.world().await);
    let first = world.add(world.bare_issue(IssueKind::Ticket).await).await;
    let second = world.bare_issue(IssueKind::Ticket).await;
    let free = second.reference.clone();
    let mut references = [first.reference.clone(), free].into_iter().cycle();
    let stored = world
        .run(move |tx| {
            let issue = Issue { reference: references.next().flatten(), ..second.clone() };
            tx.records::<Issue>().insert(&issue)?;
            Ok(issue)
        })
        .await
        .unwrap();
    assert_eq!(world.get::<Issue>(stored.id).await, Some(stored));
    let never_free = Issue { reference: first.reference.clone(), ..world.bare_issue(IssueKind::Ticket).await };
    assert!(matches!(world.try_add(&never_free).await, Err(Error::Store(StoreError::Contended))));
    other.add(other.bare_issue(IssueKind::Ticket).await).await;
}

/// A save of several issues writes all fields of each, including cleared ones, and no other record.
pub async fn many_are_saved_at_once(subject: &StoreUnderTest) {
    let world = subject.world().await;
    let bystander = world.add(world.bare_issue(IssueKind::Task).await).await;
    let filled = world.add(world.bare_issue(IssueKind::Task).await).await;
    let full = world.full_issue(IssueKind::Task).await;
    let emptied = world.add(world.full_issue(IssueKind::Ticket).await).await;
    let bare = world.bare_issue(IssueKind::Ticket).await;
    // Immutable fields keep their values.
    let keep = |new: Issue, old: &Issue| Issue {
        id: old.id,
        kind: old.kind,
        number: old.number,
        reference: old.reference.clone(),
        created_at: old.created_at,
        created_by: old.created_by,
        ..new
    };
    let filled = keep(full, &filled);
    let emptied = keep(Issue { version: 8, updated_at: MADE + Duration::DAY, ..bare }, &emptied);
    world.save_issues(&[filled.clone(), emptied.clone()]).await;
    for issue in [filled, emptied, bystander] {
        assert_eq!(world.get::<Issue>(issue.id).await, Some(issue));
    }
}

/// Returns each live issue of both kinds once.
pub async fn locking_finds_live_issues_only(subject: &StoreUnderTest) {
    let world = subject.world().await;
    let task = world.add(world.bare_issue(IssueKind::Task).await).await;
    let ticket = world.add(world.bare_issue(IssueKind::Ticket).await).await;
    let deleted = world.add(world.bare_issue(IssueKind::Task).await).await.id;
    world.delete::<Issue>(deleted).await;
    let ids = [deleted, ticket.id, IssueId(world.id()), task.id];
    let mut found = world.commit(move |tx| tx.issues().get_many_for_update(&ids)).await;
    found.sort_by_key(|issue| issue.kind);
    assert_eq!(found, [task, ticket]);
    assert!(world.commit(|tx| tx.issues().get_many_for_update(&[])).await.is_empty());
}

/// An issue is deleted once and invisible afterwards; its children stay.
pub async fn deletion_happens_once(subject: &StoreUnderTest) {
    let world = subject.world().await;
    let now = world.now();
    let parent = world.add(world.bare_issue(IssueKind::Task).await).await.id;
    let child = world.add(Issue { parent_id: Some(parent), ..world.bare_issue(IssueKind::Task).await }).await;
    for expected in [true, false] {
        assert_eq!(world.commit(move |tx| tx.records::<Issue>().delete(parent, now)).await, expected);
    }
    let absent = IssueId(world.id());
    assert!(!world.commit(move |tx| tx.records::<Issue>().delete(absent, now)).await);
    assert_eq!(world.get::<Issue>(parent).await, None);
    assert_eq!(world.read(move |tx| tx.issues().kind_of(parent)).await, None);
    assert_eq!(world.read(move |tx| tx.issues().kind_of(absent)).await, None);
    assert_eq!(world.get::<Issue>(child.id).await, Some(child));
}

/// Returns each live child of the same kind once, in order and up to the limit.
pub async fn children_are_subtasks_and_issues_of_the_epic(subject: &StoreUnderTest) {
    let world = subject.world().await;
    let top = world.add(world.bare_issue(IssueKind::Task).await).await.id;
    let mut expected = Vec::new();
    for (age, epic_id) in [(9, None), (8, None), (7, Some(top))] {
        let created_at = world.now() - Duration::minutes(age);
        let child = Issue { parent_id: Some(top), epic_id, created_at, ..world.bare_issue(IssueKind::Task).await };
        expected.push(world.add(child).await.id);
    }
    let created_at = world.now() - Duration::minutes(5);
    let in_epic = Issue { epic_id: Some(top), created_at, ..world.bare_issue(IssueKind::Task).await };
    expected.push(world.add(in_epic).await.id);
    let deleted = expected.remove(1);
    world.delete::<Issue>(deleted).await;
    let below = async |world: &TestWorkspace, kind, limit| {
        let found = world.read(move |tx| tx.issues().with_children(kind, top, limit)).await;
        found.map(|(issue, below)| (issue.id, below.into_iter().map(|issue| issue.id).collect::<Vec<_>>()))
    };
    assert_eq!(below(&world, IssueKind::Task, 10).await, Some((top, expected)));
    assert_eq!(below(&world, IssueKind::Task, 1).await.map(|(_, below)| below.len()), Some(2), "one for each relation");
    assert_eq!(below(&world, IssueKind::Ticket, 10).await, None);
    assert_eq!(below(&subject.world().await, IssueKind::Task, 10).await, None);
    world.delete::<Issue>(top).await;
    assert_eq!(below(&world, IssueKind::Task, 10).await, None, "its children are live, but it is not");
}

/// Ancestors follow one relation, starting with the issue itself; deleted issues do not break the chain.
pub async fn ancestors_follow_one_relation(subject: &StoreUnderTest) {
    let world = subject.world().await;
    let epic = world.add(world.bare_issue(IssueKind::Task).await).await.id;
    let top = world.add(Issue { epic_id: Some(epic), ..world.bare_issue(IssueKind::Task).await }).await.id;
    let middle = world.add(Issue { parent_id: Some(top), ..world.bare_issue(IssueKind::Task).await }).await.id;
    let bottom = world.add(Issue { parent_id: Some(middle), ..world.bare_issue(IssueKind::Task).await }).await.id;
    let above = async |id, relation| {
        world
            .commit(move |tx| {
                tx.issues().lock_hierarchy()?;
                tx.issues().ancestors(id, relation)
            })
            .await
    };
    assert_eq!(above(bottom, Relation::Parent).await, [bottom, middle, top]);
    assert_eq!(above(bottom, Relation::Epic).await, [bottom]);
    assert_eq!(above(top, Relation::Parent).await, [top]);
    assert_eq!(above(top, Relation::Epic).await, [top, epic]);
    world.delete::<Issue>(middle).await;
    assert_eq!(above(bottom, Relation::Parent).await, [bottom, middle, top]);
}
