//! What can be imported and exported: these kinds, and those of [`simple_kinds!`](crate::simple_kinds). [`Transferred`] declares
//! further properties next to each kind.

use uuid::Uuid;

use super::export::{ExportPage, page_of, record_of};
use crate::Error;
use crate::crm::companies::{Company, CompanyFilter};
use crate::crm::contacts::{Contact, ContactFilter};
use crate::crm::deals::{Deal, DealFilter};
use crate::identity::access::Permit;
use crate::kernel::IssueKind;
use crate::kernel::input::{SchemaMember, choices};
use crate::kernel::paging::PageRequest;
use crate::ports::{Ports, Tx};
use crate::records::{self, Editable, ImportRow, Kind, RecordFilter, RecordKind, Transferred};
use crate::work::issues::{self, Issue, IssueFilter};
use crate::work::projects::{Project, ProjectFilter};
use crate::work::time_entries::{TimeEntry, TimeEntryFilter};

/// The column with the name of the user who created a record.
pub(super) const CREATED_BY_NAME: &str = "created_by_name";
/// The column that only exports of deleted records have.
pub(super) const DELETED_AT: &str = "deleted_at";

/// What is done with the records of a kind, written once for all kinds with `K` for their type.
macro_rules! of_kind {
    (
        [$($(#[$doc:meta])* $kinds:ident = $name:literal: $one:ident, $type:ty, $id:ty;)+]
        $kind:expr, $record:ident => $work:expr
    ) => {
        match $kind {
            TransferKind::Companies => { type $record = Company; $work }
            TransferKind::Contacts => { type $record = Contact; $work }
            TransferKind::Deals => { type $record = Deal; $work }
            TransferKind::Projects => { type $record = Project; $work }
            TransferKind::Tasks | TransferKind::Tickets => { type $record = Issue; $work }
            TransferKind::TimeEntries => { type $record = TimeEntry; $work }
            $(TransferKind::$kinds => { type $record = $type; $work })+
        }
    };
    ($kind:expr, $record:ident => $work:expr) => {
        crate::simple_kinds!(of_kind!($kind, $record => $work))
    };
}

impl TransferKind {
    /// The members that an import writes, in the order of an export.
    pub fn members(self) -> Vec<SchemaMember> {
        of_kind!(self, K => K::file_members(self.one()))
    }

    /// Whether what an import does depends on the user who imports, because the records belong to members.
    pub const fn depends_on_importer(self) -> bool {
        matches!(self, Self::TimeEntries | Self::CannedReplies)
    }

    /// The columns of an export with values that the service sets. An import ignores them, but finds a ticket by its reference.
    pub fn read_only(self) -> impl Iterator<Item = &'static str> {
        let own = of_kind!(self, K => K::own_columns(self.one()));
        own.iter().copied().chain(["version", "created_at", "updated_at", CREATED_BY_NAME])
    }

    /// The unique members by which an import finds a record.
    pub fn keys(self) -> &'static [&'static str] {
        of_kind!(self, K => K::file_keys(self.one()))
    }

    /// The member with the long text, to which an import can add lines.
    pub(super) const fn long_text(self) -> Option<&'static str> {
        of_kind!(self, K => K::LONG_TEXT)
    }

    /// Checks the values of a row like those of an update.
    ///
    /// # Errors
    /// What is wrong with them.
    pub(super) fn check(self, row: ImportRow) -> Result<(), Error> {
        of_kind!(self, K => K::check_row(row))
    }

    /// The live records with these ids that the caller sees, in the form of an export.
    pub(super) fn stored<P>(self, tx: &mut dyn Tx, permit: &Permit<P>, ids: &[Uuid]) -> Result<Vec<ImportRow>, Error> {
        of_kind!(self, K => visible_rows(K::get_many(tx, ids)?, permit))
    }
}

