//! Callers, and the permits that use cases require.

mod operators;

use std::marker::PhantomData;
use std::net::IpAddr;
use std::sync::Arc;

use time::OffsetDateTime;
use uuid::Uuid;

use super::credential_cache::CachedCredential;
use super::needs::{OperatorAccess, meets};
use super::{
    AccessRequirement, Actor, Credential, Permission, Principal, ReadRequirement, ScopeSet, ToolGrants, ToolPermit,
};
use crate::identity::api_keys::KeyStatus;
use crate::identity::workspaces::{Role, Workspace};
use crate::kernel::{IssueKind, IssueKinds};
use crate::ports::Tx;
use crate::tools::Tool;
use crate::{Error, SessionId, UserId, WorkspaceId};

/// The verified identity of a request: an API key of an active workspace, or a member's session in it. Only
/// [`super::authenticate`] creates one. It can be read, but not modified:
///
/// ```
/// # use domain::identity::access::{Caller, Credential};
/// fn credential_of(caller: &Caller) -> Credential {
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
    context: CallerContext,
    credential: Credential,
    lacks_second_factor: bool,
    operator_access: OperatorAccess,
}

/// What a caller shares with its permits.
#[derive(Debug, Clone)]
struct CallerContext {
    workspace: Arc<Workspace>,
    name: Arc<str>,
    scopes: ScopeSet,
    tools: Arc<ToolGrants>,
    address: Option<IpAddr>,
    request_id: Option<Arc<str>>,
    expires_at: Option<OffsetDateTime>,
}

impl CallerContext {
    /// The caller with name and address, for the audit log.
    fn principal(&self, actor: Actor, tool: Option<Tool>) -> Principal {
        Principal {
            actor,
            name: Arc::clone(&self.name),
            address: self.address,
            is_trial: self.tools.is_trial(),
            request_id: self.request_id.clone(),
            tool,
        }
    }
}

/// Proof that a caller has permission `P` in one workspace. Only [`Caller::permit`], [`Caller::permit_for_tool`] and
/// [`Operator::permit`] create one:
///
/// ```
/// # use domain::identity::access::{CreateDeals, Permit};
/// fn pass_on(permit: Permit<CreateDeals>) -> Permit<CreateDeals> {
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
    context: CallerContext,
    credential: Option<Credential>,
    tool: Option<Tool>,
    kinds: IssueKinds,
    permission: PhantomData<fn() -> P>,
}

impl<P> Clone for Permit<P> {
    fn clone(&self) -> Self {
        self.retyped()
    }
}

impl Caller {
    /// The caller of a verified credential.
    pub(super) fn new(cached: &CachedCredential, address: Option<IpAddr>) -> Self {
        let context = CallerContext {
            workspace: Arc::clone(&cached.workspace),
            name: Arc::clone(&cached.name),
            scopes: cached.scopes,
            tools: Arc::clone(&cached.tools),
            address,
            request_id: None,
            expires_at: cached.expires_at,
        };
        let CachedCredential { credential, lacks_second_factor, operator_access, .. } = *cached;
        Self { context, credential, lacks_second_factor, operator_access }
    }

    /// An unverified caller, for [`crate::testing`] only.
    #[cfg(any(test, feature = "testing"))]
    pub(crate) fn unverified(
        workspace: Workspace,
        credential: Credential,
        name: &str,
        scopes: ScopeSet,
        tools: ToolGrants,
    ) -> Self {
        let context = CallerContext {
            workspace: Arc::new(workspace),
            name: Arc::from(name),
            scopes,
            tools: Arc::new(tools),
            address: None,
            request_id: None,
            expires_at: None,
        };
        Self { context, credential, lacks_second_factor: false, operator_access: OperatorAccess::None }
    }

    /// The same caller, with the id of the request, which the event log records.
    #[must_use]
    pub fn in_request(self, request_id: Arc<str>) -> Self {
        Self { context: CallerContext { request_id: Some(request_id), ..self.context }, ..self }
    }

    pub fn workspace(&self) -> &Workspace {
        &self.context.workspace
    }

    pub const fn credential(&self) -> Credential {
        self.credential
    }

    /// The name of the key or user.
    pub fn name(&self) -> &str {
        &self.context.name
    }

