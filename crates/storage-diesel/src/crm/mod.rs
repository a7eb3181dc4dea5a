//! Contacts, companies and deals.

pub(crate) mod batch;
pub(crate) mod comments;
pub(crate) mod companies;
pub(crate) mod contacts;
pub(crate) mod deals;
