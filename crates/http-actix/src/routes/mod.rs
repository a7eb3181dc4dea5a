//! The routes. `records` has those that most kinds of record share; all others have one file per resource, in directories
//! that mirror the paths.

pub(crate) mod account;
pub(crate) mod auth;
pub(crate) mod contacts;
pub(crate) mod event_types;
pub(crate) mod events;
pub(crate) mod issues;
pub(crate) mod kinds;
pub(crate) mod me;
pub(crate) mod members;
pub(crate) mod modules;
mod notes;
pub(crate) mod operator;
pub(crate) mod portal;
pub(crate) mod projects;
pub(crate) mod public;
mod records;
pub(crate) mod second_factor;
pub(crate) mod settings;
pub(crate) mod time_entries;
pub(crate) mod widget;
