//! The kinds of records of the service, the properties of each kind, and who sees deleted records (interface 24.6).

use super::ReadRequirement::{self, Comments, Records};
use super::{Credential, Permit};
use crate::kernel::IssueKind;
use crate::kernel::input::{choices, readable_choices};
use crate::kinds::record_kinds;
use crate::tools::ToolPermission;

/// Expands the table of kinds to [`RecordKind`] and the properties of each kind.
macro_rules! declare_kinds {
    (@option) => { None };
    (@option $value:expr) => { Some($value) };
    ($(
        $(#[$doc:meta])*
        $kind:ident = $name:literal / $plural:literal: $read:ident, [$($delete:ident)?], [$($comments:expr)?];
    )+) => {
        choices! {
            /// A kind of record: the noun of its events.
            pub enum RecordKind { $( $(#[$doc])* $kind = $name ),+ }
        }

        /// All kinds, in the order of [`RecordKind::ALL`].
        const KINDS: [(RecordKind, KindFacts); RecordKind::ALL.len()] = [$( (RecordKind::$kind, KindFacts {
            plural: $plural,
            read: ToolPermission::$read,
            delete: declare_kinds!(@option $(ToolPermission::$delete)?),
            comments: declare_kinds!(@option $($comments)?),
        }) ),+];
    };
}

record_kinds!(declare_kinds);

readable_choices!(RecordKind);

/// The properties of a kind of record.
#[derive(Debug, Clone, Copy)]
struct KindFacts {
    /// The plural, in texts and in URLs.
    plural: &'static str,
    /// The permission to read a record.
    read: ToolPermission,
    /// The permission to delete a record; `None` for tickets, which are closed instead.
    delete: Option<ToolPermission>,
    /// The requirement to read comments on a record; `None` if it cannot have comments.
    comments: Option<ReadRequirement>,
}

// The rows are in the order of the kinds, and every permission that reads records has a row.
const _: () = {
    let mut index = 0;
    while index < KINDS.len() {
        assert!(KINDS[index].0 as usize == index);
        assert!(KINDS[index].1.read as usize == ToolPermission::READ_RECORDS[index] as usize);
        index += 1;
    }
    assert!(index == ToolPermission::READ_RECORDS.len());
};

impl RecordKind {
    const fn facts(self) -> KindFacts {
        KINDS[self as usize].1
    }

    /// The plural, in texts and in URLs: "deals".
    pub const fn plural(self) -> &'static str {
        self.facts().plural
    }

    /// The requirement to read such a record.
    pub(crate) const fn reads(self) -> ReadRequirement {
        Records(self.read_permission())
    }

    /// The permission that lets a key read such a record.
    pub(crate) const fn read_permission(self) -> ToolPermission {
        self.facts().read
    }

    /// The requirement to read comments on such a record; `None` if it cannot have comments.
    pub(crate) const fn reads_comments(self) -> Option<ReadRequirement> {
        self.facts().comments
    }

    /// The permission to delete such a record; `None` for tickets, which are closed instead.
    pub(crate) const fn deletes(self) -> Option<ToolPermission> {
        self.facts().delete
    }

    /// Whether such a record can be deleted and restored.
    pub const fn is_deletable(self) -> bool {
        self.deletes().is_some()
    }

    /// Whether such records have a list that the search over all kinds covers. Cycles are listed only with their project, and time
    /// entries by day.
    pub const fn has_list(self) -> bool {
        !matches!(self, Self::Cycle | Self::TimeEntry)
    }

    /// The name of a record of these kinds in messages. Only the kinds of issues are ever combined.
    pub(crate) const fn noun_of(kinds: &[Self]) -> &'static str {
        if let [kind] = kinds { kind.as_str() } else { "issue" }
    }

    /// The singular with its article: "a deal".
    pub fn with_article(self) -> String {
        let noun = self.as_str().replace('_', " ");
        let article = if noun.starts_with(['a', 'e', 'i', 'o']) { "an" } else { "a" };
        format!("{article} {noun}")
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

/// Whether the caller of a permit sees deleted records of a kind: a signed-in owner or admin, a key that may delete such records,
/// or an operator.
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
    use crate::transfer::TransferKind;

    #[test]
    fn deleted_records_are_for_administrators_and_for_keys_that_delete() {
        let user_permit = |role| testing::user(role, &["deals.write"]).permit::<ReadDeals>().unwrap();
        for (role, sees) in [(Role::Owner, true), (Role::Admin, true), (Role::Member, false), (Role::Viewer, false)] {
            assert_eq!(may_see_deleted(&user_permit(role), RecordKind::Deal), sees, "{role}");
        }
        let key_permit = |scopes: &[&str]| testing::caller(scopes).permit::<ReadDeals>().unwrap();
        let (reader, writer) = (key_permit(&["deals.read"]), key_permit(&["deals.write"]));
        assert!(!may_see_deleted(&reader, RecordKind::Deal) && may_see_deleted(&writer, RecordKind::Deal));
        assert!(!may_see_deleted(&writer, RecordKind::Company) && !may_see_deleted(&writer, RecordKind::Ticket));
    }

    #[test]
    fn each_kind_has_its_own_permissions_to_read_and_delete() {
        for kind in RecordKind::ALL.iter().copied() {
            let ReadRequirement::Records(reads) = kind.reads() else { panic!("{kind}") };
            assert!(reads.is_read() && reads.noun().contains(&kind.as_str()[..4]), "{kind}: {reads}");
            if let Some(deletes) = kind.deletes() {
                assert_eq!((deletes.is_read(), deletes.noun()), (false, reads.noun()), "{kind}");
            }
        }
    }

    #[test]
    fn kinds_with_a_list_can_be_imported_and_exported() {
        let is_listed = |kind: &&RecordKind| kind.has_list() || **kind == RecordKind::TimeEntry;
        let listed: Vec<_> = RecordKind::ALL.iter().filter(is_listed).map(|kind| kind.plural()).collect();
        assert_eq!(listed.len(), TransferKind::ALL.len());
        assert!(listed.iter().all(|plural| TransferKind::parse(plural).is_some()), "{listed:?}");
    }
}
