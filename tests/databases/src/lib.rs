//! Databases for tests, and the domain's ports over them.
//!
//! Every [`TestDatabase`] is copied from one migrated template in a throwaway cluster. The test process starts the cluster on first
//! use; the cluster ends with the process, even if it crashes. This crate depends on `domain`, `storage-diesel` and
//! `embedded-postgres`. Their unit tests would see two copies of their own crate, so `domain` uses it only in `tests/`.

mod database;
mod nodes;
mod ports;

pub use database::{TestDatabase, trust_callers_clock};
pub use ports::TestPorts;
