//! References to other records, and kept answers of idempotency keys.

pub(crate) mod idempotency;
pub(crate) mod references;
