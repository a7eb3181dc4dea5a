//! Workspaces, members, sessions, API keys and the audit log.

pub(crate) mod api_keys;
pub(crate) mod audit;
pub(crate) mod challenges;
pub(crate) mod members;
pub(crate) mod sessions;
pub(crate) mod set_up;
pub(crate) mod sign_in_links;
pub(crate) mod sign_ins;
pub(crate) mod workspaces;
