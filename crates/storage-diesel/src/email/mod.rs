//! The e-mail queue.

pub(crate) mod enqueue;
pub(crate) mod queue;
