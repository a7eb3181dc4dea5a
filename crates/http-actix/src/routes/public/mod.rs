//! `/api/public`: routes for a workspace's backends on behalf of its customers, with an API key.

pub(crate) mod kb;
pub(crate) mod tickets;
