//! The console over real HTTP, as a browser without scripts uses it.

mod account;
mod all_pages;
mod articles;
mod audit_log;
mod deal_board;
mod erasures;
mod events;
mod filters;
mod first_minutes;
mod help_centre;
mod home;
mod keys;
mod operator;
mod projects;
mod record_changes;
mod records;
mod search;
mod sessions;
mod settings;
mod shell;
mod sign_in_steps;
mod statements;
mod support_settings;
mod tasks;
mod tickets;
mod webhooks;
