//! What can be imported and exported.

use crate::Error;
use crate::crm::companies::CompanyFields;
use crate::crm::contacts::ContactFields;
use crate::crm::deals::DealFields;
use crate::kernel::IssueKind;
use crate::kernel::input::{Input, InputMode, Problems, SchemaMember, choices};
use crate::records::ImportRow;
use crate::support::kb::ArticleFields;
use crate::work::issues::{ImportedFields, IssueFields, IssueStatus, RequesterFields, check_imported};
use crate::work::projects::ProjectFields;

/// The column with the name of the user who created a record.
pub(super) const CREATED_BY_NAME: &str = "created_by_name";
/// The column that only exports of deleted records have.
pub(super) const DELETED_AT: &str = "deleted_at";

choices! {
    /// A kind of record that is imported and exported. What a kind refers to comes before it.
    pub enum TransferKind {
        Companies = "companies",
        Contacts = "contacts",
        Deals = "deals",
        Projects = "projects",
        Tasks = "tasks",
        Tickets = "tickets",
        /// Articles of the knowledge base.
        Articles = "articles",
    }
}

impl TransferKind {
    /// The members that an import writes, in the order of an export.
    pub fn members(self) -> Vec<SchemaMember> {
        match self {
            Self::Companies => CompanyFields::members(),
            Self::Contacts => ContactFields::members(),
            Self::Deals => DealFields::members(),
            Self::Projects => ProjectFields::members(),
            Self::Tasks => {
                let members = IssueFields::members().into_iter().chain(ImportedFields::members());
                of_issues(members.filter(|member| member.name != "resolved_at"), IssueKind::Task)
            }
            Self::Tickets => {
                let members = RequesterFields::members().into_iter().chain(IssueFields::members());
                // A ticket has a requester instead of records of the CRM.
                let members = members.filter(|member| !crate::work::issues::TIES.contains(&member.name));
                let members = members.chain(ImportedFields::members());
                of_issues(members.filter(|member| member.name != "completed_at"), IssueKind::Ticket)
            }
            Self::Articles => ArticleFields::members(),
        }
    }

    /// The columns of an export that say what the service itself has decided. An import leaves them alone, but finds a
    /// ticket by its reference.
    pub fn read_only(self) -> impl Iterator<Item = &'static str> {
        let own: &[&str] = match self {
            Self::Companies | Self::Contacts | Self::Deals | Self::Projects => &[],
            Self::Tasks => &["number", "epic_id"],
            Self::Tickets => &["reference", "number", "epic_id"],
            Self::Articles => &["published_at"],
        };
        own.iter().copied().chain(["version", "created_at", "updated_at", CREATED_BY_NAME])
    }

    /// The members that a record is found by, and of which no two records have the same.
    pub const fn keys(self) -> &'static [&'static str] {
        match self {
            Self::Companies => &["external_id", "domain"],
            Self::Contacts => &["external_id", "email"],
            Self::Deals | Self::Projects => &["external_id"],
            Self::Tasks => &[],
            Self::Tickets => &["reference"],
            Self::Articles => &["slug"],
        }
    }

    /// Whether members may have these values, as rows are read that change a record.
    ///
    /// # Errors
    /// What is wrong with them.
    pub(super) fn check(self, row: ImportRow) -> Result<(), Error> {
        fn read<F: Input>(row: ImportRow, problems: Problems) -> Result<(), Error> {
            F::from_object_with(row, InputMode::Patch, problems).map(drop)
        }
        let (strictly, leniently) = (Problems::default(), Problems::default().leniently());
        match self {
            Self::Companies => read::<CompanyFields>(row, leniently),
            Self::Contacts => read::<ContactFields>(row, leniently),
            Self::Deals => read::<DealFields>(row, leniently),
            Self::Projects => read::<ProjectFields>(row, strictly),
            Self::Tasks | Self::Tickets => check_imported(row),
            Self::Articles => read::<ArticleFields>(row, strictly),
        }
    }
}

/// The members, with only the statuses of the kind.
fn of_issues(members: impl Iterator<Item = SchemaMember>, kind: IssueKind) -> Vec<SchemaMember> {
    let own = |member: SchemaMember| match member.name {
        "status" => SchemaMember { schema: IssueStatus::schema_of(kind), ..member },
        _ => member,
    };
    members.map(own).collect()
}
