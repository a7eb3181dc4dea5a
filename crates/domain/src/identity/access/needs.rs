//! Requirements of permissions, and the check of a credential against them.

use time::OffsetDateTime;
use uuid::Uuid;

use super::{Actor, ActorKind, Scope, ScopeSet, ToolGrants};
use crate::identity::workspaces::Role;
use crate::tools::ToolPermission;
use crate::{ApiKeyId, Error, SessionId, UserId};

/// The credential that authenticated a request.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Credential {
    Key(ApiKeyId),
    Session { id: SessionId, user: UserId, role: Role },
}

impl Credential {
    /// The author of changes made with the credential.
    pub const fn actor(self) -> Actor {
        match self {
            Self::Key(id) => Actor { kind: ActorKind::ApiKey, id: Some(id.0) },
            Self::Session { user, .. } => Actor { kind: ActorKind::User, id: Some(user.0) },
        }
    }

    /// Id of the key or session: the subject of rate limits.
    pub const fn id(&self) -> Uuid {
        match self {
            Self::Key(id) => id.0,
            Self::Session { id, .. } => id.0,
        }
    }

    /// Id of the key, or of the user across sessions. It owns idempotency keys, and always reads its own writes.
    pub const fn holder(self) -> Uuid {
        match self {
            Self::Key(id) => id.0,
            Self::Session { user, .. } => user.0,
        }
    }
}

/// Whether a session may act as an operator.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum OperatorAccess {
    /// Its user is not an operator.
    None,
    /// Operators need a second factor, and this one does not have one.
    LacksSecondFactor,
    /// The session began before the second factor was turned on, so it needed only the password.
    PrecedesSecondFactor,
    Full,
}

impl OperatorAccess {
    /// The access of a session that began at `session_since`, of an operator whose second factor was turned on at
    /// `second_factor_since`.
    pub(super) fn of_operator(
        session_since: OffsetDateTime,
        second_factor_since: Option<OffsetDateTime>,
        needs_second_factor: bool,
    ) -> Self {
        match second_factor_since {
            None if needs_second_factor => Self::LacksSecondFactor,
            Some(since) if session_since < since => Self::PrecedesSecondFactor,
            _ => Self::Full,
        }
    }

    /// The error of a session without [`Self::Full`].
    pub(super) fn refusal(self) -> Error {
        Error::Forbidden(
            match self {
                Self::LacksSecondFactor => {
                    "operators need a second factor here: set one up (POST /api/account/second-factor) and sign in again"
                }
                Self::PrecedesSecondFactor => {
                    "this session started before you switched on your second factor: sign in again with it"
                }
                Self::None | Self::Full => "only operators of the service can do this",
            }
            .to_owned(),
        )
    }
}

