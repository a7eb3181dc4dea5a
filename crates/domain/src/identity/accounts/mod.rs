//! User accounts: passwords, sessions and accepted invitations (interface 17.1–17.5).

mod accept_invitation;
mod account;
mod change_password;
mod client;
mod common_password;
mod find_account;
mod find_invitation;
mod login;
mod password;
mod proof;
mod reset_password;
mod second_factor;
mod sessions;
pub mod sign_in_link;
mod sign_ins;
mod switch_workspace;
mod workspace_choice;

pub use accept_invitation::{AcceptanceFields, accept_invitation};
pub use account::{AccountFields, AccountView, AccountWorkspace, read, update};
pub use change_password::{FirstPasswordFields, PasswordFields, change_password, set_first_password};
pub use client::{Client, UserAgent};
pub(in crate::identity) use find_account::find_account;
pub use find_invitation::{InvitationTokenFields, OpenInvitation, find_invitation};
pub use login::{Login, LoginFields, SESSION_TTL, Session, SignIn, SignedIn, login};
pub(in crate::identity) use login::{login_response, new_session, principal_at, started_entry};
pub use password::{HashTurn, NewPassword, Password, Precedence, SUSPECT_DELAY};
pub use reset_password::{RESET_TTL, ResetFields, ResetRequestFields, request_password_reset, reset_password};
pub(crate) use reset_password::{answer_password_reset, reused_resets_expire_after};
pub(in crate::identity) use second_factor::has_second_factor;
pub use second_factor::{
    AcceptedCode, ChallengeFields, ChallengeLookup, ConfirmationFields, FirstProof, MAX_CHALLENGES, MAX_TRIES,
    NewSecondFactor, PendingSignIn, PendingStep, RECOVERY_CODES, RecoveryCode, RecoveryCodes, RefusedCode,
    RemovalFields, SecondFactor, SecondFactorChange, SignInChallenge, TotpSecret, begin_second_factor,
    confirm_second_factor, finish_sign_in, new_second_factor, remove_second_factor, reset_second_factor,
};
pub use sessions::{MAX_SESSIONS, SessionView, end_all_sessions, end_session, list_sessions, logout};
pub use sign_in_link::{SignInLink, SignInLinkLookup};
pub(in crate::identity) use sign_ins::note_sign_in;
pub use sign_ins::{MAX_SIGN_INS, SignInPlace};
pub use switch_workspace::{OwnWorkspace, list_workspaces, switch_workspace};
pub use workspace_choice::{FirstStep, WorkspaceChoice, WorkspaceChoiceFields, choose_workspace, login_by_steps};

use time::OffsetDateTime;

use crate::email::QueuedEmail;
use crate::identity::access::HashedSecret;
use crate::identity::audit::AuditEntry;
use crate::identity::members::{Invitation, Member};
use crate::identity::workspaces::{PasswordHash, Role, User, Workspace};
use crate::{LinkRequestId, SessionId, UserId, WorkspaceId};

/// A user with their memberships, regardless of the workspaces' states.
#[derive(Debug, Clone)]
pub struct UserAccount {
    pub user: User,
    /// Active memberships, in a stable order.
    pub memberships: Vec<Membership>,
    pub is_operator: bool,
}

/// The account of a login, and whether its user has signed in from this network before.
#[derive(Debug, Clone)]
pub struct LoginLookup {
    pub account: UserAccount,
    pub is_known_network: bool,
}

/// A user's role in one workspace.
#[derive(Debug, Clone)]
pub struct Membership {
    pub workspace: Workspace,
    pub role: Role,
}

/// A session found by lookup id; its user is an active member of the workspace.
#[derive(Debug, Clone)]
pub struct SessionLookup {
    pub session: Session,
    pub workspace: Workspace,
    pub role: Role,
    pub user_name: String,
    /// When the user's second factor was turned on; `None` if it is off.
    pub second_factor_since: Option<OffsetDateTime>,
    pub is_operator: bool,
}

/// An invitation found by lookup id.
#[derive(Debug, Clone)]
pub struct InvitationLookup {
    pub invitation: Invitation,
    pub workspace: Workspace,
    /// The invited user, with the password hash of an existing account.
    pub user: User,
    /// The user's current membership.
    pub member: Member,
    /// The name of the member who invites; `None` for an operator of the service.
    pub inviter: Option<String>,
}

/// A requested password reset; at most one per user.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PasswordReset {
    pub user_id: UserId,
    /// The part of the token by which it is looked up.
    pub lookup_id: String,
    /// Hash of the token's secret.
    pub secret: HashedSecret,
    pub expires_at: OffsetDateTime,
    pub used_at: Option<OffsetDateTime>,
}

/// What is stored with a reset in one transaction.
#[derive(Debug, Clone)]
pub struct ResetEmail {
    /// The request that the reset answers.
    pub request: LinkRequestId,
    pub queued_email: QueuedEmail,
}

/// What authorizes a new password; checked again when the password is set.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum PasswordProof {
    /// The current password, just verified, and the session, which must still exist.
    Session(SessionId, PasswordHash),
    /// The session, which must still exist, of a user who has no password yet.
    First(SessionId),
    /// Lookup id of an open reset, which is consumed.
    Reset(String),
}

/// A new password for a user. The same transaction ends all sessions of the user in all workspaces.
#[derive(Debug, Clone)]
pub struct PasswordChange {
    pub user_id: UserId,
    pub password: PasswordHash,
    /// The new e-mail address; `None` keeps the current one.
    pub email: Option<String>,
    pub by: PasswordProof,
    /// Entries for the audit logs of the user's workspaces.
    pub entries: Vec<(WorkspaceId, AuditEntry)>,
    pub now: OffsetDateTime,
}
