//! Credentials that were verified a moment ago (contract: keys, sessions, plans; revocation and suspension).
//!
//! A known credential counts only while this instance's last good look at the changes is under [`MAX_STALENESS`] old.
//! The store keeps what changed (revocations, suspensions, roles, passwords); [`refresh_credential_cache`] runs every
//! [`REFRESH_INTERVAL`] and forgets what those changes touch. A look goes back over [`OVERLAP`], so that a change whose
//! transaction committed late is not missed, and so that an old state that was loaded before the change and put in
//! after the look goes with the next one.

use std::collections::HashSet;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use quick_cache::sync::Cache;
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
/// How many are known at the most; the one that was used least goes for a new one.
const MAX_KNOWN: usize = 65_536;

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

/// The credentials that this instance knows, by their look-up ids.
pub struct CredentialCache {
    credentials: Cache<Box<str>, Arc<CachedCredential>>,
    /// Milliseconds of the monotonic clock at the start of the last good look, plus one; 0 before the first.
    last_refresh_ms: AtomicU64,
}

impl Default for CredentialCache {
    fn default() -> Self {
        Self { credentials: Cache::new(MAX_KNOWN), last_refresh_ms: AtomicU64::new(0) }
    }
}

impl std::fmt::Debug for CredentialCache {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.debug_struct("CredentialCache").finish_non_exhaustive()
    }
}

impl CredentialCache {
    /// Whether known credentials count at `elapsed`: whether there was a good look a moment ago.
    pub fn is_fresh(&self, elapsed: Duration) -> bool {
        let refreshed_at = self.last_refresh_ms.load(Ordering::Acquire).checked_sub(1).map(Duration::from_millis);
        refreshed_at.is_some_and(|refreshed_at| elapsed.saturating_sub(refreshed_at) < MAX_STALENESS)
    }

    /// The credential, as long as it counts at `elapsed`.
    pub(super) fn get(&self, lookup_id: &str, elapsed: Duration) -> Option<Arc<CachedCredential>> {
        if self.is_fresh(elapsed) { self.credentials.get(lookup_id) } else { None }
    }

    /// Keeps a credential that was loaded between two moments.
    pub(super) fn put(&self, lookup_id: &str, cached: Arc<CachedCredential>, began: Duration, ended: Duration) {
        if ended.saturating_sub(began) > MAX_LOAD_TIME {
            return;
        }
        self.credentials.insert(lookup_id.into(), cached);
    }

    /// Forgets what changes of these workspaces, keys, sessions and people touch. For this instance's own changes too:
    /// they are felt at once.
    pub fn invalidate(&self, changed: &HashSet<Uuid>) {
        if !changed.is_empty() {
            self.credentials.retain(|_, cached| !cached.is_affected_by(changed));
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
        let kept = all.credentials.len();
        assert!((1..=MAX_KNOWN).contains(&kept), "{kept}");
    }
}
