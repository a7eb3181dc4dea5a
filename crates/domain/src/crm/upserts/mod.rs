//! Writing up to 500 companies, contacts or deals in one request, each matched by its keys (interface 21).
//!
//! [`Upsert`] reads the items, [`plan`] decides from their keys whether each creates or changes a record, and [`run`] carries that
//! out in one transaction, with set-based statements. [`import_rows`] does the same with rows of a file.

mod companies;
mod contents;
mod import;
mod outcome;
mod plan;
mod run;

pub(crate) use companies::NewCompanies;
pub use contents::{MAX_ITEMS, Upsert};
pub(crate) use import::import_rows;
pub use outcome::{ItemOutcome, UpsertFailure, Upserted};
pub use run::{Upsertable, upsert};
