//! Refusals in the audit log: a bounded sample, written in the background.
//!
//! A refused caller can cause any number of refusals. If each had an entry, the caller could fill the log and slow down the workspace's
//! own requests. [`RefusalSamples::note`] only keeps refusals in memory: it never waits, reads or writes. A workspace gets at most
//! [`REFUSALS_PER_HOUR`] entries per action and hour, and after the hour one entry with the number of the others. A background job
//! calls [`write_refusals`]. Each instance counts on its own, unlike for completed actions ([`AuditAction::bound`]).
//!
//! To record another kind of refusal, add its [`AuditAction`] with the class [`Sampled`](super::AuditClass::Sampled), and call
//! `ports.refusals.note(workspace, entry)` where the request is refused. The entry is otherwise like any other.

use std::collections::{BTreeMap, HashMap};
use std::mem::take;
use std::sync::{Mutex, MutexGuard, PoisonError};

use serde_json::{Map, Value as Json, json};
use time::OffsetDateTime;

use super::left_out::summary;
use super::{AuditAction, AuditActor, AuditEntry, AuditSubject, REFUSALS_PER_HOUR};
use crate::identity::access::{Actor, Caller, Credential};
use crate::kernel::ErrorCode;
use crate::limits::{Span, Window};
use crate::ports::{Ports, StoreError, transact_in};
use crate::{Error, WorkspaceId};

/// Maximum workspaces per hour whose refusals are kept; refusals in further workspaces are dropped.
const MAX_WORKSPACES: usize = 10_000;
/// Maximum entries that wait to be written, over all workspaces; further ones are only counted.
const MAX_WAITING: usize = 2_000;
/// Maximum workspaces per call of [`write_refusals`], each in its own transaction.
const WORKSPACES_PER_STEP: usize = 50;

/// The refusals of this instance that are not in the audit logs yet.
#[derive(Debug, Default)]
pub struct RefusalSamples(Mutex<State>);

#[derive(Debug, Default)]
struct State {
    workspaces: HashMap<WorkspaceId, Sample>,
    waiting: usize,
}

/// The refusals of one workspace in one hour.
#[derive(Debug)]
struct Sample {
    hour: Span,
    waiting: Vec<AuditEntry>,
    /// By action: the number of entries, and of further refusals.
    counts: BTreeMap<&'static str, Count>,
}

#[derive(Debug, Clone, Copy, Default)]
struct Count {
    entries: u32,
    without_entry: u64,
}

/// The entries to be written for a workspace.
#[derive(Debug)]
struct Batch {
    workspace: WorkspaceId,
    entries: Vec<AuditEntry>,
    /// The past hour, with the number of refusals without an entry by action.
    left_out: Option<(Span, Map<String, Json>)>,
}

impl RefusalSamples {
    /// Keeps a refusal for the audit log of a workspace.
    pub fn note(&self, workspace: WorkspaceId, entry: AuditEntry) {
        let hour = Window::Hour.around(entry.created_at);
        let mut state = self.lock();
        let is_full = state.waiting >= MAX_WAITING;
        if state.workspaces.len() >= MAX_WORKSPACES && !state.workspaces.contains_key(&workspace) {
            return;
        }
        let new = || Sample { hour, waiting: Vec::new(), counts: BTreeMap::new() };
        let sample = state.workspaces.entry(workspace).or_insert_with(new);
        // Until the past hour is written, which takes seconds, a refusal in the next hour counts in the past one.
        let count = sample.counts.entry(entry.action.as_str()).or_default();
        if is_full || count.entries >= REFUSALS_PER_HOUR {
            count.without_entry += 1;
            return;
        }
        count.entries += 1;
        sample.waiting.push(entry);
        state.waiting += 1;
    }

