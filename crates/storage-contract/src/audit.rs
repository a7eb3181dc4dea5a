use super::paging::{check_walks, newest_first};
use super::{StoreUnderTest, TestWorkspace};
use domain::identity::access::{Actor, ActorKind};
use domain::identity::audit::{
    AuditAction, AuditActor, AuditEntry, AuditFilter, AuditSubject, AuditSubjectKind, LeftOutCount,
};
use domain::kernel::paging::{PageRequest, Paginated};
use domain::{Error, WorkspaceId};
use time::{Duration, OffsetDateTime};
use uuid::Uuid;

pub async fn all_fields_round_trip(subject: &StoreUnderTest) {
    let world = subject.world().await;
    let mut expected = vec![world.full_entry(), world.bare_entry()];
    expected.extend(AuditAction::ALL.iter().map(|action| AuditEntry { action: *action, ..world.bare_entry() }));
    expected.extend(AuditSubjectKind::ALL.iter().map(|kind| {
        let subject = AuditSubject { kind: *kind, id: world.id() };
        AuditEntry { subject, ..world.bare_entry() }
    }));
    for entry in &expected {
        world.add(entry.clone()).await;
    }
    let log = world.audit_log().await;
    for entry in expected {
        assert!(log.contains(&entry), "{entry:?}");
    }
}

pub async fn pages_run_from_the_newest_to_the_oldest(subject: &StoreUnderTest) {
    let world = subject.world().await;
    let mut cursor_keys: Vec<_> = world.audit_log().await.iter().map(Paginated::cursor_key).collect();
    for created_at in world.seven_times() {
        let entry = AuditEntry { created_at, ..world.bare_entry() };
        world.add(entry.clone()).await;
        cursor_keys.push(entry.cursor_key());
    }
    check_walks(&world, &newest_first(cursor_keys), |tx, page| tx.audit().list(&AuditFilter::default(), page)).await;
}

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
        world.add(one.clone()).await;
    }
    let none = || AuditFilter { actor_id: None, ..AuditFilter::default() };
    let of_actions = |actions: &[AuditAction]| AuditFilter { action: actions.to_vec().into(), ..none() };
    for filter in [
        of_actions(&[AuditAction::KeyCreated]),
        of_actions(&[AuditAction::KeyCreated, AuditAction::KeyRevoked]),
        AuditFilter { actor_id: Some(ann), ..none() },
        AuditFilter { since: Some(late), ..none() },
        AuditFilter { until: Some(late), ..none() },
        AuditFilter { actor_id: Some(ann), since: Some(late), ..of_actions(&[AuditAction::KeyRevoked]) },
    ] {
        let query = filter.clone();
        let found = world.read(move |tx| tx.audit().list(&query, &PageRequest::first(100))).await;
        for one in &entries {
            assert_eq!(found.contains(one), matches(&filter, one), "{filter:?} {one:?}");
        }
        assert!(found.iter().all(|one| matches(&filter, one)), "{filter:?}");
    }
}

fn matches(filter: &AuditFilter, entry: &AuditEntry) -> bool {
    (filter.action.0.is_empty() || filter.action.0.contains(&entry.action))
        && filter.actor_id.is_none_or(|actor| entry.actor.actor.id == Some(actor))
        && filter.since.is_none_or(|since| entry.created_at >= since)
        && filter.until.is_none_or(|until| entry.created_at < until)
}

/// An entry of a user, in the hour before the oldest that other cases write in.
fn by_user(world: &TestWorkspace, user: Uuid, action: AuditAction) -> AuditEntry {
    let actor = AuditActor { actor: Actor { kind: ActorKind::User, id: Some(user) }, name: "Ann".to_owned() };
    AuditEntry { action, actor, created_at: early_hour(world) + Duration::minutes(59), ..world.bare_entry() }
}

fn early_hour(world: &TestWorkspace) -> OffsetDateTime {
    world.bare_entry().hour() - Duration::days(3_000)
}

async fn count_of(world: &TestWorkspace, user: Uuid) -> usize {
    let filter = AuditFilter { actor_id: Some(user), ..AuditFilter::default() };
    world.read(move |tx| tx.audit().list(&filter, &PageRequest::first(1_000))).await.len()
}

