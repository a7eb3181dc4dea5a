use serde_json::{Value, json};
use time::macros::date;
use time::{Date, Duration};

use super::time_approval::approve;
use super::{events_of, new, patch, refusal, start};
use domain::events::Module;
use domain::identity::access::{
    Caller, CreateTimeEntries, Credential, DeleteTimeEntries, ReadTimeEntries, UpdateTimeEntries,
};
use domain::identity::members::{self, KeysOfMember};
use domain::identity::workspaces::{self, Role};
use domain::kernel::paging::PageRequest;
use domain::kernel::versions::ExpectedVersion;
use domain::records;
use domain::testing::caller_with;
use domain::work::projects::Project;
use domain::work::time_entries::{
    self, EntryStatus, Span, TimeEntry, TimeEntryFilter, TimeRate, TimeSummaryQuery, TimerFields, TimerStopFields,
};
use domain::{Error, SessionId, SubscriptionId, TimeEntryId, UserId};
use storage_contract::TestWorkspace;
use test_databases::TestPorts;

/// The session of a member.
pub(super) fn session(world: &TestWorkspace, user: UserId, role: Role) -> Caller {
    let credential = Credential::Session { id: SessionId(world.id()), user, role };
    caller_with(world.workspace.clone(), credential, "A person", role.scopes(), world.caller.tools().clone())
}

pub(super) fn create(test: &TestPorts, caller: &Caller, body: Value) -> Result<TimeEntry, Error> {
    let permit = caller.permit::<CreateTimeEntries>()?;
    let created = records::create::<TimeEntry>(&test.ports, &permit, None, new(body));
    test.block_on(created)?.made_now()
}

pub(super) fn update(test: &TestPorts, caller: &Caller, id: TimeEntryId, body: Value) -> Result<TimeEntry, Error> {
    let permit = caller.permit::<UpdateTimeEntries>()?;
    test.block_on(records::update::<TimeEntry>(&test.ports, &permit, id, ExpectedVersion::Any, patch(body)))
}

pub(super) fn delete(test: &TestPorts, caller: &Caller, id: TimeEntryId) -> Result<(), Error> {
    let permit = caller.permit::<DeleteTimeEntries>()?;
    test.block_on(records::delete::<TimeEntry>(&test.ports, &permit, id, ExpectedVersion::Any)).map(drop)
}

pub(super) fn start_timer(test: &TestPorts, caller: &Caller, body: Value) -> Result<TimeEntry, Error> {
    let permit = caller.permit::<CreateTimeEntries>()?;
    test.block_on(time_entries::start(&test.ports, &permit, None, new::<TimerFields>(body)))?.made_now()
}

pub(super) fn stop_timer(test: &TestPorts, caller: &Caller, body: Value) -> Result<TimeEntry, Error> {
    let permit = caller.permit::<UpdateTimeEntries>()?;
    test.block_on(time_entries::stop(&test.ports, &permit, None, new::<TimerStopFields>(body)))?.made_now()
}

pub(super) fn stored(test: &TestPorts, world: &TestWorkspace, id: TimeEntryId) -> TimeEntry {
    test.block_on(world.get::<TimeEntry>(id)).unwrap()
}

/// Changes the settings of the workspace as an operator.
pub(super) fn set(test: &TestPorts, world: &TestWorkspace, settings: Value) {
    let permit = world.operator();
    let changing = workspaces::update(&test.ports, &permit, ExpectedVersion::Any, patch(settings));
    test.block_on(changing).unwrap();
}

pub(super) fn remove_member(test: &TestPorts, world: &TestWorkspace, member: UserId) {
    let permit = world.operator();
    let removing = members::remove(&test.ports, &permit, member, ExpectedVersion::Any, KeysOfMember::Keep);
    test.block_on(removing).unwrap();
}

/// Makes a member a viewer, as an operator.
pub(super) fn make_viewer(test: &TestPorts, world: &TestWorkspace, member: UserId) {
    let (permit, role) = (world.operator(), new(json!({ "role": Role::Viewer })));
    let changing = members::change_role(&test.ports, &permit, member, ExpectedVersion::Any, role);
    let _ = test.block_on(changing).unwrap();
}

/// The names of the events about time entries since the subscription.
pub(super) fn event_names(test: &TestPorts, world: &TestWorkspace, subscription: SubscriptionId) -> Vec<String> {
    events_of(test, world, subscription).into_iter().map(|(name, _)| name).collect()
}

pub(super) fn listen_to_time(test: &TestPorts, world: &TestWorkspace) -> SubscriptionId {
    test.block_on(world.subscribe(world.subscription(Module::Time)))
}

fn lock_until(test: &TestPorts, world: &TestWorkspace, day: Option<Date>) {
    test.block_on(world.commit(move |tx| {
        let mut workspace = tx.workspace().get_for_update()?;
        workspace.time_locked_until = day;
        tx.workspace().save(&workspace)
    }));
}

