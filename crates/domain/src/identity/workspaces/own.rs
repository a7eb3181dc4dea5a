//! An operator creates their own workspace from within another one, such as the demo (interface 26.72).

use serde_json::json;

use super::change::Recorder;
use super::manage::{blank, creation_entry};
use super::{NewWorkspace, NewWorkspaceFields, Role, User, Workspace};
use crate::Error;
use crate::identity::access::{ManageMembers, OperateService, Permit};
use crate::identity::audit::{AuditAction, AuditEntry, AuditSubject};
use crate::identity::members::Member;
use crate::kernel::input::Line;
use crate::ports::{Ports, transact};

/// Creates a workspace with the caller as its owner and only member. Nobody is invited.
///
/// # Errors
/// [`Error::Invalid`] for a bad slug, [`Error::Duplicate`] for one that is in use; [`Error::Unauthorized`] and [`Error::Forbidden`]
/// if the session has ended or its user is no longer an operator.
pub async fn create_own(
    ports: &Ports,
    permit: &Permit<OperateService>,
    fields: NewWorkspaceFields,
) -> Result<Workspace, Error> {
    let (_, user) = permit.session().ok_or(Error::SessionNeeded)?;
    let owner: User = ports.directory.find_user(user).await?.ok_or(Error::Unauthorized)?.user;
    let text = |line: Option<&str>| line.unwrap_or_default().to_owned();
    let new = NewWorkspace {
        name: text(fields.name.set().map(Line::as_str)),
        slug: text(fields.slug.set().map(Line::as_str)),
        plan: fields.plan.set().copied().unwrap_or(ports.settings.default_plan),
    };
    let (workspace, operator) = (blank(ports, &new)?, permit.operator());
    let principal = operator.permit::<ManageMembers>(workspace.clone()).principal();
    let creation = creation_entry(ports, &principal, &workspace);
    let details = json!({ "email": owner.email, "role": Role::Owner });
    let joining =
        AuditEntry::new(ports, &principal, AuditAction::MemberCreated, AuditSubject::member(owner.id), details);
    let own = Recorder::new(ports, &permit.principal(), workspace.id);
    let (acting, made, now) = (permit.clone(), workspace.clone(), ports.clock.now());
    transact(ports, permit, move |tx| {
        acting.confirm_operator(tx, now)?;
        own.record(tx, &[(AuditAction::WorkspaceCreated, creation.details.clone().into())])?;
        tx.enter(&operator, made.id, &mut |tx| {
            tx.workspace().insert(&made)?;
            tx.members().add(&owner, &Member::joined(owner.id, Role::Owner, now))?;
            tx.audit().append(&creation)?;
            Ok(tx.audit().append(&joining)?)
        })
    })
    .await?;
    Ok(workspace)
}
