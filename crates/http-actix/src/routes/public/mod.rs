//! `/api/public`: what a workspace's own programs do for its customers.

pub(crate) mod kb;
pub(crate) mod tickets;
