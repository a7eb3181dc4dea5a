//! The kinds of records in one list, from which all follows that is done with the table of each.

use domain::records::RecordKind;

use crate::console::search::Found;
use crate::directory::records_erasure::ContentErasure;
use crate::directory::search_reindex::SearchedTable;
use crate::engine::statement::Statement;
use crate::records::StoredKind;

/// Hands the types of all kinds to another macro, each behind those that its records refer to.
macro_rules! with_kinds {
    ($then:ident!($($input:tt)*)) => {
        $then! {
            [
                domain::crm::companies::Company,
                domain::crm::contacts::Contact,
                domain::crm::deals::Deal,
                domain::work::projects::Project,
                domain::work::cycles::Cycle,
                domain::work::issues::Issue,
                domain::support::kb::Article
            ]
            $($input)*
        }
    };
}
pub(crate) use with_kinds;

/// The same for those that have a [list](crate::records::ListedTable).
#[cfg(test)]
macro_rules! with_listed_kinds {
    ($then:ident!($($input:tt)*)) => {
        $then! {
            [
                domain::crm::companies::Company,
                domain::crm::contacts::Contact,
                domain::crm::deals::Deal,
                domain::work::projects::Project,
                domain::work::issues::Issue,
                domain::support::kb::Article
            ]
            $($input)*
        }
    };
}
#[cfg(test)]
pub(crate) use with_listed_kinds;

/// For [`with_kinds!`]: calls a test for each kind.
#[cfg(test)]
macro_rules! for_each {
    ([$($kind:ty),+] $test:ident) => {
        $($test::<$kind>();)+
    };
}
#[cfg(test)]
pub(crate) use for_each;

/// For [`with_kinds!`]: a statement of a part for each kind, which a macro makes of its type.
macro_rules! union_all {
    ([$first:ty $(, $kind:ty)*] $part:ident) => {
        const_format::concatcp!($part!($first) $(, " UNION ALL ", $part!($kind))*)
    };
}
pub(crate) use union_all;

/// For [`with_kinds!`]: the tables of all kinds.
macro_rules! tables {
    ([$($kind:ty),+]) => {
        [$(table::<$kind>()),+]
    };
}

/// The table of a kind, for what is done with all of them.
pub(crate) struct KindTable {
    pub(crate) name: &'static str,
    /// What its records are.
    pub(crate) kinds: &'static [RecordKind],
    pub(crate) erasure: fn() -> ContentErasure,
    /// Erases rows of a workspace that is erased.
    pub(crate) emptied: fn() -> Statement,
    pub(crate) searched: fn() -> Option<SearchedTable>,
    pub(crate) found: fn(RecordKind) -> Option<Found>,
}

pub(crate) const TABLES: &[KindTable] = &with_kinds!(tables!());

const fn table<K: StoredKind>() -> KindTable {
    KindTable {
        name: K::TABLE,
        kinds: K::KINDS,
        erasure: K::erasure,
        emptied: K::emptied,
        searched: K::searched,
        found: K::found,
    }
}

/// The table of the kind with this name.
pub(crate) fn table_of(kind: &str) -> Option<&'static KindTable> {
    TABLES.iter().find(|table| table.kinds.iter().any(|own| own.as_str() == kind))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_kind_has_one_table() {
        let mut kinds: Vec<_> = TABLES.iter().flat_map(|table| table.kinds).copied().collect();
        kinds.sort_unstable();
        assert_eq!(kinds, RecordKind::ALL);
    }
}
