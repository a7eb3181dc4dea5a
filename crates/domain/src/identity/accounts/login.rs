//! Signing in.

use std::net::IpAddr;

use ring::digest;
use schemars::JsonSchema;
use serde::Serialize;
use serde_json::json;
use time::{Duration, OffsetDateTime};

use super::find_account::find_login;
use super::proof::{Proof, ask_for_code};
use super::second_factor::{PendingSignIn, TimeAndTries, has_second_factor};
use super::sessions::end_surplus;
use super::{Client, HashTurn, LoginLookup, Membership, Password, Precedence, UserAgent, sign_ins};
use crate::identity::access::{Actor, ActorKind, HashedSecret, PlainToken, Principal, TokenKind};
use crate::identity::audit::{AuditAction, AuditEntry, AuditSubject};
use crate::identity::workspaces::{Role, User, Workspace, WorkspaceStatus};
use crate::kernel::input::schema::TimestampText;
use crate::kernel::input::{EmailKey, Line, fields};
use crate::limits::{self, Bucket, Class, Plan, RateLimitSubject};
use crate::ports::{Ports, Tx, transact_in};
use crate::{Error, SessionId, UserId, WorkspaceId};

pub const SESSION_TTL: Duration = Duration::hours(12);

fields! {
    /// The body of a login.
    pub struct LoginFields {
        /// The user's e-mail address.
        email: Line<320> = required,
        /// The user's password.
        password: Password = required,
        /// Slug or id of the workspace; required if the user is in more than one.
        workspace: Line<63>,
    }
}

/// A session as stored, without its secret.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Session {
    /// Not secret: may be shown and logged.
    pub id: SessionId,
    pub user_id: UserId,
    /// The part of the access token by which it is looked up.
    pub lookup_id: String,
    /// Hash of the access token's secret.
    pub secret: HashedSecret,
    /// The program that signed in.
    pub user_agent: Option<UserAgent>,
    /// The address that it signed in from.
    pub address: Option<IpAddr>,
    pub created_at: OffsetDateTime,
    /// Last use, with a resolution of about one minute.
    pub last_used_at: OffsetDateTime,
    pub expires_at: OffsetDateTime,
}

/// A new session, with the access token that is shown only once.
#[derive(Debug)]
pub struct Login {
    pub token: PlainToken,
    /// The rest of the response.
    pub signed_in: SignedIn,
}

/// The result of a sign-in with the right password.
#[derive(Debug)]
pub enum SignIn {
    /// A session.
    Done(Login),
    /// The user has a second factor: a code must follow.
    SecondFactor(PendingSignIn),
}

impl SignIn {
    /// The session of a user without a second factor.
    #[cfg(any(test, feature = "testing"))]
    pub fn done(self) -> Option<Login> {
        match self {
            Self::Done(login) => Some(login),
            Self::SecondFactor(_) => None,
        }
    }
}

/// The response to a login, without the token.
#[derive(Debug, Serialize, JsonSchema)]
pub struct SignedIn {
    /// Expiry of the access token.
    #[serde(with = "TimestampText")]
    pub expires_at: OffsetDateTime,
    pub user: SignedInUser,
    pub workspace: SignedInWorkspace,
}

/// The user who signed in.
#[derive(Debug, Serialize, JsonSchema)]
pub struct SignedInUser {
    id: UserId,
    email: String,
    name: String,
    role: Role,
}

/// The workspace of the session.
#[derive(Debug, Serialize, JsonSchema)]
pub struct SignedInWorkspace {
    id: WorkspaceId,
    pub slug: String,
    name: String,
    plan: Plan,
}

/// Counts a login attempt on an account from one network. Each network counts separately, so that no one can use up the attempts of
/// others.
async fn count_attempt(ports: &Ports, client: &Client, account: u64) -> Result<(), Error> {
    let subject = RateLimitSubject::AccountFrom(account, client.network());
    let bucket = Bucket { class: Class::Critical, subject };
    limits::count(ports, bucket, ports.settings.limits.critical).await.check()
}

/// The turn of an attempt. Too many attempts on one account from unknown networks wait after all others instead of being refused.
async fn turn_of(ports: &Ports, client: &Client, account: u64, is_known_network: bool) -> HashTurn {
    if is_known_network {
        return HashTurn::known(client.address);
    }
    let bucket = Bucket { class: Class::Critical, subject: RateLimitSubject::Account(account) };
    let attempts = limits::count(ports, bucket, ports.settings.limits.account).await;
    let precedence = if attempts.exceeded { Precedence::Suspect } else { Precedence::Unknown };
    HashTurn::new(precedence, client.address)
}

