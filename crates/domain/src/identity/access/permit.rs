//! Callers, and the permits that use cases take.

use std::marker::PhantomData;
use std::net::IpAddr;
use std::sync::Arc;

use time::OffsetDateTime;
use uuid::Uuid;

use super::credential_cache::CachedCredential;
use super::needs::meets;
use super::{AccessRequirement, Actor, ActorKind, Credential, Permission, Scope, ScopeSet, ToolGrants};
use crate::identity::api_keys::KeyStatus;
use crate::identity::workspaces::{Role, Workspace};
use crate::kernel::{IssueKind, IssueKinds};
use crate::ports::{Operator, Tx};
use crate::{Error, SessionId, UserId, WorkspaceId};

/// A request's verified identity: a key of an active workspace, or a member's session in it. Only
/// [`super::authenticate`] makes one; it can be read, and not be changed:
///
/// ```
/// # use domain::identity::access::{Caller, Credential};
/// fn seen(caller: &Caller) -> Credential {
///     caller.credential()
/// }
/// ```
/// ```compile_fail,E0451
/// # use domain::identity::access::{Caller, Credential};
/// fn forged(caller: Caller, credential: Credential) -> Caller {
///     Caller { credential, ..caller }
/// }
/// ```
#[derive(Debug, Clone)]
pub struct Caller {
    workspace: Arc<Workspace>,
    credential: Credential,
    name: Arc<str>,
    scopes: ScopeSet,
    tools: Arc<ToolGrants>,
    address: Option<IpAddr>,
}

/// Who does something, as the audit log tells it.
#[derive(Debug, Clone)]
pub struct Principal {
    /// The key, person, or service.
    pub actor: Actor,
    /// Its name at the time.
    pub name: Arc<str>,
    /// Where from; none for the command line.
    pub address: Option<IpAddr>,
}

/// Proof that a caller may do `P` in one workspace. [`Caller::permit`], [`Caller::permit_for_tool`] and
/// [`Operator::permit`] make it, and nothing else:
///
/// ```
/// # use domain::identity::access::{CreateDeals, Permit};
/// fn kept(permit: Permit<CreateDeals>) -> Permit<CreateDeals> {
///     permit
/// }
/// ```
/// ```compile_fail,E0451
/// # use domain::identity::access::{CreateDeals, Permit};
/// fn forged(permit: Permit<CreateDeals>) -> Permit<CreateDeals> {
///     Permit { permission: std::marker::PhantomData, ..permit }
/// }
/// ```
#[derive(Debug)]
pub struct Permit<P> {
    workspace: Arc<Workspace>,
    credential: Option<Credential>,
    name: Arc<str>,
    address: Option<IpAddr>,
    scopes: ScopeSet,
    kinds: IssueKinds,
    permission: PhantomData<fn() -> P>,
}

impl<P> Clone for Permit<P> {
    fn clone(&self) -> Self {
        Self { workspace: Arc::clone(&self.workspace), name: Arc::clone(&self.name), ..*self }
    }
}

impl Caller {
    /// Whoever showed the credential, which was verified.
    pub(super) fn of(known: &CachedCredential, address: Option<IpAddr>) -> Self {
        Self {
            workspace: Arc::clone(&known.workspace),
            credential: known.credential,
            name: Arc::clone(&known.name),
            scopes: known.scopes,
            tools: Arc::clone(&known.tools),
            address,
        }
    }

    /// A caller whom nothing verified, for [`crate::testing`] alone.
    #[cfg(any(test, feature = "testing"))]
    pub(crate) fn unverified(
        workspace: Workspace,
        credential: Credential,
        name: &str,
        scopes: ScopeSet,
        tools: ToolGrants,
    ) -> Self {
        let (workspace, tools) = (Arc::new(workspace), Arc::new(tools));
        Self { workspace, credential, name: Arc::from(name), scopes, tools, address: None }
    }

    /// The workspace that the credential belongs to.
    pub fn workspace(&self) -> &Workspace {
        &self.workspace
    }

    /// What was shown.
    pub const fn credential(&self) -> Credential {
        self.credential
    }

    /// What people call the key, or the person's name.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// What the credential may do.
    pub const fn scopes(&self) -> ScopeSet {
        self.scopes
    }

    /// What it may do with tools; nothing for a session.
    pub fn tools(&self) -> &ToolGrants {
        &self.tools
    }

    /// The permit for `P`.
    ///
    /// # Errors
    /// [`Error::MissingScopes`] with every scope that is missing, [`Error::KeyNeeded`], [`Error::SessionNeeded`],
    /// [`Error::RoleNeeded`].
    pub fn permit<P: Permission>(&self) -> Result<Permit<P>, Error> {
        meets(P::NEEDS, self.credential, self.scopes)?;
        Ok(self.permit_unchecked(IssueKinds::ALL))
    }

