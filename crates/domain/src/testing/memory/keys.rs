//! API keys and kept answers.

use time::OffsetDateTime;

use super::state::{Kept, KeptId, MemoryTx};
use crate::ApiKeyId;
use crate::api_keys::ApiKey;
use crate::idempotency::{Answer, Claim, Claimed};
use crate::ports::{ApiKeyRepo, IdempotencyRepo, StoreError};

impl ApiKeyRepo for MemoryTx<'_> {
    fn insert(&mut self, key: &ApiKey) -> Result<(), StoreError> {
        self.records.api_keys.insert(key.id, key.clone());
        Ok(())
    }

    fn get_for_update(&mut self, id: ApiKeyId) -> Result<Option<ApiKey>, StoreError> {
        Ok(self.records.api_keys.get(&id).cloned())
    }

    fn revoke(&mut self, id: ApiKeyId, now: OffsetDateTime) -> Result<(), StoreError> {
        if let Some(key) = self.records.api_keys.get_mut(&id) {
            key.revoked_at = Some(now);
        }
        Ok(())
    }
}

fn id_of(claim: &Claim) -> KeptId {
    (claim.credential, claim.route, claim.key.clone())
}

impl IdempotencyRepo for MemoryTx<'_> {
    fn claim(&mut self, claim: &Claim) -> Result<Claimed, StoreError> {
        // Never `Running`: transactions run one after the other.
        let kept = self.records.kept.get(&id_of(claim)).filter(|kept| kept.at >= claim.oldest);
        Ok(kept
            .map_or(Claimed::Free, |kept| Claimed::Kept { fingerprint: kept.fingerprint, answer: kept.answer.clone() }))
    }

    fn keep(&mut self, claim: &Claim, answer: &Answer) -> Result<(), StoreError> {
        let kept = Kept { fingerprint: claim.fingerprint, answer: answer.clone(), at: claim.now };
        self.records.kept.insert(id_of(claim), kept);
        Ok(())
    }
}