/// Entries within the bound per actor, action and hour are written. The counts of others are taken once, after the hour.
pub async fn routine_entries_beyond_the_bound_are_counted(subject: &StoreUnderTest) {
    let (world, other_world) = (subject.world().await, subject.world().await);
    let (ann, bob, action) = (world.id(), world.id(), AuditAction::SessionStarted);
    let bound = action.bound().per_hour as usize;
    for _ in 0..bound + 3 {
        world.add(by_user(&world, ann, action)).await;
    }
    assert_eq!(count_of(&world, ann).await, bound);
    world.add(by_user(&world, ann, AuditAction::SessionEnded)).await;
    world.add(by_user(&world, bob, action)).await;
    other_world.add(by_user(&other_world, ann, action)).await;
    let next = by_user(&world, ann, action);
    world.add(AuditEntry { created_at: next.created_at + Duration::HOUR, ..next }).await;
    assert_eq!((count_of(&world, ann).await, count_of(&world, bob).await), (bound + 2, 1));
    assert_eq!(count_of(&other_world, ann).await, 1);

    let (hour, id) = (early_hour(&world), world.workspace.id);
    let find = async |before| -> Vec<WorkspaceId> {
        let found = subject.ports.directory.find_left_out(before, 10_000).await.unwrap();
        found.into_iter().filter(|found| [id, other_world.workspace.id].contains(found)).collect()
    };
    let take = async |before| world.commit(move |tx| tx.audit().take_left_out(before, 100)).await;
    assert_eq!((find(hour).await, take(hour).await), (vec![], vec![]), "the hour is not over");
    let end = hour + Duration::HOUR;
    assert_eq!(find(end).await, [id]);
    let actor = by_user(&world, ann, action).actor;
    assert_eq!(take(end).await, [LeftOutCount { hour, actor, action, left_out: 3 }]);
    assert_eq!((find(end).await, take(end).await), (vec![], vec![]), "they were taken");
    // An entry left out by a late transaction still counts.
    for _ in 0..=bound {
        world.add(by_user(&world, ann, action)).await;
    }
    assert_eq!(take(end).await.iter().map(|count| count.left_out).sum::<u64>(), 1);
    let prune = async |limit| subject.ports.directory.prune_audit_counts(end, limit).await.unwrap();
    assert_eq!(prune(2).await, 2, "bounded");
    while prune(100).await > 0 {}
    world.add(by_user(&world, ann, action)).await;
    assert_eq!((find(end).await, prune(100).await), (vec![], 1), "a new count starts");
}

/// The action is rolled back with its entry; actions of other actors and of the next hour are not.
pub async fn protected_actions_beyond_the_bound_are_refused(subject: &StoreUnderTest) {
    let world = subject.world().await;
    let (ann, bob, action) = (world.id(), world.id(), AuditAction::PasswordChanged);
    // Not in the hours whose counts another case prunes concurrently.
    let by_user = |world: &TestWorkspace, user, action| {
        let entry = by_user(world, user, action);
        AuditEntry { created_at: entry.created_at + Duration::DAY, ..entry }
    };
    let bound = action.bound().per_hour;
    for _ in 0..bound {
        world.add(by_user(&world, ann, action)).await;
    }
    let (routine, refused) = (by_user(&world, bob, AuditAction::AccountUpdated), by_user(&world, ann, action));
    let result: Result<(), Error> = world
        .run(move |tx| {
            tx.audit().append(&routine)?;
            Ok(tx.audit().append(&refused)?)
        })
        .await;
    let Err(Error::TooManyAudited { limit, retry_after }) = result else { panic!("{result:?}") };
    assert_eq!((limit, retry_after), (bound, 60), "a minute is left of the hour");
    assert_eq!((count_of(&world, ann).await, count_of(&world, bob).await), (bound as usize, 0));
    world.add(by_user(&world, bob, action)).await;
    let next = by_user(&world, ann, action);
    world.add(AuditEntry { created_at: next.created_at + Duration::HOUR, ..next }).await;
    assert_eq!((count_of(&world, ann).await, count_of(&world, bob).await), (bound as usize + 1, 1));
}

/// The limit does not apply to the service and its command line, which cannot wait.
pub async fn the_service_is_refused_nothing(subject: &StoreUnderTest) {
    let world = subject.world().await;
    let (before, action) = (world.audit_log().await.len(), AuditAction::PasswordReset);
    for _ in 0..=action.bound().per_hour {
        world.add(AuditEntry { action, ..world.bare_entry() }).await;
    }
    assert_eq!(world.audit_log().await.len() - before, action.bound().per_hour as usize + 1);
}
