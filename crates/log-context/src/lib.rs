//! Log lines say what they belong to: the request, the delivery, the e-mail.
//!
//! A [`Context`] is set for a future ([`Context::scope`]) or a closure ([`Context::enter`]) and is added to every line
//! that is logged meanwhile. It is per thread and per poll: whoever moves work to another task or thread takes the
//! context along ([`inherit`], or [`Context::current`] before and [`Context::enter`] there). Lines are written by
//! [`LogFormat::write`], and `log` stays the only interface of those who log.

mod context;
mod format;
#[cfg(feature = "logger")]
mod logger;

pub use context::{Context, FieldValue, inherit};
pub use format::{LogFormat, UnknownFormat};
#[cfg(feature = "logger")]
pub use logger::{FilterError, logger};
