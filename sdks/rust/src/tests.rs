//! Tests without a network, and tests against the service that the environment names.

pub(crate) mod answers;
mod client;
mod errors;
mod events;
mod retries;
mod scenario;
mod support;
mod types;
mod webhooks;
