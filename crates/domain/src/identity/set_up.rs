//! Creating the first workspace of an installation and its owner, with the code that the service prints at startup (interface 26.1 to
//! 26.3).

use std::sync::atomic::{AtomicBool, Ordering};

use serde_json::json;
use time::{Duration, OffsetDateTime};

use crate::identity::access::{HashedSecret, PlainToken, TokenKind};
use crate::identity::accounts::{
    self, Client, HashTurn, Login, NewPassword, Session, new_session, principal_at, started_entry,
};
use crate::identity::audit::{AuditAction, AuditEntry, AuditSubject};
use crate::identity::members::Member;
use crate::identity::notifications::NotificationChoices;
use crate::identity::workspaces::{self, NewWorkspace, Role, User, Workspace};
use crate::kernel::input::{EmailAddress, Line, fields};
use crate::limits::{self, Bucket, Class, RateLimitSubject};
use crate::ports::{Operator, Ports, Tx, transact_in};
use crate::{Error, UserId};

pub const CODE_TTL: Duration = Duration::days(7);
/// Maximum open codes of all instances; a further code ends the oldest.
pub const MAX_CODES: u32 = 16;

fields! {
    /// The form of the set-up page.
    pub struct SetUpFields {
        /// The code that the service printed when it started.
        code: Line<200> = required,
        /// Display name of the workspace.
        workspace_name: Line<120> = required,
        /// Short name of the workspace, used in addresses and commands.
        slug: Line<63> = required,
        /// The owner's name.
        name: Line<120> = required,
        /// The owner's e-mail address.
        email: EmailAddress = required,
        /// The owner's password.
        password: NewPassword = required,
    }
}

/// A code as stored.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SetUpCode {
    /// The instance that printed it. A new code replaces only the previous one of the same instance, so that the codes of several
    /// instances on one database all work.
    pub instance: String,
    /// The part of the code by which it is looked up.
    pub lookup_id: String,
    pub secret: HashedSecret,
    pub created_at: OffsetDateTime,
    pub expires_at: OffsetDateTime,
}

/// Remembers that the installation is set up, which stays so while the process runs.
#[derive(Debug, Default)]
pub struct SetUpState {
    is_done: AtomicBool,
}

/// Whether the installation has no workspace yet. Cheap: once it has one, this does not read the store.
pub async fn needs_set_up(ports: &Ports) -> Result<bool, Error> {
    if ports.set_up.is_done.load(Ordering::Relaxed) {
        return Ok(false);
    }
    let is_done = ports.directory.has_workspaces().await?;
    ports.set_up.is_done.store(is_done, Ordering::Relaxed);
    Ok(!is_done)
}

/// Creates a code for an instance, which replaces its previous one; `None` once there is a workspace.
pub async fn issue_code(ports: &Ports, _: &Operator, instance: &str) -> Result<Option<PlainToken>, Error> {
    let now = ports.clock.now();
    let code = PlainToken::generate(TokenKind::SetUpCode, &*ports.random);
    let stored = SetUpCode {
        instance: instance.to_owned(),
        lookup_id: code.lookup_id().to_owned(),
        secret: code.hashed(),
        created_at: now,
        expires_at: now + CODE_TTL,
    };
    Ok(ports.directory.put_set_up_code(&stored, MAX_CODES).await?.then_some(code))
}

fn already_set_up() -> Error {
    Error::Conflict("this installation already has a workspace: sign in, or ask its operator".to_owned())
}

