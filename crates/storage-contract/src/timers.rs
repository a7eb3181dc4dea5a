//! Timers and concurrently written entries, with the use cases.

use serde_json::json;
use time::{Duration, OffsetDateTime};

use super::records::fields;
use super::time_entries::{NINE, running, running_of};
use super::{Pruning, StoreUnderTest, TestWorkspace};
use domain::Error;
use domain::identity::access::DeleteTimeEntries;
use domain::kernel::versions::ExpectedVersion;
use domain::records;
use domain::work::time_entries::{self, EntryStatus, TimeEntry, TimeEntryFilter, TimerFields};
use futures_util::future::join;

/// Starts a timer for the member with the use case.
async fn start(world: &TestWorkspace) -> Result<TimeEntry, Error> {
    let body: TimerFields = fields(json!({ "member_id": world.member }));
    time_entries::start(&world.ports, &world.permit(), None, body).await?.made_now()
}

/// Starting a timer stops the running one.
pub async fn a_member_has_one_timer(subject: &StoreUnderTest) {
    let world = subject.world().await;
    let first = start(&world).await.unwrap();
    subject.clock.advance(Duration::seconds(90));
    let second = start(&world).await.unwrap();
    let id = first.id;
    let stopped = world.get::<TimeEntry>(id).await.unwrap();
    assert_eq!((stopped.status, stopped.ended_at), (EntryStatus::Stopped, second.started_at));
    assert!(stopped.seconds.is_some_and(|seconds| seconds >= 90));
    assert_eq!(running_of(&world, world.member).await, Some(second.id));
}

/// The job covers all workspaces.
pub async fn forgotten_timers_stop(subject: &StoreUnderTest) {
    let _alone = Pruning::alone();
    let world = subject.world().await;
    let since = world.now() - Duration::hours(13);
    let id = world.add(running(&world, since)).await.id;
    let step = time_entries::stop_forgotten_timers(&world.ports).await.unwrap();
    assert!(step.any, "{step:?}");
    let stopped = world.get::<TimeEntry>(id).await.unwrap();
    assert_eq!((stopped.status, stopped.seconds), (EntryStatus::Stopped, Some(12 * 3_600)));
    assert_eq!(stopped.ended_at, Some(since + Duration::hours(12)));
}

/// Two instances start a timer for the same member concurrently: only one timer keeps running.
pub async fn two_starts_at_once_leave_one_timer(subject: &StoreUnderTest) {
    let world = subject.world().await;
    for _ in 0..5 {
        let (one, other) = join(Box::pin(start(&world)), Box::pin(start(&world))).await;
        let started = [one.unwrap().id, other.unwrap().id];
        let running = running_of(&world, world.member).await;
        assert!(started.iter().any(|id| running == Some(*id)), "{running:?} of {started:?}");
        let filter = TimeEntryFilter { status: vec![EntryStatus::Running].into(), ..TimeEntryFilter::default() };
        let found = world.list::<TimeEntry>(filter).await;
        assert_eq!(found.len(), 1);
    }
}

async fn create(world: &TestWorkspace, start: OffsetDateTime) -> Result<TimeEntry, Error> {
    let format = domain::kernel::input::format_timestamp;
    let (from, to) = (format(start), format(start + Duration::HOUR));
    let body = fields(json!({ "member_id": world.member, "started_at": from, "ended_at": to }));
    records::create::<TimeEntry>(&world.ports, &world.permit(), None, body).await?.made_now()
}

/// Of two overlapping entries written concurrently, one is refused.
pub async fn two_writers_make_no_overlap(subject: &StoreUnderTest) {
    let world = subject.world().await;
    for day in 0..5 {
        let start = NINE + Duration::days(day);
        let (one, other) =
            join(Box::pin(create(&world, start)), Box::pin(create(&world, start + Duration::minutes(30)))).await;
        let refused: Vec<_> = [one, other].into_iter().filter_map(Result::err).collect();
        assert!(matches!(refused[..], [Error::Overlap { .. }]), "{refused:?}");
    }
}

/// The database enforces this even if the domain does not.
pub async fn the_database_refuses_a_second_timer(subject: &StoreUnderTest) {
    let world = subject.world().await;
    world.add(running(&world, NINE)).await;
    assert!(world.try_add(&running(&world, NINE + Duration::HOUR)).await.is_err());
    let other = world.new_member().await;
    world.add(TimeEntry { member_id: other, ..running(&world, NINE) }).await;
}

/// A deleted entry can be restored only if no other entry overlaps it.
pub async fn a_restored_entry_overlaps_no_other(subject: &StoreUnderTest) {
    let world = subject.world().await;
    let deleted = create(&world, NINE).await.unwrap().id;
    let permit = world.permit::<DeleteTimeEntries>();
    records::delete::<TimeEntry>(&world.ports, &permit, deleted, ExpectedVersion::Any).await.unwrap();
    let rival = create(&world, NINE + Duration::minutes(30)).await.unwrap().id;
    let restore = async || records::restore::<TimeEntry>(&world.ports, &permit, None, deleted).await;
    assert!(matches!(restore().await, Err(Error::Overlap { existing_id, .. }) if existing_id == rival.0));
    records::delete::<TimeEntry>(&world.ports, &permit, rival, ExpectedVersion::Any).await.unwrap();
    let restored = restore().await.unwrap().fresh().unwrap();
    assert_eq!((restored.id, restored.version), (deleted, 3));
}