/// The rate-limit subject of an account, by its e-mail address, whether or not it exists.
fn account_of(email: &str) -> u64 {
    // The first 8 bytes suffice: two addresses that collide merely share a limit.
    let digest = digest::digest(&digest::SHA256, EmailKey::of(email).as_str().as_bytes());
    digest.as_ref().iter().take(8).fold(0, |number, byte| number << 8 | u64::from(*byte))
}

/// Starts a session, or the second step for a user with a second factor. Attempts also count per account and network, whether or
/// not the account exists.
///
/// # Errors
/// [`Error::RateLimited`] after too many attempts on one account from one network. The same [`Error::InvalidLogin`] for every
/// failed login, with the same response time: unknown address, wrong password, no accessible workspace. [`Error::Invalid`] if a member of
/// several workspaces names none. [`Error::AddressNotAllowed`] for the right password from a network that the workspace does not
/// allow.
pub async fn login(ports: &Ports, client: &Client, fields: LoginFields) -> Result<SignIn, Error> {
    let VerifiedUser { user, chosen, .. } = verify(ports, client, fields).await?;
    begin(ports, client, &user, chosen?, TimeAndTries::new(ports)).await
}

/// A user who sent the right password, and the chosen workspace.
pub(super) struct VerifiedUser {
    /// The user, with the password as it was verified.
    pub(super) user: User,
    pub(super) memberships: Vec<Membership>,
    /// An error if the user is a member of several workspaces and named none.
    pub(super) chosen: Result<Membership, Error>,
}

/// Verifies the password. Without an accessible workspace, the login fails.
pub(super) async fn verify(ports: &Ports, client: &Client, fields: LoginFields) -> Result<VerifiedUser, Error> {
    let (Some(email), Some(password)) = (fields.email.set(), fields.password.set()) else {
        return Err(Error::InvalidLogin);
    };
    let limited_account = account_of(email.as_str());
    count_attempt(ports, client, limited_account).await?;
    let lookup = find_login(ports, client, email.as_str()).await?;
    let is_known_network = lookup.as_ref().is_some_and(|lookup| lookup.is_known_network);
    let turn = turn_of(ports, client, limited_account, is_known_network).await;
    let hash = lookup.as_ref().and_then(|lookup| lookup.account.user.password.clone());
    // Without a stored hash, this takes equally long and fails.
    let is_correct = ports.passwords.verify(password, hash.as_ref(), turn).await?;
    let Some(LoginLookup { account, .. }) = lookup else {
        return Err(Error::InvalidLogin);
    };
    let workspace = fields.workspace.set().map(Line::as_str);
    let chosen = if is_correct { choose(&account.memberships, workspace) } else { Err(Error::InvalidLogin) };
    if hash.is_none() || matches!(chosen, Err(Error::InvalidLogin)) {
        sign_ins::note_refused(ports, &account, client.address, &client.device());
        return Err(Error::InvalidLogin);
    }
    Ok(VerifiedUser { user: User { password: hash, ..account.user }, memberships: account.memberships, chosen })
}

/// Selects the workspace to sign in to.
pub(super) fn choose(memberships: &[Membership], slug_or_id: Option<&str>) -> Result<Membership, Error> {
    let mut active: Vec<_> = memberships.iter().filter(|one| one.workspace.status == WorkspaceStatus::Active).collect();
    if let Some(slug_or_id) = slug_or_id {
        let id = crate::kernel::input::parse_uuid(slug_or_id).map(WorkspaceId);
        active.retain(|one| one.workspace.slug == slug_or_id || Some(one.workspace.id) == id);
    }
    if active.len() > 1 {
        let slugs: Vec<_> = active.iter().map(|one| one.workspace.slug.as_str()).collect();
        let message = format!("you are a member of several workspaces: name one of {}", slugs.join(", "));
        return Err(Error::invalid("workspace", "required", message));
    }
    active.pop().cloned().ok_or(Error::InvalidLogin)
}

