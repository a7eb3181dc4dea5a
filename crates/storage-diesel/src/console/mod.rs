//! What people need of records of all kinds together.

pub(crate) mod home;
pub(crate) mod saved_views;
pub(crate) mod search;
