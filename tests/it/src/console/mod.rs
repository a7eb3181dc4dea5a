//! The console over real HTTP, as a browser without scripts uses it.

mod sessions;
mod shell;
mod webhooks;
