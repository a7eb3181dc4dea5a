//! What credentials did, noted in passing and written later.

use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};

use time::{Date, OffsetDateTime};
use uuid::Uuid;

use crate::identity::access::{Caller, Credential};
use crate::ports::{Ports, StoreError};
use crate::{ApiKeyId, WorkspaceId};

const SHARDS: usize = 64;

/// What one credential did since the last writing.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct CredentialUsage {
    /// The workspace.
    pub workspace: WorkspaceId,
    /// The key, unless it was a session.
    pub key: Option<ApiKeyId>,
    /// The last time.
    pub last_used_at: OffsetDateTime,
    /// How many requests.
    pub requests: u64,
}

impl CredentialUsage {
    /// The day that its requests count for.
    pub fn day(&self) -> Date {
        self.last_used_at.to_offset(time::UtcOffset::UTC).date()
    }
}

/// Notes requests in memory; no lock is shared by all of them. Holds one entry a credential that was used since the
/// last writing.
#[derive(Debug)]
pub struct Activity {
    shards: Box<[Mutex<HashMap<Uuid, CredentialUsage>>]>,
}

impl Default for Activity {
    fn default() -> Self {
        Self { shards: (0..SHARDS).map(|_| Mutex::default()).collect() }
    }
}

impl Activity {
    /// Notes one request.
    pub fn note(&self, caller: &Caller, now: OffsetDateTime) {
        let key = match caller.credential() {
            Credential::Key(id) => Some(id),
            Credential::Session { .. } => None,
        };
        let seen = CredentialUsage { workspace: caller.workspace().id, key, last_used_at: now, requests: 1 };
        self.add(caller.credential().id(), seen);
    }

    fn add(&self, credential: Uuid, seen: CredentialUsage) {
        // The last byte of an id is random.
        let shard = &self.shards[usize::from(credential.as_bytes()[15]) % SHARDS];
        let mut shard = shard.lock().unwrap_or_else(PoisonError::into_inner);
        let entry = shard.entry(credential).or_insert(CredentialUsage { requests: 0, ..seen });
        entry.requests += seen.requests;
        entry.last_used_at = entry.last_used_at.max(seen.last_used_at);
    }

    fn take(&self) -> Vec<(Uuid, CredentialUsage)> {
        let drained = |shard: &Mutex<HashMap<_, _>>| {
            std::mem::take(&mut *shard.lock().unwrap_or_else(PoisonError::into_inner)).into_iter()
        };
        self.shards.iter().flat_map(drained).collect()
    }
}

/// Writes what was noted. Run every few seconds, and once at the end.
///
/// # Errors
/// The store's; what could not be written is noted again.
pub async fn flush_activity(ports: &Ports) -> Result<(), StoreError> {
    let taken = ports.activity.take();
    if taken.is_empty() {
        return Ok(());
    }
    let seen: Vec<_> = taken.iter().map(|(_, seen)| *seen).collect();
    let written = ports.directory.record_activity(&seen).await;
    if written.is_err() {
        for (credential, seen) in taken {
            ports.activity.add(credential, seen);
        }
    }
    written
}
