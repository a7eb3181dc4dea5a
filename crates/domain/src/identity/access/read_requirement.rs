//! What a caller must be able to read, as a run-time value.

use std::fmt;

use super::grants::is_granted_by;
use super::scopes::areas_of;
use super::{Area, Scope, ScopeSet, ToolGrants};
use crate::identity::workspaces::Role;
use crate::kernel::IssueKind;
use crate::tools::ToolPermission;

/// A kind of data, identified by what is required to read it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ReadRequirement {
    /// Records of the service, which this permission reads.
    Records(ToolPermission),
    /// Comments on tasks, or on tickets.
    Comments(IssueKind),
    /// Records in another system, identified by their area.
    Area(Area),
    /// Data that only owners and admins see.
    Administrator,
}

impl ReadRequirement {
    /// A key reads what its permission map grants, within its scopes.
    pub(super) fn is_met_by_key(self, tools: &ToolGrants, scopes: ScopeSet) -> bool {
        match self {
            Self::Records(permission) => tools.has(permission),
            Self::Comments(kind) => tools.reads_comments_on(kind),
            Self::Area(area) => scopes.allows(Scope::read(area)),
            Self::Administrator => false,
        }
    }

    /// What the scopes of a key let it read over REST. One scope covers tasks and tickets with their comments. The permission map
    /// may narrow this.
    pub(super) fn is_met_over_rest(self, tools: &ToolGrants, scopes: ScopeSet) -> bool {
        let is_allowed_by_map = match self {
            Self::Records(permission) => tools.reads_over_rest(permission),
            Self::Comments(kind) => tools.reads_comments_over_rest(kind),
            Self::Area(_) | Self::Administrator => true,
        };
        if !is_allowed_by_map {
            return false;
        }
        let allows = |area: &Area| scopes.allows(Scope::read(*area));
        match self {
            // `/issues` serves tickets too.
            Self::Records(ToolPermission::ReadTickets) | Self::Comments(_) => allows(&Area::Issues),
            // Over REST, articles need a session.
            Self::Records(ToolPermission::ReadKbArticles) | Self::Administrator => false,
            Self::Records(permission) => areas_of(permission).iter().any(allows),
            Self::Area(area) => allows(&area),
        }
    }

    /// A session reads what its role's scopes grant.
    pub(in crate::identity) fn is_met_by_session(self, role: Role, scopes: ScopeSet) -> bool {
        match self {
            Self::Records(permission) => is_granted_by(scopes, permission),
            Self::Comments(_) => is_granted_by(scopes, ToolPermission::ReadComments),
            Self::Area(area) => scopes.allows(Scope::read(area)),
            Self::Administrator => role.administers(),
        }
    }
}

impl fmt::Display for ReadRequirement {
    /// The name that clients know: a permission, a scope, or a role.
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Records(permission) => formatter.write_str(permission.as_str()),
            Self::Comments(kind) => write!(formatter, "{} on {kind}s", ToolPermission::ReadComments.as_str()),
            Self::Area(area) => write!(formatter, "the scope {}", Scope::read(*area)),
            Self::Administrator => formatter.write_str("the session of an owner or admin"),
        }
    }
}
