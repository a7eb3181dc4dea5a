//! Credentials that were verified a moment ago (contract: keys, sessions, plans; revocation and suspension).
//!
//! A known credential counts only while this instance's last good look at the changes is under [`MAX_STALENESS`] old.
//! The store keeps what changed (revocations, suspensions, roles, passwords); [`refresh_credential_cache`] runs every
//! [`REFRESH_INTERVAL`] and forgets what those changes touch. A look goes back over [`OVERLAP`], so that a change whose
//! transaction committed late is not missed, and so that an old state that was loaded before the change and put in
//! after the look goes with the next one.

use std::collections::{HashMap, HashSet};
use std::hash::{BuildHasher, RandomState};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, PoisonError, RwLock};
use std::time::Duration;

use time::OffsetDateTime;
use uuid::Uuid;

use super::{Credential, HashedSecret, ScopeSet, ToolGrants};
use crate::identity::workspaces::Workspace;
use crate::ports::{Ports, StoreError};

/// How old the last good look may be.
const MAX_STALENESS: Duration = Duration::from_secs(2);
/// How often to look: several looks may fail before credentials stop counting.
pub const REFRESH_INTERVAL: Duration = Duration::from_millis(500);
/// How far back a look goes: longer than any transaction lives.
const OVERLAP: Duration = Duration::from_mins(1);
/// A load that took longer is not kept: its state may be older than changes that were looked at meanwhile.
const MAX_LOAD_TIME: Duration = Duration::from_secs(1);
const SHARDS: usize = 64;
/// A shard that is full starts anew, at the cost of one read a credential.
const MAX_PER_SHARD: usize = 1_024;

/// What is known of one good credential.
#[derive(Debug)]
pub(super) struct CachedCredential {
    pub(super) secret: HashedSecret,
    pub(super) expires_at: Option<OffsetDateTime>,
    pub(super) workspace: Arc<Workspace>,
    pub(super) credential: Credential,
    pub(super) name: Arc<str>,
    pub(super) scopes: ScopeSet,
    pub(super) tools: Arc<ToolGrants>,
}

impl CachedCredential {
    /// Whether a change of this workspace, key, session or person touches it.
    fn is_affected_by(&self, changed: &HashSet<Uuid>) -> bool {
        let user = match self.credential {
            Credential::Session { user, .. } => Some(user.0),
            Credential::Key(_) => None,
        };
        changed.contains(&self.workspace.id.0)
            || changed.contains(&self.credential.id())
            || user.is_some_and(|id| changed.contains(&id))
    }
}

type Shard = RwLock<HashMap<Box<str>, Arc<CachedCredential>>>;

/// The credentials that this instance knows, by their look-up ids. No lock is shared by all requests.
#[derive(Debug)]
pub struct CredentialCache {
    shards: Box<[Shard]>,
    hasher: RandomState,
    /// Milliseconds of the monotonic clock at the start of the last good look, plus one; 0 before the first.
    last_refresh_ms: AtomicU64,
}

impl Default for CredentialCache {
    fn default() -> Self {
        Self {
            shards: (0..SHARDS).map(|_| Shard::default()).collect(),
            hasher: RandomState::new(),
            last_refresh_ms: AtomicU64::new(0),
        }
    }
}

impl CredentialCache {
    fn shard(&self, lookup_id: &str) -> &Shard {
        // The top byte is as random as all others, and always fits.
        let [top, ..] = self.hasher.hash_one(lookup_id).to_be_bytes();
        &self.shards[usize::from(top) % SHARDS]
    }

    /// Whether known credentials count at `elapsed`: whether there was a good look a moment ago.
    pub fn is_fresh(&self, elapsed: Duration) -> bool {
        let refreshed_at = self.last_refresh_ms.load(Ordering::Acquire).checked_sub(1).map(Duration::from_millis);
        refreshed_at.is_some_and(|refreshed_at| elapsed.saturating_sub(refreshed_at) < MAX_STALENESS)
    }

    /// The credential, as long as it counts at `elapsed`.
    pub(super) fn get(&self, lookup_id: &str, elapsed: Duration) -> Option<Arc<CachedCredential>> {
        if !self.is_fresh(elapsed) {
            return None;
        }
        self.shard(lookup_id).read().unwrap_or_else(PoisonError::into_inner).get(lookup_id).cloned()
    }

