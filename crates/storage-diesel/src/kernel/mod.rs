//! References to other records, and stored responses of idempotency keys.

pub(crate) mod idempotency;
pub(crate) mod references;
