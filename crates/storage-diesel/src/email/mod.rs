//! The queue of e-mail.

pub(crate) mod queue;
