//! Workspaces and access: members, accounts, API keys, permits, the audit log.

pub mod access;
pub mod accounts;
pub mod api_keys;
pub mod audit;
pub mod me;
pub mod members;
pub mod notifications;
pub mod set_up;
pub(crate) mod timers;
pub mod usage;
pub mod workspaces;
