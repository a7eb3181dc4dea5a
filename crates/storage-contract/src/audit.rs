//! The audit log.

use super::paging::{check_walks, newest_first};
use super::{StoreUnderTest, TestWorkspace};
use domain::Error;
use domain::identity::access::{Actor, ActorKind};
use domain::identity::audit::{AuditAction, AuditActor, AuditEntry, AuditFilter, AuditSubject, AuditSubjectKind};
use domain::kernel::paging::{PageRequest, Paginated};

async fn append(world: &TestWorkspace, entry: &AuditEntry) {
    let entry = entry.clone();
    world.done(move |tx| tx.audit().append(&entry)).await;
}

async fn log(world: &TestWorkspace) -> Vec<AuditEntry> {
    world.look(|tx| tx.audit().list(&AuditFilter::default(), &PageRequest::first(100))).await
}

/// All members round-trip, set or unset, for every action.
pub async fn all_members_round_trip(subject: &StoreUnderTest) {
    let world = subject.world().await;
    let mut expected = vec![world.full_entry(), world.bare_entry()];
    expected.extend(AuditAction::ALL.iter().map(|action| AuditEntry { action: *action, ..world.bare_entry() }));
    expected.extend(AuditSubjectKind::ALL.iter().map(|kind| {
        let subject = AuditSubject { kind: *kind, id: world.id() };
        AuditEntry { subject, ..world.bare_entry() }
    }));
    for entry in &expected {
        append(&world, entry).await;
    }
    let log = log(&world).await;
    for entry in expected {
        assert!(log.contains(&entry), "{entry:?}");
    }
}

/// An entry is rolled back with its transaction, and invisible to other workspaces.
pub async fn an_entry_commits_with_its_action(subject: &StoreUnderTest) {
    let (world, other) = (subject.world().await, subject.world().await);
    let (done, undone, before) = (world.bare_entry(), world.bare_entry(), log(&other).await);
    append(&world, &done).await;
    let entry = undone.clone();
    let result: Result<(), Error> = world
        .run(move |tx| {
            tx.audit().append(&entry)?;
            Err(Error::NotFound("member"))
        })
        .await;
    assert!(result.is_err());
    let log_of_world = log(&world).await;
    assert!(log_of_world.contains(&done) && !log_of_world.contains(&undone));
    assert_eq!(log(&other).await, before);
}

/// Newest first, ties by id.
pub async fn pages_run_from_the_newest_to_the_oldest(subject: &StoreUnderTest) {
    let world = subject.world().await;
    let mut places: Vec<_> = log(&world).await.iter().map(Paginated::cursor_key).collect();
    for created_at in world.seven_times() {
        let entry = AuditEntry { created_at, ..world.bare_entry() };
        append(&world, &entry).await;
        places.push(entry.cursor_key());
    }
    check_walks(&world, &newest_first(places), |tx, page| {
        Ok(tx.audit().list(&AuditFilter::default(), page)?.iter().map(Paginated::cursor_key).collect())
    })
    .await;
}

/// Each filter alone, and all together.
pub async fn each_filter_works(subject: &StoreUnderTest) {
    let world = subject.world().await;
    let [early, late] = [world.seven_times()[0], world.seven_times()[6]];
    let actor = |id| AuditActor { actor: Actor { kind: ActorKind::User, id: Some(id) }, name: "a".to_owned() };
    let (ann, bob) = (world.id(), world.id());
    let entry = |action, by, created_at| AuditEntry { action, actor: actor(by), created_at, ..world.bare_entry() };
    let entries = [
        entry(AuditAction::KeyCreated, ann, early),
        entry(AuditAction::KeyRevoked, ann, late),
        entry(AuditAction::KeyCreated, bob, late),
    ];
    for one in &entries {
        append(&world, one).await;
    }
    let all = || AuditFilter { actor_id: None, ..AuditFilter::default() };
    let of_actions = |actions: &[AuditAction]| AuditFilter { action: actions.to_vec().into(), ..all() };
    for filter in [
        of_actions(&[AuditAction::KeyCreated]),
        of_actions(&[AuditAction::KeyCreated, AuditAction::KeyRevoked]),
        AuditFilter { actor_id: Some(ann), ..all() },
        AuditFilter { since: Some(late), ..all() },
        AuditFilter { until: Some(late), ..all() },
        AuditFilter { actor_id: Some(ann), since: Some(late), ..of_actions(&[AuditAction::KeyRevoked]) },
    ] {
        let shown = filter.clone();
        let found = world.look(move |tx| tx.audit().list(&shown, &PageRequest::first(100))).await;
        for one in &entries {
            assert_eq!(found.contains(one), filter.matches(one), "{filter:?} {one:?}");
        }
        assert!(found.iter().all(|one| filter.matches(one)), "{filter:?}");
    }
}
