//! Adds context to log lines: the request, the delivery, the e-mail.
//!
//! A [`Context`] is set for a future ([`Context::scope`]) or a closure ([`Context::enter`]) and is added to every line
//! that is logged meanwhile. It is per thread and per poll: code that moves work to another task or thread must pass
//! the context on ([`inherit`], or [`Context::current`] before and [`Context::enter`] there). Lines are written by
//! [`LogFormat::write`]; callers use only the `log` macros.

mod context;
mod format;
#[cfg(feature = "program")]
mod logger;

pub use context::{Context, FieldValue, SpanIds, inherit};
pub use format::{LogFormat, UnknownFormat};
#[cfg(feature = "program")]
pub use logger::{FilterError, logger};
