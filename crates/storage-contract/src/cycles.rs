use time::Duration;
use time::macros::date;

use super::kinds::check_saved;
use super::paging::{check_walks_of_ranges, newest_first};
use super::records::{LINE, LINES, MADE};
use super::{StoreUnderTest, TestWorkspace};
use domain::ProjectId;
use domain::kernel::IssueKind;
use domain::kernel::input::CreatedFilter;
use domain::kernel::paging::PageRequest;
use domain::work::cycles::{Cycle, CycleCounts};
use domain::work::issues::{Issue, IssueFilter, IssueStatus};
use domain::work::projects::Project;

async fn list(world: &TestWorkspace, project: ProjectId) -> Vec<(Cycle, CycleCounts)> {
    world.read(move |tx| tx.cycles().list(project, &CreatedFilter::default(), &PageRequest::first(100))).await
}

pub async fn all_fields_round_trip(subject: &StoreUnderTest) {
    let world = subject.world().await;
    let project = world.add(world.bare_project()).await.id;
    let bare = world.add(world.cycle(project, 1)).await;
    let full = world
        .add(Cycle {
            name: LINE.to_owned(),
            goal: Some(LINES.to_owned()),
            start_date: date!(2020 - 02 - 29),
            end_date: date!(2020 - 02 - 29),
            version: 7,
            created_at: MADE,
            updated_at: MADE + Duration::MICROSECOND,
            created_by: world.key_actor(),
            ..world.cycle(project, 2)
        })
        .await;
    let none = CycleCounts::default();
    assert_eq!(list(&world, project).await, [(bare, none), (full, none)]);
}

/// The highest number is per project, and is kept when its cycle is deleted.
pub async fn numbers_are_remembered(subject: &StoreUnderTest) {
    let world = subject.world().await;
    let (one, other) = (world.add(world.bare_project()).await.id, world.add(world.bare_project()).await.id);
    let highest = async |project| world.read(move |tx| tx.cycles().highest_number(project)).await;
    assert_eq!(highest(one).await, 0);
    for number in 1..=3 {
        world.add(world.cycle(one, number)).await;
        assert_eq!(highest(one).await, number);
    }
    assert_eq!(highest(other).await, 0);
    world.add(world.cycle(other, 1)).await;
    world.delete::<Project>(one).await;
    assert_eq!((highest(one).await, highest(other).await), (3, 1));
}

/// Cycles overlap if they share at least one day; only live cycles of the same project count.
pub async fn overlaps_share_a_day(subject: &StoreUnderTest) {
    let world = subject.world().await;
    let (project, other) = (world.add(world.bare_project()).await.id, world.add(world.bare_project()).await.id);
    let cycle = world.cycle(project, 4);
    let cycle = world.add(Cycle { start_date: date!(2030 - 03 - 10), end_date: date!(2030 - 03 - 20), ..cycle }).await;
    let overlapping =
        async |project, start, end| world.read(move |tx| tx.cycles().overlapping(project, None, start, end)).await;
    for (start, end, overlaps) in [
        (date!(2030 - 03 - 01), date!(2030 - 03 - 09), false),
        (date!(2030 - 03 - 01), date!(2030 - 03 - 10), true),
        (date!(2030 - 03 - 12), date!(2030 - 03 - 13), true),
        (date!(2030 - 03 - 20), date!(2030 - 03 - 20), true),
        (date!(2030 - 03 - 20), date!(2030 - 04 - 01), true),
        (date!(2030 - 01 - 01), date!(2031 - 01 - 01), true),
        (date!(2030 - 03 - 21), date!(2030 - 04 - 01), false),
    ] {
        assert_eq!(overlapping(project, start, end).await, overlaps.then_some(4), "{start} {end}");
        assert_eq!(overlapping(other, start, end).await, None, "{start} {end}");
    }
    let (id, days) = (cycle.id, (cycle.start_date, cycle.end_date));
    let with_others = world.read(move |tx| tx.cycles().overlapping(project, Some(id), days.0, days.1)).await;
    assert_eq!(with_others, None, "a cycle does not overlap itself");
    world.delete::<Project>(project).await;
    assert_eq!(overlapping(project, cycle.start_date, cycle.end_date).await, None);
}

