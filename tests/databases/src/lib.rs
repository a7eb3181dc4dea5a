//! Databases for tests, and the ports of the domain over them.
//!
//! Every [`TestDatabase`] is copied from one migrated template in a throwaway cluster. The test process starts the cluster on first
//! use; the cluster ends with the process, even if it crashes. Unit tests of `domain`, `storage-diesel` and `embedded-postgres` that
//! use this crate see two copies of their own: so those of `domain` use it in `tests/` only.

mod database;
mod nodes;
mod ports;

pub use database::{TestDatabase, trust_callers_clock};
pub use ports::TestPorts;
