//! Cache of recently verified credentials (interface 5.6).
//!
//! A cached credential is served only while this instance's last successful refresh is less than [`MAX_STALENESS`]
//! old. The store records changes (revocations, suspensions, roles, passwords); every [`REFRESH_INTERVAL`],
//! [`refresh_credential_cache`] drops the affected entries. A refresh covers the last [`OVERLAP`], so that it also
//! sees a change whose transaction committed late, and drops a stale entry that was loaded before the change but
//! inserted after the previous refresh.

use std::collections::HashSet;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use quick_cache::sync::Cache;
use time::OffsetDateTime;
use uuid::Uuid;

use super::needs::OperatorAccess;
use super::{Credential, HashedSecret, ScopeSet, ToolGrants};
use crate::identity::workspaces::Workspace;
use crate::kernel::Networks;
use crate::ports::{Ports, StoreError};

/// Maximum age of the last successful refresh.
const MAX_STALENESS: Duration = Duration::from_secs(2);
/// Time between refreshes. Several may fail before the cache is no longer served.
pub const REFRESH_INTERVAL: Duration = Duration::from_millis(500);
/// How far back a refresh reads: longer than any transaction runs.
const OVERLAP: Duration = Duration::from_mins(1);
/// Entries that took longer to load are not cached: they may be older than changes already processed.
const MAX_LOAD_TIME: Duration = Duration::from_secs(1);
/// Capacity; above it, the least recently used entries are evicted.
const CAPACITY: usize = 65_536;

/// A verified credential.
#[derive(Debug)]
pub(super) struct CachedCredential {
    pub(super) secret: HashedSecret,
    pub(super) expires_at: Option<OffsetDateTime>,
    pub(super) workspace: Arc<Workspace>,
    /// Networks of the key itself; a session has none.
    pub(super) networks: Networks,
    /// Whether the workspace requires a second factor that the user does not have.
    pub(super) lacks_second_factor: bool,
    /// Whether it may act as an operator.
    pub(super) operator_access: OperatorAccess,
    pub(super) credential: Credential,
    pub(super) name: Arc<str>,
    pub(super) scopes: ScopeSet,
    pub(super) tools: Arc<ToolGrants>,
}

impl CachedCredential {
    /// Whether a change of these workspaces, keys, sessions or users affects it.
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

/// The credentials cached by this instance, by lookup id.
pub struct CredentialCache {
    credentials: Cache<Box<str>, Arc<CachedCredential>>,
    /// Start of the last successful refresh in milliseconds of the monotonic clock, plus one; 0 before the first.
    last_refresh_ms: AtomicU64,
}

impl Default for CredentialCache {
    fn default() -> Self {
        Self { credentials: Cache::new(CAPACITY), last_refresh_ms: AtomicU64::new(0) }
    }
}

impl std::fmt::Debug for CredentialCache {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.debug_struct("CredentialCache").finish_non_exhaustive()
    }
}

impl CredentialCache {
    /// Whether cached credentials may be served at `elapsed`: whether the last successful refresh is recent.
    pub fn is_fresh(&self, elapsed: Duration) -> bool {
        let refreshed_at = self.last_refresh_ms.load(Ordering::Acquire).checked_sub(1).map(Duration::from_millis);
        refreshed_at.is_some_and(|refreshed_at| elapsed.saturating_sub(refreshed_at) < MAX_STALENESS)
    }

    /// The cached credential, if the cache is fresh at `elapsed`.
    pub(super) fn get(&self, lookup_id: &str, elapsed: Duration) -> Option<Arc<CachedCredential>> {
        if self.is_fresh(elapsed) { self.credentials.get(lookup_id) } else { None }
    }

    /// Caches a credential that was loaded between `began` and `ended`.
    pub(super) fn put(&self, lookup_id: &str, cached: Arc<CachedCredential>, began: Duration, ended: Duration) {
        if ended.saturating_sub(began) > MAX_LOAD_TIME {
            return;
        }
        self.credentials.insert(lookup_id.into(), cached);
    }

    /// Drops the entries affected by changes of these workspaces, keys, sessions and users. Also called for this
    /// instance's own changes, which therefore take effect immediately.
    pub fn invalidate(&self, changed: &HashSet<Uuid>) {
        if !changed.is_empty() {
            self.credentials.retain(|_, cached| !cached.is_affected_by(changed));
        }
    }

    fn record_refresh(&self, began: Duration) {
        let began = u64::try_from(began.as_millis()).unwrap_or(u64::MAX - 1);
        self.last_refresh_ms.fetch_max(began + 1, Ordering::Release);
    }
}

/// Refreshes the cache once. Every serving process calls it each [`REFRESH_INTERVAL`].
///
/// # Errors
/// Store errors. Cached credentials are no longer served after [`MAX_STALENESS`] without a successful refresh.
pub async fn refresh_credential_cache(ports: &Ports) -> Result<(), StoreError> {
    let began = ports.clock.elapsed();
    let changed = ports.directory.credential_changes(OVERLAP).await?;
    ports.credential_cache.invalidate(&changed.into_iter().collect());
    ports.credential_cache.record_refresh(began);
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
            networks: Networks::default(),
            lacks_second_factor: false,
            operator_access: OperatorAccess::None,
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
        let cache = CredentialCache::default();
        cache.put("a", key(1), at(0), at(0));
        assert!(cache.get("a", at(0)).is_none());
        cache.record_refresh(at(100));
        assert!(cache.get("a", at(100)).is_some() && cache.get("a", at(2_099)).is_some());
        assert!(cache.get("a", at(2_100)).is_none());
        cache.record_refresh(at(50));
        assert!(cache.get("a", at(2_099)).is_some(), "a slow refresh does not undo a later one");
    }

    #[test]
    fn a_slow_load_is_not_cached() {
        let cache = CredentialCache::default();
        cache.record_refresh(at(0));
        cache.put("a", key(1), at(0), at(1_001));
        assert!(cache.get("a", at(1_001)).is_none());
    }

    #[test]
    fn a_change_affects_only_its_workspace_key_session_or_user() {
        let session = Credential::Session {
            id: SessionId(Uuid::from_u128(3)),
            user: UserId(Uuid::from_u128(4)),
            role: crate::identity::workspaces::Role::Admin,
        };
        for (changed, key_stays, session_stays) in
            [(2, false, true), (3, true, false), (4, true, false), (1, false, false), (9, true, true)]
        {
            let cache = CredentialCache::default();
            cache.record_refresh(at(0));
            cache.put("key", key(2), at(0), at(0));
            cache.put("session", cached(session), at(0), at(0));
            cache.invalidate(&HashSet::from([Uuid::from_u128(changed)]));
            let stays = |id| cache.get(id, at(0)).is_some();
            assert_eq!((stays("key"), stays("session")), (key_stays, session_stays), "{changed}");
        }
    }

    #[test]
    fn the_number_of_cached_credentials_is_bounded() {
        let cache = CredentialCache::default();
        for number in 0..200_000 {
            cache.put(&number.to_string(), key(number), at(0), at(0));
        }
        let size = cache.credentials.len();
        assert!((1..=CAPACITY).contains(&size), "{size}");
    }
}
