//! Time entries of two members, changed in random steps by instances whose clocks differ.

use std::collections::BTreeMap;

use proptest::prelude::*;
use proptest::sample::Index;
use serde_json::{Value, json};
use time::macros::datetime;
use time::{Date, Duration, OffsetDateTime};

use super::time_approval::submit;
use super::time_entries::{create, delete, session, set, start_timer, stop_timer, update};
use super::{add_world, start};
use domain::identity::access::{Caller, DeleteTimeEntries};
use domain::identity::workspaces::Role;
use domain::kernel::input::format_timestamp;
use domain::records;
use domain::work::time_entries::{self, EntryStatus, Span, TimeEntry, TimeEntryFilter};
use domain::{Error, TimeEntryId, UserId};
use storage_contract::TestWorkspace;
use test_databases::TestPorts;

/// Shortly before summer time begins in Zurich.
const EVENING: OffsetDateTime = datetime!(2030-03-30 20:00 UTC);
const ZONES: [&str; 4] = ["UTC", "Europe/Zurich", "America/New_York", "Pacific/Auckland"];

/// Start in minutes before now, and duration in minutes.
type Times = (i64, i64);

#[derive(Debug, Clone)]
enum Action {
    Start,
    Stop,
    Log(Times),
    Move(Index, Times),
    Note(Index),
    Submit(Index),
    Delete(Index),
    Restore(Index),
    /// Locks all days up to this many days from today; a locked day stays locked.
    Lock(i64),
    SetZone(Index),
    StopForgotten,
}

#[derive(Debug, Clone)]
struct Step {
    member: Index,
    /// The minutes since the previous step.
    minutes: i64,
    /// The error of the instance's clock in seconds.
    skew: i64,
    action: Action,
}

fn action() -> impl Strategy<Value = Action> {
    let times = (-30..600_i64, 0..300_i64);
    prop_oneof![
        6 => Just(Action::Start),
        3 => Just(Action::Stop),
        3 => times.clone().prop_map(Action::Log),
        3 => (any::<Index>(), times).prop_map(|(which, times)| Action::Move(which, times)),
        2 => any::<Index>().prop_map(Action::Note),
        2 => any::<Index>().prop_map(Action::Submit),
        1 => any::<Index>().prop_map(Action::Delete),
        1 => any::<Index>().prop_map(Action::Restore),
        2 => (-2..1_i64).prop_map(Action::Lock),
        1 => any::<Index>().prop_map(Action::SetZone),
        1 => Just(Action::StopForgotten),
    ]
}

fn step() -> impl Strategy<Value = Step> {
    let minutes = prop_oneof![3 => Just(0), 3 => 0..120_i64, 1 => 0..1_200_i64];
    (any::<Index>(), minutes, -40..40_i64, action()).prop_map(|(member, minutes, skew, action)| Step {
        member,
        minutes,
        skew,
        action,
    })
}

struct Simulation<'t> {
    test: &'t TestPorts,
    world: TestWorkspace,
    members: [UserId; 2],
    callers: [Caller; 2],
    now: OffsetDateTime,
    locked_until: Option<Date>,
    deleted: Vec<TimeEntryId>,
}

impl<'t> Simulation<'t> {
    fn new(test: &'t TestPorts, overlaps_allowed: bool) -> Self {
        test.clock.set(EVENING);
        let world = add_world(test);
        let members = [world.member, test.block_on(world.new_member())];
        let callers = members.map(|member| session(&world, member, Role::Member));
        set(test, &world, json!({ "time_zone": "Europe/Zurich", "time_overlaps_allowed": overlaps_allowed }));
        Self { test, world, members, callers, now: EVENING, locked_until: None, deleted: Vec::new() }
    }

    /// All live entries.
    fn entries(&self) -> BTreeMap<TimeEntryId, TimeEntry> {
        let entries = self.test.block_on(self.world.list::<TimeEntry>(TimeEntryFilter::default()));
        entries.into_iter().map(|entry| (entry.id, entry)).collect()
    }

    /// The times of the step, by the clock of the instance.
    fn times(&self, (ago, minutes): Times) -> Value {
        let start = self.world.now() - Duration::minutes(ago);
        let end = start + Duration::minutes(minutes);
        json!({ "started_at": format_timestamp(start), "ended_at": format_timestamp(end) })
    }

