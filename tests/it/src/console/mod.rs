//! The console over real HTTP, as a browser without scripts uses it.

mod deal_board;
mod account;
mod audit_log;
mod erasures;
mod events;
mod record_changes;
mod records;
mod keys;
mod operator;
mod first_minutes;
mod home;
mod projects;
mod sessions;
mod settings;
mod shell;
mod statements;
mod support_settings;
mod tickets;
mod webhooks;
mod tasks;
