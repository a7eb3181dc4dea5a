//! Tests of a gate's rules, and of the gate under cancellation.

use std::collections::HashMap;
use std::time::Duration;

use domain::WorkspaceId;
use domain::ports::StoreError;
use proptest::prelude::*;
use uuid::Uuid;

use super::turns::{Decision, Grant, Turns};
use super::{Gate, JobRequest, Lane, Shares};
use crate::engine::store_metrics::PoolMetrics;

const NOW: Duration = Duration::from_secs(100);
const MOMENT: Duration = Duration::from_millis(1);

fn lane(number: u128) -> Lane {
    Lane::Workspace(WorkspaceId(Uuid::from_u128(number)))
}

fn light(number: u128) -> JobRequest {
    JobRequest { lane: lane(number), is_heavy: false }
}

fn heavy(number: u128) -> JobRequest {
    JobRequest { lane: lane(number), is_heavy: true }
}

const LOOK_UP: JobRequest = JobRequest { lane: Lane::Directory, is_heavy: false };

/// Ten connections, two of them for heavy jobs.
fn turns() -> Turns {
    Turns::new(Shares::of(10, 2))
}

fn start(turns: &mut Turns, request: JobRequest) -> Grant {
    match turns.request(request, NOW) {
        Decision::Granted(grant) => grant,
        other => panic!("{request:?}: {other:?}"),
    }
}

fn enqueue(turns: &mut Turns, request: JobRequest) -> u64 {
    match turns.request(request, NOW) {
        Decision::Waits(ticket) => ticket,
        other => panic!("{request:?}: {other:?}"),
    }
}

#[test]
fn a_lone_workspace_leaves_the_share_of_the_next_one_free() {
    let mut turns = turns();
    let grants: Vec<_> = (0..6).map(|_| start(&mut turns, light(1))).collect();
    let ticket = enqueue(&mut turns, light(1));
    for _ in 0..3 {
        start(&mut turns, light(2));
    }
    let other_ticket = enqueue(&mut turns, light(2));
    // One is reserved for look-ups across workspaces.
    start(&mut turns, LOOK_UP);
    assert_eq!(turns.next(NOW), None);
    // The first workspace has twice its share, so a released connection goes to the second one first.
    let mut grants = grants.into_iter();
    for _ in 0..3 {
        turns.release(grants.next().unwrap(), MOMENT, NOW);
    }
    assert_eq!(turns.next(NOW), None, "both workspaces have their share");
    turns.release(grants.next().unwrap(), MOMENT, NOW);
    assert_eq!(turns.next(NOW).map(|(next, _)| next), Some(ticket));
    assert_eq!(turns.next(NOW), None);
    turns.cancel(other_ticket);
}

#[test]
fn a_workspace_gets_a_third_while_others_are_active() {
    let mut turns = turns();
    let other = start(&mut turns, light(2));
    for _ in 0..3 {
        start(&mut turns, light(1));
    }
    enqueue(&mut turns, light(1));
    turns.release(other, MOMENT, NOW);
    assert_eq!(turns.next(NOW), None, "it was active a moment ago");
    assert!(turns.next(NOW + Duration::from_secs(11)).is_some(), "it is alone by now");
}

#[test]
fn workspaces_take_turns() {
    let mut turns = Turns::new(Shares::of(1, 1));
    let mut running = start(&mut turns, light(9));
    let tickets: Vec<_> = [1, 1, 1, 1, 2, 2, 3].map(|number| (enqueue(&mut turns, light(number)), number)).to_vec();
    let number_of: HashMap<_, _> = tickets.into_iter().collect();
    let mut order = Vec::new();
    for _ in 0..7 {
        turns.release(running, MOMENT, NOW);
        let (ticket, grant) = turns.next(NOW).unwrap();
        order.push(number_of[&ticket]);
        running = grant;
    }
    assert_eq!(order, [1, 2, 3, 1, 2, 1, 1]);
    turns.release(running, MOMENT, NOW);
    assert!(turns.is_idle());
}

