//! Timers: when they start and stop.

use domain::identity::access::{Caller, DeleteTimeEntries, UpdateTimeEntries};
use domain::identity::workspaces::Role;
use domain::kernel::idempotency::{IdempotentRequest, IdempotentResult};
use domain::records;
use domain::work::time_entries::{self, EntryStatus, MAX_CLOCK_SKEW, TimeEntry, TimerStopFields};
use domain::{Error, TimeEntryId};
use serde_json::json;
use test_databases::TestPorts;
use time::Duration;
use time::macros::datetime;

use super::time_entries::{
    event_names, listen_to_time, remove_member, session, set, start_timer, stop_timer, stored, update,
};
use super::{once, refusal, start};

#[test]
fn a_timer_runs_until_it_is_stopped() {
    let (test, world) = start();
    let member = session(&world, world.member, Role::Member);
    let stop = || stop_timer(&test, &member, json!({}));
    assert_eq!(refusal(stop()), "invalid_state_change");
    let timer = start_timer(&test, &member, json!({ "note": "Plan" })).unwrap();
    assert_eq!((timer.status, timer.seconds, &*timer.note), (EntryStatus::Running, None, "Plan"));
    test.clock.advance(Duration::minutes(90));
    let stopped = stop().unwrap();
    assert_eq!((stopped.id, stopped.status, stopped.seconds), (timer.id, EntryStatus::Stopped, Some(5_400)));
    let other = session(&world, test.block_on(world.new_member()), Role::Member);
    assert_eq!(refusal(start_timer(&test, &other, json!({ "member_id": world.member }))), "forbidden");
    assert_eq!(refusal(start_timer(&test, &world.caller, json!({}))), "validation_failed member_id:required");
}

#[test]
fn a_timer_begins_when_the_last_one_ends_by_the_clock_of_another_instance() {
    let (test, world) = start();
    let member = session(&world, world.member, Role::Member);
    let first = start_timer(&test, &member, json!({})).unwrap();
    // The request was received before the first one and handled after it.
    test.clock.advance(-Duration::SECOND);
    let second = start_timer(&test, &member, json!({})).unwrap();
    let ended = stored(&test, &world, first.id);
    assert_eq!((ended.status, ended.seconds, ended.ended_at), (EntryStatus::Stopped, Some(0), first.started_at));
    assert_eq!(second.started_at, first.started_at);
    test.clock.advance(Duration::minutes(10));
    let stopped = stop_timer(&test, &member, json!({})).unwrap();
    assert!(update(&test, &member, stopped.id, json!({ "note": "x" })).is_ok());
    test.clock.advance(-MAX_CLOCK_SKEW);
    let third = start_timer(&test, &member, json!({})).unwrap();
    assert_eq!(third.started_at, stopped.ended_at);
    assert!(update(&test, &member, third.id, json!({ "note": "begins in a minute" })).is_ok());
    let at_once = stop_timer(&test, &member, json!({})).unwrap();
    assert_eq!((at_once.seconds, at_once.ended_at), (Some(0), third.started_at));
    assert!(update(&test, &member, at_once.id, json!({ "note": "x" })).is_ok());
    test.clock.advance(-Duration::MICROSECOND);
    assert_eq!(refusal(start_timer(&test, &member, json!({}))), "conflict");
}

#[test]
fn locking_a_day_stops_the_timers_that_began_on_it() {
    let (test, world) = start();
    let (ada, bob) = (world.member, test.block_on(world.new_member()));
    let (of_ada, of_bob) = (session(&world, ada, Role::Member), session(&world, bob, Role::Member));
    let subscription = listen_to_time(&test, &world);
    test.clock.set(datetime!(2030-01-31 22:00 UTC));
    let evening = start_timer(&test, &of_ada, json!({})).unwrap();
    test.clock.set(datetime!(2030-02-01 00:30 UTC));
    let night = start_timer(&test, &of_bob, json!({})).unwrap();
    test.clock.set(datetime!(2030-02-01 01:00 UTC));
    set(&test, &world, json!({ "time_locked_until": "2030-01-30" }));
    assert_eq!(stored(&test, &world, evening.id).status, EntryStatus::Running);
    set(&test, &world, json!({ "time_locked_until": "2030-01-31" }));
    let stopped = stored(&test, &world, evening.id);
    assert_eq!((stopped.status, stopped.seconds, stopped.version), (EntryStatus::Stopped, Some(10_800), 2));
    assert_eq!(stored(&test, &world, night.id).status, EntryStatus::Running);
    let names = event_names(&test, &world, subscription);
    assert_eq!(names.iter().filter(|name| *name == "time_entry.stopped").count(), 1, "{names:?}");
    test.clock.advance(Duration::minutes(2));
    let emails = test.emails();
    assert_eq!(emails.len(), 1, "{emails:?}");
    assert!(emails[0].text().contains("were locked"), "{emails:?}");
    assert_eq!(refusal(stop_timer(&test, &of_ada, json!({}))), "invalid_state_change");
    // Reopening the period stops no timer.
    set(&test, &world, json!({ "time_locked_until": null }));
    assert_eq!(stored(&test, &world, night.id).status, EntryStatus::Running);
}