    /// Removes and returns what must be written now: entries, and the counts of past hours.
    fn due(&self, now: OffsetDateTime) -> Vec<Batch> {
        let mut state = self.lock();
        let is_over = |sample: &Sample| sample.hour.end <= now.unix_timestamp();
        let due = state.workspaces.iter().filter(|(_, sample)| !sample.waiting.is_empty() || is_over(sample));
        let due: Vec<_> = due.map(|(workspace, _)| *workspace).take(WORKSPACES_PER_STEP).collect();
        let mut batches = Vec::with_capacity(due.len());
        for workspace in due {
            let Some(mut sample) = state.workspaces.remove(&workspace) else { continue };
            let entries = take(&mut sample.waiting);
            state.waiting -= entries.len();
            let left_out = if is_over(&sample) {
                let counts = sample.counts.iter().filter(|(_, count)| count.without_entry > 0);
                let counts: Map<_, _> =
                    counts.map(|(action, count)| ((*action).to_owned(), json!(count.without_entry))).collect();
                (!counts.is_empty()).then_some((sample.hour, counts))
            } else {
                state.workspaces.insert(workspace, sample);
                None
            };
            if left_out.is_some() || !entries.is_empty() {
                batches.push(Batch { workspace, entries, left_out });
            }
        }
        batches
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        // Counts stay valid even if a thread panicked.
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Batch {
    fn into_entries(self, ports: &Ports) -> Vec<AuditEntry> {
        let Self { workspace, mut entries, left_out } = self;
        if let Some((hour, counts)) = left_out {
            let hour = OffsetDateTime::from_unix_timestamp(hour.start).unwrap_or(OffsetDateTime::UNIX_EPOCH);
            let actor = AuditActor { actor: Actor::SYSTEM, name: "service".to_owned() };
            entries.push(summary(ports, workspace, AuditAction::RefusalsLeftOut, actor, hour, counts));
        }
        entries
    }
}

/// Notes that a caller was refused, if `error` is a refusal. `operation` is the route or the tool.
pub fn note_refused_request(ports: &Ports, caller: &Caller, operation: Option<&str>, error: &Error) {
    if error.code() != ErrorCode::Forbidden {
        return;
    }
    let subject = match caller.credential() {
        Credential::Key(id) => AuditSubject::key(id),
        Credential::Session { user, .. } => AuditSubject::member(user),
    };
    let details = json!({ "operation": operation, "reason": error.to_string() });
    let entry = AuditEntry::new(ports, &caller.principal(), AuditAction::RequestRefused, subject, details);
    ports.refusals.note(caller.workspace().id, entry);
}

/// Writes the refusals that [`RefusalSamples::note`] kept, for at most 50 workspaces; returns how many. A sample that cannot be
/// written is dropped, so that it does not block those of other workspaces.
///
/// # Errors
/// The first error of the store, after all workspaces were tried.
pub async fn write_refusals(ports: &Ports) -> Result<usize, StoreError> {
    let due = ports.refusals.due(ports.clock.now());
    let (count, mut failure) = (due.len(), None);
    for batch in due {
        let workspace = batch.workspace;
        let entries = batch.into_entries(ports);
        let transaction = transact_in(ports, workspace, move |tx| {
            entries.iter().try_for_each(|entry| tx.audit().append(entry)).map_err(Error::from)
        });
        if let Err(Error::Store(error)) = transaction.await {
            failure.get_or_insert(error);
        }
    }
    failure.map_or(Ok(count), Err)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{AuditEntryId, testing};
    use time::Duration;
    use time::macros::datetime;
    use uuid::Uuid;

    const NOON: OffsetDateTime = datetime!(2030-01-01 12:00 UTC);

    fn entry(action: AuditAction, at: OffsetDateTime) -> AuditEntry {
        AuditEntry {
            id: AuditEntryId(Uuid::nil()),
            action,
            actor: AuditActor { actor: Actor::SYSTEM, name: String::new() },
            subject: AuditSubject::workspace(WorkspaceId(Uuid::nil())),
            details: Map::new(),
            ip: None,
            created_at: at,
        }
    }

    fn workspace(number: u128) -> WorkspaceId {
        testing::workspace_value(number).id
    }

    #[test]
    fn each_action_has_a_bounded_sample_per_hour_and_a_count_afterwards() {
        let samples = RefusalSamples::default();
        for _ in 0..1_000 {
            samples.note(workspace(1), entry(AuditAction::SessionRefused, NOON));
        }
        samples.note(workspace(1), entry(AuditAction::SessionEnded, NOON));
        let first = samples.due(NOON);
        assert_eq!(first.len(), 1);
        assert_eq!((first[0].entries.len(), first[0].left_out.is_none()), (REFUSALS_PER_HOUR as usize + 1, true));
        samples.note(workspace(1), entry(AuditAction::SessionRefused, NOON));
        assert!(samples.due(NOON + Duration::minutes(59)).is_empty(), "the sample of the hour is full");
        let after = samples.due(NOON + Duration::hours(1));
        assert!(after[0].entries.is_empty());
        let (hour, counts) = after[0].left_out.clone().unwrap();
        assert_eq!(hour.start, NOON.unix_timestamp());
        assert_eq!(Json::Object(counts), json!({ "session.refused": 1_001 - REFUSALS_PER_HOUR }));
        samples.note(workspace(1), entry(AuditAction::SessionRefused, NOON + Duration::hours(1)));
        assert_eq!(samples.due(NOON + Duration::hours(1))[0].entries.len(), 1, "a new hour");
        assert!(samples.due(NOON + Duration::hours(2)).is_empty(), "nothing was left out");
        assert!(samples.lock().workspaces.is_empty());
    }

    #[test]
    fn memory_is_bounded_for_any_number_of_workspaces() {
        let samples = RefusalSamples::default();
        for number in 0..u128::try_from(MAX_WORKSPACES).unwrap() + 100 {
            samples.note(workspace(number), entry(AuditAction::SessionRefused, NOON));
        }
        let sizes = || {
            let state = samples.lock();
            (state.workspaces.len(), state.waiting)
        };
        assert_eq!(sizes(), (MAX_WORKSPACES, MAX_WAITING));
        let mut written = 0;
        while let batches @ [_, ..] = &*samples.due(NOON) {
            assert!(batches.len() <= WORKSPACES_PER_STEP);
            written += batches.iter().map(|batch| batch.entries.len()).sum::<usize>();
        }
        assert_eq!((written, sizes().1), (MAX_WAITING, 0));
    }
}
