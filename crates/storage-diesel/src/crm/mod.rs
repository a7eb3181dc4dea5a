//! Contacts, companies and deals.

pub(crate) mod batch;
pub(crate) mod board;
pub(crate) mod comments;
pub(crate) mod companies;
pub(crate) mod contacts;
pub(crate) mod deals;
pub(crate) mod named;
