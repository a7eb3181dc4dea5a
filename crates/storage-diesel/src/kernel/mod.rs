//! References between records, unique values, and stored responses of idempotency keys.

pub(crate) mod idempotency;
pub(crate) mod references;
pub(crate) mod referring;
pub(crate) mod unique;
pub(crate) mod workspace_lock;
