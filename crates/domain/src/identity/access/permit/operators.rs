//! Permits of operators.

use std::marker::PhantomData;
use std::sync::Arc;

use time::OffsetDateTime;

use super::{CallerContext, Permit};
use crate::Error;
use crate::identity::access::needs::OperatorAccess;
use crate::identity::access::{OperateService, Permission, Scope};
use crate::identity::workspaces::Workspace;
use crate::kernel::IssueKinds;
use crate::ports::{Operator, Tx};

impl Operator {
    /// A permit for any permission in a workspace; operators have all of them.
    pub fn permit<P: Permission>(&self, workspace: Workspace) -> Permit<P> {
        let context = CallerContext {
            workspace: Arc::new(workspace),
            name: Arc::from("operator"),
            scopes: Scope::all().collect(),
            tools: Arc::default(),
            address: None,
            request_id: None,
            expires_at: None,
        };
        Permit { context, credential: None, tool: None, kinds: IssueKinds::ALL, permission: PhantomData }
    }
}

impl Permit<OperateService> {
    pub const fn operator(&self) -> Operator {
        Operator::of_session(self)
    }

    /// Checks inside the transaction that the session is still alive and its user still an operator.
    ///
    /// # Errors
    /// [`Error::Unauthorized`] for an ended session, [`Error::Forbidden`].
    pub(in crate::identity) fn confirm_operator(&self, tx: &mut dyn Tx, now: OffsetDateTime) -> Result<(), Error> {
        let (session, user) = self.session().ok_or(Error::SessionNeeded)?;
        tx.sessions().role_now(session, now)?.ok_or(Error::Unauthorized)?;
        if tx.members().is_operator(user)? { Ok(()) } else { Err(OperatorAccess::None.refusal()) }
    }
}