pub(super) fn hour() -> Value {
    json!({ "date": "2030-01-31", "seconds": 3_600 })
}

#[test]
fn an_entry_is_the_callers_own_and_keys_say_whose_it_is() {
    let (test, world) = start();
    let other = test.block_on(world.new_member());
    let member = session(&world, world.member, Role::Member);
    let entry = create(&test, &member, hour()).unwrap();
    assert_eq!((entry.member_id, entry.status, entry.billable), (world.member, EntryStatus::Stopped, true));
    assert_eq!(refusal(create(&test, &world.caller, hour())), "validation_failed member_id:required");
    let named = |user: UserId| json!({ "member_id": user, "date": "2030-01-31", "seconds": 3_600 });
    assert_eq!(create(&test, &world.caller, named(other)).unwrap().member_id, other);
    assert_eq!(refusal(create(&test, &member, named(other))), "forbidden");
    assert_eq!(refusal(update(&test, &member, entry.id, json!({ "member_id": other }))), "forbidden");
    let owner = session(&world, world.member, Role::Owner);
    assert_eq!(create(&test, &owner, named(other)).unwrap().member_id, other);
    let unknown = named(UserId(world.id()));
    assert_eq!(refusal(create(&test, &owner, unknown)), "validation_failed member_id:not_found");
    let viewer = session(&world, world.member, Role::Viewer);
    assert!(create(&test, &viewer, hour()).is_err());
}

#[test]
fn a_viewer_whose_session_was_read_before_records_no_time() {
    let (test, world) = start();
    let viewer = test.block_on(world.new_member());
    let as_before = session(&world, viewer, Role::Member);
    make_viewer(&test, &world, viewer);
    let own = json!({ "member_id": viewer, "date": "2030-01-31", "seconds": 3_600 });
    for body in [hour(), own.clone()] {
        assert_eq!(refusal(create(&test, &as_before, body)), "forbidden");
    }
    for body in [json!({}), json!({ "member_id": viewer })] {
        assert_eq!(refusal(start_timer(&test, &as_before, body)), "forbidden");
    }
    // Owners and keys still record what a viewer did.
    let owner = session(&world, world.member, Role::Owner);
    for caller in [&owner, &world.caller] {
        assert_eq!(create(&test, caller, own.clone()).unwrap().member_id, viewer);
    }
}

#[test]
fn entries_of_one_member_overlap_only_if_the_workspace_allows_it() {
    let (test, world) = start();
    let other = test.block_on(world.new_member());
    let body = |user: UserId, from: &str, to: &str| {
        let at = |clock: &str| format!("2030-01-30T{clock}:00Z");
        json!({ "member_id": user, "started_at": at(from), "ended_at": at(to) })
    };
    let first = create(&test, &world.caller, body(world.member, "09:00", "10:00")).unwrap();
    assert_eq!(refusal(create(&test, &world.caller, body(world.member, "09:30", "10:30"))), "conflict");
    create(&test, &world.caller, body(other, "09:30", "10:30")).unwrap();
    let second = create(&test, &world.caller, body(world.member, "10:00", "11:00")).unwrap();
    let earlier = json!({ "started_at": "2030-01-30T09:59:59Z" });
    assert_eq!(refusal(update(&test, &world.caller, second.id, earlier.clone())), "conflict");
    assert_eq!(update(&test, &world.caller, first.id, json!({ "note": "x" })).unwrap().version, 2);
    test.block_on(world.commit(|tx| {
        let mut workspace = tx.workspace().get_for_update()?;
        workspace.time_overlaps_allowed = true;
        tx.workspace().save(&workspace)
    }));
    assert_eq!(update(&test, &world.caller, second.id, earlier).unwrap().seconds, Some(3_601));
}

#[test]
fn a_locked_period_really_locks() {
    let (test, world) = start();
    let owner = session(&world, world.member, Role::Owner);
    let entry = create(&test, &owner, hour()).unwrap();
    let next_day = create(&test, &owner, json!({ "date": "2030-02-01", "seconds": 60 })).unwrap();
    lock_until(&test, &world, Some(date!(2030 - 01 - 31)));
    let refused = "invalid_state_change";
    assert_eq!(refusal(create(&test, &owner, hour())), refused);
    assert_eq!(refusal(update(&test, &owner, entry.id, json!({ "note": "x" }))), refused);
    assert_eq!(refusal(update(&test, &owner, entry.id, json!({ "date": "2030-02-02" }))), refused, "moved out");
    assert_eq!(refusal(update(&test, &owner, next_day.id, json!({ "date": "2030-01-31" }))), refused, "moved in");
    assert_eq!(refusal(delete(&test, &owner, entry.id)), refused);
    assert_eq!(refusal(start_timer(&test, &owner, json!({}))), refused);
    update(&test, &owner, next_day.id, json!({ "date": "2030-02-02" })).unwrap();
    // Recorded entries can still be approved.
    assert_eq!(approve(&test, &owner, &[entry.id]).unwrap()[0].status, EntryStatus::Approved);
    lock_until(&test, &world, None);
    update(&test, &owner, entry.id, json!({ "note": "x" })).unwrap();
}