#[test]
fn heavy_jobs_are_limited_and_do_not_block_light_ones() {
    let mut turns = turns();
    let first = start(&mut turns, heavy(1));
    let _active = start(&mut turns, light(2));
    let second = enqueue(&mut turns, heavy(1));
    start(&mut turns, light(1));
    let third = start(&mut turns, heavy(3));
    let fourth = enqueue(&mut turns, heavy(4));
    turns.release(third, MOMENT, NOW);
    assert_eq!(turns.next(NOW).map(|(ticket, _)| ticket), Some(fourth), "one heavy job per workspace");
    turns.release(first, MOMENT, NOW);
    assert_eq!(turns.next(NOW).map(|(ticket, _)| ticket), Some(second));
}

/// The first lane that waits for a heavy job keeps its turn while light jobs overtake it.
#[test]
fn a_blocked_lane_keeps_its_turn() {
    let mut turns = Turns::new(Shares::of(10, 1));
    let mut running = start(&mut turns, heavy(1));
    let first = enqueue(&mut turns, heavy(2));
    let second = enqueue(&mut turns, heavy(1));
    for _ in 0..3 {
        let passing = start(&mut turns, light(3));
        turns.release(passing, MOMENT, NOW);
        assert_eq!(turns.next(NOW), None);
    }
    for expected in [first, second] {
        turns.release(running, MOMENT, NOW);
        let (ticket, grant) = turns.next(NOW).unwrap();
        assert_eq!(ticket, expected);
        running = grant;
    }
}

#[test]
fn a_workspace_over_its_budget_gets_one_job_at_a_time_until_it_recovers() {
    let mut turns = turns();
    let _active = start(&mut turns, light(2));
    let long = start(&mut turns, light(1));
    turns.release(long, Duration::from_secs(1), NOW);
    let one = start(&mut turns, light(1));
    let next = enqueue(&mut turns, light(1));
    turns.release(one, MOMENT, NOW);
    assert_eq!(turns.next(NOW).map(|(ticket, _)| ticket), Some(next));
    // It recovers at a quarter of real time: half a second of debt takes two seconds.
    let recovered_at = NOW + Duration::from_millis(2_100);
    for _ in 0..2 {
        assert!(matches!(turns.request(light(1), recovered_at), Decision::Granted(_)));
    }
}

#[test]
fn a_lone_workspace_is_not_limited_by_its_budget() {
    let mut turns = turns();
    for _ in 0..50 {
        let long = start(&mut turns, light(1));
        turns.release(long, Duration::from_secs(1), NOW);
    }
    for _ in 0..6 {
        start(&mut turns, light(1));
    }
}

#[test]
fn waiting_jobs_are_limited_per_workspace_and_in_total() {
    let shares = Shares { waiting_of_one: 3, waiting: 5, ..Shares::of(1, 1) };
    let mut turns = Turns::new(shares);
    start(&mut turns, light(1));
    for request in [light(1), heavy(1), light(1)] {
        enqueue(&mut turns, request);
    }
    assert_eq!(turns.request(light(1), NOW), Decision::Full);
    assert_eq!(turns.request(heavy(1), NOW), Decision::Full);
    let last = [enqueue(&mut turns, light(2)), enqueue(&mut turns, light(2))];
    assert_eq!(turns.request(light(2), NOW), Decision::Full);
    turns.cancel(last[0]);
    enqueue(&mut turns, light(2));
}

/// Workspaces that fill the queue are refused, not those that send requests last.
#[test]
fn a_full_queue_still_admits_look_ups_and_the_first_job_of_a_workspace() {
    let shares = Shares { waiting_of_one: 3, waiting: 5, ..Shares::of(1, 1) };
    let mut turns = Turns::new(shares);
    start(&mut turns, light(1));
    for number in [1, 1, 1, 2, 2] {
        enqueue(&mut turns, light(number));
    }
    for request in [light(3), heavy(4), LOOK_UP, LOOK_UP, LOOK_UP] {
        enqueue(&mut turns, request);
    }
    for request in [light(2), light(3), heavy(4), LOOK_UP] {
        assert_eq!(turns.request(request, NOW), Decision::Full, "{request:?}");
    }
}

