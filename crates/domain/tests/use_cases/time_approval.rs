//! Submitting, approving, rejecting and exporting time entries.

use domain::identity::access::{ApproveTimeEntries, Caller, UpdateTimeEntries};
use domain::identity::workspaces::Role;
use domain::kernel::input::{Input, InputMode};
use domain::work::time_entries::{self, EntryIds, EntryStatus, RejectReason, TimeEntry};
use domain::{Error, TimeEntryId};
use serde_json::{Value, json};
use test_databases::TestPorts;
use time::Duration;

use super::time_entries::{create, delete, event_names, hour, listen_to_time, session, start_timer, stored, update};
use super::{new, refusal, start};

fn ids(entries: &[TimeEntryId]) -> EntryIds {
    new(json!({ "ids": entries }))
}

pub(super) fn approve(test: &TestPorts, caller: &Caller, entries: &[TimeEntryId]) -> Result<Vec<TimeEntry>, Error> {
    let permit = caller.permit::<ApproveTimeEntries>()?;
    test.block_on(time_entries::approve(&test.ports, &permit, None, ids(entries)))?.made_now()
}

fn reject(test: &TestPorts, caller: &Caller, entries: &[TimeEntryId]) -> Result<Vec<TimeEntry>, Error> {
    let permit = caller.permit::<ApproveTimeEntries>()?;
    test.block_on(time_entries::reject(&test.ports, &permit, None, ids(entries)))?.made_now()
}

pub(super) fn submit(test: &TestPorts, caller: &Caller, entries: &[TimeEntryId]) -> Result<Vec<TimeEntry>, Error> {
    let permit = caller.permit::<UpdateTimeEntries>()?;
    test.block_on(time_entries::submit(&test.ports, &permit, None, ids(entries)))?.made_now()
}

fn export(test: &TestPorts, caller: &Caller, entries: &[TimeEntryId]) -> Result<Vec<TimeEntry>, Error> {
    let permit = caller.permit::<UpdateTimeEntries>()?;
    test.block_on(time_entries::export_for_invoicing(&test.ports, &permit, None, ids(entries)))?.made_now()
}

#[test]
fn members_get_an_email_when_someone_else_rejects_their_time() {
    let (test, world) = start();
    let bob = test.block_on(world.new_member());
    let (owner, member) = (session(&world, world.member, Role::Owner), session(&world, bob, Role::Member));
    let noted = |note: &str| json!({ "date": "2030-01-31", "seconds": 5_400, "note": note });
    let [call, letter] = ["Call", "Letter"].map(|note| create(&test, &member, noted(note)).unwrap().id);
    let own = create(&test, &owner, hour()).unwrap().id;
    let all = [call, letter, own];
    approve(&test, &owner, &all).unwrap();
    let permit = owner.permit::<ApproveTimeEntries>().unwrap();
    let because = |reason: &str| {
        let reason: RejectReason = new(json!({ "reason": reason }));
        test.block_on(time_entries::reject_because(&test.ports, &permit, ids(&all), reason)).unwrap()
    };
    assert_eq!(because("Wrong project").len(), 3);
    // Rejected entries are not rejected again.
    assert_eq!(because("Twice").len(), 3);
    test.clock.advance(Duration::minutes(2));
    let emails = test.emails();
    assert_eq!(emails.len(), 1, "nobody is told what they did themselves: {emails:?}");
    let body = emails[0].text();
    assert!(body.contains("2030-01-31, 1:30: Call") && body.contains("2030-01-31, 1:30: Letter"), "{body}");
    assert!(body.contains("Reason: Wrong project") && !body.contains("Twice"), "{body}");
}

#[test]
fn the_reason_for_a_rejection_has_at_most_500_characters() {
    for (length, is_accepted) in [(500, true), (501, false)] {
        let Value::Object(reason) = json!({ "reason": "é".repeat(length) }) else { panic!() };
        assert_eq!(RejectReason::from_object(reason, InputMode::Create).is_ok(), is_accepted, "{length}");
    }
}

