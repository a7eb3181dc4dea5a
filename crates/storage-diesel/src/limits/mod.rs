//! The monthly quota.

pub(crate) mod quota;
