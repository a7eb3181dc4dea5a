use super::{StoreUnderTest, TestWorkspace};
use domain::kernel::IssueKind;
use domain::work::cycles::{Cycle, CycleCounts};
use domain::work::issues::{Issue, IssueStatus};
use domain::work::projects::Project;
use domain::{CycleId, ProjectId};
use time::macros::date;
use time::{Date, Duration};

const FIRST: Date = date!(2030 - 01 - 01);

/// The cycle's counts on the days on which they change, by the number of days after [`FIRST`].
async fn burn_up(world: &TestWorkspace, cycle: CycleId, first: i64, last: i64) -> Vec<(i64, i64, i64)> {
    let day = |number| FIRST + Duration::days(number);
    let (from, to) = (day(first), day(last));
    let changes = world.read(move |tx| tx.cycles().burn_up(cycle, from, to)).await;
    let row =
        |(day, CycleCounts { issues, completed }): (Date, CycleCounts)| ((day - FIRST).whole_days(), issues, completed);
    changes.into_iter().map(row).collect()
}

async fn cycle(world: &TestWorkspace, project: ProjectId) -> Cycle {
    world.add(world.cycle(project, 1)).await
}

async fn task(world: &TestWorkspace, cycle: &Cycle, day: i64) -> Issue {
    let at = (FIRST + Duration::days(day)).midnight().assume_utc();
    let task = world.bare_issue(IssueKind::Task).await;
    let (project_id, cycle_id) = (Some(cycle.project_id), Some(cycle.id));
    world.add(Issue { project_id, cycle_id, created_at: at, updated_at: at, ..task }).await
}

async fn save(world: &TestWorkspace, task: &Issue, day: i64, change: impl Fn(&mut Issue)) -> Issue {
    let mut changed = task.clone();
    change(&mut changed);
    changed.version += 1;
    changed.updated_at = (FIRST + Duration::days(day)).midnight().assume_utc();
    world.save_issues(std::slice::from_ref(&changed)).await;
    changed
}

fn finish(task: &mut Issue) {
    task.status = IssueStatus::Done;
    task.completed_at = Some(task.updated_at);
}

/// Tasks that enter or leave the cycle, are done or reopened, deleted or restored, count from that day on.
pub async fn a_burn_up_follows_every_change(subject: &StoreUnderTest) {
    let (world, other_world) = (subject.world().await, subject.world().await);
    let project = world.add(world.bare_project()).await.id;
    let (own, next) = (cycle(&world, project).await, world.add(world.cycle(project, 2)).await);
    assert_eq!(burn_up(&world, own.id, 0, 9).await, []);
    let (one, two) = (task(&world, &own, 0).await, task(&world, &own, 0).await);
    let three = task(&world, &own, 1).await;
    let late = world.add(Issue { project_id: Some(project), ..world.bare_issue(IssueKind::Task).await }).await;
    assert_eq!(burn_up(&world, own.id, 0, 9).await, [(0, 2, 0), (1, 3, 0)]);
    let one = save(&world, &one, 2, finish).await;
    save(&world, &late, 3, |task| task.cycle_id = Some(own.id)).await;
    // Done and reopened on the same day: only the last state counts.
    let two = save(&world, &two, 4, finish).await;
    let two = save(&world, &two, 4, |task| task.status = IssueStatus::Todo).await;
    save(&world, &three, 5, |task| task.cycle_id = Some(next.id)).await;
    let one = save(&world, &one, 6, |task| task.status = IssueStatus::Todo).await;
    save(&world, &one, 6, |task| "Other".clone_into(&mut task.title)).await;
    let history = [(0, 2, 0), (1, 3, 0), (2, 3, 1), (3, 4, 1), (4, 4, 1), (5, 3, 1), (6, 3, 0)];
    assert_eq!(burn_up(&world, own.id, 0, 9).await, history);
    assert_eq!(burn_up(&world, next.id, 0, 9).await, [(5, 1, 0)]);
    assert_eq!(burn_up(&other_world, own.id, 0, 9).await, []);

    let (id, at) = (two.id, (FIRST + Duration::days(7)).midnight().assume_utc());
    assert!(world.commit(move |tx| tx.records::<Issue>().delete(id, at)).await);
    assert_eq!(burn_up(&world, own.id, 0, 9).await[7..], [(7, 2, 0)]);
    world
        .commit(move |tx| {
            let mut deleted = tx.records::<Issue>().get_deleted_for_update(id.0, at - Duration::DAY)?.unwrap();
            deleted.record.updated_at = at + Duration::DAY;
            tx.records::<Issue>().restore(&deleted)
        })
        .await;
    assert_eq!(burn_up(&world, own.id, 0, 9).await[7..], [(7, 2, 0), (8, 3, 0)]);
    // Deleting a project deletes its tasks, so its live tasks in other cycles no longer count either.
    let at = at + Duration::days(2);
    assert!(world.commit(move |tx| tx.records::<Project>().delete(project, at)).await);
    assert_eq!(burn_up(&world, own.id, 0, 9).await[9..], [(9, 0, 0)]);
    assert_eq!(burn_up(&world, next.id, 0, 9).await, [(5, 1, 0), (9, 0, 0)]);
}

/// The first day includes earlier changes; changes after the last day are left out.
pub async fn days_before_and_after_are_cut(subject: &StoreUnderTest) {
    let world = subject.world().await;
    let project = world.add(world.bare_project()).await.id;
    let own = cycle(&world, project).await;
    for day in [0, 2, 4, 6] {
        task(&world, &own, day).await;
    }
    assert_eq!(burn_up(&world, own.id, 3, 5).await, [(3, 2, 0), (4, 3, 0)]);
    let id = own.id;
    assert_eq!(world.get::<Cycle>(id).await, Some(own));
    world.delete::<Cycle>(id).await;
    assert_eq!(world.get::<Cycle>(id).await, None);
}
