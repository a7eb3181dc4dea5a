//! Whose turn it is: the rules of a gate as a data structure without time, threads or I/O.

use std::collections::{HashMap, VecDeque};
use std::time::Duration;

use domain::WorkspaceId;

use super::budget::Budget;
use super::shares::Shares;

/// A workspace counts as active for this long after it requested a connection.
const ACTIVE_FOR: Duration = Duration::from_secs(10);
/// Idle lanes are removed when there are twice as many lanes as after the last removal, and at least this many.
const MIN_LANES_TO_SWEEP: usize = 64;

/// The owner of a job.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) enum Lane {
    /// A look-up across workspaces, or a worker's job.
    Directory,
    Workspace(WorkspaceId),
}

/// A request for a connection.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct JobRequest {
    pub(crate) lane: Lane,
    pub(crate) is_heavy: bool,
}

/// The right to use a connection. Must be released once.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Grant {
    lane: Lane,
    is_heavy: bool,
}

#[derive(Debug, PartialEq, Eq)]
pub(super) enum Decision {
    Granted(Grant),
    /// The job has this ticket; [`Turns::next`] names it when its turn comes.
    Waits(u64),
    /// Too many jobs are waiting.
    Full,
}

/// The jobs of one lane.
#[derive(Debug)]
struct Jobs {
    held: usize,
    held_heavy: usize,
    /// In order of arrival, in separate queues, so that a heavy job does not block light ones.
    light: VecDeque<u64>,
    heavy: VecDeque<u64>,
    budget: Budget,
}

impl Jobs {
    const fn new(now: Duration) -> Self {
        Self { held: 0, held_heavy: 0, light: VecDeque::new(), heavy: VecDeque::new(), budget: Budget::full(now) }
    }

    fn waiting(&self) -> usize {
        self.light.len() + self.heavy.len()
    }

    fn is_forgettable(&self, now: Duration) -> bool {
        self.held == 0 && self.waiting() == 0 && self.budget.is_full(now)
    }
}

/// The state of a gate. Free connections are granted round-robin to the lanes with waiting jobs, and within a lane in order of
/// arrival.
#[derive(Debug)]
pub(super) struct Turns {
    shares: Shares,
    lanes: HashMap<Lane, Jobs>,
    /// The lanes with waiting jobs, next one first.
    round: VecDeque<Lane>,
    held: usize,
    held_by_directory: usize,
    held_heavy: usize,
    waiting: usize,
    last_ticket: u64,
    /// The two workspaces that sent the latest requests, and when.
    latest: [Option<(Lane, Duration)>; 2],
    sweep_at: usize,
}

impl Turns {
    pub(super) fn new(shares: Shares) -> Self {
        Self {
            shares,
            lanes: HashMap::new(),
            round: VecDeque::new(),
            held: 0,
            held_by_directory: 0,
            held_heavy: 0,
            waiting: 0,
            last_ticket: 0,
            latest: [None; 2],
            sweep_at: MIN_LANES_TO_SWEEP,
        }
    }

    /// Grants a connection if one is free for the job and no other job of its lane is waiting; otherwise queues the job.
    pub(super) fn request(&mut self, request: JobRequest, now: Duration) -> Decision {
        self.note_active(request.lane, now);
        self.forget_idle(now);
        let jobs = self.lanes.entry(request.lane).or_insert_with(|| Jobs::new(now));
        let queue = if request.is_heavy { &jobs.heavy } else { &jobs.light };
        let (is_first, of_one) = (queue.is_empty(), jobs.waiting());
        if is_first && let Some(grant) = self.grant(request, now) {
            return Decision::Granted(grant);
        }
        // A lane's first waiting job is always queued, however full the queue is.
        let is_crowded = of_one > 0 && request.lane != Lane::Directory && self.waiting >= self.shares.waiting;
        if of_one >= self.shares.waiting_of_one || is_crowded {
            return Decision::Full;
        }
        self.last_ticket += 1;
        self.waiting += 1;
        if of_one == 0 {
            self.round.push_back(request.lane);
        }
        let jobs = self.lanes.entry(request.lane).or_insert_with(|| Jobs::new(now));
        if request.is_heavy {
            jobs.heavy.push_back(self.last_ticket);
        } else {
            jobs.light.push_back(self.last_ticket);
        }
        Decision::Waits(self.last_ticket)
    }

    /// Releases a connection that a job used for this long.
    #[expect(clippy::needless_pass_by_value, reason = "a grant is given back once")]
    pub(super) fn release(&mut self, grant: Grant, used: Duration, now: Duration) {
        let Grant { lane, is_heavy } = grant;
        self.held -= 1;
        self.held_heavy -= usize::from(is_heavy);
        self.held_by_directory -= usize::from(lane == Lane::Directory);
        if let Some(jobs) = self.lanes.get_mut(&lane) {
            jobs.held -= 1;
            jobs.held_heavy -= usize::from(is_heavy);
            if lane != Lane::Directory {
                jobs.budget.charge(used, now);
            }
        }
    }

    /// Removes a waiting job.
    pub(super) fn cancel(&mut self, ticket: u64) {
        let cancelled = self.lanes.iter_mut().find_map(|(lane, jobs)| {
            let queues = [&mut jobs.light, &mut jobs.heavy];
            let index = queues.into_iter().find_map(|queue| {
                let index = queue.binary_search(&ticket).ok()?;
                queue.remove(index)
            });
            index.map(|_| (*lane, jobs.waiting()))
        });
        let Some((lane, remaining)) = cancelled else { return };
        self.waiting -= 1;
        if remaining == 0 {
            self.round.retain(|waiting| *waiting != lane);
        }
    }

