//! API keys and stored responses.

use super::not_in_memory::not_in_memory;
use super::state::{IdempotencyKeyId, MemoryTx, StoredIdempotency};
use super::table::{Order, page};
use domain::identity::api_keys::{ApiKey, KeyStatus};
use domain::kernel::idempotency::{ClaimResult, IdempotencyClaim, KeepResult, RETENTION, StoredResponse};
use domain::kernel::input::CreatedFilter;
use domain::kernel::paging::{PageRequest, Paginated};
use domain::ports::{ApiKeyRepo, IdempotencyRepo, StoreError};
use domain::{ApiKeyId, UserId};
use time::OffsetDateTime;

impl ApiKeyRepo for MemoryTx<'_> {
    fn count_active_for_update(&mut self, now: OffsetDateTime) -> Result<u64, StoreError> {
        let is_active =
            |key: &&ApiKey| key.revoked_at.is_none() && key.expires_at.is_none_or(|expires_at| expires_at > now);
        Ok(self.records.api_keys.values().filter(is_active).count() as u64)
    }

    fn insert(&mut self, key: &ApiKey) -> Result<(), StoreError> {
        self.records.api_keys.insert(key.id, key.clone());
        Ok(())
    }

    fn list(&mut self, filter: &CreatedFilter, request: &PageRequest) -> Result<Vec<ApiKey>, StoreError> {
        let chosen = self.records.api_keys.values().filter(|key| filter.accepts(key.created_at));
        Ok(page(chosen, ApiKey::cursor_key, Order::NewestFirst, request))
    }

    fn active_of(&mut self, user: UserId, now: OffsetDateTime, limit: u32) -> Result<Vec<ApiKey>, StoreError> {
        let of_the_user = |key: &&ApiKey| key.created_by.id == Some(user.0) && key.status(now) == KeyStatus::Active;
        let mut keys: Vec<_> = self.records.api_keys.values().filter(of_the_user).cloned().collect();
        keys.sort_by_key(|key| std::cmp::Reverse(key.cursor_key()));
        keys.truncate(limit as usize);
        Ok(keys)
    }

    fn revoke_all_of(&mut self, _: UserId, _: OffsetDateTime) -> Result<Vec<ApiKey>, StoreError> {
        not_in_memory("ApiKeyRepo::revoke_all_of")
    }

    fn get(&mut self, id: ApiKeyId) -> Result<Option<ApiKey>, StoreError> {
        Ok(self.records.api_keys.get(&id).cloned())
    }

    fn take_trial_call(&mut self, _: ApiKeyId) -> Result<bool, StoreError> {
        not_in_memory("ApiKeyRepo::take_trial_call")
    }

    fn get_for_update(&mut self, id: ApiKeyId) -> Result<Option<ApiKey>, StoreError> {
        Ok(self.records.api_keys.get(&id).cloned())
    }

    fn save(&mut self, key: &ApiKey) -> Result<(), StoreError> {
        let stored = self.records.api_keys.get_mut(&key.id);
        let stored = stored.ok_or_else(|| StoreError::Internal("there is no row to update".to_owned()))?;
        stored.name.clone_from(&key.name);
        stored.allowed_networks.clone_from(&key.allowed_networks);
        stored.narrows_rest = key.narrows_rest;
        (stored.revoked_at, stored.version, stored.updated_at) = (key.revoked_at, key.version, key.updated_at);
        Ok(())
    }
}

fn id_of(claim: &IdempotencyClaim) -> IdempotencyKeyId {
    (claim.credential, claim.route, claim.key.clone())
}

impl IdempotencyRepo for MemoryTx<'_> {
    fn claim(&mut self, claim: &IdempotencyClaim) -> Result<ClaimResult, StoreError> {
        // Never `Running`: transactions run one at a time.
        let kept = self.records.kept.get(&id_of(claim)).filter(|kept| kept.at >= claim.oldest);
        Ok(kept.map_or(ClaimResult::Free, |kept| ClaimResult::Kept {
            fingerprint: kept.fingerprint,
            answer: kept.answer.clone(),
        }))
    }

    fn keep(&mut self, claim: &IdempotencyClaim, answer: &StoredResponse) -> Result<KeepResult, StoreError> {
        let bytes = claim.bytes_of(answer);
        let used: u64 = self.records.kept.values().map(|kept| kept.bytes).sum();
        if used + bytes > claim.budget.0 {
            let oldest = self.records.kept.values().map(|kept| kept.at).min().unwrap_or(claim.now);
            return Ok(KeepResult::OverBudget { room_at: oldest + RETENTION });
        }
        let kept = StoredIdempotency { fingerprint: claim.fingerprint, answer: answer.clone(), at: claim.now, bytes };
        self.records.kept.insert(id_of(claim), kept);
        Ok(KeepResult::Kept)
    }
}