    /// A permit for issues of these kinds; the caller of this function has checked that there may be one.
    pub(super) fn permit_unchecked<P: Permission>(&self, kinds: IssueKinds) -> Permit<P> {
        Permit {
            workspace: Arc::clone(&self.workspace),
            credential: Some(self.credential),
            name: Arc::clone(&self.name),
            address: self.address,
            scopes: self.scopes,
            kinds,
            permission: PhantomData,
        }
    }
}

impl Operator {
    /// The permit for anything in a workspace: whoever runs the machine may do it all.
    pub fn permit<P: Permission>(&self, workspace: Workspace) -> Permit<P> {
        Permit {
            workspace: Arc::new(workspace),
            credential: None,
            name: Arc::from("operator"),
            address: None,
            scopes: Scope::all().collect(),
            kinds: IssueKinds::ALL,
            permission: PhantomData,
        }
    }
}

impl<P> Permit<P> {
    /// The workspace that the permit is good for.
    pub fn workspace_id(&self) -> WorkspaceId {
        self.workspace.id
    }

    /// The workspace with its settings, as they were when the caller was verified.
    pub fn workspace(&self) -> &Workspace {
        &self.workspace
    }

    /// Who acts.
    pub const fn actor(&self) -> Actor {
        match self.credential {
            Some(Credential::Key(id)) => Actor { kind: ActorKind::ApiKey, id: Some(id.0) },
            Some(Credential::Session { user, .. }) => Actor { kind: ActorKind::User, id: Some(user.0) },
            None => Actor::SYSTEM,
        }
    }

    /// Who acts, with their name and where from.
    pub fn principal(&self) -> Principal {
        Principal { actor: self.actor(), name: Arc::clone(&self.name), address: self.address }
    }

    /// What idempotency keys belong to: the key, or the person over all their sessions.
    pub const fn idempotency_owner(&self) -> Uuid {
        match self.credential {
            Some(Credential::Key(id)) => id.0,
            Some(Credential::Session { user, .. }) => user.0,
            None => Uuid::nil(),
        }
    }

    /// The session that acts, with its person; none for keys and operators.
    pub const fn session(&self) -> Option<(SessionId, UserId)> {
        match self.credential {
            Some(Credential::Session { id, user, .. }) => Some((id, user)),
            Some(Credential::Key(_)) | None => None,
        }
    }

    /// Whether issues of a kind are in reach. Those that are not are as good as not there.
    pub const fn reaches(&self, kind: IssueKind) -> bool {
        self.kinds.has(kind)
    }

    /// Whether issues of every kind are.
    pub fn reaches_every_kind(&self) -> bool {
        self.kinds == IssueKinds::ALL
    }

    /// Checks that issues of a kind are in reach.
    ///
    /// # Errors
    /// [`Error::Forbidden`].
    pub fn check_kind(&self, kind: IssueKind) -> Result<(), Error> {
        if self.reaches(kind) { Ok(()) } else { Err(Error::Forbidden(format!("this key does not reach {kind}s"))) }
    }

    /// Checks a need that depends on what is asked for, beyond the permit's own.
    ///
    /// # Errors
    /// Like [`Caller::permit`].
    pub fn check(&self, needs: AccessRequirement) -> Result<(), Error> {
        // An operator may do it all.
        self.credential.map_or(Ok(()), |credential| meets(needs, credential, self.scopes))
    }

    /// Looks in the transaction whether whoever acts may still manage webhooks: a key that is still good, or a session as
    /// for [`Permit::confirm`].
    ///
    /// # Errors
    /// [`Error::Unauthorized`] for a key or session that is over, [`Error::RoleNeeded`].
    pub(crate) fn confirm_alive(&self, tx: &mut dyn Tx, now: OffsetDateTime) -> Result<(), Error> {
        let Some(Credential::Key(id)) = self.credential else {
            return self.confirm(tx, now).map(drop);
        };
        // Locked, so that a revocation comes wholly before or wholly after.
        let key = tx.api_keys().get_for_update(id)?.ok_or(Error::Unauthorized)?;
        if key.status(now) == KeyStatus::Active { Ok(()) } else { Err(Error::Unauthorized) }
    }

    /// Looks in the transaction whether the session that acts may still administer the workspace, and answers the role
    /// that counts. A credential is trusted for two seconds after it ended; what is done with it in that time must not
    /// last longer. An operator stands above all.
    ///
    /// # Errors
    /// [`Error::Unauthorized`] for a session that is over, [`Error::RoleNeeded`], [`Error::SessionNeeded`] for a key.
    pub(crate) fn confirm(&self, tx: &mut dyn Tx, now: OffsetDateTime) -> Result<Role, Error> {
        let session = match self.credential {
            None => return Ok(Role::Owner),
            Some(Credential::Key(_)) => return Err(Error::SessionNeeded),
            Some(Credential::Session { id, .. }) => id,
        };
        let role = tx.sessions().role_now(session, now)?.ok_or(Error::Unauthorized)?;
        if role.administers() { Ok(role) } else { Err(Error::RoleNeeded) }
    }
}

#[cfg(test)]
mod tests;
