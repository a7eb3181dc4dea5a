//! People as they sign in: passwords, sessions, invitations that they accept (contract: users).

mod accept_invitation;
mod change_password;
mod login;
mod logout;
mod password;
mod reset_password;

pub use accept_invitation::{AcceptanceFields, accept_invitation};
pub use change_password::{PasswordFields, change_password};
pub(crate) use login::count_login_attempt;
pub use login::{Login, LoginFields, SESSION_TTL, Session, SignedIn, login};
pub use logout::logout;
pub use password::{NewPassword, Password};
pub(crate) use reset_password::answer_password_reset;
pub use reset_password::{RESET_TTL, ResetFields, ResetRequestFields, request_password_reset, reset_password};

use time::OffsetDateTime;

use crate::email::QueuedEmail;
use crate::identity::access::HashedSecret;
use crate::identity::audit::AuditEntry;
use crate::identity::members::{Invitation, Member};
use crate::identity::workspaces::{PasswordHash, Role, User, Workspace};
use crate::{LinkRequestId, SessionId, UserId, WorkspaceId};

/// A person with the workspaces that they are in, whatever the workspaces' states.
#[derive(Debug, Clone)]
pub struct UserAccount {
    /// The person.
    pub user: User,
    /// Where they are active, in a fixed order.
    pub memberships: Vec<Membership>,
}

/// One workspace of a person.
#[derive(Debug, Clone)]
pub struct Membership {
    /// The workspace.
    pub workspace: Workspace,
    /// What they are in it.
    pub role: Role,
}

/// A session found by its look-up id: of somebody who is active in the workspace.
#[derive(Debug, Clone)]
pub struct SessionLookup {
    /// The session.
    pub session: Session,
    /// Its workspace.
    pub workspace: Workspace,
    /// What the person is in it.
    pub role: Role,
    /// The person's name.
    pub user_name: String,
}

/// An invitation found by its look-up id.
#[derive(Debug, Clone)]
pub struct InvitationLookup {
    /// The invitation.
    pub invitation: Invitation,
    /// The workspace that it is for.
    pub workspace: Workspace,
    /// The person, with the password that they may have already.
    pub user: User,
    /// Their membership so far.
    pub member: Member,
}

/// A password reset that a person asked for; they have one at the most.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PasswordReset {
    /// Who asked.
    pub user_id: UserId,
    /// The part of the token that finds it.
    pub lookup_id: String,
    /// The hash of the token's secret.
    pub secret: HashedSecret,
    /// Until when it is good.
    pub expires_at: OffsetDateTime,
    /// When it was used.
    pub used_at: Option<OffsetDateTime>,
}

/// What a reset is kept with, in one transaction.
#[derive(Debug, Clone)]
pub struct ResetEmail {
    /// The request that it answers, which is over then.
    pub request: LinkRequestId,
    /// The letter with the link.
    pub queued_email: QueuedEmail,
}

/// What entitles to a new password; looked at again when it is set.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum PasswordProof {
    /// The password so far, verified just now, in a session that must still be there.
    Session(SessionId, PasswordHash),
    /// The open reset with this look-up id, which is used up by it.
    Reset(String),
}

/// A new password for a person, with all that goes with it in one transaction: every session of theirs ends, in all
/// workspaces.
#[derive(Debug, Clone)]
pub struct PasswordChange {
    /// Whose.
    pub user_id: UserId,
    /// The new password.
    pub password: PasswordHash,
    /// What entitles to it.
    pub by: PasswordProof,
    /// What the audit logs get to know.
    pub entries: Vec<(WorkspaceId, AuditEntry)>,
    /// When.
    pub now: OffsetDateTime,
}