    /// The caller with name and address, for the audit log.
    pub(in crate::identity) fn principal(&self) -> Principal {
        self.context.principal(self.credential.actor(), None)
    }

    pub const fn scopes(&self) -> ScopeSet {
        self.context.scopes
    }

    /// Permissions on tools; empty for a session.
    pub fn tools(&self) -> &ToolGrants {
        &self.context.tools
    }

    /// Checks the caller and returns the permit for `P`.
    ///
    /// # Errors
    /// [`Error::MissingScopes`] with every missing scope, [`Error::KeyNeeded`], [`Error::SessionNeeded`], [`Error::GrantNeeded`],
    /// [`Error::RoleNeeded`], [`Error::SecondFactorNeeded`]; [`Error::Forbidden`] for a user who is not an operator.
    pub fn permit<P: Permission>(&self) -> Result<Permit<P>, Error> {
        if self.lacks_second_factor && P::NEEDS != AccessRequirement::Session {
            return Err(Error::SecondFactorNeeded);
        }
        match (P::NEEDS, self.credential, self.operator_access) {
            (AccessRequirement::Operator, Credential::Session { .. }, OperatorAccess::Full) => {}
            (AccessRequirement::Operator, Credential::Session { .. }, operator_access) => {
                return Err(operator_access.refusal());
            }
            (needs, credential, _) => {
                meets(needs, credential, self.context.scopes, &self.context.tools)?;
            }
        }
        Ok(self.permit_unchecked(self.context.tools.kinds_over_rest(P::MAP)?))
    }

    /// A permit for issues of these kinds, without a check; the calling function must check.
    pub(super) fn permit_unchecked<P: Permission>(&self, kinds: IssueKinds) -> Permit<P> {
        let (context, credential) = (self.context.clone(), Some(self.credential));
        Permit { context, credential, tool: None, kinds, permission: PhantomData }
    }
}

impl<P> Permit<P> {
    pub fn workspace_id(&self) -> WorkspaceId {
        self.context.workspace.id
    }

    /// The workspace with its settings, as read when the caller was verified.
    pub fn workspace(&self) -> &Workspace {
        &self.context.workspace
    }

    pub const fn actor(&self) -> Actor {
        match self.credential {
            Some(credential) => credential.actor(),
            None => Actor::SYSTEM,
        }
    }

    /// The caller with name and address, for the audit log.
    pub fn principal(&self) -> Principal {
        self.context.principal(self.actor(), self.tool)
    }

    /// The same permit, for a call of a tool.
    pub(super) fn for_tool(self, tool: Tool) -> Self {
        Self { tool: Some(tool), ..self }
    }

    /// The verified credential; `None` for operators.
    pub const fn credential(&self) -> Option<Credential> {
        self.credential
    }

    /// When the credential ends, if it does.
    pub const fn expires_at(&self) -> Option<OffsetDateTime> {
        self.context.expires_at
    }

    pub const fn scopes(&self) -> ScopeSet {
        self.context.scopes
    }

    /// Permissions on tools; empty for a session.
    pub fn tools(&self) -> &ToolGrants {
        &self.context.tools
    }

    /// The owner of idempotency keys: the API key, or the user across sessions.
    pub const fn idempotency_owner(&self) -> Uuid {
        match self.credential {
            Some(credential) => credential.holder(),
            None => Uuid::nil(),
        }
    }

    /// The session and its user; `None` for keys and operators.
    pub const fn session(&self) -> Option<(SessionId, UserId)> {
        match self.credential {
            Some(Credential::Session { id, user, .. }) => Some((id, user)),
            Some(Credential::Key(_)) | None => None,
        }
    }

    /// The user of the session.
    ///
    /// # Errors
    /// [`Error::SessionNeeded`] for keys and operators.
    pub(crate) fn session_user(&self) -> Result<UserId, Error> {
        self.session().map(|(_, user)| user).ok_or(Error::SessionNeeded)
    }

    /// Whether the permit covers issues of a kind. Other issues are treated as missing.
    pub const fn reaches(&self, kind: IssueKind) -> bool {
        self.kinds.has(kind)
    }

