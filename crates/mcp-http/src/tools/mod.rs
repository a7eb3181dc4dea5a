//! The tools, a file a kind of record. Each is a use case of the domain with a description for models.

pub(crate) mod comments;
pub(crate) mod companies;
pub(crate) mod contacts;
pub(crate) mod cycles;
pub(crate) mod deals;
pub(crate) mod deliveries;
pub(crate) mod issues;
pub(crate) mod kb;
pub(crate) mod projects;
pub(crate) mod tasks;
pub(crate) mod tickets;
pub(crate) mod webhooks;