#[test]
fn what_is_approved_is_changed_by_owners_and_admins_alone() {
    let (test, world) = start();
    let member = session(&world, world.member, Role::Member);
    let admin = session(&world, test.block_on(world.new_member()), Role::Admin);
    let id = create(&test, &member, hour()).unwrap().id;
    assert_eq!(submit(&test, &member, &[id]).unwrap()[0].status, EntryStatus::Submitted);
    for caller in [&member, &world.caller] {
        assert!(approve(&test, caller, &[id]).is_err() && reject(&test, caller, &[id]).is_err());
    }
    assert_eq!(approve(&test, &admin, &[id]).unwrap()[0].version, 3);
    assert_eq!(approve(&test, &admin, &[id]).unwrap()[0].version, 3, "it was approved before");
    for caller in [&member, &world.caller] {
        for change in [json!({ "note": "x" }), json!({ "date": "2030-02-01" }), json!({ "seconds": 1 })] {
            assert_eq!(refusal(update(&test, caller, id, change)), "invalid_state_change");
        }
        assert_eq!(refusal(delete(&test, caller, id)), "invalid_state_change");
    }
    let changed = update(&test, &admin, id, json!({ "seconds": 60 })).unwrap();
    assert_eq!((changed.seconds, changed.status), (Some(60), EntryStatus::Approved));
    assert!(export(&test, &member, &[id]).is_err());
    assert_eq!(export(&test, &world.caller, &[id]).unwrap()[0].status, EntryStatus::Exported);
    assert_eq!(refusal(reject(&test, &admin, &[id])), "invalid_state_change");
    delete(&test, &admin, id).unwrap();
}

#[test]
fn entries_move_all_or_none() {
    let (test, world) = start();
    let member = session(&world, world.member, Role::Member);
    let owner = session(&world, test.block_on(world.new_member()), Role::Owner);
    let one = create(&test, &member, hour()).unwrap().id;
    let timer = start_timer(&test, &member, json!({})).unwrap().id;
    assert_eq!(refusal(submit(&test, &member, &[one, timer])), "invalid_state_change");
    let unknown = TimeEntryId(world.id());
    assert_eq!(refusal(submit(&test, &member, &[one, unknown])), "validation_failed ids[1]:not_found");
    assert_eq!(refusal(export(&test, &owner, &[one])), "invalid_state_change");
    let found = stored(&test, &world, one);
    assert_eq!((found.status, found.version), (EntryStatus::Stopped, 1));
    submit(&test, &member, &[one]).unwrap();
    assert_eq!(reject(&test, &owner, &[one]).unwrap()[0].status, EntryStatus::Stopped);
}

#[test]
fn what_a_member_changes_is_submitted_again() {
    let (test, world) = start();
    let member = session(&world, world.member, Role::Member);
    let owner = session(&world, test.block_on(world.new_member()), Role::Owner);
    let subscription = listen_to_time(&test, &world);
    let id = create(&test, &member, hour()).unwrap().id;
    submit(&test, &member, &[id]).unwrap();
    let same = update(&test, &member, id, hour()).unwrap();
    assert_eq!((same.status, same.version), (EntryStatus::Submitted, 2), "nothing has changed");
    let by_owner = update(&test, &owner, id, json!({ "billable": false })).unwrap();
    assert_eq!(by_owner.status, EntryStatus::Submitted);
    for (caller, change) in [(&member, json!({ "seconds": 1_800 })), (&world.caller, json!({ "note": "x" }))] {
        let changed = update(&test, caller, id, change.clone()).unwrap();
        assert_eq!(changed.status, EntryStatus::Stopped, "{change}");
        submit(&test, &member, &[id]).unwrap();
    }
    let names = event_names(&test, &world, subscription);
    assert!(!names.iter().any(|name| name == "time_entry.rejected"), "{names:?}");
    assert_eq!(names.iter().filter(|name| *name == "time_entry.updated").count(), 3, "{names:?}");
    let _ = reject(&test, &owner, &[id]).unwrap();
    let names = event_names(&test, &world, subscription);
    assert_eq!(names.last().map(String::as_str), Some("time_entry.rejected"));
}
