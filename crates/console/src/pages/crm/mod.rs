//! Contacts, companies and deals.

pub(super) mod board;
mod companies;
mod contacts;
mod deals;

pub(crate) use companies::Companies;
pub(crate) use contacts::Contacts;
pub(crate) use deals::Deals;