macro_rules! lists {
    ([$($(#[$doc:meta])* $kinds:ident = $name:literal: $one:ident, $type:ty, $id:ty;)+]) => {
        choices! {
            /// A kind of record that is imported and exported. What a kind refers to comes before it.
            pub enum TransferKind {
                Companies = "companies",
                Contacts = "contacts",
                Deals = "deals",
                Projects = "projects",
                Tasks = "tasks",
                Tickets = "tickets",
                TimeEntries = "time_entries",
                $( $(#[$doc])* $kinds = $name, )+
            }
        }

        impl TransferKind {
            /// The kind of one of the records.
            pub(super) const fn one(self) -> RecordKind {
                match self {
                    Self::Companies => RecordKind::Company,
                    Self::Contacts => RecordKind::Contact,
                    Self::Deals => RecordKind::Deal,
                    Self::Projects => RecordKind::Project,
                    Self::Tasks => RecordKind::Task,
                    Self::Tickets => RecordKind::Ticket,
                    Self::TimeEntries => RecordKind::TimeEntry,
                    $(Self::$kinds => RecordKind::$one,)+
                }
            }
        }

        /// A list of records, with its filters and its order.
        #[derive(Debug, Clone, PartialEq)]
        pub enum ExportedList {
            Companies(CompanyFilter),
            Contacts(ContactFilter),
            Deals(DealFilter),
            Projects(ProjectFilter),
            /// Tasks or tickets, depending on the filter.
            Issues(IssueFilter),
            TimeEntries(TimeEntryFilter),
            $( $(#[$doc])* $kinds(<$type as Kind>::Filter), )+
        }

        impl ExportedList {
            /// All records of a kind, newest first.
            pub fn all(kind: TransferKind) -> Self {
                match kind {
                    TransferKind::Companies => Self::Companies(CompanyFilter::default()),
                    TransferKind::Contacts => Self::Contacts(ContactFilter::default()),
                    TransferKind::Deals => Self::Deals(DealFilter::default()),
                    TransferKind::Projects => Self::Projects(ProjectFilter::default()),
                    TransferKind::Tasks => Self::Issues(IssueFilter::all(IssueKind::Task)),
                    TransferKind::Tickets => Self::Issues(IssueFilter::all(IssueKind::Ticket)),
                    TransferKind::TimeEntries => Self::TimeEntries(TimeEntryFilter::default()),
                    $(TransferKind::$kinds => Self::$kinds(Default::default()),)+
                }
            }

            pub fn kind(&self) -> TransferKind {
                match self {
                    Self::Companies(_) => TransferKind::Companies,
                    Self::Contacts(_) => TransferKind::Contacts,
                    Self::Deals(_) => TransferKind::Deals,
                    Self::Projects(_) => TransferKind::Projects,
                    Self::Issues(filter) if filter.kind() == IssueKind::Ticket => TransferKind::Tickets,
                    Self::Issues(_) => TransferKind::Tasks,
                    Self::TimeEntries(_) => TransferKind::TimeEntries,
                    $(Self::$kinds(_) => TransferKind::$kinds,)+
                }
            }

            pub(super) fn lists_deleted(&self) -> bool {
                match self {
                    Self::Companies(filter) => filter.lists_deleted(),
                    Self::Contacts(filter) => filter.lists_deleted(),
                    Self::Deals(filter) => filter.lists_deleted(),
                    Self::Projects(filter) => filter.lists_deleted(),
                    Self::Issues(filter) => filter.lists_deleted(),
                    Self::TimeEntries(filter) => filter.lists_deleted(),
                    $(Self::$kinds(filter) => filter.lists_deleted(),)+
                }
            }

            /// A page of the list.
            ///
            /// # Errors
            /// Those of the list.
            pub(super) async fn page<P>(
                self,
                ports: &Ports,
                permit: &Permit<P>,
                page: PageRequest,
            ) -> Result<ExportPage, Error> {
                match self {
                    Self::Companies(filter) => read_page::<_, Company>(ports, permit, filter, page).await,
                    Self::Contacts(filter) => read_page::<_, Contact>(ports, permit, filter, page).await,
                    Self::Deals(filter) => read_page::<_, Deal>(ports, permit, filter, page).await,
                    Self::Projects(filter) => read_page::<_, Project>(ports, permit, filter, page).await,
                    Self::Issues(filter) => {
                        page_of(issues::list_or_deleted(ports, &permit.require()?, filter, page).await?)
                    }
                    Self::TimeEntries(filter) => read_page::<_, TimeEntry>(ports, permit, filter, page).await,
                    $(Self::$kinds(filter) => read_page::<_, $type>(ports, permit, filter, page).await,)+
                }
            }
        }
    };
}

crate::simple_kinds!(lists!());

/// The records that the caller of a permit sees, as they are shown to the caller.
fn visible_rows<P, K: Kind + serde::Serialize>(records: Vec<K>, permit: &Permit<P>) -> Result<Vec<ImportRow>, Error> {
    let visible = records.into_iter().filter(|record| record.is_visible_to(permit.actor()));
    visible.map(|record| record_of(&record.shown_to(permit.credential()))).collect()
}

async fn read_page<P, K: Editable>(
    ports: &Ports,
    permit: &Permit<P>,
    filter: K::Filter,
    page: PageRequest,
) -> Result<ExportPage, Error> {
    page_of(records::list_or_deleted::<K>(ports, &permit.require()?, filter, page).await?)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::kernel::paging::{ListName, Paginated};

    #[test]
    fn lists_have_different_numbers_in_cursors() {
        let kinds = TransferKind::ALL.iter().filter(|kind| **kind != TransferKind::Tickets);
        let mut numbers: Vec<_> = kinds.map(|kind| of_kind!(*kind, K => K::LIST.number())).collect();
        numbers.extend(ListName::OF_NO_KIND.iter().copied().map(ListName::number));
        let all = numbers.len();
        numbers.sort_unstable();
        numbers.dedup();
        assert_eq!(numbers.len(), all, "{numbers:?}");
    }
}
