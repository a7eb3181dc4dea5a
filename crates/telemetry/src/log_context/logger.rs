//! The logger of a binary, on standard error.

use env_logger::Builder;
use thiserror::Error;

use crate::log_context::LogFormat;

/// An invalid log filter.
#[derive(Debug, Error)]
#[error(transparent)]
pub struct FilterError(#[from] env_filter::ParseError);

/// A logger that is ready to be installed. `defaults` are directives that `filter` overrides.
pub fn logger(defaults: &str, filter: &str, format: LogFormat) -> Result<Builder, FilterError> {
    // env_logger would only warn about an invalid directive and log without it.
    env_filter::Builder::new().try_parse(filter)?;
    let mut builder = Builder::new();
    builder.parse_filters(&format!("{defaults},{filter}")).format(move |out, record| {
        let timestamp = out.timestamp_micros();
        format.write(out, timestamp, record)
    });
    Ok(builder)
}
