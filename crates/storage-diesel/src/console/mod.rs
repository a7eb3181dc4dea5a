//! What the console shows across all kinds of records.

pub(crate) mod home;
pub(crate) mod matched_comments;
pub(crate) mod saved_views;
pub(crate) mod search;
pub(crate) mod undos;
