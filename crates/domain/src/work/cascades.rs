//! Events of tasks and cycles that were deleted or restored with their project (interface 24.10).
//!
//! Deleting a project hides its tasks and cycles in the same transaction, however many there are, and stores a note of each. Restoring
//! does the same. A background job then appends their events. It removes the notes in the transaction that appends the events, so no
//! event is lost or repeated if the job is stopped.
//!
//! The job locks each record, and appends the event only if the record still has the version of the deletion or restoration. So the
//! events of a record stay in the order of its versions, and each change is announced once. A record that was restored in the meantime
//! has no event of its deletion. One that was changed or deleted in the meantime has none of its restoration.

use std::collections::BTreeMap;

use time::{Date, Duration, OffsetDateTime};

use crate::events::{Event, EventBuilder, EventCause, EventSource};
use crate::identity::access::Principal;
use crate::kernel::input::choices;
use crate::kernel::{Stepped, Weight, step_in_each};
use crate::ports::{Ports, Tx, weighed_transact_in};
use crate::records::Kind;
use crate::{CycleId, Error, IssueId, ProjectId, WorkspaceId};

/// The number of records that are announced per transaction.
pub const STEP: u32 = 500;
/// The number of tasks in memory at a time. Each has a long text.
const LOADED: usize = 50;
/// The number of workspaces that take turns.
const WORKSPACES: u32 = 100;

choices! {
    /// What happened to a project, and with it to its tasks and cycles.
    pub enum CascadeVerb {
        Deleted = "deleted",
        Restored = "restored",
    }
}

/// A deletion or restoration of a project.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ProjectChange {
    pub project: ProjectId,
    /// The project's version after the change.
    pub version: i64,
    pub verb: CascadeVerb,
}

/// Records that were deleted or restored with a project, each with its version after that.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CascadedRecords {
    pub change: ProjectChange,
    pub cycles: Vec<(CycleId, i64)>,
    pub tasks: Vec<(IssueId, i64)>,
}

/// Announces up to [`STEP`] records in each of some workspaces that have records to announce. So a large project does not delay other
/// workspaces, and a failure in one workspace does not affect the others.
pub async fn announce_cascades(ports: &Ports) -> Result<Stepped, Error> {
    let workspaces = ports.directory.workspaces_with_cascades(WORKSPACES).await?;
    Ok(step_in_each(workspaces, |workspace| announce_in(ports, workspace, STEP)).await)
}

/// Announces at most `most` records of a workspace in one transaction. Returns whether it found records that no other instance is
/// announcing.
pub async fn announce_in(ports: &Ports, workspace: WorkspaceId, most: u32) -> Result<bool, Error> {
    let today = ports.clock.now().date();
    weighed_transact_in(ports, workspace, Weight::Heavy, move |tx| {
        let Some(records) = tx.cascades().take(most)? else { return Ok(false) };
        let announcer = Announcer::of(tx, &records.change)?;
        announcer.announce_cycles(tx, &records.cycles, today)?;
        for tasks in records.tasks.chunks(LOADED) {
            announcer.announce_tasks(tx, tasks)?;
        }
        Ok(true)
    })
    .await
}

/// Builds the events of the records that one change of a project affected.
struct Announcer {
    verb: CascadeVerb,
    cause: Option<EventCause>,
    reporter: EventBuilder,
}

impl Announcer {
    /// The events have the actor who changed the project.
    fn of(tx: &mut dyn Tx, change: &ProjectChange) -> Result<Self, Error> {
        let (cause, by) = match tx.cascades().cause(change)? {
            Some((cause, by)) => (Some(cause), by),
            None => (None, Principal::service()),
        };
        // Each event has the time of its record's version, so that the ids of a record's events are in the order of its versions.
        Ok(Self { verb: change.verb, cause, reporter: EventBuilder::new(&by, OffsetDateTime::UNIX_EPOCH) })
    }

    fn announce_tasks(&self, tx: &mut dyn Tx, records: &[(IssueId, i64)]) -> Result<(), Error> {
        let versions: BTreeMap<_, _> = records.iter().copied().collect();
        let ids: Vec<_> = versions.keys().copied().collect();
        let mut events = Vec::new();
        for (mut task, deleted_at) in tx.cascades().tasks(&ids)? {
            if !self.is_current(task.version, versions.get(&task.id), deleted_at) {
                continue;
            }
            // The version of a deletion is not stored.
            if let Some(deleted_at) = deleted_at {
                task.bump_version(deleted_at);
            }
            events.push(self.event(&task));
        }
        Ok(tx.emit_owed(&events)?)
    }

    fn announce_cycles(&self, tx: &mut dyn Tx, records: &[(CycleId, i64)], today: Date) -> Result<(), Error> {
        if records.is_empty() {
            return Ok(());
        }
        let versions: BTreeMap<_, _> = records.iter().copied().collect();
        let ids: Vec<_> = versions.keys().copied().collect();
        let mut events = Vec::new();
        for (mut cycle, counts, deleted_at) in tx.cascades().cycles(&ids)? {
            if !self.is_current(cycle.version, versions.get(&cycle.id), deleted_at) {
                continue;
            }
            if let Some(deleted_at) = deleted_at {
                cycle.bump_version(deleted_at);
            }
            events.push(self.event(&cycle.view(counts, today)));
        }
        Ok(tx.emit_owed(&events)?)
    }

    /// Whether the record still has the recorded version.
    fn is_current(&self, version: i64, recorded: Option<&i64>, deleted_at: Option<OffsetDateTime>) -> bool {
        recorded.is_some_and(|recorded| match self.verb {
            CascadeVerb::Deleted => deleted_at.is_some() && version + 1 == *recorded,
            // A later change has its own event, which already shows that the record is back.
            CascadeVerb::Restored => deleted_at.is_none() && version == *recorded,
        })
    }

    fn event(&self, record: &impl EventSource) -> Event {
        let mut event = self.reporter.happened(record, self.verb.as_str()).with_cause(self.cause.as_ref());
        // The event of the project has the same time and must come first.
        event.at += Duration::MICROSECOND;
        event
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn announcer(verb: CascadeVerb) -> Announcer {
        let reporter = EventBuilder::new(&Principal::service(), OffsetDateTime::UNIX_EPOCH);
        Announcer { verb, cause: None, reporter }
    }

    #[test]
    fn only_records_with_the_recorded_version_are_announced() {
        let deleted = Some(OffsetDateTime::UNIX_EPOCH);
        for (verb, version, deleted_at, is_current) in [
            (CascadeVerb::Deleted, 1, deleted, true),
            // Restored with the project, and then perhaps deleted again.
            (CascadeVerb::Deleted, 3, None, false),
            (CascadeVerb::Deleted, 3, deleted, false),
            (CascadeVerb::Restored, 2, None, true),
            // Changed, or deleted and restored once more.
            (CascadeVerb::Restored, 3, None, false),
            // Deleted again.
            (CascadeVerb::Restored, 2, deleted, false),
        ] {
            assert_eq!(announcer(verb).is_current(version, Some(&2), deleted_at), is_current, "{verb} {version}");
        }
        assert!(!announcer(CascadeVerb::Deleted).is_current(1, None, deleted), "never recorded");
    }
}
