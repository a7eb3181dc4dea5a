//! What permissions need, and whether a credential has it.

use uuid::Uuid;

use super::{Scope, ScopeSet};
use crate::identity::workspaces::Role;
use crate::{ApiKeyId, Error, SessionId, UserId};

/// What a request showed to be let in.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Credential {
    /// A program's key.
    Key(ApiKeyId),
    /// A person's session.
    Session {
        /// The session.
        id: SessionId,
        /// Whose it is.
        user: UserId,
        /// What they are in the workspace.
        role: Role,
    },
}

impl Credential {
    /// The id of the key or session, which limits count for.
    pub const fn id(&self) -> Uuid {
        match self {
            Self::Key(id) => id.0,
            Self::Session { id, .. } => id.0,
        }
    }
}

/// What a permission needs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum AccessRequirement {
    /// All of these scopes, of a key or of a person's role.
    Scopes(&'static [Scope]),
    /// A key with all of these scopes; never a session.
    KeyScopes(&'static [Scope]),
    /// Any good credential.
    Credential,
    /// A session of any member; never a key.
    Session,
    /// A session of an owner or admin; never a key.
    Administrator,
}

impl AccessRequirement {
    /// The scopes that are all needed; none where a session is.
    pub const fn scopes(self) -> &'static [Scope] {
        match self {
            Self::Scopes(scopes) | Self::KeyScopes(scopes) => scopes,
            Self::Credential | Self::Session | Self::Administrator => &[],
        }
    }
}

/// Something that a caller may be allowed to do.
pub trait Permission: Send + Sync + 'static {
    /// What it takes.
    const NEEDS: AccessRequirement;
}

/// Whether a credential with these scopes meets a need.
pub(super) fn meets(needs: AccessRequirement, credential: Credential, held: ScopeSet) -> Result<(), Error> {
    match (needs, credential) {
        (AccessRequirement::KeyScopes(_), Credential::Session { .. }) => Err(Error::KeyNeeded),
        (AccessRequirement::Scopes(scopes) | AccessRequirement::KeyScopes(scopes), _) => {
            let missing: Vec<_> =
                scopes.iter().filter(|scope| !held.allows(**scope)).map(ToString::to_string).collect();
            if missing.is_empty() { Ok(()) } else { Err(Error::MissingScopes(missing)) }
        }
        (AccessRequirement::Session | AccessRequirement::Administrator, Credential::Key(_)) => {
            Err(Error::SessionNeeded)
        }
        (AccessRequirement::Credential, _) | (AccessRequirement::Session, Credential::Session { .. }) => Ok(()),
        (AccessRequirement::Administrator, Credential::Session { role, .. }) if role.administers() => Ok(()),
        (AccessRequirement::Administrator, Credential::Session { .. }) => Err(Error::RoleNeeded),
    }
}
