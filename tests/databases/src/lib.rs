//! Databases for tests, and ports of the domain that use them.
//!
//! Every [`TestDatabase`] is copied from one migrated template in a throwaway cluster. The test process starts the cluster on first
//! use; the cluster ends with the process, even if it crashes. In unit tests of `domain`, `storage-diesel` and `embedded-postgres`, this
//! crate would link a second copy of their own crate, so `domain` uses it only in `tests/`.

mod database;
mod nodes;
mod ports;

pub use database::{TestDatabase, trust_callers_clock};
pub use ports::TestPorts;