    /// Keeps a credential that was loaded between two moments.
    pub(super) fn put(&self, lookup_id: &str, cached: Arc<CachedCredential>, began: Duration, ended: Duration) {
        if ended.saturating_sub(began) > MAX_LOAD_TIME {
            return;
        }
        let mut shard = self.shard(lookup_id).write().unwrap_or_else(PoisonError::into_inner);
        if shard.len() >= MAX_PER_SHARD {
            shard.clear();
        }
        shard.insert(lookup_id.into(), cached);
    }

    /// Forgets what changes of these workspaces, keys, sessions and people touch. For this instance's own changes too:
    /// they are felt at once.
    pub fn invalidate(&self, changed: &HashSet<Uuid>) {
        if changed.is_empty() {
            return;
        }
        for shard in &self.shards {
            // Most looks touch nothing that is known here, and readers need not wait for that.
            let touched = shard
                .read()
                .unwrap_or_else(PoisonError::into_inner)
                .values()
                .any(|cached| cached.is_affected_by(changed));
            if touched {
                shard
                    .write()
                    .unwrap_or_else(PoisonError::into_inner)
                    .retain(|_, cached| !cached.is_affected_by(changed));
            }
        }
    }

    fn refreshed(&self, began: Duration) {
        let began = u64::try_from(began.as_millis()).unwrap_or(u64::MAX - 1);
        self.last_refresh_ms.fetch_max(began + 1, Ordering::Release);
    }
}

/// One look at what changed. Run every [`REFRESH_INTERVAL`] by whoever serves requests.
///
/// # Errors
/// The store's; known credentials stop counting when no look is good for a while.
pub async fn refresh_credential_cache(ports: &Ports) -> Result<(), StoreError> {
    let began = ports.clock.elapsed();
    let changed = ports.directory.credential_changes(OVERLAP).await?;
    ports.credential_cache.invalidate(&changed.into_iter().collect());
    ports.credential_cache.refreshed(began);
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{ApiKeyId, SessionId, UserId, testing};

    const fn at(millis: u64) -> Duration {
        Duration::from_millis(millis)
    }

    fn cached(credential: Credential) -> Arc<CachedCredential> {
        Arc::new(CachedCredential {
            secret: HashedSecret::from_bytes([0; 32]),
            expires_at: None,
            workspace: Arc::new(testing::workspace_value(1)),
            credential,
            name: Arc::from("k"),
            scopes: ScopeSet::default(),
            tools: Arc::default(),
        })
    }

    fn key(id: u128) -> Arc<CachedCredential> {
        cached(Credential::Key(ApiKeyId(Uuid::from_u128(id))))
    }

    #[test]
    fn cached_credentials_expire_without_a_recent_refresh() {
        let all = CredentialCache::default();
        all.put("a", key(1), at(0), at(0));
        assert!(all.get("a", at(0)).is_none());
        all.refreshed(at(100));
        assert!(all.get("a", at(100)).is_some() && all.get("a", at(2_099)).is_some());
        assert!(all.get("a", at(2_100)).is_none());
        all.refreshed(at(50));
        assert!(all.get("a", at(2_099)).is_some(), "a slow look does not undo a later one");
    }

    #[test]
    fn a_slow_load_is_not_kept() {
        let all = CredentialCache::default();
        all.refreshed(at(0));
        all.put("a", key(1), at(0), at(1_001));
        assert!(all.get("a", at(1_001)).is_none());
    }

    #[test]
    fn a_change_touches_its_workspace_key_session_or_person_alone() {
        let session = Credential::Session {
            id: SessionId(Uuid::from_u128(3)),
            user: UserId(Uuid::from_u128(4)),
            role: crate::identity::workspaces::Role::Admin,
        };
        for (changed, key_stays, session_stays) in
            [(2, false, true), (3, true, false), (4, true, false), (1, false, false), (9, true, true)]
        {
            let all = CredentialCache::default();
            all.refreshed(at(0));
            all.put("key", key(2), at(0), at(0));
            all.put("session", cached(session), at(0), at(0));
            all.invalidate(&HashSet::from([Uuid::from_u128(changed)]));
            let stays = |id| all.get(id, at(0)).is_some();
            assert_eq!((stays("key"), stays("session")), (key_stays, session_stays), "{changed}");
        }
    }

    #[test]
    fn the_number_of_known_credentials_is_bounded() {
        let all = CredentialCache::default();
        for number in 0..200_000 {
            all.put(&number.to_string(), key(number), at(0), at(0));
        }
        let kept: usize = all.shards.iter().map(|shard| shard.read().unwrap().len()).sum();
        assert!((1..=SHARDS * MAX_PER_SHARD).contains(&kept), "{kept}");
    }
}