#[test]
fn the_timer_of_a_member_stops_when_they_are_removed() {
    let (test, world) = start();
    let other = test.block_on(world.new_member());
    let timers = [world.member, other].map(|member| {
        let caller = session(&world, member, Role::Member);
        start_timer(&test, &caller, json!({})).unwrap().id
    });
    test.clock.advance(Duration::HOUR);
    remove_member(&test, &world, other);
    let [running, stopped] = timers.map(|id| stored(&test, &world, id));
    assert_eq!(running.status, EntryStatus::Running);
    assert_eq!((stopped.status, stopped.seconds), (EntryStatus::Stopped, Some(3_600)));
}

/// Presses Stop on a page that shows a timer.
fn stop_shown(
    test: &TestPorts,
    caller: &Caller,
    shown: TimeEntryId,
    once: Option<IdempotentRequest<TimeEntry>>,
) -> Result<IdempotentResult<TimeEntry>, Error> {
    let permit = caller.permit::<UpdateTimeEntries>()?;
    let fields = TimerStopFields::default();
    test.block_on(time_entries::stop_expected(&test.ports, &permit, once, fields, Some(shown)))
}

#[test]
fn a_stale_page_stops_no_other_timer() {
    let (test, world) = start();
    let member = session(&world, world.member, Role::Member);
    let first = start_timer(&test, &member, json!({})).unwrap().id;
    test.clock.advance(Duration::MINUTE);
    let second = start_timer(&test, &member, json!({})).unwrap().id;
    let refused = stop_shown(&test, &member, first, None);
    assert!(matches!(&refused, Err(Error::Conflict(message)) if message == "another timer is running"), "{refused:?}");
    assert_eq!(stored(&test, &world, second).status, EntryStatus::Running);
    let stopped = stop_shown(&test, &member, second, Some(once("stop", 1))).unwrap().fresh().unwrap();
    assert_eq!((stopped.id, stopped.status), (second, EntryStatus::Stopped));
    // The same form, submitted again after another timer was started, gets the first answer.
    let third = start_timer(&test, &member, json!({})).unwrap().id;
    let repeated = stop_shown(&test, &member, second, Some(once("stop", 1))).unwrap();
    assert!(matches!(repeated, IdempotentResult::Replayed(_)), "{repeated:?}");
    assert_eq!(stored(&test, &world, third).status, EntryStatus::Running);
    let _ = stop_timer(&test, &member, json!({})).unwrap();
    let none = stop_shown(&test, &member, third, None);
    assert_eq!(refusal(none), "invalid_state_change");
}

#[test]
fn a_timer_that_was_deleted_while_it_ran_is_restored_as_stopped_at_its_deletion() {
    let (test, world) = start();
    let member = session(&world, world.member, Role::Member);
    let permit = member.permit::<DeleteTimeEntries>().unwrap();
    for (ran, expected) in [(Duration::minutes(90), 5_400_i32), (Duration::hours(13), 12 * 3_600)] {
        let timer = start_timer(&test, &member, json!({})).unwrap();
        test.clock.advance(ran);
        // As the previous release did.
        test.block_on(world.delete::<TimeEntry>(timer.id));
        test.clock.advance(Duration::DAY);
        let restoring = records::restore::<TimeEntry>(&test.ports, &permit, None, timer.id);
        let restored = test.block_on(restoring).unwrap().fresh().unwrap();
        let end = timer.started_at.map(|start| start + Duration::seconds(expected.into()));
        for entry in [restored, stored(&test, &world, timer.id)] {
            assert_eq!((entry.status, entry.seconds), (EntryStatus::Stopped, Some(expected)));
            assert_eq!((entry.ended_at, entry.version), (end, 3));
        }
    }
}
