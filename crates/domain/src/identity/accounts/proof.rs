//! Proofs of identity that sessions are based on, and pending sign-ins.

use time::OffsetDateTime;

use super::second_factor::{FirstProof, MAX_CHALLENGES, PendingSignIn, PendingStep, TimeAndTries, new_challenge};
use crate::identity::workspaces::{User, Workspace};
use crate::ports::{Ports, Tx, transact_in};
use crate::{Error, SessionId, UserId};

/// The proof of identity of a sign-in. In addition, the user's password must not have changed since it was read.
#[derive(Debug, Clone)]
pub(super) enum Proof {
    /// The password was verified.
    Password,
    /// A pending sign-in whose code was right; it is consumed.
    Challenge {
        lookup_id: String,
        /// The proof before the code, which still limits the session.
        first: FirstProof,
    },
    /// A link, which is consumed.
    Link(String),
    /// Another live session of the user. The new session ends at the same time, so that no one stays signed in for longer than
    /// [`SESSION_TTL`](super::SESSION_TTL) without a new proof of identity.
    Session { id: SessionId, ends_at: OffsetDateTime },
}

impl Proof {
    const fn first(&self) -> FirstProof {
        match self {
            Self::Password => FirstProof::Password,
            Self::Challenge { first, .. } => *first,
            Self::Link(_) => FirstProof::Link,
            Self::Session { id, ends_at } => FirstProof::Session { id: *id, ends_at: *ends_at },
        }
    }

    /// The latest end of the new session.
    pub(super) const fn session_ends_at(&self) -> Option<OffsetDateTime> {
        match self.first() {
            FirstProof::Session { ends_at, .. } => Some(ends_at),
            FirstProof::Password | FirstProof::Link => None,
        }
    }

    /// Consumes a one-time proof; returns whether the proof is still valid. Called before the session or challenge is added.
    pub(super) fn take(&self, tx: &mut dyn Tx, now: OffsetDateTime) -> Result<bool, Error> {
        Ok(match self {
            Self::Password | Self::Session { .. } => true,
            Self::Challenge { lookup_id, .. } => tx.challenges().remove(lookup_id)?,
            Self::Link(lookup_id) => tx.sessions().use_link(lookup_id, now)?,
        })
    }

    /// Checks, after the new session was added, that the session that the proof is based on has not ended in the meantime. The added
    /// session blocks transactions that end all sessions.
    pub(super) fn confirm(&self, tx: &mut dyn Tx, user: UserId, now: OffsetDateTime) -> Result<(), Error> {
        match self.first() {
            FirstProof::Session { id, .. } if !tx.sessions().is_alive(user, id, now)? => Err(Error::Unauthorized),
            _ => Ok(()),
        }
    }
}

/// Starts the second step of a sign-in; `None` as for [`start_session`](super::login::start_session).
pub(super) async fn ask_for_code(
    ports: &Ports,
    user: &User,
    workspace: &Workspace,
    proof: Proof,
    remaining: TimeAndTries,
) -> Result<Option<PendingSignIn>, Error> {
    let step = PendingStep::Code(proof.first());
    begin_challenge(ports, user, workspace, proof, step, remaining).await
}

/// Asks a user with the right password to choose a workspace; `None` as for [`ask_for_code`]. A challenge belongs to a workspace,
/// here to any one of the user's.
pub(super) async fn ask_for_workspace(
    ports: &Ports,
    user: &User,
    workspace: &Workspace,
) -> Result<Option<PendingSignIn>, Error> {
    begin_challenge(ports, user, workspace, Proof::Password, PendingStep::Workspace, TimeAndTries::new(ports)).await
}

async fn begin_challenge(
    ports: &Ports,
    user: &User,
    workspace: &Workspace,
    proof: Proof,
    step: PendingStep,
    remaining: TimeAndTries,
) -> Result<Option<PendingSignIn>, Error> {
    let (pending, challenge) = new_challenge(ports, user.id, step, remaining);
    let (password, now) = (user.password.clone(), ports.clock.now());
    let transaction = transact_in(ports, workspace.id, move |tx: &mut dyn Tx| {
        if !proof.take(tx, now)? || !tx.challenges().insert(&challenge, password.as_ref(), MAX_CHALLENGES)? {
            return Ok(false);
        }
        proof.confirm(tx, challenge.user_id, now)?;
        Ok(true)
    });
    Ok(transaction.await?.then_some(pending))
}
