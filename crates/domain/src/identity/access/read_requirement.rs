//! What a caller must be able to read, as a value that is decided at run time.

use std::fmt;

use super::grants::given;
use super::scopes::areas_of;
use super::{Area, Scope, ScopeSet, ToolGrants};
use crate::identity::workspaces::Role;
use crate::kernel::IssueKind;
use crate::tools::ToolPermission;

/// One kind of data, by what it takes to read it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ReadRequirement {
    /// Records of the service, by the permission that reads them.
    Records(ToolPermission),
    /// Comments on tasks, or on tickets.
    Comments(IssueKind),
    /// Records that another system keeps, by their area.
    Area(Area),
    /// What only owners and admins see.
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

    /// What a key may read over REST by its scopes: tasks and tickets, with their comments, by the same one. Its permission map
    /// may narrow that.
    pub(super) fn is_met_over_rest(self, tools: &ToolGrants, scopes: ScopeSet) -> bool {
        let is_mapped = match self {
            Self::Records(permission) => tools.reads_over_rest(permission),
            Self::Comments(kind) => tools.reads_comments_over_rest(kind),
            Self::Area(_) | Self::Administrator => true,
        };
        if !is_mapped {
            return false;
        }
        let allows = |area: &Area| scopes.allows(Scope::read(*area));
        match self {
            // On `/issues`, as tasks are.
            Self::Records(ToolPermission::ReadTickets) | Self::Comments(_) => allows(&Area::Issues),
            // Articles are for sessions there.
            Self::Records(ToolPermission::ReadKbArticles) | Self::Administrator => false,
            Self::Records(permission) => areas_of(permission).iter().any(allows),
            Self::Area(area) => allows(&area),
        }
    }

    /// A session reads what its role's scopes grant.
    pub(in crate::identity) fn is_met_by_session(self, role: Role, scopes: ScopeSet) -> bool {
        match self {
            Self::Records(permission) => given(scopes, permission),
            Self::Comments(_) => given(scopes, ToolPermission::ReadComments),
            Self::Area(area) => scopes.allows(Scope::read(area)),
            Self::Administrator => role.administers(),
        }
    }
}

impl fmt::Display for ReadRequirement {
    /// As clients know it: a permission, a scope, or a role.
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Records(permission) => formatter.write_str(permission.as_str()),
            Self::Comments(kind) => write!(formatter, "{} on {kind}s", ToolPermission::ReadComments.as_str()),
            Self::Area(area) => write!(formatter, "the scope {}", Scope::read(*area)),
            Self::Administrator => formatter.write_str("the session of an owner or admin"),
        }
    }
}
