//! The e-mail queue.

pub(crate) mod enqueue;
pub(crate) mod parts;
pub(crate) mod queue;
