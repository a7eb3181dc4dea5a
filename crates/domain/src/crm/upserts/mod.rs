//! Writing up to 500 companies, contacts or deals in one request, each matched by its keys (interface 21).
//!
//! [`Upsert`] reads the items, [`plan`] decides from their keys what is to happen to each, and [`run`] does it: all in one
//! transaction, with statements for many records.

mod contents;
mod outcome;
mod plan;
mod run;

pub use contents::{MAX_ITEMS, Upsert};
pub use outcome::{ItemOutcome, UpsertFailure, Upserted};
pub(crate) use plan::KeyNames;
pub(crate) use run::{Upsertable, Writing, upsert};
