//! The routes: one file per resource, in directories that mirror the paths.

pub(crate) mod account;
pub(crate) mod auth;
pub(crate) mod companies;
pub(crate) mod company_comments;
pub(crate) mod contacts;
pub(crate) mod deal_comments;
pub(crate) mod deals;
pub(crate) mod event_types;
pub(crate) mod events;
pub(crate) mod issues;
pub(crate) mod me;
pub(crate) mod members;
pub(crate) mod modules;
pub(crate) mod operator;
pub(crate) mod portal;
pub(crate) mod projects;
pub(crate) mod public;
pub(crate) mod second_factor;
pub(crate) mod settings;
pub(crate) mod widget;
