//! Changing and revoking an API key.

use serde_json::json;

use super::{ApiKey, ApiKeyView, KeyStatus};
use crate::identity::access::{Actor, ActorKind, ManageKeys, Permit};
use crate::identity::audit::{AuditAction, AuditEntry, AuditSubject};
use crate::kernel::Networks;
use crate::kernel::input::{InputMode, Line, Problems, fields};
use crate::kernel::versions::ExpectedVersion;
use crate::ports::{Ports, transact};
use crate::{ApiKeyId, Error};

fields! {
    /// The body of a key's update.
    pub struct KeyChangeFields {
        /// Display name of the key.
        name: Line<120> = required,
        /// Networks from which the key may be used; empty for any.
        allowed_networks: Networks,
        /// true: its permissions narrow REST too, as after any change. Only for keys of earlier releases.
        narrows_rest: bool = required,
    }
    together check_narrowing;
}

fn check_narrowing(fields: &KeyChangeFields, _: InputMode, problems: &mut Problems) {
    if fields.narrows_rest.set() == Some(&false) {
        problems.rule("narrows_rest", "invalid_value", "must be true: permissions that narrow REST always do");
    }
}

/// Renames a key, or changes the networks from which it may be used. A change also confirms its permissions: those of a key from an
/// earlier release narrow REST from then on.
///
/// # Errors
/// [`Error::NotFound`], [`Error::ConcurrentUpdate`].
pub async fn update(
    ports: &Ports,
    permit: &Permit<ManageKeys>,
    id: ApiKeyId,
    expected: ExpectedVersion,
    fields: KeyChangeFields,
) -> Result<ApiKeyView, Error> {
    let now = ports.clock.now();
    let entry = AuditEntry::new(ports, &permit.principal(), AuditAction::KeyRenamed, AuditSubject::key(id), json!({}));
    let acting = permit.clone();
    let key = transact(ports, permit, move |tx| {
        acting.confirm(tx, now)?;
        let stored = tx.api_keys().get_for_update(id)?.ok_or(Error::NotFound("API key"))?;
        expected.check(stored.version)?;
        let mut key = stored.clone();
        fields.clone().name.store_or(key.name.clone(), &mut key.name);
        fields.clone().allowed_networks.store_or(Networks::default(), &mut key.allowed_networks);
        key.narrows_rest |= key != stored || fields.narrows_rest.set().is_some();
        if key != stored {
            key.touch(now);
            tx.api_keys().save(&key)?;
            tx.credential_changed(id.0)?;
            tx.audit().append(&change_entry(&entry, &stored, &key))?;
        }
        Ok::<ApiKey, Error>(key)
    })
    .await?;
    ports.credential_cache.invalidate(&[id.0].into());
    Ok(key.to_view(now))
}

/// The audit entry of a change. If only the name changes, it is a rename.
fn change_entry(entry: &AuditEntry, from: &ApiKey, to: &ApiKey) -> AuditEntry {
    let mut details = json!({});
    if from.name != to.name {
        details["name"] = json!({ "from": from.name, "to": to.name });
    }
    let narrows = from.is_wider_over_rest() && !to.is_wider_over_rest();
    if narrows {
        details["narrows_rest"] = json!({ "from": false, "to": true });
    }
    if from.allowed_networks != to.allowed_networks {
        details["allowed_networks"] = json!({ "from": from.allowed_networks, "to": to.allowed_networks });
    } else if !narrows {
        return entry.with(details);
    }
    AuditEntry { action: AuditAction::KeyUpdated, ..entry.with(details) }
}

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