#[test]
fn owners_write_the_entries_of_members_who_were_removed() {
    let (test, world) = start();
    let other = test.block_on(world.new_member());
    let owner = session(&world, world.member, Role::Owner);
    let of_other = json!({ "member_id": other, "date": "2030-01-30", "seconds": 60 });
    let entry = create(&test, &owner, of_other.clone()).unwrap().id;
    let own = create(&test, &owner, hour()).unwrap().id;
    remove_member(&test, &world, other);
    let inactive = "validation_failed member_id:not_found";
    assert_eq!(refusal(create(&test, &owner, of_other)), inactive);
    assert_eq!(refusal(start_timer(&test, &owner, json!({ "member_id": other }))), inactive);
    assert_eq!(refusal(update(&test, &owner, own, json!({ "member_id": other }))), inactive);
    assert_eq!(refusal(stop_timer(&test, &owner, json!({ "member_id": other }))), inactive, "none is running");
    update(&test, &owner, entry, json!({ "member_id": other, "seconds": 90 })).unwrap();
    delete(&test, &owner, entry).unwrap();
    // A timer that still runs, such as one that an older instance started.
    let mut running = TimeEntry { member_id: other, ..world.bare_time_entry() };
    Span::running(world.now() - Duration::HOUR, "UTC").store(&mut running);
    let running = test.block_on(world.add(running));
    let member = session(&world, world.member, Role::Member);
    assert_eq!(refusal(stop_timer(&test, &member, json!({ "member_id": other }))), "forbidden");
    let stopped = stop_timer(&test, &owner, json!({ "member_id": other })).unwrap();
    assert_eq!((stopped.id, stopped.seconds), (running.id, Some(3_600)));
}

#[test]
fn an_entry_keeps_the_rate_that_held_when_it_was_recorded() {
    let (test, world) = start();
    let member = session(&world, world.member, Role::Member);
    let project = test.block_on(world.add(world.bare_project()));
    let company_id = Some(test.block_on(world.add(world.bare_company())).id);
    let of_company = test.block_on(world.add(Project { company_id, ..world.bare_project() }));
    let put = |project_id, hundredths| {
        let (member_id, currency) = (world.member, "CHF".to_owned());
        let rate = TimeRate { member_id, project_id, rate: rust_decimal::Decimal::new(hundredths, 2), currency };
        assert!(test.block_on(world.commit(move |tx| tx.time_entries().put_rate(&rate, 10))));
    };
    put(None, 9_000);
    put(Some(project.id), 12_050);
    let body = |project: &Project| json!({ "project_id": project.id, "date": "2030-01-31", "seconds": 1_800 });
    let entry = create(&test, &member, body(&project)).unwrap();
    let rate = |entry: &TimeEntry| serde_json::to_value(entry).unwrap()["rate"].clone();
    assert_eq!((rate(&entry), entry.in_project_id), (json!(120.5), Some(project.id)));
    put(Some(project.id), 20_000);
    assert_eq!(rate(&update(&test, &member, entry.id, json!({ "seconds": 3_600 })).unwrap()), json!(120.5));
    let moved = update(&test, &member, entry.id, json!({ "project_id": of_company.id })).unwrap();
    assert_eq!((rate(&moved), moved.for_company_id), (json!(90), company_id));
    for (caller, visible) in [(&member, json!(90)), (&world.caller, json!(null))] {
        let permit = caller.permit::<ReadTimeEntries>().unwrap();
        let read = test.block_on(records::read::<TimeEntry>(&test.ports, &permit, entry.id)).unwrap();
        assert_eq!(rate(&read), visible);
        let filter = TimeEntryFilter::default();
        let first = PageRequest::first(10);
        let listed = test.block_on(records::list_or_deleted::<TimeEntry>(&test.ports, &permit, filter, first)).unwrap();
        assert_eq!(rate(&listed.items[0].record), visible);
        let query: TimeSummaryQuery = new(json!({ "from": "2030-01-01", "to": "2030-01-31", "group_by": ["company"] }));
        let summary = test.block_on(time_entries::summarize(&test.ports, &permit, query)).unwrap();
        let row = serde_json::to_value(&summary.rows[0]).unwrap();
        let amounts = if visible.is_null() { json!([]) } else { json!([{ "currency": "CHF", "value": 90 }]) };
        assert_eq!((&row["seconds"], &row["amounts"]), (&json!(3_600), &amounts));
    }
}
