//! A day's time in the week of a member.

use domain::Error;
use domain::identity::access::{Caller, ReadTimeEntries, UpdateTimeEntries};
use domain::identity::workspaces::Role;
use domain::kernel::paging::PageRequest;
use domain::records;
use domain::work::time_entries::{self, DayOutcome, DayTotal, TimeEntry, TimeEntryFilter, WorkedDay};
use serde_json::json;
use test_databases::TestPorts;
use time::macros::date;

use super::time_approval::approve;
use super::time_entries::{create, session};
use super::{refusal, start};

/// The entries of a member.
fn entries_of(test: &TestPorts, member: &Caller) -> Vec<TimeEntry> {
    let permit = member.permit::<ReadTimeEntries>().unwrap();
    let all = records::list::<TimeEntry>(&test.ports, &permit, TimeEntryFilter::default(), PageRequest::first(10));
    test.block_on(all).unwrap().items
}

/// Sets the member's time without a record on 31 January 2030.
fn set_day(test: &TestPorts, member: &Caller, seen: i32, wanted: i32) -> Result<DayOutcome, Error> {
    set_day_of(test, member, &entries_of(test, member), DayTotal { seen, wanted })
}

/// Like [`set_day`], by a request that has read these entries.
fn set_day_of(test: &TestPorts, member: &Caller, entries: &[TimeEntry], total: DayTotal) -> Result<DayOutcome, Error> {
    let permit = member.permit::<UpdateTimeEntries>().unwrap();
    let day = WorkedDay { target: None, date: date!(2030 - 01 - 31), entries: entries.iter().collect() };
    test.block_on(time_entries::set_day(&test.ports, &permit, &day, total, None))
}

#[test]
fn a_day_becomes_as_long_as_is_asked_and_approved_time_stays() {
    let (test, world) = start();
    let member = session(&world, world.member, Role::Member);
    let owner = session(&world, test.block_on(world.new_member()), Role::Owner);
    let stored = || entries_of(&test, &member).iter().filter_map(|entry| entry.seconds).collect::<Vec<_>>();
    let saved = DayOutcome::Saved { deleted: None };
    let mut seen = 0;
    for (wanted, expected) in [(3_600, &[3_600][..]), (5_400, &[5_400]), (600, &[600]), (600, &[600])] {
        assert_eq!(set_day(&test, &member, seen, wanted).unwrap(), saved);
        assert_eq!(stored(), expected);
        seen = wanted;
    }
    let deleted = Some(entries_of(&test, &member)[0].id);
    assert_eq!(set_day(&test, &member, 600, 0).unwrap(), DayOutcome::Saved { deleted });
    assert!(stored().is_empty());
    let _ = set_day(&test, &member, 0, 3_600).unwrap();
    let _ = approve(&test, &owner, &[entries_of(&test, &member)[0].id]).unwrap();
    for wanted in [600, 4_200] {
        assert_eq!(refusal(set_day(&test, &member, 3_600, wanted)), "invalid_state_change");
    }
    assert_eq!(stored(), [3_600]);
}

#[test]
fn a_day_that_has_changed_since_it_was_seen_stays_as_it_is() {
    let (test, world) = start();
    let member = session(&world, world.member, Role::Member);
    let body = |seconds: i32| json!({ "date": "2030-01-31", "seconds": seconds });
    let _ = create(&test, &member, body(3_600)).unwrap();
    assert_eq!(set_day(&test, &member, 0, 5_400).unwrap(), DayOutcome::ChangedSince);
    let _ = create(&test, &member, body(7_200)).unwrap();
    assert_eq!(set_day(&test, &member, 3_600, 5_400).unwrap(), DayOutcome::ChangedSince);
    // Which of the two should change is not known.
    assert_eq!(refusal(set_day(&test, &member, 10_800, 5_400)), "invalid_state_change");
    let mut stored: Vec<_> = entries_of(&test, &member).iter().filter_map(|entry| entry.seconds).collect();
    stored.sort_unstable();
    assert_eq!(stored, [3_600, 7_200]);
}

#[test]
fn two_requests_at_once_do_not_both_add_to_an_empty_day() {
    let (test, world) = start();
    let member = session(&world, world.member, Role::Member);
    let project = test.block_on(world.add(world.bare_project())).id;
    // Time for a record is in another cell.
    let _ = create(&test, &member, json!({ "project_id": project, "date": "2030-01-31", "seconds": 60 })).unwrap();
    let total = DayTotal { seen: 0, wanted: 3_600 };
    assert_eq!(set_day_of(&test, &member, &[], total).unwrap(), DayOutcome::Saved { deleted: None });
    // The other request has read the day before the first one wrote.
    assert_eq!(set_day_of(&test, &member, &[], total).unwrap(), DayOutcome::ChangedSince);
    assert_eq!(entries_of(&test, &member).len(), 2);
}
