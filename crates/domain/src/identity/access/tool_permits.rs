//! Permits for tool calls, and for deleted records: the permissions of the other surfaces, checked against a key's grants.

use super::{Caller, Credential, Permission, Permit};
use crate::Error;
use crate::tools::{Tool, ToolPermission};

/// A permission that tools can obtain.
pub trait ToolPermit: Permission {
    /// A tool obtains the permit if its row has any one of these permissions; empty for what every key may do. By default, those that
    /// a key's permission map must grant over REST.
    const PERMISSIONS: &'static [ToolPermission] = Self::MAP.permissions();
}

fn denied(tool: Tool) -> Error {
    let needs: Vec<_> = tool.permissions().iter().map(|permission| permission.as_str()).collect();
    let needs = needs.join(if tool.needs_every_permission() { " and " } else { " or " });
    Error::ToolDenied { tool: tool.as_str(), needs }
}

impl Caller {
    /// Checks that the caller may call the tool at all.
    ///
    /// # Errors
    /// [`Error::KeyNeeded`] for a session, [`Error::ToolDenied`], [`Error::ToolNotInTrial`].
    pub fn check_tool(&self, tool: Tool) -> Result<(), Error> {
        match self.credential() {
            Credential::Key(_) if self.tools().allows(tool) => Ok(()),
            Credential::Key(_) if self.tools().is_trial() => Err(Error::ToolNotInTrial { tool: tool.as_str() }),
            Credential::Key(_) => Err(denied(tool)),
            Credential::Session { .. } => Err(Error::KeyNeeded),
        }
    }

    /// The permit for `P` in a call of the tool. It covers only the granted kinds of issues.
    ///
    /// # Errors
    /// The errors of [`Caller::check_tool`], and [`Error::ToolDenied`] if `P` does not belong to the tool.
    pub fn permit_for_tool<P: ToolPermit>(&self, tool: Tool) -> Result<Permit<P>, Error> {
        self.check_tool(tool)?;
        let belongs_to_tool = |permission: &ToolPermission| tool.permissions().contains(permission);
        let for_every_key = P::PERMISSIONS.is_empty() && tool.permissions().is_empty();
        if !for_every_key && !P::PERMISSIONS.iter().any(belongs_to_tool) {
            return Err(denied(tool));
        }
        Ok(self.permit_unchecked(self.tools().kinds(tool)).for_tool(tool))
    }
}

impl<P> Permit<P> {
    /// Checks that the caller may see records deleted with `Q`: it must be the session of an owner or admin, or a key with the
    /// permission to delete them.
    ///
    /// # Errors
    /// [`Error::RoleNeeded`] or [`Error::GrantNeeded`].
    pub(crate) fn check_sees_deleted<Q: ToolPermit>(&self) -> Result<(), Error> {
        match self.credential() {
            Some(Credential::Session { role, .. }) if !role.administers() => Err(Error::RoleNeeded),
            Some(Credential::Key(_)) => self.check_grant::<Q>(),
            _ => Ok(()),
        }
    }

    /// Checks that a key has a grant for `Q`.
    ///
    /// # Errors
    /// [`Error::GrantNeeded`].
    fn check_grant<Q: ToolPermit>(&self) -> Result<(), Error> {
        match Q::PERMISSIONS.first() {
            Some(needs) if !self.covers::<Q>() => Err(Error::GrantNeeded { needs: needs.as_str() }),
            _ => Ok(()),
        }
    }

    /// The permit for `Q`, which the caller must have in addition to `P`.
    ///
    /// # Errors
    /// [`Error::GrantNeeded`].
    pub(crate) fn require<Q: ToolPermit>(&self) -> Result<Permit<Q>, Error> {
        self.check_grant::<Q>()?;
        self.permit_if_covered().ok_or(Error::RoleNeeded)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::identity::access::{DeleteDeals, ReadContacts, ReadDeals, ReadIssues, RecordKind};
    use crate::identity::workspaces::Role;
    use crate::kernel::IssueKind;
    use crate::testing;

    #[test]
    fn a_tool_gets_only_its_own_permits() {
        let caller = testing::caller(&["deals.write", "issues.write"]);
        assert!(caller.permit_for_tool::<ReadDeals>(Tool::GetDeal).is_ok());
        assert!(caller.permit_for_tool::<DeleteDeals>(Tool::GetDeal).is_err());
        assert!(caller.permit_for_tool::<ReadContacts>(Tool::GetContact).is_err());
        let tasks = caller.permit_for_tool::<ReadIssues>(Tool::ListTasks).unwrap();
        assert!(tasks.reaches(IssueKind::Task) && !tasks.reaches(IssueKind::Ticket));
        assert!(caller.permit_for_tool::<ReadIssues>(Tool::ListTickets).is_err());
    }

    #[test]
    fn tools_for_all_kinds_need_the_permissions_of_the_kinds() {
        let deletes: Vec<_> = RecordKind::ALL.iter().filter_map(|kind| kind.deletes()).collect();
        assert_eq!(ToolPermission::DELETE_RECORDS, deletes);
        let commented = RecordKind::ALL.iter().filter(|kind| kind.reads_comments() == Some(kind.reads()));
        let nouns: Vec<_> = commented.map(|kind| kind.read_permission().noun()).collect();
        for tool in [Tool::ListComments, Tool::AddComment, Tool::UpdateComment, Tool::DeleteComment] {
            let on_records = tool.permissions().iter().filter(|permission| !permission.is_on_comments());
            assert_eq!(on_records.map(|permission| permission.noun()).collect::<Vec<_>>(), nouns, "{tool}");
        }
    }

    #[test]
    fn a_session_cannot_call_tools() {
        let user = testing::user(Role::Owner, &["deals.write"]);
        assert!(matches!(user.check_tool(Tool::GetDeal), Err(Error::KeyNeeded)));
    }
}
