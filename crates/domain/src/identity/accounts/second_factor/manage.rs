//! Turning the second factor on and off.

use schemars::JsonSchema;
use serde::Serialize;
use serde_json::json;

use super::challenge::open;
use super::{RECOVERY_CODES, RecoveryCode, SecondFactor, SecondFactorChange, TotpSecret, normalize};
use crate::email::{EmailMessage, EmailSource, QueuedEmail};
use crate::identity::access::{ManageOwnAccount, Permit, Principal};
use crate::identity::accounts::change_password::is_own_password;
use crate::identity::accounts::find_account::find_account;
use crate::identity::accounts::{Password, UserAccount};
use crate::identity::audit::{AuditAction, AuditEntry, AuditSubject};
use crate::identity::workspaces::User;
use crate::kernel::input::{Line, fields};
use crate::kernel::sealing::SealedPlace;
use crate::ports::{Operator, Ports, StoreError};
use crate::{Error, UserId, WorkspaceId};

fields! {
    /// The body of a confirmation.
    pub struct ConfirmationFields {
        /// A code from the authenticator app.
        code: Line<64> = required,
    }
}

fields! {
    /// The body of a removal.
    pub struct RemovalFields {
        /// The user's password.
        password: Password = required,
    }
}

/// A second factor awaiting confirmation. The secret is shown only once.
#[derive(Debug, Serialize, JsonSchema)]
pub struct NewSecondFactor {
    /// In base 32, to type into an authenticator app.
    pub secret: String,
    /// To show as a QR code.
    pub otpauth_url: String,
}

/// The recovery codes, shown only once.
#[derive(Debug, Serialize, JsonSchema)]
#[schemars(rename = "RecoveryCodeList")]
pub struct RecoveryCodes {
    pub recovery_codes: Vec<String>,
}

/// Generates a secret, which replaces one that was not confirmed. Sign-ins do not ask for codes before [`confirm_second_factor`].
///
/// # Errors
/// [`Error::Conflict`] if the user has a confirmed second factor.
pub async fn begin_second_factor(ports: &Ports, permit: &Permit<ManageOwnAccount>) -> Result<NewSecondFactor, Error> {
    let user = account(ports, permit).await?.user;
    let before = ports.directory.find_second_factor(user.id).await?;
    if before.as_ref().is_some_and(|factor| factor.confirmed_at.is_some()) {
        return Err(Error::Conflict("a second factor is already switched on: switch it off first".to_owned()));
    }
    let secret = TotpSecret::generate(&*ports.random);
    let otpauth_url = secret.url(ports.settings.public_host(), &user.email)?;
    let factor = SecondFactor {
        user_id: user.id,
        secret: ports.master_keys.seal(SealedPlace::SecondFactor(user.id), &secret.reveal(), &*ports.random)?,
        created_at: ports.clock.now(),
        confirmed_at: None,
        last_step: 0,
        recovery_codes: Vec::new(),
        failures: 0,
        paused_until: None,
        version: before.as_ref().map_or(1, |before| before.version + 1),
    };
    store(ports, &user, before.as_ref(), Some(factor), None).await?;
    Ok(NewSecondFactor { secret: secret.reveal(), otpauth_url })
}

/// Returns again what [`begin_second_factor`] returned, for a client that still has the secret; `None` unless it is the unconfirmed
/// secret. A session alone must not reveal the secret.
///
/// # Errors
/// [`Error::Unauthorized`] if the user no longer exists.
pub async fn new_second_factor(
    ports: &Ports,
    permit: &Permit<ManageOwnAccount>,
    secret: &str,
) -> Result<Option<NewSecondFactor>, Error> {
    let user = account(ports, permit).await?.user;
    let stored = ports.directory.find_second_factor(user.id).await?;
    let Some(stored) = stored.filter(|factor| factor.confirmed_at.is_none()) else { return Ok(None) };
    let unconfirmed = open(ports, &stored)?;
    if !unconfirmed.matches(secret) {
        return Ok(None);
    }
    let otpauth_url = unconfirmed.url(ports.settings.public_host(), &user.email)?;
    Ok(Some(NewSecondFactor { secret: unconfirmed.reveal(), otpauth_url }))
}

/// Turns the second factor on with a code of the authenticator app, and returns the recovery codes.
///
/// # Errors
/// [`Error::Conflict`] if set-up was not started or the second factor is already on; [`Error::Invalid`] for a wrong code.
pub async fn confirm_second_factor(
    ports: &Ports,
    permit: &Permit<ManageOwnAccount>,
    fields: ConfirmationFields,
) -> Result<RecoveryCodes, Error> {
    let account = account(ports, permit).await?;
    let before = ports.directory.find_second_factor(account.user.id).await?;
    let Some(before) = before.filter(|factor| factor.confirmed_at.is_none()) else {
        return Err(Error::Conflict("there is nothing to confirm: start setting up a second factor first".to_owned()));
    };
    let now = ports.clock.now();
    let code = fields.code.set().map(|code| normalize(code.as_str())).unwrap_or_default();
    let step = open(ports, &before)?.step_of(&code, now);
    let step =
        step.ok_or_else(|| Error::invalid("code", "incorrect", "is not the code that the app currently shows"))?;
    let codes: Vec<_> = (0..RECOVERY_CODES).map(|_| RecoveryCode::generate(&*ports.random)).collect();
    let factor = SecondFactor {
        confirmed_at: Some(now),
        last_step: step,
        recovery_codes: codes.iter().map(RecoveryCode::hashed).collect(),
        version: before.version + 1,
        ..before.clone()
    };
    let switch = Switch::new(ports, &account, &permit.principal(), AuditAction::SecondFactorEnabled);
    let switch = Switch { email: email(ports, permit.workspace_id(), &account.user, SWITCHED_ON)?, ..switch };
    store(ports, &account.user, Some(&before), Some(factor), Some(switch)).await?;
    Ok(RecoveryCodes { recovery_codes: codes.iter().map(RecoveryCode::reveal).collect() })
}

