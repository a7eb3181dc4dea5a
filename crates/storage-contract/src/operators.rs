//! Operators' changes to workspaces, and the erasure of deleted workspaces.

use time::OffsetDateTime;
use time::macros::datetime;

use super::{StoreUnderTest, TestWorkspace, taken};
use domain::identity::audit::AuditAction;
use domain::identity::workspaces::{
    self, Erasure, ErasureStep, Role, User, Workspace, WorkspaceFilter, WorkspaceStatus,
};
use domain::kernel::paging::{PageRequest, Paginated};
use domain::kernel::search::SearchQuery;
use domain::testing;
use domain::{Error, WorkspaceId};

/// Cases share a database: only this case has workspaces that are due this early.
const DUE: OffsetDateTime = datetime!(1990-01-01 00:00 UTC);

/// The flag is returned with account, session and member, reaches the other instances, and is in the user's audit logs.
pub async fn the_flag_of_operators_is_kept(subject: &StoreUnderTest) {
    let (world, other) = (subject.world().await, subject.world().await);
    let user = world.new_user(Some("a password of theirs"), Role::Viewer).await;
    let id = user.id;
    let is_one = async |world: &TestWorkspace| world.commit(move |tx| tx.members().is_operator(id)).await;
    for flag in [true, false] {
        workspaces::set_operator(&subject.ports, &testing::operator(), &user.email, flag).await.unwrap();
        let account = subject.ports.directory.find_user(id).await.unwrap().unwrap();
        assert_eq!((account.is_operator, is_one(&world).await), (flag, flag));
        assert!(!is_one(&other).await, "not a member of that workspace");
        let listed = workspaces::list_operators(&subject.ports, &testing::operator()).await.unwrap();
        assert_eq!(listed.iter().any(|one| one.id == id), flag);
        assert!(listed.is_sorted_by_key(User::email_key));
        let log = world.audit_log().await;
        let action = if flag { AuditAction::OperatorAdded } else { AuditAction::OperatorRemoved };
        assert!(log.iter().any(|entry| entry.action == action && entry.subject.id == id.0), "{log:?}");
    }
    let changes = subject.ports.directory.credential_changes(std::time::Duration::from_mins(1)).await.unwrap();
    assert!(changes.contains(&id.0));
    assert!(subject.ports.directory.has_users().await.unwrap());
    let unknown = workspaces::set_operator(&subject.ports, &testing::operator(), "nobody@example.com", true).await;
    assert!(matches!(unknown, Err(Error::NotFound(_))));
}

fn copy_of(world: &TestWorkspace, slug: &str, name: &str) -> Workspace {
    let id = WorkspaceId(world.id());
    Workspace { id, slug: format!("{slug}-{}", id.0.simple()), name: name.to_owned(), ..world.workspace.clone() }
}

async fn insert(world: &TestWorkspace, new: Workspace) -> Result<(), Error> {
    world.run(move |tx| tx.enter(&testing::operator(), new.id, &mut |tx| Ok(tx.workspace().insert(&new)?))).await
}

/// Changes in another workspace are committed or rolled back with the rest; afterwards the transaction is back in its own.
pub async fn a_transaction_enters_another_workspace(subject: &StoreUnderTest) {
    let (world, other) = (subject.world().await, subject.world().await);
    let new = copy_of(&world, "new", "New");
    for commits in [false, true] {
        let (inserted, other_id) = (new.clone(), other.workspace.id);
        let result = world
            .run(move |tx| {
                let operator = testing::operator();
                tx.enter(&operator, inserted.id, &mut |tx| {
                    tx.workspace().insert(&inserted)?;
                    assert_eq!(tx.workspace().get()?.id, inserted.id);
                    Ok(())
                })?;
                tx.enter(&operator, other_id, &mut |tx| {
                    let workspace = tx.workspace().get_for_update()?;
                    Ok(tx.workspace().save(&Workspace { name: "Entered".to_owned(), ..workspace })?)
                })?;
                let own = tx.workspace().get()?.id;
                if commits { Ok(own) } else { Err(Error::Conflict("undone".to_owned())) }
            })
            .await;
        assert_eq!(result.ok(), commits.then_some(world.workspace.id));
        let found = subject.ports.directory.find_workspace(&new.slug).await.unwrap();
        assert_eq!(found.map(|found| found.id), commits.then_some(new.id));
        let renamed = other.read(|tx| tx.workspace().get()).await.name == "Entered";
        assert_eq!(renamed, commits);
    }
    let taken_slug = Workspace { id: WorkspaceId(world.id()), ..new };
    assert_eq!(taken(insert(&world, taken_slug).await), "slug");
}

