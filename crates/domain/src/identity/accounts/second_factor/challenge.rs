//! The second step of a sign-in.

use serde_json::{Value as Json, json};
use time::{Duration, OffsetDateTime};

use super::{AcceptedCode, RefusedCode, SecondFactor, SecondFactorChange, TotpSecret, manage};
use crate::identity::access::{HashedSecret, PlainToken, TokenKind};
use crate::identity::accounts::login::{NewSession, principal_at, start_session};
use crate::identity::accounts::proof::Proof;
use crate::identity::accounts::{Client, Login};
use crate::identity::audit::{AuditAction, AuditEntry, AuditSubject};
use crate::identity::workspaces::{Role, User, Workspace, WorkspaceStatus};
use crate::kernel::input::{Line, fields};
use crate::kernel::sealing::SealedPlace;
use crate::ports::{Ports, StoreError, transact_in};
use crate::{Error, SessionId, UserId};

const CHALLENGE_TTL: Duration = Duration::minutes(5);
/// Maximum attempts per challenge.
pub const MAX_TRIES: u32 = 5;
/// Maximum open challenges per user and workspace; a further challenge ends the oldest.
pub const MAX_CHALLENGES: u32 = 10;
/// Maximum repetitions of a check after concurrent ones.
const MAX_REPEATS: u32 = 3;

fields! {
    /// The body of the second step.
    pub struct ChallengeFields {
        /// The token from the response to the first step.
        token: Line<200> = required,
        /// A code from the authenticator app, or a recovery code.
        code: Line<64> = required,
    }
}

/// How a user proved their identity before the code.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FirstProof {
    /// With the password.
    Password,
    /// With a link.
    Link,
    /// With a live session, which must still be alive when the code arrives. The new session ends at the same time.
    Session { id: SessionId, ends_at: OffsetDateTime },
}

impl FirstProof {
    /// The name in the audit log; a password is not mentioned.
    const fn by(self) -> Option<&'static str> {
        match self {
            Self::Password => None,
            Self::Link => Some("sign_in_link"),
            Self::Session { .. } => Some("switch"),
        }
    }
}

/// The next step of a pending sign-in.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PendingStep {
    /// The choice of a workspace; the password was right.
    Workspace,
    /// A code of the second factor.
    Code(FirstProof),
}

/// A pending sign-in.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SignInChallenge {
    pub user_id: UserId,
    /// The part of the token by which it is looked up.
    pub lookup_id: String,
    /// Hash of the token's secret.
    pub secret: HashedSecret,
    pub expires_at: OffsetDateTime,
    /// Attempts so far.
    pub tries: u32,
    pub awaits: PendingStep,
}

impl SignInChallenge {
    /// The time and attempts that are left for the next step.
    pub(in crate::identity::accounts) const fn remaining(&self) -> TimeAndTries {
        TimeAndTries { expires_at: self.expires_at, tries: self.tries }
    }
}

/// The deadline of a sign-in and its attempts so far. A further step does not reset them.
#[derive(Debug, Clone, Copy)]
pub(in crate::identity::accounts) struct TimeAndTries {
    expires_at: OffsetDateTime,
    tries: u32,
}

impl TimeAndTries {
    /// The values of a sign-in that starts now.
    pub(in crate::identity::accounts) fn new(ports: &Ports) -> Self {
        Self { expires_at: ports.clock.now() + CHALLENGE_TTL, tries: 0 }
    }
}

/// A challenge found by lookup id; its user is an active member of the workspace.
#[derive(Debug, Clone)]
pub struct ChallengeLookup {
    pub challenge: SignInChallenge,
    pub workspace: Workspace,
    pub user: User,
    pub role: Role,
}

/// The response to the first step of a sign-in that needs a further one.
#[derive(Debug)]
pub struct PendingSignIn {
    pub token: PlainToken,
    pub expires_at: OffsetDateTime,
}

pub(in crate::identity::accounts) fn new_challenge(
    ports: &Ports,
    user_id: UserId,
    awaits: PendingStep,
    remaining: TimeAndTries,
) -> (PendingSignIn, SignInChallenge) {
    let TimeAndTries { expires_at, tries } = remaining;
    let token = PlainToken::generate(TokenKind::SecondFactor, &*ports.random);
    let (lookup_id, secret) = (token.lookup_id().to_owned(), token.hashed());
    (PendingSignIn { token, expires_at }, SignInChallenge { user_id, lookup_id, secret, expires_at, tries, awaits })
}

/// The error for the token of a sign-in that is not pending.
pub(in crate::identity::accounts) fn refused() -> Error {
    Error::invalid("token", "invalid_token", "is not a valid sign-in: start again with the password")
}