#[test]
fn look_ups_get_a_connection_but_not_all_while_others_wait() {
    let mut turns = turns();
    for number in 1..=3 {
        for _ in 0..3 {
            start(&mut turns, light(number));
        }
    }
    enqueue(&mut turns, light(4));
    let look_up = start(&mut turns, LOOK_UP);
    let next = enqueue(&mut turns, LOOK_UP);
    turns.release(look_up, MOMENT, NOW);
    assert_eq!(turns.next(NOW).map(|(ticket, _)| ticket), Some(next));
    // On their own, look-ups may use every connection: the pools of workers serve nothing else.
    let mut workers = Turns::new(Shares::of(4, 1));
    for _ in 0..4 {
        start(&mut workers, LOOK_UP);
    }
}

#[test]
fn idle_lanes_are_forgotten() {
    let mut turns = turns();
    for number in 0..10_000 {
        let grant = match turns.request(light(number), NOW * u32::try_from(number + 1).unwrap()) {
            Decision::Granted(grant) => grant,
            other => panic!("{other:?}"),
        };
        turns.release(grant, MOMENT, NOW * u32::try_from(number + 1).unwrap());
    }
    assert!(turns.lanes() <= 64, "{}", turns.lanes());
}

#[derive(Debug, Clone)]
enum Step {
    Request(JobRequest),
    Release(usize, u64),
    Cancel(usize),
    Wait(u64),
}

fn steps() -> impl Strategy<Value = Vec<Step>> {
    let request = (0..5_u128, prop::bool::ANY)
        .prop_map(|(number, is_heavy)| if number == 0 { LOOK_UP } else { JobRequest { lane: lane(number), is_heavy } });
    let step = prop_oneof![
        4 => request.prop_map(Step::Request),
        3 => (0..64_usize, 0..3_000_u64).prop_map(|(index, used)| Step::Release(index, used)),
        1 => (0..64_usize).prop_map(Step::Cancel),
        1 => (0..4_000_u64).prop_map(Step::Wait),
    ];
    prop::collection::vec(step, 1..200)
}