/// Starts the session of a user whose password was verified, or asks for the second factor if there is one, with the remaining time
/// and attempts of the sign-in.
pub(super) async fn begin(
    ports: &Ports,
    client: &Client,
    user: &User,
    membership: Membership,
    remaining: TimeAndTries,
) -> Result<SignIn, Error> {
    let Membership { workspace, role } = membership;
    if !workspace.allowed_networks.allow(client.address) {
        return Err(Error::AddressNotAllowed);
    }
    if has_second_factor(ports, user.id).await? {
        let pending = ask_for_code(ports, user, &workspace, Proof::Password, remaining).await?;
        return pending.map(SignIn::SecondFactor).ok_or(Error::InvalidLogin);
    }
    let session = NewSession { user, workspace: &workspace, role, proof: Proof::Password, details: json!({}) };
    start_session(ports, client, session).await?.map(SignIn::Done).ok_or(Error::InvalidLogin)
}

/// The data of a new session.
pub(super) struct NewSession<'a> {
    /// The user, with the password as it was verified or read.
    pub(super) user: &'a User,
    pub(super) workspace: &'a Workspace,
    pub(super) role: Role,
    pub(super) proof: Proof,
    /// Details of the entry in the audit log.
    pub(super) details: serde_json::Value,
}

/// Starts a session; `None` if the password has changed or the user was removed since verification, or if the proof was used.
pub(super) async fn start_session(ports: &Ports, client: &Client, new: NewSession<'_>) -> Result<Option<Login>, Error> {
    let NewSession { user, workspace, role, proof, details } = new;
    let (token, mut session) = new_session(ports, user.id, client);
    if let Some(ends_at) = proof.session_ends_at() {
        session.expires_at = session.expires_at.min(ends_at);
    }
    let entry = started_entry(ports, user, client, details);
    let (owned_ports, stored, client) = (ports.clone(), session.clone(), client.clone());
    let (owner, entered_workspace) = (user.clone(), workspace.clone());
    let transaction = transact_in(ports, workspace.id, move |tx: &mut dyn Tx| {
        if !proof.take(tx, stored.created_at)? || !tx.sessions().insert(&stored, owner.password.as_ref())? {
            return Ok(false);
        }
        proof.confirm(tx, stored.user_id, stored.created_at)?;
        end_surplus(tx, stored.user_id)?;
        // A user without a password signs in with links on the machine itself, and their address is not a real mailbox.
        if owner.password.is_some() {
            sign_ins::note_sign_in(&owned_ports, tx, &owner, &entered_workspace, &client, stored.created_at)?;
        }
        tx.audit().append(&entry)?;
        Ok(true)
    });
    let is_started = transaction.await?;
    Ok(is_started.then(|| login_response(token, &session, user, workspace, role)))
}

/// The audit entry of a session's start.
pub(in crate::identity) fn started_entry(
    ports: &Ports,
    user: &User,
    client: &Client,
    details: serde_json::Value,
) -> AuditEntry {
    let (principal, subject) = (principal_at(user, client.address), AuditSubject::member(user.id));
    AuditEntry::new(ports, &principal, AuditAction::SessionStarted, subject, details)
}

/// A new session of a user, starting now.
pub(in crate::identity) fn new_session(ports: &Ports, user_id: UserId, client: &Client) -> (PlainToken, Session) {
    let now = ports.clock.now();
    let token = PlainToken::generate(TokenKind::Session, &*ports.random);
    let session = Session {
        id: SessionId(ports.ids.new_id()),
        user_id,
        lookup_id: token.lookup_id().to_owned(),
        secret: token.hashed(),
        user_agent: client.user_agent.clone(),
        address: client.address,
        created_at: now,
        last_used_at: now,
        expires_at: now + SESSION_TTL,
    };
    (token, session)
}

pub(in crate::identity) fn login_response(
    token: PlainToken,
    session: &Session,
    user: &User,
    workspace: &Workspace,
    role: Role,
) -> Login {
    let signed_in = SignedIn {
        expires_at: session.expires_at,
        user: SignedInUser { id: user.id, email: user.email.clone(), name: user.name.clone(), role },
        workspace: SignedInWorkspace {
            id: workspace.id,
            slug: workspace.slug.clone(),
            name: workspace.name.clone(),
            plan: workspace.plan,
        },
    };
    Login { token, signed_in }
}

/// The user as the audit log records them.
pub(in crate::identity) fn principal_at(user: &User, address: Option<IpAddr>) -> Principal {
    let actor = Actor { kind: ActorKind::User, id: Some(user.id.0) };
    Principal::named(actor, &user.name, address)
}
