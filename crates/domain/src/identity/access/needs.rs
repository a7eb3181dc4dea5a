//! Requirements of permissions, and the check of a credential against them.

use uuid::Uuid;

use super::{Scope, ScopeSet};
use crate::identity::workspaces::Role;
use crate::{ApiKeyId, Error, SessionId, UserId};

/// The credential that authenticated a request.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Credential {
    Key(ApiKeyId),
    Session { id: SessionId, user: UserId, role: Role },
}

impl Credential {
    /// Id of the key or session: the subject of rate limits.
    pub const fn id(&self) -> Uuid {
        match self {
            Self::Key(id) => id.0,
            Self::Session { id, .. } => id.0,
        }
    }
}

/// What a permission requires of a credential.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum AccessRequirement {
    /// All of these scopes, granted to a key or by a user's role.
    Scopes(&'static [Scope]),
    /// An API key with all of these scopes; no session.
    KeyScopes(&'static [Scope]),
    /// Any valid credential.
    Credential,
    /// A session of any member, for their own account; no API key. The only one that a member meets of whom the
    /// workspace demands a second factor, and who has none.
    Session,
    /// A session of an owner or admin; no API key.
    Administrator,
}

impl AccessRequirement {
    /// The required scopes; empty for requirements on the session.
    pub const fn scopes(self) -> &'static [Scope] {
        match self {
            Self::Scopes(scopes) | Self::KeyScopes(scopes) => scopes,
            Self::Credential | Self::Session | Self::Administrator => &[],
        }
    }
}

/// A permission as a type, the parameter of a `Permit`.
pub trait Permission: Send + Sync + 'static {
    const NEEDS: AccessRequirement;
}

/// Checks a credential and its scopes against a requirement.
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
