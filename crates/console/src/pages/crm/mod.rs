//! Contacts, companies and deals.

mod companies;
mod contacts;
mod deals;

pub(crate) use companies::Companies;
pub(crate) use contacts::Contacts;
pub(crate) use deals::Deals;
