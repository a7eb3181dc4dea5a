//! Removing a member from the workspace.

use serde_json::json;

use super::{MemberStatus, keeps_an_owner, may_manage};
use crate::identity::access::{ManageMembers, Permit};
use crate::identity::audit::{AuditAction, AuditEntry, AuditSubject};
use crate::kernel::versions::ExpectedVersion;
use crate::ports::{Ports, transact};
use crate::{Error, UserId};

/// Deactivates a member or withdraws an invitation, and ends their sessions in this workspace. Their records stay.
///
/// # Errors
/// [`Error::NotFound`] for no member, or one already removed; [`Error::Forbidden`] for a member above the caller's own
/// role; [`Error::Conflict`] for the last owner.
pub async fn remove(
    ports: &Ports,
    permit: &Permit<ManageMembers>,
    id: UserId,
    expected: ExpectedVersion,
) -> Result<(), Error> {
    let now = ports.clock.now();
    let entry =
        AuditEntry::new(ports, &permit.principal(), AuditAction::MemberRemoved, AuditSubject::member(id), json!({}));
    let acting = permit.clone();
    transact(ports, permit, move |tx| {
        let owners = tx.members().owners_for_update()?;
        let own = acting.confirm(tx, now)?;
        let mut record = tx.members().get_for_update(id)?.ok_or(Error::NotFound("member"))?;
        if record.member.status() == MemberStatus::Deactivated {
            return Err(Error::NotFound("member"));
        }
        may_manage(own, record.member.role)?;
        expected.check(record.member.version)?;
        keeps_an_owner(&owners, id)?;
        record.member.leave(now);
        tx.members().save(&record.member)?;
        tx.members().withdraw_invitation(id)?;
        tx.sessions().end_all_of(id)?;
        tx.credential_changed(id.0)?;
        tx.audit().append(&entry.with(json!({ "email": record.email, "role": record.member.role })))?;
        Ok(())
    })
    .await?;
    ports.credential_cache.invalidate(&[id.0].into());
    Ok(())
}