/// Completes a sign-in with a code: starts the session that the first step would have started, with the same end.
///
/// # Errors
/// [`Error::Invalid`] for a `token` that is unknown, expired or used, does not wait for a code, or has had too many attempts, and for
/// a wrong or used `code`. [`Error::RateLimited`] after too many wrong codes of this user.
/// [`Error::AddressNotAllowed`].
pub async fn finish_sign_in(ports: &Ports, client: &Client, fields: ChallengeFields) -> Result<Login, Error> {
    let token = fields.token.set().and_then(|text| PlainToken::parse_kind(TokenKind::SecondFactor, text.as_str()));
    let (Some(token), Some(code)) = (token, fields.code.set()) else {
        return Err(refused());
    };
    let lookup = ports.directory.find_challenge(token.lookup_id()).await?;
    let lookup = lookup.filter(|lookup| {
        let is_open =
            ports.clock.now() < lookup.challenge.expires_at && lookup.workspace.status == WorkspaceStatus::Active;
        lookup.challenge.secret.matches(&token.hashed()) && is_open
    });
    let lookup = lookup.ok_or_else(refused)?;
    let PendingStep::Code(first) = lookup.challenge.awaits else {
        return Err(refused());
    };
    if !lookup.workspace.allowed_networks.allow(client.address) {
        return Err(Error::AddressNotAllowed);
    }
    let (lookup_id, now) = (lookup.challenge.lookup_id.clone(), ports.clock.now());
    if !transact_in(ports, lookup.workspace.id, move |tx| Ok(tx.challenges().take_try(&lookup_id, now, MAX_TRIES)?))
        .await?
    {
        return Err(refused());
    }
    let by = verify(ports, client, &lookup, code.as_str()).await?;
    // A concurrent change of the password also withdraws the challenge, so the session is not started.
    let session = NewSession {
        user: &lookup.user,
        workspace: &lookup.workspace,
        role: lookup.role,
        proof: Proof::Challenge { lookup_id: lookup.challenge.lookup_id.clone(), first },
        details: details(first, by),
    };
    match start_session(ports, client, session).await {
        // The session that it is based on has ended.
        Err(Error::Unauthorized) => Err(refused()),
        result => result?.ok_or_else(refused),
    }
}

fn details(first: FirstProof, code: Option<AcceptedCode>) -> Json {
    let fields = [("by", first.by()), ("second_factor", code.map(AcceptedCode::name))];
    fields.into_iter().filter_map(|(name, value)| Some((name.to_owned(), Json::from(value?)))).collect()
}

impl AcceptedCode {
    const fn name(self) -> &'static str {
        match self {
            Self::App => "app",
            Self::Recovery => "recovery_code",
        }
    }
}

/// Checks the code and stores the result, again if a concurrent check was faster. `None` if the user no longer has a second
/// factor.
async fn verify(
    ports: &Ports,
    client: &Client,
    lookup: &ChallengeLookup,
    code: &str,
) -> Result<Option<AcceptedCode>, Error> {
    for _ in 0..=MAX_REPEATS {
        let stored = ports.directory.find_second_factor(lookup.user.id).await?;
        let Some(mut factor) = stored.filter(|factor| factor.confirmed_at.is_some()) else {
            return Ok(None);
        };
        let (expected, now) = (Some(factor.version), ports.clock.now());
        let result = factor.check(&open(ports, &factor)?, code, now);
        let (mut entries, mut email) = (Vec::new(), None);
        if let Err(RefusedCode::Wrong { pauses }) = result {
            entries.push((lookup.workspace.id, failure(ports, client, &lookup.user, pauses)));
            if pauses {
                email = manage::warning(ports, lookup.workspace.id, &lookup.user)?;
            }
        }
        let user_id = lookup.user.id;
        let change = SecondFactorChange { user_id, expected, factor: Some(factor), switches: false, entries, email };
        if ports.directory.change_second_factor(change).await? {
            return result.map(Some).map_err(|refusal| refusal.into_error(now));
        }
    }
    Err(StoreError::Contended.into())
}

/// The secret of a stored second factor.
pub(super) fn open(ports: &Ports, factor: &SecondFactor) -> Result<TotpSecret, Error> {
    let text = ports.master_keys.open(SealedPlace::SecondFactor(factor.user_id), &factor.secret)?;
    let secret = TotpSecret::parse(&text);
    Ok(secret.ok_or_else(|| StoreError::Internal("the secret of a second factor is malformed".to_owned()))?)
}

fn failure(ports: &Ports, client: &Client, user: &User, pauses: bool) -> AuditEntry {
    let (principal, subject) = (principal_at(user, client.address), AuditSubject::member(user.id));
    AuditEntry::new(ports, &principal, AuditAction::SecondFactorFailed, subject, json!({ "pauses": pauses }))
}