/// Turns the second factor off, or discards one that was not confirmed.
///
/// # Errors
/// [`Error::NotFound`] if there is none; [`Error::Invalid`] for a wrong password; [`Error::RateLimited`] after too many attempts of
/// the user.
pub async fn remove_second_factor(
    ports: &Ports,
    permit: &Permit<ManageOwnAccount>,
    fields: RemovalFields,
) -> Result<(), Error> {
    let account = account(ports, permit).await?;
    let wrong = || Error::invalid("password", "incorrect", "is not your password");
    let password = fields.password.set().ok_or_else(wrong)?;
    let user = &account.user;
    if !is_own_password(ports, permit, user.id, password, user.password.as_ref()).await? {
        return Err(wrong());
    }
    let before = ports.directory.find_second_factor(account.user.id).await?;
    let before = before.ok_or(Error::NotFound("second factor"))?;
    let switch = Switch::new(ports, &account, &permit.principal(), AuditAction::SecondFactorDisabled);
    let switch = Switch { email: email(ports, permit.workspace_id(), &account.user, SWITCHED_OFF)?, ..switch };
    store(ports, &account.user, Some(&before), None, Some(switch).filter(|_| before.confirmed_at.is_some())).await
}

/// Turns the second factor off for a user who lost the authenticator app and the recovery codes. Operators must verify the user's
/// identity.
///
/// # Errors
/// [`Error::NotFound`] for an unknown address, or a user without a second factor.
pub async fn reset_second_factor(ports: &Ports, operator: &Operator, email_address: &str) -> Result<User, Error> {
    let account = find_account(ports, email_address).await?;
    let account = account.ok_or(Error::NotFound("user"))?;
    let before = ports.directory.find_second_factor(account.user.id).await?;
    let before = before.ok_or(Error::NotFound("second factor of this user"))?;
    // Commands have no master key, which an e-mail would need.
    let switch = Switch::new(ports, &account, &Principal::operator(operator), AuditAction::SecondFactorReset);
    store(ports, &account.user, Some(&before), None, Some(switch)).await?;
    Ok(account.user)
}

async fn account(ports: &Ports, permit: &Permit<ManageOwnAccount>) -> Result<UserAccount, Error> {
    let (_, user) = permit.session().ok_or(Error::SessionNeeded)?;
    ports.directory.find_user(user).await?.ok_or(Error::Unauthorized)
}

/// What is stored and sent when the second factor is turned on or off.
struct Switch {
    entries: Vec<(WorkspaceId, AuditEntry)>,
    email: Option<QueuedEmail>,
}

impl Switch {
    /// An audit entry for each workspace of the user, because all of them rely on the second factor.
    fn new(ports: &Ports, account: &UserAccount, by: &Principal, action: AuditAction) -> Self {
        let entry = || AuditEntry::new(ports, by, action, AuditSubject::member(account.user.id), json!({}));
        Self { entries: account.memberships.iter().map(|one| (one.workspace.id, entry())).collect(), email: None }
    }
}

async fn store(
    ports: &Ports,
    user: &User,
    before: Option<&SecondFactor>,
    factor: Option<SecondFactor>,
    switch: Option<Switch>,
) -> Result<(), Error> {
    let switches = switch.is_some();
    let Switch { entries, email } = switch.unwrap_or(Switch { entries: Vec::new(), email: None });
    let expected = before.map(|before| before.version);
    let change = SecondFactorChange { user_id: user.id, expected, factor, switches, entries, email };
    if !ports.directory.change_second_factor(change).await? {
        return Err(StoreError::Contended.into());
    }
    ports.store.note_write(user.id.0).await;
    ports.credential_cache.invalidate(&[user.id.0].into());
    Ok(())
}

const SWITCHED_ON: (&str, &str) = (
    "Your second factor is switched on",
    "From now on, signing in requires a code from your authenticator app. Keep the recovery codes somewhere you can \
     reach without the app.\n\nIf this was not you, reset your password and ask an administrator for help.\n",
);
const SWITCHED_OFF: (&str, &str) = (
    "Your second factor is switched off",
    "From now on, signing in requires only your password.\n\nIf this was not you, reset your password immediately.\n",
);
const WARNING: (&str, &str) = (
    "Someone else may know your password",
    "Someone signed in with your password and then entered ten wrong codes. Codes from your authenticator app are now \
     refused for a while; your recovery codes still work.\n\nIf this was not you, reset your password now. That also \
     makes authenticator codes work again.\n",
);

fn email(
    ports: &Ports,
    workspace: WorkspaceId,
    user: &User,
    (subject, text): (&str, &str),
) -> Result<Option<QueuedEmail>, Error> {
    let message = EmailMessage::to_stored(&user.email, subject, text);
    Ok(message.map(|message| QueuedEmail::seal(ports, EmailSource::account(workspace), &message)).transpose()?)
}

/// The e-mail after too many wrong codes.
pub(super) fn warning(ports: &Ports, workspace: WorkspaceId, user: &User) -> Result<Option<QueuedEmail>, Error> {
    email(ports, workspace, user, WARNING)
}

/// Whether a user has a confirmed second factor, which sign-ins ask for.
pub(in crate::identity) async fn has_second_factor(ports: &Ports, user: UserId) -> Result<bool, Error> {
    let factor = ports.directory.find_second_factor(user).await?;
    Ok(factor.is_some_and(|factor| factor.confirmed_at.is_some()))
}
