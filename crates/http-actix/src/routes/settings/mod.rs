//! `/api/settings`: administration of a workspace by its owners and admins, with an access token.

pub(crate) mod audit_log;
pub(crate) mod erasures;
pub(crate) mod keys;
pub(crate) mod members;
pub(crate) mod time_rates;
pub(crate) mod usage;
pub(crate) mod webhooks;
pub(crate) mod workspace;
