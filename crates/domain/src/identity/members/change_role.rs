//! Changing a member's role.

use serde_json::json;

use super::{MemberStatus, MemberView, check_keeps_owner, check_may_grant, check_may_manage};
use crate::identity::access::{ManageMembers, Permit};
use crate::identity::audit::{AuditAction, AuditEntry, AuditSubject};
use crate::identity::workspaces::Role;
use crate::kernel::input::fields;
use crate::kernel::versions::ExpectedVersion;
use crate::kinds::TIMERS;
use crate::ports::{Ports, transact};
use crate::{Error, UserId};

fields! {
    /// The body of a member's update.
    pub struct RoleFields {
        /// The new role.
        role: Role = required,
    }
}

/// Changes the role of a member or an invited user, and ends their sessions in this workspace. The timer of a new viewer stops.
///
/// # Errors
/// [`Error::NotFound`] for a user who is not a member or was removed; [`Error::Forbidden`] for a role or a member above the
/// caller's own role; [`Error::Conflict`] for the last owner.
pub async fn change_role(
    ports: &Ports,
    permit: &Permit<ManageMembers>,
    id: UserId,
    expected: ExpectedVersion,
    fields: RoleFields,
) -> Result<MemberView, Error> {
    let role =
        fields.role.set().copied().ok_or_else(|| Error::invalid("role", "required", "role must have a value"))?;
    let now = ports.clock.now();
    let entry = AuditEntry::new(
        ports,
        &permit.principal(),
        AuditAction::MemberRoleChanged,
        AuditSubject::member(id),
        json!({}),
    );
    let (acting, by) = (permit.clone(), permit.principal());
    let changed = transact(ports, permit, move |tx| {
        // Lock the owners first, so that two owners cannot demote each other concurrently.
        let owners = tx.members().owners_for_update()?;
        let own_role = acting.confirm(tx, now)?;
        let mut record = tx.members().get_for_update(id)?.ok_or(Error::NotFound("member"))?;
        if record.member.status() == MemberStatus::Deactivated {
            return Err(Error::NotFound("member"));
        }
        check_may_grant(own_role, role)?;
        check_may_manage(own_role, record.member.role)?;
        expected.check(record.member.version)?;
        let (before, version) = (record.member.role, record.member.version);
        if role != Role::Owner {
            check_keeps_owner(&owners, id)?;
        }
        record.member.set_role(role, now);
        if record.member.version != version {
            tx.members().save(&record.member)?;
            tx.sessions().end_all_of(id)?;
            tx.credential_changed(id.0)?;
            if role == Role::Viewer {
                // They could not stop it themselves. After the sessions, which are locked before the workspace.
                TIMERS.stop_for(tx, id, &by, now)?;
            }
            tx.audit().append(&entry.with(json!({ "role": { "from": before, "to": role } })))?;
        }
        Ok(record.to_view())
    })
    .await?;
    ports.credential_cache.invalidate(&[id.0].into());
    Ok(changed)
}