/// Creates the first workspace and its owner, who is an operator of the service, and signs the owner in. All codes are consumed.
/// All attempts count per address, whether the code is right or wrong.
///
/// # Errors
/// [`Error::RateLimited`] after too many attempts from one address; [`Error::Conflict`] once there is a workspace;
/// [`Error::Invalid`] for a wrong or expired `code` and for other invalid fields; [`Error::Duplicate`] for `email` if the address has
/// an account.
pub async fn set_up(ports: &Ports, client: &Client, fields: SetUpFields) -> Result<Login, Error> {
    let bucket = Bucket { class: Class::Critical, subject: RateLimitSubject::Address(client.address.into()) };
    limits::count(ports, bucket, ports.settings.limits.critical).await.check()?;
    if !needs_set_up(ports).await? {
        return Err(already_set_up());
    }
    let lookup_id = check_code(ports, fields.code.set()).await?;
    let (Some(email), Some(password)) = (fields.email.set(), fields.password.set()) else {
        return Err(Error::invalid("email", "required", "an e-mail address and a password are required"));
    };
    let text = |line: Option<&str>| line.unwrap_or_default().to_owned();
    let new = NewWorkspace {
        name: text(fields.workspace_name.set().map(Line::as_str)),
        slug: text(fields.slug.set().map(Line::as_str)),
        plan: ports.settings.default_plan,
    };
    let workspace = workspaces::blank(ports, &new)?;
    let user = User {
        id: UserId(ports.ids.new_id()),
        email: email.as_str().to_owned(),
        name: text(fields.name.set().map(Line::as_str)),
        password: Some(ports.passwords.hash(password, HashTurn::known(client.address)).await?),
        notifications: NotificationChoices::default(),
        created_at: ports.clock.now(),
    };
    let (token, session) = new_session(ports, user.id, client);
    let first = FirstWorkspace::new(ports, client, workspace.clone(), user.clone(), session.clone());
    if !transact_in(ports, workspace.id, move |tx| first.store(tx, &lookup_id)).await? {
        return Err(if ports.directory.has_workspaces().await? { already_set_up() } else { wrong_code() });
    }
    ports.set_up.is_done.store(true, Ordering::Relaxed);
    Ok(accounts::login_response(token, &session, &user, &workspace, Role::Owner))
}

fn wrong_code() -> Error {
    let message = "is not the code that the service printed when it last started, or has expired: restart it for a new \
                   one";
    Error::invalid("code", "invalid_code", message)
}

/// Checks the code and returns its lookup id.
async fn check_code(ports: &Ports, token: Option<&Line<200>>) -> Result<String, Error> {
    let token = token.and_then(|text| PlainToken::parse_kind(TokenKind::SetUpCode, text.as_str().trim()));
    let token = token.ok_or_else(wrong_code)?;
    let stored = ports.directory.find_set_up_code(token.lookup_id()).await?.ok_or_else(wrong_code)?;
    let is_right = stored.secret.matches(&token.hashed()) && ports.clock.now() < stored.expires_at;
    if is_right { Ok(stored.lookup_id) } else { Err(wrong_code()) }
}

/// Everything that the transaction stores.
struct FirstWorkspace {
    ports: Ports,
    client: Client,
    workspace: Workspace,
    owner: User,
    session: Session,
    entries: Vec<AuditEntry>,
}

impl FirstWorkspace {
    fn new(ports: &Ports, client: &Client, workspace: Workspace, owner: User, session: Session) -> Self {
        let principal = principal_at(&owner, client.address);
        let owner_entry =
            |action, details| AuditEntry::new(ports, &principal, action, AuditSubject::member(owner.id), details);
        let details = json!({ "email": owner.email, "role": Role::Owner });
        let entries = vec![
            workspaces::creation_entry(ports, &principal, &workspace),
            owner_entry(AuditAction::MemberCreated, details),
            owner_entry(AuditAction::OperatorAdded, json!({})),
            started_entry(ports, &owner, client, json!({ "by": "set_up" })),
        ];
        Self { ports: ports.clone(), client: client.clone(), workspace, owner, session, entries }
    }

    /// Returns whether the code was still valid; stores nothing otherwise.
    fn store(&self, tx: &mut dyn Tx, lookup_id: &str) -> Result<bool, Error> {
        let Self { workspace, owner, session, .. } = self;
        let now = session.created_at;
        if !tx.workspace().use_set_up_code(lookup_id, now)? {
            return Ok(false);
        }
        tx.workspace().insert(workspace)?;
        let added = tx.members().add(owner, &Member::joined(owner.id, Role::Owner, now))?;
        // The address has an account that outlived its workspace; its password was not verified here.
        if added.member.user_id != owner.id {
            return Err(Error::duplicate("email"));
        }
        tx.members().make_operator(owner.id)?;
        if !tx.sessions().insert(session, owner.password.as_ref())? {
            return Err(Error::Unauthorized);
        }
        accounts::note_sign_in(&self.ports, tx, owner, workspace, &self.client, now)?;
        for entry in &self.entries {
            tx.audit().append(entry)?;
        }
        Ok(true)
    }
}
