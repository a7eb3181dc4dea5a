//! The console over real HTTP, as a browser without scripts uses it.

mod deal_board;
mod erasures;
mod events;
mod record_changes;
mod records;
mod sessions;
mod shell;
mod statements;
mod support_settings;
mod webhooks;
