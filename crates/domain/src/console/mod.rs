//! Use cases across all kinds of records that only the console needs (interface 26.20 to 26.29, 26.71): search, saved views of lists, the
//! home page, and undo.

mod home;
mod names;
mod search;
pub mod undos;
pub mod views;

pub use home::{
    CHANGES_LOOKED_AT, Home, HomeQuery, HomeRecord, MAX_CHANGES, MAX_OF_A_PART, RecentChange, home, recent_changes,
};
pub use names::{MAX_NAMES, Names, WantedNames, names_of, names_of_companies, names_of_records, search_kind};
pub use search::{FoundComment, FoundRecord, MAX_RESULTS_PER_KIND, RecordSearch, search_all};
