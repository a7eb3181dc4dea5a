//! Adds context to log lines: the request, the delivery, the e-mail.
//!
//! A [`Context`] is set for a future ([`Context::scope`]) or a closure ([`Context::enter`]) and is added to every line
//! that is logged meanwhile. It is per thread and per poll: code that moves work to another task or thread must pass
//! the context on ([`inherit`], or [`Context::current`] before and [`Context::enter`] there). Lines are written by
//! [`LogFormat::write`]; callers use only the `log` macros.

mod context;
mod format;

pub use context::{Context, FieldValue, SpanIds, inherit};
pub use format::{LogFormat, UnknownFormat};

/// An invalid log filter.
#[cfg(feature = "program")]
#[derive(Debug, thiserror::Error)]
#[error(transparent)]
pub struct FilterError(#[from] env_filter::ParseError);

/// A logger on standard error that is ready to be installed. `defaults` are directives that `filter` overrides.
#[cfg(feature = "program")]
pub fn logger(defaults: &str, filter: &str, format: LogFormat) -> Result<env_logger::Builder, FilterError> {
    // env_logger would only warn about an invalid directive and log without it.
    env_filter::Builder::new().try_parse(filter)?;
    let mut builder = env_logger::Builder::new();
    builder.parse_filters(&format!("{defaults},{filter}")).format(move |out, record| {
        let timestamp = out.timestamp_micros();
        format.write(out, timestamp, record)
    });
    Ok(builder)
}
