//! The event log.

pub(crate) mod append;
pub(crate) mod chunk_rows;
mod chunks;
pub(crate) mod log;
mod months;
pub(crate) mod scan;
