//! Callers, permissions and the permits that use cases take.

use std::marker::PhantomData;

use super::{Actor, ActorKind, Area, Scope, ScopeSet};
use crate::workspaces::Workspace;
use crate::{ApiKeyId, Error, WorkspaceId};

/// A request's verified identity: a key of an active workspace.
#[derive(Debug, Clone)]
pub struct Caller {
    /// The workspace that the credential belongs to.
    pub workspace: Workspace,
    /// The key that was shown.
    pub key_id: ApiKeyId,
    /// What the key may do.
    pub scopes: ScopeSet,
}

/// Something that a caller may be allowed to do.
pub trait Permission: Send + Sync + 'static {
    /// The scopes that are all needed.
    const SCOPES: &'static [Scope];
}

/// Proof that a caller may do `P` in one workspace.
#[derive(Debug)]
pub struct Permit<P> {
    workspace: Workspace,
    actor: Actor,
    credential: uuid::Uuid,
    permission: PhantomData<fn() -> P>,
}

impl<P> Clone for Permit<P> {
    fn clone(&self) -> Self {
        Self { workspace: self.workspace.clone(), ..*self }
    }
}

impl Caller {
    /// The permit for `P`.
    ///
    /// # Errors
    /// [`Error::MissingScopes`] with every scope that is missing.
    pub fn permit<P: Permission>(&self) -> Result<Permit<P>, Error> {
        let missing: Vec<_> = P::SCOPES.iter().copied().filter(|scope| !self.scopes.allows(*scope)).collect();
        if !missing.is_empty() {
            return Err(Error::MissingScopes(missing));
        }
        Ok(Permit {
            workspace: self.workspace.clone(),
            actor: Actor { kind: ActorKind::ApiKey, id: Some(self.key_id.0) },
            credential: self.key_id.0,
            permission: PhantomData,
        })
    }
}

impl<P> Permit<P> {
    /// The workspace that the permit is good for.
    pub const fn workspace_id(&self) -> WorkspaceId {
        self.workspace.id
    }

    /// The workspace with its settings, as they were when the caller was verified.
    pub const fn workspace(&self) -> &Workspace {
        &self.workspace
    }

    /// Who acts.
    pub const fn actor(&self) -> Actor {
        self.actor
    }

    /// The id of the credential, which idempotency keys belong to.
    pub const fn credential(&self) -> uuid::Uuid {
        self.credential
    }
}

macro_rules! permissions {
    ($( $(#[$doc:meta])* $name:ident => $($scope:expr),+ );* $(;)?) => { $(
        $(#[$doc])*
        #[derive(Debug, Clone, Copy)]
        pub enum $name {}

        impl Permission for $name {
            const SCOPES: &'static [Scope] = &[$($scope),+];
        }
    )* };
}

permissions! {
    /// List and search contacts.
    ReadContacts => Scope::read(Area::Contacts);
    /// Make contacts.
    CreateContacts => Scope::write(Area::Contacts);
    /// List and read deals.
    ReadDeals => Scope::read(Area::Deals);
    /// Make deals.
    CreateDeals => Scope::write(Area::Deals);
    /// Change deals.
    UpdateDeals => Scope::write(Area::Deals);
    /// Delete deals.
    DeleteDeals => Scope::write(Area::Deals);
    /// List and read projects.
    ReadProjects => Scope::read(Area::Projects);
    /// Make projects.
    CreateProjects => Scope::write(Area::Projects);
    /// Change projects.
    UpdateProjects => Scope::write(Area::Projects);
    /// Delete projects.
    DeleteProjects => Scope::write(Area::Projects);
    /// List cycles.
    ReadCycles => Scope::read(Area::Projects);
    /// Make cycles.
    CreateCycles => Scope::write(Area::Projects);
    /// List the tasks of a project.
    ReadProjectIssues => Scope::read(Area::Projects), Scope::read(Area::Issues);
    /// List and read tasks and tickets.
    ReadIssues => Scope::read(Area::Issues);
    /// Make tasks and tickets.
    CreateIssues => Scope::write(Area::Issues);
    /// Change tasks and tickets.
    UpdateIssues => Scope::write(Area::Issues);
    /// Delete tasks.
    DeleteIssues => Scope::write(Area::Issues);
    /// Read comments.
    ReadComments => Scope::read(Area::Issues);
    /// Add comments.
    CreateComments => Scope::write(Area::Issues);
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing;

    #[test]
    fn a_permit_needs_every_scope_and_the_refusal_names_all_missing_ones() {
        let caller = |scopes: &[&str]| testing::caller(scopes);
        assert!(caller(&["projects.read", "issues.write"]).permit::<ReadProjectIssues>().is_ok());
        let refused = caller(&["deals.write"]).permit::<ReadProjectIssues>().unwrap_err();
        assert_eq!(
            refused.to_string(),
            "this needs the scope projects.read and issues.read, which the credential does not have"
        );
        assert_eq!(refused.details().len(), 2);
        assert!(caller(&["deals.read"]).permit::<CreateDeals>().is_err());
    }
}
