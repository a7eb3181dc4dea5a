//! The e-mail queue.

pub(crate) mod queue;
