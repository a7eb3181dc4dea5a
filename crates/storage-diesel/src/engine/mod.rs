//! What all queries share: connections and their fair use, transactions, statements and pages. Independent of the kinds of records.
//!
//! Start at `tx.rs` for what repositories call, and at `store.rs` for how a job gets its transaction.

mod attempt;
pub(crate) mod columns;
pub(crate) mod convert;
pub(crate) mod disk;
pub(crate) mod errors;
pub(crate) mod fair_pool;
pub(crate) mod gate;
pub(crate) mod insertion;
pub(crate) mod loaded_texts;
pub(crate) mod notify_listener;
pub(crate) mod page_query;
pub(crate) mod pending;
pub(crate) mod placement;
pub(crate) mod pool;
pub(crate) mod priority;
pub(crate) mod queued;
pub(crate) mod replicas;
mod sending;
pub(crate) mod sessions;
pub(crate) mod statement;
pub(crate) mod store;
pub(crate) mod store_metrics;
pub(crate) mod summary;
pub(crate) mod threads;
pub(crate) mod tx;
