//! `/api/settings`: what owners and admins look after, signed in.

pub(crate) mod audit_log;
pub(crate) mod kb;
pub(crate) mod keys;
pub(crate) mod members;
pub(crate) mod usage;
pub(crate) mod webhooks;
pub(crate) mod workspace;
