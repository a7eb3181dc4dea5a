//! Workspaces and their members.

use super::{Subject, taken};
use crate::ports::Operator;
use crate::workspaces::{self, NewUser, NewWorkspace, PasswordHash, Plan, Role, Workspace, WorkspaceStatus};
use crate::{Reference, WorkspaceId};

fn person(email: &str) -> NewUser {
    let password = PasswordHash("$argon2id$v=19$m=8,t=1,p=1$c2FsdHNhbHQ$aGFzaA".to_owned());
    NewUser { email: email.to_owned(), name: "A person".to_owned(), role: Role::Viewer, password }
}

/// By slug and by id, exactly; nothing else finds one.
pub async fn found_by_slug_and_by_id(subject: &Subject) {
    let (world, other) = (subject.world().await, subject.world().await);
    let find = async |text: &str| subject.ports.directory.find_workspace(text).await.unwrap();
    for workspace in [&world.workspace, &other.workspace] {
        assert_eq!(find(&workspace.slug).await.as_ref(), Some(workspace));
        assert_eq!(find(&workspace.id.to_string()).await.as_ref(), Some(workspace));
        assert_eq!(find(&workspace.id.to_string().to_uppercase()).await.as_ref(), Some(workspace));
        assert_eq!(find(&workspace.slug.to_uppercase()).await, None);
    }
    for absent in ["", "'", "no-such-workspace", &world.id().to_string()] {
        assert_eq!(find(absent).await, None, "{absent}");
    }
}

/// A slug names one workspace.
pub async fn a_slug_is_taken_once(subject: &Subject) {
    let world = subject.world().await;
    let new = NewWorkspace { name: "Other".to_owned(), slug: world.workspace.slug.clone(), plan: Plan::Starter };
    assert_eq!(taken(workspaces::create(&subject.ports, &Operator::of_this_process(), &new).await), "slug");
    let found = subject.ports.directory.find_workspace(&world.workspace.slug).await.unwrap();
    assert_eq!(found, Some(world.workspace));
}

/// Every member of a workspace comes back.
pub async fn every_plan_and_status_is_kept(subject: &Subject) {
    for plan in Plan::ALL.iter().copied() {
        for status in WorkspaceStatus::ALL.iter().copied() {
            let id = subject.ports.ids.new_id();
            let workspace = Workspace {
                id: WorkspaceId(id),
                slug: format!("w-{}", id.simple()),
                name: super::records::LINE.to_owned(),
                plan,
                status,
                default_currency: "CHF".to_owned(),
            };
            subject.ports.directory.create_workspace(&workspace, subject.ports.clock.now()).await.unwrap();
            let found = subject.ports.directory.find_workspace(&workspace.slug).await.unwrap();
            assert_eq!(found, Some(workspace));
        }
    }
}

/// One address is one person, in any casing and in several workspaces, but a member only once in each.
pub async fn a_known_person_joins_another_workspace(subject: &Subject) {
    let (world, other) = (subject.world().await, subject.world().await);
    let operator = Operator::of_this_process();
    let email = world.new_email();
    let join = async |workspace, email: &str| {
        workspaces::create_user(&subject.ports, &operator, workspace, person(email)).await.map(|user| user.id)
    };
    let id = join(world.workspace.id, &email).await.unwrap();
    assert_eq!(taken(join(world.workspace.id, &email).await), "email");
    assert_eq!(taken(join(world.workspace.id, &email.to_lowercase()).await), "email");
    let is_member =
        async |world: &super::World| world.done(move |tx| tx.references_exist(&[Reference::Member(id)])).await;
    assert_eq!(is_member(&other).await, [false]);
    assert_eq!(join(other.workspace.id, &email.to_uppercase()).await.unwrap(), id);
    assert_eq!((is_member(&world).await, is_member(&other).await), (vec![true], vec![true]));
    assert_ne!(join(world.workspace.id, &world.new_email()).await.unwrap(), id);
}

/// The store says that it is there, and that it has workspaces.
pub async fn the_store_answers(subject: &Subject) {
    subject.ports.directory.ping().await.unwrap();
    subject.world().await;
    assert!(subject.ports.directory.has_workspaces().await.unwrap());
}
