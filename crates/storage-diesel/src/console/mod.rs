//! What people need of records of all kinds together.

pub(crate) mod home;
pub(crate) mod matched_comments;
pub(crate) mod saved_views;
pub(crate) mod search;
pub(crate) mod undos;
