//! The usage of credentials.

use std::time::Duration;

use time::OffsetDateTime;

use super::state::State;
use domain::identity::usage::{CredentialUsage, UsedCredential};

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
