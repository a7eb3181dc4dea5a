//! What a session rests on, and the sign-ins that wait for more.

use time::OffsetDateTime;

use super::second_factor::{Awaited, FirstProof, MAX_CHALLENGES, PendingSignIn, TimeAndTries, new_challenge};
use crate::identity::workspaces::{User, Workspace};
use crate::ports::{Ports, Tx, transact_in};
use crate::{Error, SessionId, UserId};

/// What a sign-in rests on besides the user's password, which must be the same as when it was read.
#[derive(Debug, Clone)]
pub(super) enum Proof {
    /// The password was verified.
    Password,
    /// A sign-in that waited for a code, which was right: it is used up.
    Challenge {
        lookup_id: String,
        /// What came before the code still limits the session.
        first: FirstProof,
    },
    /// A link, which is used up.
    Link(String),
    /// Another live session of the user. The new one ends when it does: nobody stays signed in for longer than
    /// [`SESSION_TTL`](super::SESSION_TTL) without proving who they are.
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

    /// When the new session ends at the latest.
    pub(super) const fn session_ends_at(&self) -> Option<OffsetDateTime> {
        match self.first() {
            FirstProof::Session { ends_at, .. } => Some(ends_at),
            FirstProof::Password | FirstProof::Link => None,
        }
    }

    /// Whether it still holds before the session or challenge is added. Uses up what works once.
    pub(super) fn take(&self, tx: &mut dyn Tx, now: OffsetDateTime) -> Result<bool, Error> {
        Ok(match self {
            Self::Password | Self::Session { .. } => true,
            Self::Challenge { lookup_id, .. } => tx.challenges().remove(lookup_id)?,
            Self::Link(lookup_id) => tx.sessions().use_link(lookup_id, now)?,
        })
    }

    /// Checks afterwards that the session has not ended in the meantime: what was added holds back who ends all of them.
    pub(super) fn confirm(&self, tx: &mut dyn Tx, user: UserId, now: OffsetDateTime) -> Result<(), Error> {
        match self.first() {
            FirstProof::Session { id, .. } if !tx.sessions().is_alive(user, id, now)? => Err(Error::Unauthorized),
            _ => Ok(()),
        }
    }
}

/// Begins the second step of a sign-in; `None` as for [`start_session`](super::login::start_session).
pub(super) async fn ask_for_code(
    ports: &Ports,
    user: &User,
    workspace: &Workspace,
    proof: Proof,
    left: TimeAndTries,
) -> Result<Option<PendingSignIn>, Error> {
    let awaited = Awaited::Code(proof.first());
    wait_for(ports, user, workspace, proof, awaited, left).await
}

/// Has a user with the right password choose a workspace; `None` as for [`ask_for_code`]. What waits belongs to a workspace:
/// any of theirs.
pub(super) async fn ask_for_workspace(
    ports: &Ports,
    user: &User,
    workspace: &Workspace,
) -> Result<Option<PendingSignIn>, Error> {
    wait_for(ports, user, workspace, Proof::Password, Awaited::Workspace, TimeAndTries::new(ports)).await
}

async fn wait_for(
    ports: &Ports,
    user: &User,
    workspace: &Workspace,
    proof: Proof,
    awaited: Awaited,
    left: TimeAndTries,
) -> Result<Option<PendingSignIn>, Error> {
    let (pending, challenge) = new_challenge(ports, user.id, awaited, left);
    let (password, now) = (user.password.clone(), ports.clock.now());
    let begun = transact_in(ports, workspace.id, move |tx: &mut dyn Tx| {
        if !proof.take(tx, now)? || !tx.challenges().insert(&challenge, password.as_ref(), MAX_CHALLENGES)? {
            return Ok(false);
        }
        proof.confirm(tx, challenge.user_id, now)?;
        Ok(true)
    });
    Ok(begun.await?.then_some(pending))
}
