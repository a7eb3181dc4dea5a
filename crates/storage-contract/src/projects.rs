//! Projects.

use time::Duration;

use super::paging::{check_walks, newest_first};
use super::records::MADE;
use super::{StoreUnderTest, TestWorkspace, taken};
use domain::kernel::IssueKind;
use domain::kernel::paging::{PageRequest, Paginated};
use domain::work::issues::{Issue, IssueFilter};
use domain::work::projects::{Priority, Project, ProjectFilter, ProjectStatus};
use domain::{Error, ProjectId};

async fn get(world: &TestWorkspace, id: ProjectId) -> Option<Project> {
    world.look(move |tx| tx.projects().get(id)).await
}

async fn save(world: &TestWorkspace, project: &Project) -> Result<(), Error> {
    let project = project.clone();
    world
        .run(move |tx| {
            assert!(tx.projects().get_for_update(project.id)?.is_some());
            Ok(tx.projects().save(&project)?)
        })
        .await
}

async fn delete(world: &TestWorkspace, id: ProjectId) -> bool {
    let now = world.now();
    world.done(move |tx| tx.projects().delete(id, now)).await
}

/// All members round-trip, set or unset.
pub async fn all_members_round_trip(subject: &StoreUnderTest) {
    let world = subject.world().await;
    for project in [world.full_project().await, world.bare_project()] {
        world.add(project.clone()).await;
        assert_eq!(get(&world, project.id).await.as_ref(), Some(&project));
        assert_eq!(world.done(move |tx| tx.projects().get_for_update(project.id)).await, Some(project));
    }
    for status in ProjectStatus::ALL.iter().copied() {
        for priority in Priority::ALL.iter().copied() {
            let project = world.add(Project { status, priority, ..world.bare_project() }).await;
            assert_eq!(get(&world, project.id).await, Some(project));
        }
    }
}

/// A save writes all members, cleared ones too, and no other record.
pub async fn a_save_writes_every_member(subject: &StoreUnderTest) {
    let world = subject.world().await;
    let bystander = world.add(world.bare_project()).await;
    let bare = world.add(world.bare_project()).await;
    let full = world.full_project().await;
    let changed = Project { id: bare.id, created_at: bare.created_at, created_by: bare.created_by, ..full };
    save(&world, &changed).await.unwrap();
    assert_eq!(get(&world, bare.id).await, Some(changed));
    let emptied = Project { version: 8, updated_at: MADE + Duration::DAY, ..bare };
    save(&world, &emptied).await.unwrap();
    assert_eq!(get(&world, emptied.id).await, Some(emptied));
    assert_eq!(get(&world, bystander.id).await, Some(bystander));
}

/// The external id is unique among live projects of the workspace, on insert and save.
pub async fn external_id_is_unique_among_live_ones(subject: &StoreUnderTest) {
    let (world, other) = (subject.world().await, subject.world().await);
    let with_id = |project| Project { external_id: Some("x".to_owned()), ..project };
    let first = world.add(with_id(world.bare_project())).await;
    assert_eq!(taken(world.try_add(&with_id(world.bare_project())).await), "external_id");
    let second = world.add(world.bare_project()).await;
    assert_eq!(taken(save(&world, &with_id(second.clone())).await), "external_id");
    other.add(with_id(other.bare_project())).await;
    assert!(delete(&world, first.id).await);
    save(&world, &with_id(second)).await.unwrap();
}

/// Deleting a project hides its cycles and tasks; its tickets, and everything of other projects, stay.
pub async fn deletion_takes_cycles_and_tasks_along(subject: &StoreUnderTest) {
    let world = subject.world().await;
    let (gone, kept) = (world.add(world.bare_project()).await.id, world.add(world.bare_project()).await.id);
    let mut issues = Vec::new();
    for project_id in [Some(gone), Some(kept), None] {
        for kind in [IssueKind::Task, IssueKind::Ticket] {
            issues.push(world.add(Issue { project_id, ..world.bare_issue(kind).await }).await);
        }
    }
    let cycle = world.add(world.cycle(gone, 1)).await.id;
    let kept_cycle = world.add(world.cycle(kept, 1)).await.id;
    assert!(delete(&world, gone).await);
    assert!(!delete(&world, gone).await);
    assert!(!delete(&world, ProjectId(world.id())).await);
    assert_eq!(get(&world, gone).await, None);
    assert_eq!(world.done(move |tx| tx.projects().get_for_update(gone)).await, None);
    assert!(get(&world, kept).await.is_some());
    for (index, issue) in issues.into_iter().enumerate() {
        let found = world.look(move |tx| tx.issues().get(issue.id)).await;
        // The ticket keeps the id of the deleted project.
        assert_eq!(found, (index != 0).then_some(issue), "{index}");
    }
    let filter = IssueFilter { project_id: Some(gone), ..IssueFilter::all(IssueKind::Task) };
    assert!(world.look(move |tx| tx.issues().list(&filter, &PageRequest::first(10))).await.is_empty());
    let cycles = async |project| world.look(move |tx| tx.cycles().list(project, &PageRequest::first(10))).await.len();
    assert_eq!((cycles(gone).await, cycles(kept).await), (0, 1));
    assert_eq!(world.look(move |tx| tx.issues().project_of_cycle(cycle)).await, None);
    assert_eq!(world.look(move |tx| tx.issues().project_of_cycle(kept_cycle)).await, Some(kept));
}

/// Newest first, ties by id; without deleted ones.
pub async fn pages_run_from_the_newest_to_the_oldest(subject: &StoreUnderTest) {
    let world = subject.world().await;
    let mut places = Vec::new();
    for created_at in world.seven_times() {
        places.push(world.add(Project { created_at, ..world.bare_project() }).await.cursor_key());
    }
    let gone = world.add(world.bare_project()).await.id;
    assert!(delete(&world, gone).await);
    check_walks(&world, &newest_first(places), |tx, page| {
        Ok(tx.projects().list(&ProjectFilter::default(), page)?.iter().map(Paginated::cursor_key).collect())
    })
    .await;
}
