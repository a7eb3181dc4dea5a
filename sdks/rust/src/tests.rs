//! Tests without a network, and those against the service of the environment.

pub(crate) mod answers;
mod client;
mod errors;
mod events;
mod retries;
mod scenario;
mod support;
mod types;
mod webhooks;
