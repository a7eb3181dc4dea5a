//! Renaming an API key; its value does not change.

use serde_json::json;

use super::{ApiKey, ApiKeyView};
use crate::identity::access::{ManageKeys, Permit};
use crate::identity::audit::{AuditAction, AuditEntry, AuditSubject};
use crate::kernel::input::{Line, fields};
use crate::kernel::versions::ExpectedVersion;
use crate::ports::{Ports, transact};
use crate::{ApiKeyId, Error};

fields! {
    /// The body of a key's update.
    pub struct RenameFields {
        /// Display name of the key.
        name: Line<120> = required,
    }
}

/// Renames a key.
///
/// # Errors
/// [`Error::NotFound`], [`Error::ConcurrentUpdate`].
pub async fn rename(
    ports: &Ports,
    permit: &Permit<ManageKeys>,
    id: ApiKeyId,
    expected: ExpectedVersion,
    fields: RenameFields,
) -> Result<ApiKeyView, Error> {
    let now = ports.clock.now();
    let name = fields.name.set().map(|name| name.as_str().to_owned());
    let entry = AuditEntry::new(ports, &permit.principal(), AuditAction::KeyRenamed, AuditSubject::key(id), json!({}));
    let acting = permit.clone();
    let key = transact(ports, permit, move |tx| {
        acting.confirm(tx, now)?;
        let mut key = tx.api_keys().get_for_update(id)?.ok_or(Error::NotFound("API key"))?;
        expected.check(key.version)?;
        let (before, version) = (key.name.clone(), key.version);
        if let Some(name) = &name {
            key.rename(name, now);
        }
        if key.version != version {
            tx.api_keys().save(&key)?;
            tx.credential_changed(id.0)?;
            tx.audit().append(&entry.with(json!({ "name": { "from": before, "to": key.name } })))?;
        }
        Ok::<ApiKey, Error>(key)
    })
    .await?;
    ports.credential_cache.invalidate(&[id.0].into());
    Ok(key.to_view(now))
}
