//! The audit log.

use super::paging::{check_walks, newest_first};
use super::{StoreUnderTest, TestWorkspace};
use domain::Error;
use domain::identity::audit::{AuditAction, AuditEntry, AuditSubject, AuditSubjectKind};
use domain::kernel::paging::{PageRequest, Paginated};

async fn append(world: &TestWorkspace, entry: &AuditEntry) {
    let entry = entry.clone();
    world.done(move |tx| tx.audit().append(&entry)).await;
}

async fn log(world: &TestWorkspace) -> Vec<AuditEntry> {
    world.look(|tx| tx.audit().list(&PageRequest::first(100))).await
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
        Ok(tx.audit().list(page)?.iter().map(Paginated::cursor_key).collect())
    })
    .await;
}
