//! Walks through each feature as a user, using only the keyboard, without a connection, and through every page and guide.

mod board;
mod bulk;
mod changes_of_others;
pub(crate) mod connection;
mod deals;
mod documentation;
mod every_page;
mod first_steps;
mod keyboard;
mod keys;
mod knowledge_base;
mod overdue;
mod pages_today;
mod pictures;
mod portal;
mod records;
mod roles;
mod sessions;
mod settings;
mod signing_in;
mod tabs;
mod tickets;
mod undo;
mod webhooks;
mod widget;
mod widths;
mod work;
