//! Subscriptions, deliveries, and the queue that dispatchers claim from.

pub(crate) mod deliveries;
pub(crate) mod makers;
pub(crate) mod notices;
pub(crate) mod queue;
pub(crate) mod replays;
pub(crate) mod samples;
pub(crate) mod subscriptions;
