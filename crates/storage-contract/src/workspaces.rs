//! Workspaces and their members.

use serde_json::json;

use super::{StoreUnderTest, TestWorkspace, taken};
use domain::identity::access::{ManageMembers, ManageWorkspace};
use domain::identity::audit::{AuditAction, AuditEntry, AuditFilter, AuditSubject};
use domain::identity::workspaces::{self, Erasure, NewUser, NewWorkspace, Role, Workspace, WorkspaceStatus};
use domain::kernel::{KbLanguage, Networks};
use domain::limits::{Plan, WorkspaceLimits};
use domain::testing::{self, plain_hash};
use domain::{Reference, WorkspaceId};

fn person(email: &str) -> NewUser {
    let password = plain_hash("a password of theirs");
    NewUser { email: email.to_owned(), name: "A user".to_owned(), role: Role::Viewer, password }
}

/// Only the exact slug or id matches.
pub async fn found_by_slug_and_by_id(subject: &StoreUnderTest) {
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

pub async fn a_slug_is_taken_once(subject: &StoreUnderTest) {
    let world = subject.world().await;
    let new = NewWorkspace { name: "Other".to_owned(), slug: world.workspace.slug.clone(), plan: Plan::Starter };
    assert_eq!(taken(workspaces::create(&subject.ports, &testing::operator(), &new).await), "slug");
    let found = subject.ports.directory.find_workspace(&world.workspace.slug).await.unwrap();
    assert_eq!(found, Some(world.workspace));
}

fn workspace(subject: &StoreUnderTest) -> Workspace {
    let id = subject.ports.ids.new_id();
    Workspace {
        id: WorkspaceId(id),
        slug: format!("w-{}", id.simple()),
        name: super::records::LINE.to_owned(),
        plan: Plan::Starter,
        status: WorkspaceStatus::Active,
        erasure: None,
        default_currency: "CHF".to_owned(),
        kb_language: KbLanguage::Simple,
        widget_enabled: false,
        widget_origins: Vec::new(),
        help_centre_enabled: true,
        help_centre_pictures: false,
        time_zone: "UTC".to_owned(),
        time_locked_until: None,
        time_overlaps_allowed: false,
        require_second_factor: false,
        notify_requesters: None,
        allowed_networks: Networks::default(),
        limits: WorkspaceLimits::default(),
        version: 1,
        created_at: super::records::MADE,
        updated_at: super::records::MADE,
    }
}

async fn add(subject: &StoreUnderTest, workspace: &Workspace) -> AuditEntry {
    let principal = testing::operator().permit::<ManageWorkspace>(workspace.clone()).principal();
    let (action, about) = (AuditAction::WorkspaceCreated, AuditSubject::workspace(workspace.id));
    let entry = AuditEntry::new(&subject.ports, &principal, action, about, json!({ "slug": workspace.slug }));
    subject.ports.directory.create_workspace(workspace, &entry).await.unwrap();
    entry
}

/// The due time for the erasure of deleted workspaces.
const ERASURE: Erasure = Erasure { due_at: super::records::MADE, has_begun: false };

pub async fn every_plan_and_status_is_kept(subject: &StoreUnderTest) {
    for plan in Plan::ALL.iter().copied() {
        for status in WorkspaceStatus::ALL.iter().copied() {
            let erasure = (status == WorkspaceStatus::Deleted).then_some(ERASURE);
            let workspace = Workspace { plan, status, erasure, ..workspace(subject) };
            add(subject, &workspace).await;
            let found = subject.ports.directory.find_workspace(&workspace.slug).await.unwrap();
            assert_eq!(found, Some(workspace));
        }
    }
}

fn full(workspace: &Workspace) -> Workspace {
    Workspace {
        name: "Other name".to_owned(),
        plan: Plan::Enterprise,
        status: WorkspaceStatus::Suspended,
        default_currency: "JPY".to_owned(),
        kb_language: KbLanguage::German,
        widget_enabled: true,
        widget_origins: vec!["https://b.example".to_owned(), "https://a.example".to_owned()],
        help_centre_enabled: false,
        help_centre_pictures: true,
        time_zone: "Europe/Zurich".to_owned(),
        time_locked_until: Some(time::macros::date!(2030 - 01 - 31)),
        time_overlaps_allowed: true,
        require_second_factor: true,
        notify_requesters: Some(true),
        allowed_networks: super::api_keys::networks(),
        limits: WorkspaceLimits {
            requests_per_minute: Some(1),
            crm_quota_per_month: Some(0),
            public_tickets_per_hour: Some(u32::MAX),
            public_fetches_per_minute: Some(4),
            public_kb_searches_per_minute: Some(5),
            emails_per_hour: Some(6),
            event_bytes_per_day: Some(20_000_000_000),
        },
        version: 2,
        updated_at: workspace.updated_at + time::Duration::MICROSECOND,
        ..workspace.clone()
    }
}

/// A save writes all mutable fields, including cleared ones, of this workspace only.
pub async fn a_save_writes_every_field(subject: &StoreUnderTest) {
    let (world, other) = (subject.world().await, subject.world().await);
    let original = world.workspace.clone();
    for expected in [full(&original), original.clone()] {
        let saved = Workspace { slug: "another".to_owned(), ..expected.clone() };
        let read = world
            .commit(move |tx| {
                tx.workspace().get_for_update()?;
                tx.workspace().save(&saved)?;
                tx.workspace().get()
            })
            .await;
        assert_eq!(read, expected);
        assert_eq!(world.read(|tx| tx.workspace().get()).await, expected);
        let found = subject.ports.directory.find_workspace(&original.slug).await.unwrap();
        assert_eq!(found, Some(expected));
    }
    assert_eq!(other.read(|tx| tx.workspace().get()).await, other.workspace);
}

/// A workspace and the first entry of its log are created together or not at all.
pub async fn a_workspace_begins_with_an_audit_entry(subject: &StoreUnderTest) {
    let new = workspace(subject);
    let entry = add(subject, &new).await;
    let world = TestWorkspace {
        workspace: new.clone(),
        caller: domain::testing::caller_in(new.clone(), &["deals.read"]),
        ..subject.world().await
    };
    let log = async || {
        world.read(|tx| tx.audit().list(&AuditFilter::default(), &domain::kernel::paging::PageRequest::first(9))).await
    };
    assert_eq!(log().await, [entry]);
    let principal = world.operator::<ManageWorkspace>().principal();
    let action = AuditAction::WorkspaceCreated;
    let second_entry = AuditEntry::new(&subject.ports, &principal, action, AuditSubject::workspace(new.id), json!({}));
    let same_slug = Workspace { slug: new.slug.clone(), ..workspace(subject) };
    let refused = subject.ports.directory.create_workspace(&same_slug, &second_entry).await;
    assert_eq!(taken(refused.map_err(domain::Error::from)), "slug");
    assert_eq!(subject.ports.directory.find_workspace(&same_slug.id.to_string()).await.unwrap(), None);
    assert_eq!(log().await.len(), 1);
}

/// Lists are in byte order and start after a given slug.
pub async fn workspaces_are_listed_by_slug(subject: &StoreUnderTest) {
    // A prefix that only this case uses, because others may share the database.
    let start = format!("list-{}", subject.ports.ids.new_id().simple());
    let mut slugs: Vec<_> = ["a", "a-b", "ab", "a0", "b"].iter().map(|end| format!("{start}-{end}")).collect();
    for slug in &slugs {
        add(subject, &Workspace { slug: slug.clone(), ..workspace(subject) }).await;
    }
    slugs.sort();
    let list = async |after: &str, limit| {
        let found = subject.ports.directory.list_workspaces(after, limit).await.unwrap();
        found.into_iter().map(|workspace| workspace.slug).collect::<Vec<_>>()
    };
    assert_eq!(list(&start, 5).await, slugs);
    assert_eq!(list(&slugs[1], 2).await, slugs[2..4]);
    assert!(!list(&slugs[4], 99).await.contains(&slugs[4]));
}

/// One address is one user, in any case and across workspaces, but a member only once in each workspace.
pub async fn an_existing_user_joins_another_workspace(subject: &StoreUnderTest) {
    let (world, other) = (subject.world().await, subject.world().await);
    let email = world.new_email();
    let join = async |world: &TestWorkspace, email: &str| {
        let permit = world.operator::<ManageMembers>();
        workspaces::create_user(&subject.ports, &permit, person(email)).await.map(|created| created.user.id)
    };
    let id = join(&world, &email).await.unwrap();
    assert_eq!(taken(join(&world, &email).await), "email");
    assert_eq!(taken(join(&world, &email.to_lowercase()).await), "email");
    let is_member =
        async |world: &TestWorkspace| world.commit(move |tx| tx.references_exist(&[Reference::Member(id)])).await;
    assert_eq!(is_member(&other).await, [false]);
    assert_eq!(join(&other, &email.to_uppercase()).await.unwrap(), id);
    assert_eq!((is_member(&world).await, is_member(&other).await), (vec![true], vec![true]));
    assert_ne!(join(&world, &world.new_email()).await.unwrap(), id);
}

pub async fn the_store_is_available(subject: &StoreUnderTest) {
    subject.ports.directory.ping().await.unwrap();
    subject.world().await;
    assert!(subject.ports.directory.has_workspaces().await.unwrap());
}