/// All live tasks and tickets count; those in `done`, `resolved` or `closed` count as completed.
pub async fn counts_are_of_live_issues(subject: &StoreUnderTest) {
    let world = subject.world().await;
    let project = world.add(world.bare_project()).await.id;
    let first = world.add(world.cycle(project, 1)).await;
    let second = world.add(Cycle { created_at: first.created_at + Duration::HOUR, ..world.cycle(project, 2) }).await;
    let issue = async |cycle: &Cycle, kind, status| {
        let issue = world.bare_issue(kind).await;
        world.add(Issue { status, project_id: Some(project), cycle_id: Some(cycle.id), ..issue }).await.id
    };
    issue(&first, IssueKind::Task, IssueStatus::Done).await;
    issue(&first, IssueKind::Task, IssueStatus::Todo).await;
    issue(&first, IssueKind::Task, IssueStatus::Cancelled).await;
    for status in IssueStatus::ALL.iter().copied().filter(|status| status.kind() == IssueKind::Ticket) {
        issue(&first, IssueKind::Ticket, status).await;
    }
    let deleted = issue(&first, IssueKind::Task, IssueStatus::Done).await;
    issue(&second, IssueKind::Task, IssueStatus::InReview).await;
    world.add(Issue { project_id: Some(project), ..world.bare_issue(IssueKind::Task).await }).await;
    world.delete::<Issue>(deleted).await;
    let first_counts = CycleCounts { issues: 8, completed: 3 };
    let second_counts = CycleCounts { issues: 1, completed: 0 };
    let (first_id, second_id) = (first.id, second.id);
    assert_eq!(world.read(move |tx| tx.cycles().counts(first_id)).await, first_counts);
    assert_eq!(world.read(move |tx| tx.cycles().counts(second_id)).await, second_counts);
    assert_eq!(list(&world, project).await, [(second, second_counts), (first, first_counts)]);
}

/// Newest first, ties by id; without other projects' cycles.
pub async fn pages_run_from_the_newest_to_the_oldest(subject: &StoreUnderTest) {
    let world = subject.world().await;
    let (project, other) = (world.add(world.bare_project()).await.id, world.add(world.bare_project()).await.id);
    world.add(world.cycle(other, 1)).await;
    let mut cursor_keys = Vec::new();
    for (number, created_at) in (1..).zip(world.seven_times()) {
        let cycle = world.add(Cycle { created_at, ..world.cycle(project, number) }).await;
        cursor_keys.push((cycle.created_at, cycle.id.0));
    }
    check_walks_of_ranges(&world, &newest_first(cursor_keys), move |tx, filter, page| {
        let cycles = tx.cycles().list(project, filter, page)?.into_iter();
        Ok(cycles.map(|(cycle, counts)| cycle.view(counts, date!(2030 - 01 - 01))).collect())
    })
    .await;
}

pub async fn a_save_writes_every_field(subject: &StoreUnderTest) {
    let world = subject.world().await;
    let project = world.add(world.bare_project()).await.id;
    let cycles = [world.cycle(project, 1), world.cycle(project, 2), world.cycle(project, 3)];
    let changed = Cycle {
        name: LINE.to_owned(),
        goal: Some(LINES.to_owned()),
        start_date: date!(2029 - 02 - 01),
        end_date: date!(2029 - 02 - 28),
        version: 2,
        updated_at: cycles[0].updated_at + Duration::HOUR,
        ..cycles[0].clone()
    };
    let cleared = Cycle { goal: None, version: 3, ..changed.clone() };
    check_saved(&world, cycles, [changed, cleared]).await;
}

