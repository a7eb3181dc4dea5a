//! The tables of the kinds of records, from the domain's list of kinds.

use domain::records::RecordKind;
use domain::with_kinds;

use crate::console::search::SearchedKind;
use crate::directory::records_erasure::ContentErasure;
use crate::directory::search_reindex::SearchedTable;
use crate::engine::statement::Statement;
use crate::records::StoredKind;

/// For [`with_kinds!`]: calls a test for each kind, or for each that has a list.
#[cfg(test)]
macro_rules! for_each {
    ([$($kind:ty),+] $listed:tt $test:ident) => {
        $($test::<$kind>();)+
    };
    ($kinds:tt [$($kind:ty),+] listed $test:ident) => {
        $($test::<$kind>();)+
    };
}
#[cfg(test)]
pub(crate) use for_each;

/// For [`with_kinds!`]: a statement with one part per kind, which a macro makes from the kind's type.
macro_rules! union_all {
    ([$first:ty $(, $kind:ty)*] $listed:tt $part:ident) => {
        const_format::concatcp!($part!($first) $(, " UNION ALL ", $part!($kind))*)
    };
}
pub(crate) use union_all;

/// For [`with_kinds!`]: the tables of all kinds.
macro_rules! tables {
    ([$($kind:ty),+] $listed:tt) => {
        [$(table::<$kind>()),+]
    };
}

/// The table of a kind, for code that covers all tables.
pub(crate) struct KindTable {
    pub(crate) name: &'static str,
    /// The kinds of its records.
    pub(crate) kinds: &'static [RecordKind],
    pub(crate) erasure: fn() -> ContentErasure,
    /// Deletes rows of a workspace that is being erased.
    pub(crate) emptied: fn() -> Statement,
    pub(crate) searched: fn() -> Option<SearchedTable>,
    pub(crate) searched_kind: fn(RecordKind) -> Option<SearchedKind>,
}

pub(crate) const TABLES: &[KindTable] = &with_kinds!(tables!());

const fn table<K: StoredKind>() -> KindTable {
    KindTable {
        name: K::TABLE,
        kinds: K::KINDS,
        erasure: K::erasure,
        emptied: K::emptied,
        searched: K::searched,
        searched_kind: K::searched_kind,
    }
}

/// The table of the kind with this name.
pub(crate) fn table_of(kind: &str) -> Option<&'static KindTable> {
    TABLES.iter().find(|table| table.kinds.iter().any(|code| code.as_str() == kind))
}

#[cfg(test)]
mod tests {
    use super::*;
    use domain::support::canned_replies::CannedReply;
    use domain::support::kb::Article;

    #[test]
    fn the_condition_of_records_without_an_owner_is_the_declared_member() {
        assert_eq!(CannedReply::SEEN_BY_ALL, "shared");
        assert_eq!(Article::SEEN_BY_ALL, "true");
    }

    #[test]
    fn each_kind_has_one_table() {
        let mut kinds: Vec<_> = TABLES.iter().flat_map(|table| table.kinds).copied().collect();
        kinds.sort_unstable();
        assert_eq!(kinds, RecordKind::ALL);
    }
}
