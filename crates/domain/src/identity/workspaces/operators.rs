//! Operators are users with a flag that only the command line sets (interface 23.1).

use serde_json::json;

use super::User;
use crate::Error;
use crate::identity::access::Principal;
use crate::identity::accounts::find_account;
use crate::identity::audit::{AuditAction, AuditEntry, AuditSubject};
use crate::ports::{Operator, Ports};
use crate::{UserId, WorkspaceId};

/// A change of a user's flag.
#[derive(Debug, Clone)]
pub struct OperatorFlag {
    pub user_id: UserId,
    pub is_operator: bool,
    /// Entries for the audit logs of the user's workspaces.
    pub entries: Vec<(WorkspaceId, AuditEntry)>,
}

/// Maximum number of operators in a list.
const MAX_LISTED: u32 = 1_000;

/// Lists the operators, by address.
pub async fn list_operators(ports: &Ports, _: &Operator) -> Result<Vec<User>, Error> {
    Ok(ports.directory.list_operators(MAX_LISTED).await?)
}

/// Makes a user an operator, or revokes that; their sessions are affected within two seconds.
///
/// # Errors
/// [`Error::NotFound`] for an unknown address.
pub async fn set_operator(ports: &Ports, operator: &Operator, email: &str, is_operator: bool) -> Result<User, Error> {
    let account = find_account(ports, email).await?.ok_or(Error::NotFound("user"))?;
    if account.is_operator == is_operator {
        return Ok(account.user);
    }
    let user_id = account.user.id;
    let action = if is_operator { AuditAction::OperatorAdded } else { AuditAction::OperatorRemoved };
    let (principal, subject) = (Principal::operator(operator), AuditSubject::member(user_id));
    let entry = || AuditEntry::new(ports, &principal, action, subject, json!({}));
    let entries = account.memberships.iter().map(|one| (one.workspace.id, entry())).collect();
    ports.directory.set_operator(OperatorFlag { user_id, is_operator, entries }).await?;
    ports.credential_cache.invalidate(&[user_id.0].into());
    Ok(account.user)
}
