//! The kinds of records that the service keeps, and who sees deleted ones (interface 24.6).

use crate::identity::access::{Credential, Permit, ReadRequirement};
use crate::kernel::IssueKind;
use crate::kernel::input::{choices, readable_choices};
use crate::tools::ToolPermission;

choices! {
    /// A kind of record: the noun of its events.
    pub enum RecordKind {
        Contact = "contact",
        Company = "company",
        Deal = "deal",
        Project = "project",
        Cycle = "cycle",
        Task = "task",
        Ticket = "ticket",
        /// An article of the knowledge base.
        Article = "article",
    }
}

readable_choices!(RecordKind);

impl RecordKind {
    /// What it takes to read such a record.
    pub(crate) const fn reads(self) -> ReadRequirement {
        ReadRequirement::Records(self.read_permission())
    }

    /// The permission of a key that reads such a record.
    pub(crate) const fn read_permission(self) -> ToolPermission {
        match self {
            Self::Contact => ToolPermission::ReadContacts,
            Self::Company => ToolPermission::ReadCompanies,
            Self::Deal => ToolPermission::ReadDeals,
            Self::Project => ToolPermission::ReadProjects,
            Self::Cycle => ToolPermission::ReadCycles,
            Self::Task => ToolPermission::ReadTasks,
            Self::Ticket => ToolPermission::ReadTickets,
            Self::Article => ToolPermission::ReadKbArticles,
        }
    }

    /// The requirement for reading comments on such a record; `None` if it has no comments.
    pub(crate) const fn reads_comments(self) -> Option<ReadRequirement> {
        match self {
            Self::Contact | Self::Company | Self::Deal => Some(self.reads()),
            Self::Task => Some(ReadRequirement::Comments(IssueKind::Task)),
            Self::Ticket => Some(ReadRequirement::Comments(IssueKind::Ticket)),
            Self::Project | Self::Cycle | Self::Article => None,
        }
    }

    /// One of them, in words: "a deal".
    pub fn with_article(self) -> String {
        let article = if self == Self::Article { "an" } else { "a" };
        format!("{article} {self}")
    }

    /// What it takes to delete such a record; `None` for tickets, which are closed instead.
    pub(crate) const fn deletes(self) -> Option<ToolPermission> {
        match self {
            Self::Contact => Some(ToolPermission::DeleteContacts),
            Self::Company => Some(ToolPermission::DeleteCompanies),
            Self::Deal => Some(ToolPermission::DeleteDeals),
            Self::Project => Some(ToolPermission::DeleteProjects),
            Self::Cycle => Some(ToolPermission::DeleteCycles),
            Self::Task => Some(ToolPermission::DeleteTasks),
            Self::Ticket => None,
            Self::Article => Some(ToolPermission::DeleteKbArticles),
        }
    }
}

impl From<IssueKind> for RecordKind {
    fn from(kind: IssueKind) -> Self {
        match kind {
            IssueKind::Task => Self::Task,
            IssueKind::Ticket => Self::Ticket,
        }
    }
}

/// Whether the caller of a permit sees deleted records of a kind: an owner or admin who is signed in, a key that may delete
/// such records, an operator.
pub fn may_see_deleted<P>(permit: &Permit<P>, kind: RecordKind) -> bool {
    match permit.credential() {
        None => true,
        Some(Credential::Session { role, .. }) => role.administers(),
        Some(Credential::Key(_)) => {
            kind.deletes().is_some_and(|needs| permit.tools().granted().any(|granted| granted == needs))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::identity::access::ReadDeals;
    use crate::identity::workspaces::Role;
    use crate::testing;

    #[test]
    fn deleted_records_are_for_administrators_and_for_keys_that_delete() {
        let of_user = |role| testing::user(role, &["deals.write"]).permit::<ReadDeals>().unwrap();
        for (role, sees) in [(Role::Owner, true), (Role::Admin, true), (Role::Member, false), (Role::Viewer, false)] {
            assert_eq!(may_see_deleted(&of_user(role), RecordKind::Deal), sees, "{role}");
        }
        let of_key = |scopes: &[&str]| testing::caller(scopes).permit::<ReadDeals>().unwrap();
        let (reader, writer) = (of_key(&["deals.read"]), of_key(&["deals.write"]));
        assert!(!may_see_deleted(&reader, RecordKind::Deal) && may_see_deleted(&writer, RecordKind::Deal));
        assert!(!may_see_deleted(&writer, RecordKind::Company) && !may_see_deleted(&writer, RecordKind::Ticket));
    }

    #[test]
    fn each_kind_is_read_and_deleted_by_permissions_of_its_own() {
        for kind in RecordKind::ALL.iter().copied() {
            let ReadRequirement::Records(reads) = kind.reads() else { panic!("{kind}") };
            assert!(reads.is_read() && reads.noun().contains(&kind.as_str()[..4]), "{kind}: {reads}");
            if let Some(deletes) = kind.deletes() {
                assert_eq!((deletes.is_read(), deletes.noun()), (false, reads.noun()), "{kind}");
            }
        }
    }
}
