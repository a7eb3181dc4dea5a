//! A demo workspace with members, for sample records (interface 26.5).

use serde_json::json;
use time::OffsetDateTime;

use super::manage::{blank, creation_entry};
use super::{NewWorkspace, Role, User, Workspace};
use crate::identity::access::{ManageMembers, Principal};
use crate::identity::audit::{AuditAction, AuditEntry, AuditSubject};
use crate::identity::members::Member;
use crate::identity::notifications::NotificationChoices;
use crate::kernel::input::{EmailAddress, Line};
use crate::ports::{Operator, Ports, transact};
use crate::{Error, UserId};

/// A member of a demo workspace. The address is not a real mailbox, and the account has no password until one is set.
#[derive(Debug, Clone)]
pub struct DemoMember {
    pub name: String,
    pub email: String,
    pub role: Role,
}

/// The input for a demo workspace.
#[derive(Debug, Clone)]
pub struct NewDemo {
    pub workspace: NewWorkspace,
    /// ISO 4217 code.
    pub default_currency: String,
    /// The members. Owners are also operators of the service.
    pub members: Vec<DemoMember>,
    /// Records created until this time count as samples.
    pub made_at: OffsetDateTime,
}

/// Creates the workspace with its members in one transaction; returns it with the members' ids in order. E-mails are never sent to
/// the members or to the requesters of its tickets.
///
/// # Errors
/// [`Error::Invalid`] for an invalid name, slug or address; [`Error::Duplicate`] for a slug that is already in use.
pub async fn create_demo(ports: &Ports, operator: &Operator, new: &NewDemo) -> Result<(Workspace, Vec<UserId>), Error> {
    let workspace = Workspace {
        default_currency: new.default_currency.clone(),
        notify_requesters: Some(false),
        ..blank(ports, &new.workspace)?
    };
    let creation = creation_entry(ports, &Principal::operator(operator), &workspace);
    let permit = operator.permit::<ManageMembers>(workspace.clone());
    let members = new.members.iter().map(|member| PreparedMember::new(ports, &permit.principal(), member));
    let members = members.collect::<Result<Vec<_>, _>>()?;
    let (stored, made_at) = (workspace.clone(), new.made_at);
    let ids = transact(ports, &permit, move |tx| {
        tx.workspace().insert(&stored)?;
        tx.workspace().mark_as_demo(made_at)?;
        tx.audit().append(&creation)?;
        let mut ids = Vec::with_capacity(members.len());
        for PreparedMember { user, role, entries } in &members {
            let added = tx.members().add(user, &Member::joined(user.id, *role, user.created_at))?;
            let id = added.member.user_id;
            tx.members().save_account(id, &user.name, user.notifications)?;
            if *role == Role::Owner {
                tx.members().make_operator(id)?;
            }
            for entry in entries {
                tx.audit().append(&AuditEntry { subject: AuditSubject::member(id), ..entry.clone() })?;
            }
            ids.push(id);
        }
        Ok(ids)
    })
    .await?;
    Ok((workspace, ids))
}

/// A member with the audit entries about their joining.
struct PreparedMember {
    user: User,
    role: Role,
    entries: Vec<AuditEntry>,
}

impl PreparedMember {
    fn new(ports: &Ports, principal: &Principal, member: &DemoMember) -> Result<Self, Error> {
        let invalid = || Error::invalid("email", "invalid_email", "must be an e-mail address");
        let email = EmailAddress::parse(&member.email).ok_or_else(invalid)?;
        let user = User {
            id: UserId(ports.ids.new_id()),
            email: email.into(),
            name: Line::<120>::parse(&member.name, "name")?.into(),
            password: None,
            notifications: NotificationChoices { assigned: false, replies: false },
            created_at: ports.clock.now(),
        };
        let details = json!({ "email": user.email, "role": member.role });
        let entry = |action, details| AuditEntry::new(ports, principal, action, AuditSubject::member(user.id), details);
        let mut entries = vec![entry(AuditAction::MemberCreated, details)];
        if member.role == Role::Owner {
            entries.push(entry(AuditAction::OperatorAdded, json!({})));
        }
        Ok(Self { user, role: member.role, entries })
    }
}
