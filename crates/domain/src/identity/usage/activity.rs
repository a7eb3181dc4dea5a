//! Usage of credentials, counted in memory and flushed periodically.

use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};

use time::{Date, OffsetDateTime};
use uuid::Uuid;

use crate::identity::access::{Caller, Credential};
use crate::ports::{Ports, StoreError};
use crate::{ApiKeyId, SessionId, WorkspaceId};

const SHARDS: usize = 64;

/// A credential whose last use is recorded.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum UsedCredential {
    Key(ApiKeyId),
    Session(SessionId),
}

/// The usage of one credential since the last flush.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct CredentialUsage {
    pub workspace: WorkspaceId,
    pub credential: UsedCredential,
    pub last_used_at: OffsetDateTime,
    pub requests: u64,
    /// Time of the last use over the tool API, if there was one.
    pub tools_used_at: Option<OffsetDateTime>,
}

impl CredentialUsage {
    /// The day that the requests count for.
    pub fn day(&self) -> Date {
        self.last_used_at.to_offset(time::UtcOffset::UTC).date()
    }
}

/// Counts requests in memory, sharded so that they do not all share one lock. There is one entry per credential used since the last
/// flush.
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
    /// Counts one request.
    pub fn note(&self, caller: &Caller, now: OffsetDateTime) {
        self.add(caller.credential().id(), Self::usage(caller, now, 1, None));
    }

    /// Notes that a request used the tool API. [`Activity::note`] counts the request.
    pub fn note_tool_use(&self, caller: &Caller, now: OffsetDateTime) {
        self.add(caller.credential().id(), Self::usage(caller, now, 0, Some(now)));
    }

    fn usage(
        caller: &Caller,
        now: OffsetDateTime,
        requests: u64,
        tools_used_at: Option<OffsetDateTime>,
    ) -> CredentialUsage {
        let credential = match caller.credential() {
            Credential::Key(id) => UsedCredential::Key(id),
            Credential::Session { id, .. } => UsedCredential::Session(id),
        };
        let workspace = caller.workspace().id;
        CredentialUsage { workspace, credential, last_used_at: now, requests, tools_used_at }
    }

    fn add(&self, credential: Uuid, usage: CredentialUsage) {
        // The last byte of an id is random.
        let shard = &self.shards[usize::from(credential.as_bytes()[15]) % SHARDS];
        let mut shard = shard.lock().unwrap_or_else(PoisonError::into_inner);
        let entry = shard.entry(credential).or_insert(CredentialUsage { requests: 0, ..usage });
        entry.requests += usage.requests;
        entry.last_used_at = entry.last_used_at.max(usage.last_used_at);
        entry.tools_used_at = entry.tools_used_at.max(usage.tools_used_at);
    }

    fn take(&self) -> Vec<(Uuid, CredentialUsage)> {
        let drained = |shard: &Mutex<HashMap<_, _>>| {
            std::mem::take(&mut *shard.lock().unwrap_or_else(PoisonError::into_inner)).into_iter()
        };
        self.shards.iter().flat_map(drained).collect()
    }
}

/// Flushes the counts. Runs every few seconds, and once at shutdown.
///
/// # Errors
/// Store errors; counts that could not be written are kept for the next flush.
pub async fn flush_activity(ports: &Ports) -> Result<(), StoreError> {
    let counts = ports.activity.take();
    if counts.is_empty() {
        return Ok(());
    }
    let usage: Vec<_> = counts.iter().map(|(_, usage)| *usage).collect();
    let result = ports.directory.record_activity(&usage).await;
    if result.is_err() {
        for (credential, usage) in counts {
            ports.activity.add(credential, usage);
        }
    }
    result
}
