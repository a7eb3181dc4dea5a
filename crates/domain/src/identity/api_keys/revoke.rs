//! Revoking an API key.

use serde_json::json;

use super::{ApiKeyView, KeyStatus};
use crate::identity::access::{Actor, ActorKind, ManageKeys, Permit};
use crate::identity::audit::{AuditAction, AuditEntry, AuditSubject};
use crate::ports::{Ports, transact};
use crate::{ApiKeyId, Error};

/// Revokes a key irreversibly. Takes effect immediately on this instance, and within two seconds on the others.
///
/// # Errors
/// [`Error::NotFound`] if the workspace has no such key, [`Error::Conflict`] if it is already revoked.
pub async fn revoke(ports: &Ports, permit: &Permit<ManageKeys>, id: ApiKeyId) -> Result<ApiKeyView, Error> {
    let now = ports.clock.now();
    let entry = AuditEntry::new(ports, &permit.principal(), AuditAction::KeyRevoked, AuditSubject::key(id), json!({}));
    let acting = permit.clone();
    let key = transact(ports, permit, move |tx| {
        acting.confirm(tx, now)?;
        let mut key = tx.api_keys().get_for_update(id)?.ok_or(Error::NotFound("API key"))?;
        let was_active = key.status(now) == KeyStatus::Active;
        key.revoke(now)?;
        tx.api_keys().save(&key)?;
        if was_active {
            // Notify owners about the webhooks that the key created. For an expired key, they were notified before.
            tx.subscriptions().maker_ended(&[Actor { kind: ActorKind::ApiKey, id: Some(id.0) }], now)?;
        }
        tx.credential_changed(id.0)?;
        tx.audit().append(&entry.with(json!({ "name": key.name })))?;
        Ok(key)
    })
    .await?;
    ports.credential_cache.invalidate(&[id.0].into());
    Ok(key.to_view(now))
}