/// By the beginnings of words in name and slug, by status, newest first.
pub async fn workspaces_are_searched(subject: &StoreUnderTest) {
    let world = subject.world().await;
    // A word that only this case uses.
    let mark = format!("w{}", world.id().simple());
    let mut all = Vec::new();
    for (number, (slug, name, status)) in [
        ("first", "Ärzte", WorkspaceStatus::Active),
        ("second", "Bakers", WorkspaceStatus::Suspended),
        ("third", "Bakers", WorkspaceStatus::Restricted),
    ]
    .into_iter()
    .enumerate()
    {
        let created_at = world.now() + time::Duration::seconds(i64::try_from(number).unwrap());
        let workspace = Workspace { status, created_at, ..copy_of(&world, slug, &format!("{name} {mark}")) };
        all.push(workspace.id);
        insert(&world, workspace).await.unwrap();
    }
    let search = async |text: &str, statuses: &[WorkspaceStatus], page: PageRequest| {
        let search = SearchQuery::parse(&format!("{mark} {text}")).unwrap();
        let filter = WorkspaceFilter { search, status: statuses.to_vec().into(), ..WorkspaceFilter::default() };
        subject.ports.directory.search_workspaces(&filter, &page).await.unwrap()
    };
    let ids = |found: &[Workspace]| found.iter().map(|workspace| workspace.id).collect::<Vec<_>>();
    let page = PageRequest::first(9);
    assert_eq!(ids(&search("", &[], page).await), [all[2], all[1], all[0]]);
    assert_eq!(ids(&search("arzte", &[], page).await), [all[0]]);
    assert_eq!(ids(&search("second", &[], page).await), [all[1]]);
    assert_eq!(ids(&search("bak", &[WorkspaceStatus::Restricted], page).await), [all[2]]);
    let either = [WorkspaceStatus::Restricted, WorkspaceStatus::Active];
    assert_eq!(ids(&search("", &either, page).await), [all[2], all[0]]);
    let (from, until) = (world.now() + time::Duration::SECOND, world.now() + time::Duration::seconds(2));
    let filter = WorkspaceFilter {
        search: SearchQuery::parse(&mark).unwrap(),
        created_since: Some(from),
        created_before: Some(until),
        ..WorkspaceFilter::default()
    };
    assert_eq!(ids(&subject.ports.directory.search_workspaces(&filter, &page).await.unwrap()), [all[1]]);
    let first = search("", &[], PageRequest::first(1)).await;
    assert_eq!(ids(&first), [all[2], all[1]], "one more than the limit");
    let (time, id) = first[0].cursor_key();
    assert_eq!(ids(&search("", &[], PageRequest::after(time, id, 9)).await), [all[1], all[0]]);
    // A new name is found, and the old one no longer is.
    let renamed = all[1];
    let rename = world.run(move |tx| {
        tx.enter(&testing::operator(), renamed, &mut |tx| {
            let workspace = tx.workspace().get_for_update()?;
            Ok(tx.workspace().save(&Workspace { name: "Carpenters".to_owned(), ..workspace })?)
        })
    });
    rename.await.unwrap();
    assert_eq!(ids(&search("", &[], page).await), [all[2], all[0]]);
}

/// Nothing is left of a workspace, nor of its users who are in no other workspace and are not operators.
pub async fn a_due_workspace_is_erased(subject: &StoreUnderTest) {
    let (world, other) = (subject.world().await, subject.world().await);
    let (lone, operator) = (world.new_user(None, Role::Member).await, world.new_user(None, Role::Member).await);
    let both = world.person_in(&[&world, &other], Role::Member).await;
    let ids = [lone.id, both.id, operator.id];
    workspaces::set_operator(&subject.ports, &testing::operator(), &operator.email, true).await.unwrap();
    let erasure = Some(Erasure { due_at: DUE, has_begun: false });
    let delete = move |it: &mut Workspace| (it.status, it.erasure) = (WorkspaceStatus::Deleted, erasure);
    world.change_workspace(delete).await;
    let erase = async |now| subject.ports.directory.erase_workspaces(now, 2).await.unwrap();
    assert_eq!(erase(DUE - time::Duration::SECOND).await, ErasureStep::default());
    let first = erase(DUE).await;
    assert!(first.rows > 0 && first.erased.is_none(), "{first:?}");
    let half_erased = subject.ports.directory.find_workspace(&world.workspace.slug).await.unwrap().unwrap();
    assert_eq!(half_erased.erasure, Some(Erasure { due_at: DUE, has_begun: true }));
    let mut steps = 1;
    while erase(DUE).await.erased != Some(world.workspace.id) {
        steps += 1;
        assert!(steps < 100, "it does not end");
    }
    assert_eq!(erase(DUE).await, ErasureStep::default());
    assert_eq!(subject.ports.directory.find_workspace(&world.workspace.slug).await.unwrap(), None);
    let mut remaining = Vec::new();
    for id in ids {
        remaining.push(subject.ports.directory.find_user(id).await.unwrap().is_some());
    }
    assert_eq!(remaining, [false, true, true]);
    let account = subject.ports.directory.find_user(ids[1]).await.unwrap().unwrap();
    assert_eq!(account.memberships.len(), 1);
    assert_eq!(other.read(|tx| tx.workspace().get()).await, other.workspace);
}