    /// Performs a step, if there are entries for it.
    fn take(&mut self, step: &Step, entries: &BTreeMap<TimeEntryId, TimeEntry>) -> Result<(), Error> {
        self.now += Duration::minutes(step.minutes);
        self.test.clock.set(self.now + Duration::seconds(step.skew));
        let (test, caller) = (self.test, step.member.get(&self.callers));
        let all: Vec<_> = entries.keys().copied().collect();
        let pick = |which: &Index, ids: &[TimeEntryId]| (!ids.is_empty()).then(|| *which.get(ids));
        match &step.action {
            Action::Start => start_timer(test, caller, json!({})).map(drop),
            Action::Stop => stop_timer(test, caller, json!({})).map(drop),
            Action::Log(times) => create(test, caller, self.times(*times)).map(drop),
            Action::Move(which, times) => {
                pick(which, &all).map_or(Ok(()), |id| update(test, caller, id, self.times(*times)).map(drop))
            }
            Action::Note(which) => pick(which, &all).map_or(Ok(()), |id| {
                let note = format_timestamp(self.now);
                update(test, caller, id, json!({ "note": note })).map(drop)
            }),
            Action::Submit(which) => pick(which, &all).map_or(Ok(()), |id| submit(test, caller, &[id]).map(drop)),
            Action::Delete(which) => pick(which, &all).map_or(Ok(()), |id| {
                delete(test, caller, id)?;
                self.deleted.push(id);
                Ok(())
            }),
            Action::Restore(which) => pick(which, &self.deleted).map_or(Ok(()), |id| {
                let permit = caller.permit::<DeleteTimeEntries>()?;
                test.block_on(records::restore::<TimeEntry>(&test.ports, &permit, None, id)).map(drop)
            }),
            Action::Lock(days) => {
                let last = self.now.date() + Duration::days(*days);
                self.locked_until = self.locked_until.max(Some(last));
                let until = self.locked_until.map(|last| last.to_string());
                set(test, &self.world, json!({ "time_locked_until": until }));
                Ok(())
            }
            Action::SetZone(which) => {
                set(test, &self.world, json!({ "time_zone": which.get(&ZONES) }));
                Ok(())
            }
            Action::StopForgotten => test.block_on(time_entries::stop_forgotten_timers(&test.ports)).map(drop),
        }
    }
}

/// The entries of locked days.
fn locked(entries: &BTreeMap<TimeEntryId, TimeEntry>, until: Option<Date>) -> Vec<&TimeEntry> {
    entries.values().filter(|entry| Some(entry.date) <= until).collect()
}

fn overlap(entries: &BTreeMap<TimeEntryId, TimeEntry>) -> Option<(&TimeEntry, &TimeEntry)> {
    let pairs = entries.values().flat_map(|one| entries.values().map(move |other| (one, other)));
    let mut rivals = pairs.filter(|(one, other)| one.id < other.id && one.member_id == other.member_id);
    rivals.find(|(one, other)| Span::of(one).overlaps(Span::of(other)))
}

#[test]
fn entries_keep_their_rules_in_any_order_of_steps() {
    let (test, _) = start();
    let cases = ProptestConfig::with_cases(32);
    proptest!(cases, |(steps in prop::collection::vec(step(), 1..24), overlaps_allowed in prop::bool::weighted(0.2))| {
        let mut simulation = Simulation::new(&test, overlaps_allowed);
        for step in &steps {
            let (before, was_locked) = (simulation.entries(), simulation.locked_until);
            if let Err(error) = simulation.take(step, &before) {
                let expected = ["conflict", "forbidden", "invalid_state_change", "not_found", "validation_failed"];
                prop_assert!(expected.contains(&error.code().as_str()), "{error:?}");
            }
            let after = simulation.entries();
            for member in simulation.members {
                let runs = |entry: &&TimeEntry| entry.member_id == member && entry.status == EntryStatus::Running;
                prop_assert!(after.values().filter(runs).count() <= 1);
            }
            prop_assert!(overlaps_allowed || overlap(&after).is_none(), "{:?}", overlap(&after));
            prop_assert!(after.values().all(|entry| entry.seconds == Span::of(entry).seconds()));
            // Entries of locked days can still be submitted.
            if !matches!(step.action, Action::Submit(_)) {
                prop_assert_eq!(locked(&before, was_locked), locked(&after, was_locked));
            }
            let runs = |entry: &&TimeEntry| entry.status == EntryStatus::Running;
            prop_assert_eq!(locked(&after, simulation.locked_until).into_iter().find(runs), None);
        }
    });
}
