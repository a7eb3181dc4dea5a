//! Removing a member from the workspace.

use std::sync::Arc;

use schemars::JsonSchema;
use serde::Serialize;
use serde_json::json;
use time::OffsetDateTime;

use super::{MemberStatus, check_keeps_owner, check_may_manage};
use crate::email::EmailBatch;
use crate::identity::access::{Actor, ActorKind, ManageMembers, Permit};
use crate::identity::api_keys::ApiKey;
use crate::identity::audit::{AuditAction, AuditEntry, AuditSubject};
use crate::kernel::input::schema::OptionalTimestampText;
use crate::kernel::versions::ExpectedVersion;
use crate::kinds::TIMERS;
use crate::ports::{Ports, transact};
use crate::{ApiKeyId, AuditEntryId, Error, UserId};

/// Maximum number of keys in the response to a removal that keeps them.
const MAX_LISTED_KEYS: u32 = 500;

/// What happens to the API keys that a removed member created.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum KeysOfMember {
    /// They stay active: they belong to the workspace, and programs may depend on them.
    Keep,
    /// They are revoked in the same transaction.
    Revoke,
}

/// An API key that a removed member created.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct KeyOfMember {
    pub id: ApiKeyId,
    pub name: String,
    #[serde(with = "OptionalTimestampText")]
    pub last_used_at: Option<OffsetDateTime>,
}

/// The response to a removal.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Removal {
    pub id: UserId,
    /// Always true.
    pub deleted: bool,
    /// The API keys that the member created and that were active until now, newest first.
    pub api_keys: Vec<KeyOfMember>,
    /// Whether these keys were revoked.
    pub keys_revoked: bool,
}

/// Deactivates a member or withdraws an invitation, ends the member's sessions in this workspace, and stops their timer. Their
/// records stay. Returns the API keys that they created, which are kept or revoked.
///
/// # Errors
/// [`Error::NotFound`] for a user who is not a member or was removed; [`Error::Forbidden`] for a member above the caller's own
/// role; [`Error::Conflict`] for the last owner.
pub async fn remove(
    ports: &Ports,
    permit: &Permit<ManageMembers>,
    id: UserId,
    expected: ExpectedVersion,
    keys: KeysOfMember,
) -> Result<Removal, Error> {
    let now = ports.clock.now();
    let entry =
        AuditEntry::new(ports, &permit.principal(), AuditAction::MemberRemoved, AuditSubject::member(id), json!({}));
    let (acting, by, ids) = (permit.clone(), permit.principal(), Arc::clone(&ports.ids));
    let active_keys = transact(ports, permit, move |tx| {
        let owners = tx.members().owners_for_update()?;
        let own_role = acting.confirm(tx, now)?;
        let mut record = tx.members().get_for_update(id)?.ok_or(Error::NotFound("member"))?;
        if record.member.status() == MemberStatus::Deactivated {
            return Err(Error::NotFound("member"));
        }
        check_may_manage(own_role, record.member.role)?;
        expected.check(record.member.version)?;
        check_keeps_owner(&owners, id)?;
        record.member.leave(now);
        tx.members().save(&record.member)?;
        tx.members().withdraw_invitation(id)?;
        tx.sessions().end_all_of(id)?;
        tx.emails().discard(EmailBatch::Member(id))?;
        tx.credential_changed(id.0)?;
        // After the sessions: every transaction that locks a session and the workspace locks the session first.
        TIMERS.stop_for(tx, id, &by, now)?;
        let active_keys = match keys {
            KeysOfMember::Keep => tx.api_keys().active_of(id, now, MAX_LISTED_KEYS)?,
            KeysOfMember::Revoke => tx.api_keys().revoke_all_of(id, now)?,
        };
        let mut details = json!({ "email": record.email, "role": record.member.role });
        if keys == KeysOfMember::Revoke {
            details["api_keys_revoked"] = json!(active_keys.len());
        }
        tx.audit().append(&entry.with(details))?;
        tx.subscriptions().maker_ended(&ended_makers(id, keys, &active_keys), now)?;
        if keys == KeysOfMember::Revoke {
            for key in &active_keys {
                tx.credential_changed(key.id.0)?;
                tx.audit().append(&revocation(&entry, AuditEntryId(ids.new_id()), key))?;
            }
        }
        Ok(active_keys)
    })
    .await?;
    ports.credential_cache.invalidate(&active_keys.iter().map(|key| key.id.0).chain([id.0]).collect());
    let to_response = |key: ApiKey| KeyOfMember { id: key.id, name: key.name, last_used_at: key.last_used_at };
    let api_keys = active_keys.into_iter().map(to_response).collect();
    Ok(Removal { id, deleted: true, api_keys, keys_revoked: keys == KeysOfMember::Revoke })
}

/// The makers of webhooks that can no longer read the events.
fn ended_makers(member: UserId, keys: KeysOfMember, active_keys: &[ApiKey]) -> Vec<Actor> {
    let revoked = active_keys.iter().filter(|_| keys == KeysOfMember::Revoke);
    let keys = revoked.map(|key| Actor { kind: ActorKind::ApiKey, id: Some(key.id.0) });
    keys.chain([Actor { kind: ActorKind::User, id: Some(member.0) }]).collect()
}

/// The audit entry for a key that is revoked when its creator is removed.
fn revocation(removal: &AuditEntry, id: AuditEntryId, key: &ApiKey) -> AuditEntry {
    let blank =
        AuditEntry { id, action: AuditAction::KeyRevoked, subject: AuditSubject::key(key.id), ..removal.clone() };
    blank.with(json!({ "name": key.name, "reason": "its creator was removed" }))
}
