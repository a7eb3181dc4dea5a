//! Contacts, companies and deals.

pub mod comments;
pub mod companies;
pub mod contacts;
pub mod deals;
pub mod upserts;