/// A deleted cycle is in no list and cannot be changed; its number stays taken.
pub async fn deletion_happens_once(subject: &StoreUnderTest) {
    let (world, other_workspace) = (subject.world().await, subject.world().await);
    let project = world.add(world.bare_project()).await.id;
    let cycle = world.add(world.cycle(project, 1)).await;
    let (id, now) = (cycle.id, world.now());
    assert!(!other_workspace.commit(move |tx| tx.records::<Cycle>().delete(id, now)).await);
    world.delete::<Cycle>(id).await;
    assert!(!world.commit(move |tx| tx.records::<Cycle>().delete(id, now)).await);
    assert!(list(&world, project).await.is_empty());
    assert_eq!(world.commit(move |tx| tx.records::<Cycle>().get_for_update(id)).await, None);
    assert_eq!(world.read(move |tx| tx.cycles().highest_number(project)).await, 1);
    assert!(world.run(move |tx| Ok(tx.records::<Cycle>().save(&cycle)?)).await.is_err());
}

/// Finds the live issues of a cycle, of both kinds, but not those of another cycle or workspace.
pub async fn live_issues_of_a_cycle_are_found(subject: &StoreUnderTest) {
    let (world, other_workspace) = (subject.world().await, subject.world().await);
    let project = world.add(world.bare_project()).await.id;
    let (cycle, other) = (world.add(world.cycle(project, 1)).await.id, world.add(world.cycle(project, 2)).await.id);
    let mut expected = Vec::new();
    for (kind, cycle_id) in [(IssueKind::Task, cycle), (IssueKind::Ticket, cycle), (IssueKind::Task, other)] {
        let planned = Issue { project_id: Some(project), cycle_id: Some(cycle_id), ..world.bare_issue(kind).await };
        let issue = world.add(planned).await;
        if cycle_id == cycle {
            expected.push(issue.id);
        }
    }
    let deleted = Issue { project_id: Some(project), cycle_id: Some(cycle), ..world.bare_issue(IssueKind::Task).await };
    let deleted = world.add(deleted).await.id;
    world.delete::<Issue>(deleted).await;
    let mut found = world.commit(move |tx| tx.issues().lock_in_cycle(cycle)).await;
    found.sort();
    expected.sort();
    assert_eq!(found, expected);
    assert!(other_workspace.commit(move |tx| tx.issues().lock_in_cycle(cycle)).await.is_empty());
}

/// Deleting a project hides its cycles and tasks; its tickets, and everything of other projects, stay.
pub async fn cycles_and_tasks_are_deleted_with_their_project(subject: &StoreUnderTest) {
    let world = subject.world().await;
    let (deleted, other) = (world.add(world.bare_project()).await.id, world.add(world.bare_project()).await.id);
    let mut issues = Vec::new();
    for project_id in [Some(deleted), Some(other), None] {
        for kind in [IssueKind::Task, IssueKind::Ticket] {
            issues.push(world.add(Issue { project_id, ..world.bare_issue(kind).await }).await);
        }
    }
    let cycle = world.add(world.cycle(deleted, 1)).await.id;
    let other_cycle = world.add(world.cycle(other, 1)).await.id;
    world.delete::<Project>(deleted).await;
    for (index, issue) in issues.into_iter().enumerate() {
        let found = world.get::<Issue>(issue.id).await;
        // The ticket keeps the id of the deleted project.
        assert_eq!(found, (index != 0).then_some(issue), "{index}");
    }
    let filter = IssueFilter { project_id: Some(deleted), ..IssueFilter::all(IssueKind::Task) };
    assert!(world.list::<Issue>(filter).await.is_empty());
    let cycles = async |project| list(&world, project).await.len();
    assert_eq!((cycles(deleted).await, cycles(other).await), (0, 1));
    assert_eq!(world.read(move |tx| tx.issues().project_of_cycle(cycle)).await, None);
    assert_eq!(world.read(move |tx| tx.issues().project_of_cycle(other_cycle)).await, Some(other));
}