proptest! {
    /// In every sequence of steps, no connection is granted twice or lost, no share is exceeded, no job is left waiting, and a
    /// waiting workspace gets a turn before any other workspace gets a second one.
    #[test]
    fn connections_are_neither_lost_nor_duplicated(connections in 1..12_usize, most_heavy in 1..4_usize, steps in steps()) {
        let shares = Shares::of(connections, most_heavy);
        let mut turns = Turns::new(shares);
        let mut now = NOW;
        let mut grants: Vec<(Lane, bool, Grant)> = Vec::new();
        let mut waiting: Vec<(u64, JobRequest)> = Vec::new();
        for step in steps {
            match step {
                Step::Request(request) => match turns.request(request, now) {
                    Decision::Granted(grant) => grants.push((request.lane, request.is_heavy, grant)),
                    Decision::Waits(ticket) => waiting.push((ticket, request)),
                    Decision::Full => prop_assert!(waiting.len() >= shares.waiting_of_one),
                },
                Step::Release(index, used) if !grants.is_empty() => {
                    let (.., grant) = grants.swap_remove(index % grants.len());
                    turns.release(grant, Duration::from_millis(used), now);
                }
                Step::Cancel(index) if !waiting.is_empty() => turns.cancel(waiting.remove(index % waiting.len()).0),
                Step::Release(..) | Step::Cancel(_) => {}
                Step::Wait(time) => now += Duration::from_millis(time),
            }
            while let Some((ticket, grant)) = turns.next(now) {
                let index = waiting.iter().position(|(waiting, _)| *waiting == ticket);
                let (_, request) = waiting.remove(index.expect("a waiting job"));
                grants.push((request.lane, request.is_heavy, grant));
            }
            prop_assert!(grants.len() <= connections);
            let connections_of = |owner: Lane| grants.iter().filter(|(lane, ..)| *lane == owner).count();
            prop_assert!(grants.len() - connections_of(Lane::Directory) <= connections - shares.directory);
            prop_assert!(grants.iter().filter(|(lane, heavy, _)| *heavy && *lane != Lane::Directory).count() <= shares.heavy);
            for number in 1..5 {
                prop_assert!(connections_of(lane(number)) <= shares.lone_workspace());
            }
            if grants.is_empty() {
                prop_assert!(waiting.is_empty(), "jobs wait for a free connection");
            }
        }
        for (ticket, _) in waiting {
            turns.cancel(ticket);
        }
        for (.., grant) in grants {
            turns.release(grant, Duration::ZERO, now);
        }
        prop_assert!(turns.is_idle(), "{turns:?}");
    }

    /// While one workspace sends requests continuously, every other one waits for at most one job of each of the rest.
    #[test]
    fn no_workspace_starves(connections in 1..8_usize, others in prop::collection::vec(1..6_u128, 1..6), used in 0..2_000_u64) {
        let mut turns = Turns::new(Shares::of(connections, 1));
        let mut grants = std::collections::VecDeque::new();
        for number in 0..300 {
            match turns.request(JobRequest { lane: lane(0), is_heavy: number % 2 == 0 }, NOW) {
                Decision::Granted(grant) => grants.push_back(grant),
                Decision::Waits(_) | Decision::Full => {}
            }
        }
        let mut unserved: Vec<_> = others
            .iter()
            .filter_map(|number| match turns.request(light(*number), NOW) {
                Decision::Granted(grant) => {
                    grants.push_back(grant);
                    None
                }
                Decision::Waits(ticket) => Some(ticket),
                Decision::Full => unreachable!("few jobs wait"),
            })
            .collect();
        // Each release grants at least one connection, and each round serves every workspace that may have one.
        for _ in 0..(others.len() + 1) * 6 + connections {
            let Some(grant) = grants.pop_front() else { break };
            turns.release(grant, Duration::from_millis(used), NOW);
            while let Some((ticket, grant)) = turns.next(NOW) {
                unserved.retain(|waiting| *waiting != ticket);
                grants.push_back(grant);
            }
        }
        prop_assert!(unserved.is_empty(), "{unserved:?}");
    }
}

fn gate(connections: usize) -> Gate {
    Gate::new(Shares::of(connections, 1), Duration::from_millis(50), PoolMetrics::new("test", 1))
}

fn is_idle(gate: &Gate) -> bool {
    let state = gate.lock();
    state.turns.is_idle() && state.waiting.is_empty()
}

#[tokio::test]
async fn a_job_that_waits_too_long_fails_and_leaves_the_queue() {
    let gate = gate(1);
    let first = gate.admit(light(1)).await.unwrap();
    assert!(matches!(gate.admit(light(2)).await, Err(StoreError::Busy)));
    drop(first);
    assert!(is_idle(&gate));
    drop(gate.admit(light(2)).await.unwrap());
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn abandoned_jobs_leave_the_queue() {
    let gate = gate(3);
    let mut jobs = tokio::task::JoinSet::new();
    for number in 0..400_u128 {
        let gate = gate.clone();
        jobs.spawn(async move {
            let request = JobRequest { lane: lane(number % 5), is_heavy: number % 3 == 0 };
            // Some are abandoned while they wait, some just as their turn comes.
            let turn = tokio::time::timeout(
                Duration::from_micros(u64::try_from(number % 7).unwrap() * 300),
                gate.admit(request),
            );
            if let Ok(Ok(admitted)) = turn.await {
                tokio::task::yield_now().await;
                drop(admitted);
            }
        });
    }
    jobs.join_all().await;
    assert!(is_idle(&gate));
}