    /// Whether the permit covers issues of every kind.
    pub fn reaches_every_kind(&self) -> bool {
        self.kinds == IssueKinds::ALL
    }

    /// Checks that the permit covers issues of a kind.
    ///
    /// # Errors
    /// [`Error::Forbidden`].
    pub fn check_kind(&self, kind: IssueKind) -> Result<(), Error> {
        if self.reaches(kind) { Ok(()) } else { Err(Error::Forbidden(format!("this key cannot access {kind}s"))) }
    }

    /// Whether the caller may read this kind of data. Tool grants decide for a key, the role decides for a session, and an operator
    /// may read everything.
    pub fn may_read(&self, needs: ReadRequirement) -> bool {
        match self.credential {
            Some(Credential::Key(_)) => needs.is_met_by_key(&self.context.tools, self.context.scopes),
            Some(Credential::Session { role, .. }) => needs.is_met_by_session(role, self.context.scopes),
            None => true,
        }
    }

    /// Whether the caller may read this kind of data in this call. Like [`Permit::may_read`], except that over REST the scopes of a
    /// key decide, unless its permission map narrows REST.
    pub fn may_read_here(&self, needs: ReadRequirement) -> bool {
        let by_scopes = self.tool.is_none() && matches!(self.credential, Some(Credential::Key(_)));
        self.may_read(needs) || by_scopes && needs.is_met_over_rest(&self.context.tools, self.context.scopes)
    }

    /// Whether the permission map lets a call over REST show comments on issues of this kind.
    pub(crate) fn shows_comments_on(&self, kind: IssueKind) -> bool {
        self.context.tools.reads_comments_over_rest(kind)
    }

    /// Whether the caller also has `Q`. Tool grants decide for a key, and the role for a session.
    pub(crate) fn covers<Q: ToolPermit>(&self) -> bool {
        match self.credential {
            Some(Credential::Key(_)) => Q::PERMISSIONS.iter().any(|permission| self.context.tools.has(*permission)),
            Some(credential) => meets(Q::NEEDS, credential, self.context.scopes, &self.context.tools).is_ok(),
            None => true,
        }
    }

    /// The permit for `Q`, if the caller also has it; see [`Permit::covers`].
    pub(crate) fn permit_if_covered<Q: ToolPermit>(&self) -> Option<Permit<Q>> {
        self.covers::<Q>().then(|| self.retyped())
    }

    /// The same permit for another permission, without a check; the calling function must check.
    fn retyped<Q>(&self) -> Permit<Q> {
        let Self { credential, tool, kinds, .. } = *self;
        Permit { context: self.context.clone(), credential, tool, kinds, permission: PhantomData }
    }

    /// Checks a further requirement that depends on the request.
    ///
    /// # Errors
    /// Like [`Caller::permit`].
    pub fn check(&self, needs: AccessRequirement) -> Result<(), Error> {
        // Operators have every permission.
        self.credential.map_or(Ok(()), |credential| meets(needs, credential, self.context.scopes, &self.context.tools))
    }

    /// Checks inside the transaction that the caller may still manage webhooks: the key must still be active, and a session is
    /// checked as in [`Permit::confirm`]. Returns when the key expires, if it does.
    ///
    /// # Errors
    /// [`Error::Unauthorized`] for a key or session that is no longer valid, [`Error::RoleNeeded`].
    pub(crate) fn confirm_alive(&self, tx: &mut dyn Tx, now: OffsetDateTime) -> Result<Option<OffsetDateTime>, Error> {
        let Some(Credential::Key(id)) = self.credential else {
            return self.confirm(tx, now).map(|_| None);
        };
        // The lock orders a concurrent revocation before or after this transaction.
        let key = tx.api_keys().get_for_update(id)?.ok_or(Error::Unauthorized)?;
        if key.status(now) == KeyStatus::Active { Ok(key.expires_at) } else { Err(Error::Unauthorized) }
    }

    /// Checks inside the transaction that the session may still administer the workspace, and returns its current role. An ended
    /// credential may stay cached for two seconds, and must not make changes in that time. Operators count as owners.
    ///
    /// # Errors
    /// [`Error::Unauthorized`] for an ended session, [`Error::RoleNeeded`], [`Error::SessionNeeded`] for an API key.
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
