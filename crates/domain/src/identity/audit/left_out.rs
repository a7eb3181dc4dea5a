//! Summary entries about refusals above the sample of an hour, and actions above the limit of an hour.

use std::collections::BTreeMap;

use serde_json::{Map, Value as Json, json};
use time::format_description::well_known::Rfc3339;
use time::{Duration, OffsetDateTime};

use super::{AuditAction, AuditActor, AuditClass, AuditEntry, AuditSubject};
use crate::kernel::input::format_timestamp;
use crate::limits::Window;
use crate::ports::{Ports, StoreError, transact_in};
use crate::{AuditEntryId, Error, WorkspaceId};

/// Maximum workspaces per call of [`write_left_out`], each in its own transaction.
const WORKSPACES_PER_STEP: u32 = 50;
/// Maximum counts of a workspace that one transaction turns into entries.
const COUNTS_PER_STEP: u32 = 500;
/// How long after its end an hour is summarized, so that transactions that began in it have ended.
const GRACE: Duration = Duration::minutes(1);

/// The number of an actor's actions of one kind in one hour that have no entry.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LeftOutCount {
    /// The start of the hour.
    pub hour: OffsetDateTime,
    pub actor: AuditActor,
    pub action: AuditAction,
    pub left_out: u64,
}

/// The entry about the actions that were left out of an hour, with their counts.
pub(super) fn summary(
    ports: &Ports,
    workspace: WorkspaceId,
    action: AuditAction,
    actor: AuditActor,
    hour: OffsetDateTime,
    counts: Map<String, Json>,
) -> AuditEntry {
    AuditEntry {
        id: AuditEntryId(ports.ids.new_id()),
        action,
        actor,
        subject: AuditSubject::workspace(workspace),
        details: Map::from_iter([
            ("hour".to_owned(), json!(format_timestamp(hour))),
            ("left_out".to_owned(), Json::Object(counts)),
        ]),
        ip: None,
        created_at: ports.clock.now(),
    }
}

impl AuditEntry {
    /// The start of the hour and the counts by action of a summary entry; `None` for other entries.
    pub fn left_out(&self) -> Option<(OffsetDateTime, Vec<(&str, u64)>)> {
        if self.action.bound().class != AuditClass::Summary {
            return None;
        }
        let hour = OffsetDateTime::parse(self.details.get("hour")?.as_str()?, &Rfc3339).ok()?;
        let counts = self.details.get("left_out")?.as_object()?;
        Some((hour, counts.iter().filter_map(|(action, count)| Some((action.as_str(), count.as_u64()?))).collect()))
    }
}

/// Adds the summary entries of past hours, for at most 50 workspaces; returns how many. If a workspace fails, the others
/// continue, and it is tried again later.
///
/// # Errors
/// The first error of the store, after all workspaces were tried.
pub async fn write_left_out(ports: &Ports) -> Result<usize, StoreError> {
    let before = first_open_hour(ports);
    let due = ports.directory.find_left_out(before, WORKSPACES_PER_STEP).await?;
    let (count, mut failure) = (due.len(), None);
    for workspace in due {
        let owned_ports = ports.clone();
        let transaction = transact_in(ports, workspace, move |tx| {
            let counts = tx.audit().take_left_out(before, COUNTS_PER_STEP)?;
            let entries = summary_entries(&owned_ports, workspace, counts);
            entries.iter().try_for_each(|entry| tx.audit().append(entry)).map_err(Error::from)
        });
        if let Err(Error::Store(error)) = transaction.await {
            failure.get_or_insert(error);
        }
    }
    failure.map_or(Ok(count), Err)
}

/// Deletes at most `limit` counts of past hours in which nothing was left out; returns how many.
pub async fn prune_counts(ports: &Ports, limit: u32) -> Result<u64, StoreError> {
    ports.directory.prune_audit_counts(first_open_hour(ports), limit).await
}

/// The start of the first hour that is not over yet, including the grace period.
fn first_open_hour(ports: &Ports) -> OffsetDateTime {
    Window::Hour.start_of(ports.clock.now() - GRACE)
}

/// One entry per actor and hour.
fn summary_entries(ports: &Ports, workspace: WorkspaceId, counts: Vec<LeftOutCount>) -> Vec<AuditEntry> {
    let mut by_actor: BTreeMap<_, (AuditActor, Map<String, Json>)> = BTreeMap::new();
    for LeftOutCount { hour, actor, action, left_out } in counts {
        let key = (hour, actor.actor.kind.as_str(), actor.actor.id);
        let (_, actor_counts) = by_actor.entry(key).or_insert_with(|| (actor, Map::new()));
        actor_counts.insert(action.as_str().to_owned(), json!(left_out));
    }
    let entry = |((hour, ..), (actor, counts)): ((OffsetDateTime, _, _), (AuditActor, Map<_, _>))| {
        summary(ports, workspace, AuditAction::EntriesLeftOut, actor, hour, counts)
    };
    by_actor.into_iter().map(entry).collect()
}
