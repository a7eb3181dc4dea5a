//! What people need of records of all kinds together, and programs do not (interface 26.20 to 26.29): a search over all, and
//! saved views of lists.

mod names;
mod search;
pub mod views;

pub use names::{MAX_NAMES, Names, WantedNames, names_of, search_kind};
pub use search::{FoundRecord, MAX_FOUND_OF_A_KIND, RecordSearch, search_all};
