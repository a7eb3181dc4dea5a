//! `/api/settings`: what owners and admins look after, signed in.

mod audit_log;
pub(crate) mod kb;
pub(crate) mod keys;
pub(crate) mod members;
mod usage;
pub(crate) mod webhooks;
pub(crate) mod workspace;

pub(crate) use audit_log::ListAuditLog;
pub(crate) use usage::ReadUsage;
