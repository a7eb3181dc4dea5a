//! The usage of credentials.

use std::time::Duration;

use time::{Date, OffsetDateTime};

use super::state::State;
use domain::identity::usage::{CredentialUsage, UsedCredential};
use domain::limits::{EventBytesOfDay, EventBytesUsed};

/// The last use of a key is updated when it is this much older.
const LAST_USED_GRANULARITY: Duration = Duration::from_mins(1);

pub(super) fn record(state: &mut State, seen: &[CredentialUsage]) {
    let known = |one: &&CredentialUsage| state.shared.workspaces.contains_key(&one.workspace);
    let mut known: Vec<_> = seen.iter().filter(known).collect();
    known.sort_by_key(|one| std::cmp::Reverse(one.last_used_at));
    for one in known {
        let records = state.records.entry(one.workspace).or_default();
        *records.requests.entry(one.day()).or_default() += one.requests;
        let is_due = |last: OffsetDateTime| last + LAST_USED_GRANULARITY <= one.last_used_at;
        match one.credential {
            UsedCredential::Key(id) => {
                if one.tools_used_at.is_some() && records.api_keys.contains_key(&id) {
                    records.keys_used_by_tools.insert(id);
                }
                let key = records.api_keys.get_mut(&id);
                if let Some(key) = key.filter(|key| key.last_used_at.is_none_or(is_due)) {
                    key.last_used_at = Some(one.last_used_at);
                }
            }
            UsedCredential::Session(id) => {
                if let Some(session) = records.sessions.get_mut(&id).filter(|session| is_due(session.last_used_at)) {
                    session.last_used_at = one.last_used_at;
                }
            }
        }
    }
}

pub(super) fn add_event_bytes(state: &mut State, added: &[EventBytesOfDay]) -> Vec<EventBytesUsed> {
    let known = added.iter().filter(|one| state.shared.workspaces.contains_key(&one.workspace));
    let known: Vec<_> = known.copied().collect();
    for one in &known {
        let records = state.records.entry(one.workspace).or_default();
        *records.event_bytes.entry(one.day).or_default() += one.bytes;
    }
    known.into_iter().filter_map(|one| event_bytes_of(state, one)).collect()
}

pub(super) fn largest_event_logs(state: &State, day: Date, limit: u32) -> Vec<EventBytesUsed> {
    let all = state.shared.workspaces.keys().map(|workspace| EventBytesOfDay { workspace: *workspace, day, bytes: 0 });
    let mut used: Vec<_> = all.filter_map(|one| event_bytes_of(state, one)).filter(|one| one.added.bytes > 0).collect();
    used.sort_by_key(|one| (std::cmp::Reverse(one.added.bytes), one.added.workspace));
    used.truncate(limit as usize);
    used
}

fn event_bytes_of(state: &State, of: EventBytesOfDay) -> Option<EventBytesUsed> {
    let workspace = state.shared.workspaces.get(&of.workspace)?;
    let bytes = state.records.get(&of.workspace).and_then(|records| records.event_bytes.get(&of.day)).copied();
    let added = EventBytesOfDay { bytes: bytes.unwrap_or_default(), ..of };
    Some(EventBytesUsed { added, slug: workspace.slug.clone(), allowance: workspace.allowance() })
}