    /// The next waiting job with its connection; `None` if no connection is free for any of them.
    pub(super) fn next(&mut self, now: Duration) -> Option<(u64, Grant)> {
        // A lane that may not use the free connections keeps its position.
        for index in 0..self.round.len() {
            let lane = self.round[index];
            let Some(turn) = self.take_turn(lane, now) else { continue };
            self.round.remove(index);
            if self.lanes.get(&lane).is_some_and(|jobs| jobs.waiting() > 0) {
                self.round.push_back(lane);
            }
            self.waiting -= 1;
            return Some(turn);
        }
        None
    }

    /// The older of the lane's first light and first heavy job that may have a connection.
    fn take_turn(&mut self, lane: Lane, now: Duration) -> Option<(u64, Grant)> {
        let jobs = self.lanes.get(&lane)?;
        let (light, heavy) = (jobs.light.front().copied(), jobs.heavy.front().copied());
        let mut first = [light.map(|ticket| (ticket, false)), heavy.map(|ticket| (ticket, true))];
        first.sort_unstable_by_key(|job| job.map(|(ticket, _)| ticket));
        for (ticket, is_heavy) in first.into_iter().flatten() {
            if let Some(grant) = self.grant(JobRequest { lane, is_heavy }, now) {
                let jobs = self.lanes.get_mut(&lane)?;
                if is_heavy {
                    jobs.heavy.pop_front()
                } else {
                    jobs.light.pop_front()
                };
                return Some((ticket, grant));
            }
        }
        None
    }

    /// A connection for a job of the lane, if the shares allow it.
    fn grant(&mut self, request: JobRequest, now: Duration) -> Option<Grant> {
        let lane = request.lane;
        if self.held >= self.shares.connections {
            return None;
        }
        let is_heavy = match lane {
            Lane::Directory => {
                // Its own share, or connections that no workspace is waiting for.
                let is_wanted = self.round.iter().any(|waiting| *waiting != Lane::Directory);
                if is_wanted && self.held_by_directory >= self.shares.workspace.max(self.shares.directory) {
                    return None;
                }
                false
            }
            Lane::Workspace(_) => self.weigh(request, now)?,
        };
        let jobs = self.lanes.entry(lane).or_insert_with(|| Jobs::new(now));
        jobs.held += 1;
        jobs.held_heavy += usize::from(is_heavy);
        self.held += 1;
        self.held_heavy += usize::from(is_heavy);
        self.held_by_directory += usize::from(lane == Lane::Directory);
        Some(Grant { lane, is_heavy })
    }

    /// Whether a workspace's job counts as heavy; `None` if it may not have a connection.
    fn weigh(&self, JobRequest { lane, is_heavy }: JobRequest, now: Duration) -> Option<bool> {
        let Shares { connections, directory, workspace, heavy, workspace_heavy, .. } = self.shares;
        let jobs = self.lanes.get(&lane);
        let (held, held_heavy) = jobs.map_or((0, 0), |jobs| (jobs.held, jobs.held_heavy));
        let is_alone = !self.others_are_active(lane, now);
        let is_heavy = is_heavy || (!is_alone && jobs.is_some_and(|jobs| jobs.budget.is_used_up(now)));
        let most = if is_alone { self.shares.lone_workspace() } else { workspace };
        let most_heavy = if is_alone { heavy } else { workspace_heavy };
        let is_free = self.held - self.held_by_directory < connections - directory && held < most;
        let is_free_for_heavy = self.held_heavy < heavy && held_heavy < most_heavy;
        (is_free && (!is_heavy || is_free_for_heavy)).then_some(is_heavy)
    }

    fn others_are_active(&self, lane: Lane, now: Duration) -> bool {
        let mut latest = self.latest.iter().flatten();
        latest.any(|(other, at)| *other != lane && now.saturating_sub(*at) <= ACTIVE_FOR)
            || self.round.iter().any(|other| *other != lane && *other != Lane::Directory)
    }

    fn note_active(&mut self, lane: Lane, now: Duration) {
        if lane == Lane::Directory {
            return;
        }
        if self.latest[0].is_some_and(|(latest, _)| latest != lane) {
            self.latest[1] = self.latest[0];
        }
        self.latest[0] = Some((lane, now));
    }

    /// Removes lanes without state, so that memory does not grow with the number of workspaces ever seen.
    fn forget_idle(&mut self, now: Duration) {
        if self.lanes.len() >= self.sweep_at {
            self.lanes.retain(|_, jobs| !jobs.is_forgettable(now));
            self.sweep_at = (2 * self.lanes.len()).max(MIN_LANES_TO_SWEEP);
        }
    }

    /// Whether every connection is free and no job is waiting.
    #[cfg(test)]
    pub(super) fn is_idle(&self) -> bool {
        let nothing = self.held == 0 && self.held_heavy == 0 && self.held_by_directory == 0 && self.waiting == 0;
        nothing && self.round.is_empty() && self.lanes.values().all(|jobs| jobs.held == 0 && jobs.waiting() == 0)
    }

    #[cfg(test)]
    pub(super) fn lanes(&self) -> usize {
        self.lanes.len()
    }
}
