//! The console over real HTTP, as a browser without scripts uses it.

mod erasures;
mod events;
mod sessions;
mod shell;
mod statements;
mod support_settings;
mod webhooks;