/// What a permission requires of a credential.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum AccessRequirement {
    /// All of these scopes, granted to a key or by a user's role.
    Scopes(&'static [Scope]),
    /// An API key with all of these scopes; not a session.
    KeyScopes(&'static [Scope]),
    /// A session whose role grants all of these scopes; not an API key.
    SessionScopes(&'static [Scope]),
    /// Any one of these scopes, granted to a key or by a user's role.
    AnyScope(&'static [Scope]),
    /// Any valid credential except a trial key, which can only call tools.
    CredentialButTrial,
    /// Any valid credential.
    Credential,
    /// A session of any member, for their own account; not an API key. A member who lacks a required second factor meets only
    /// this requirement.
    Session,
    /// A session of an owner or admin; not an API key.
    Administrator,
    /// A session of an operator with any role; not an API key.
    Operator,
    /// A session of an owner or admin, or an API key whose permission map grants this; not a trial key.
    AdministratorOrGrant(ToolPermission),
}

impl AccessRequirement {
    /// The scopes, all of which a key needs; empty for other requirements.
    pub const fn scopes(self) -> &'static [Scope] {
        match self {
            Self::Scopes(scopes) | Self::KeyScopes(scopes) => scopes,
            Self::SessionScopes(_)
            | Self::AnyScope(_)
            | Self::CredentialButTrial
            | Self::Credential
            | Self::Session
            | Self::Administrator
            | Self::AdministratorOrGrant(_)
            | Self::Operator => &[],
        }
    }
}

/// What a permission requires of a key's permission map, if the map narrows REST.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum MapRequirement {
    /// Nothing.
    Nothing,
    /// Any one of these; the caller then reaches the kinds of issues of the granted ones.
    AnyOf(&'static [ToolPermission]),
    /// All of these.
    AllOf(&'static [ToolPermission]),
}

impl MapRequirement {
    pub(super) const fn permissions(self) -> &'static [ToolPermission] {
        match self {
            Self::Nothing => &[],
            Self::AnyOf(named) | Self::AllOf(named) => named,
        }
    }
}

/// A permission as a type, the parameter of a `Permit`.
pub trait Permission: Send + Sync + 'static {
    const NEEDS: AccessRequirement;
    const MAP: MapRequirement = MapRequirement::Nothing;
}

/// Checks a credential and its scopes against a requirement.
pub(super) fn meets(
    needs: AccessRequirement,
    credential: Credential,
    granted: ScopeSet,
    tools: &ToolGrants,
) -> Result<(), Error> {
    match (needs, credential) {
        (AccessRequirement::KeyScopes(_), Credential::Session { .. }) => Err(Error::KeyNeeded),
        (
            AccessRequirement::Session
            | AccessRequirement::SessionScopes(_)
            | AccessRequirement::Administrator
            | AccessRequirement::Operator,
            Credential::Key(_),
        ) => Err(Error::SessionNeeded),
        (
            AccessRequirement::Scopes(scopes)
            | AccessRequirement::KeyScopes(scopes)
            | AccessRequirement::SessionScopes(scopes),
            _,
        ) => {
            let missing: Vec<_> =
                scopes.iter().filter(|scope| !granted.allows(**scope)).map(ToString::to_string).collect();
            if missing.is_empty() { Ok(()) } else { Err(Error::MissingScopes(missing)) }
        }
        (AccessRequirement::AnyScope(scopes), _) if scopes.iter().any(|scope| granted.allows(*scope)) => Ok(()),
        (AccessRequirement::AnyScope(scopes), _) => {
            let names: Vec<_> = scopes.iter().map(ToString::to_string).collect();
            Err(Error::Forbidden(format!("this requires one of the scopes {}", names.join(", "))))
        }
        (AccessRequirement::AdministratorOrGrant(permission), Credential::Key(_)) => {
            let is_granted = tools.has(permission) && !tools.is_trial();
            if is_granted { Ok(()) } else { Err(Error::GrantNeeded { needs: permission.as_str() }) }
        }
        (AccessRequirement::CredentialButTrial, Credential::Key(_)) if tools.is_trial() => {
            Err(Error::Forbidden("a trial key can only call tools: whoami describes it".to_owned()))
        }
        (AccessRequirement::Credential | AccessRequirement::CredentialButTrial, _)
        | (AccessRequirement::Session, Credential::Session { .. }) => Ok(()),
        (
            AccessRequirement::Administrator | AccessRequirement::AdministratorOrGrant(_),
            Credential::Session { role, .. },
        ) => {
            if role.administers() {
                Ok(())
            } else {
                Err(Error::RoleNeeded)
            }
        }
        // Neither the role nor the credential shows who is an operator: `Caller::permit` checks `OperatorAccess`.
        (AccessRequirement::Operator, Credential::Session { .. }) => Err(OperatorAccess::None.refusal()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use time::Duration;

    #[test]
    fn operators_with_a_second_factor_must_have_signed_in_with_it() {
        let began = OffsetDateTime::UNIX_EPOCH;
        let (before, after) = (Some(began - Duration::SECOND), Some(began + Duration::SECOND));
        for (second_factor, is_needed, expected) in [
            (None, false, OperatorAccess::Full),
            (None, true, OperatorAccess::LacksSecondFactor),
            (before, false, OperatorAccess::Full),
            (before, true, OperatorAccess::Full),
            (after, false, OperatorAccess::PrecedesSecondFactor),
            (after, true, OperatorAccess::PrecedesSecondFactor),
        ] {
            assert_eq!(OperatorAccess::of_operator(began, second_factor, is_needed), expected);
        }
    }
}
