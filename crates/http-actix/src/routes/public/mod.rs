//! `/api/public`: what a workspace's backends do for its customers, with an API key.

pub(crate) mod kb;
pub(crate) mod tickets;
