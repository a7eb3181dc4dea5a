//! The listener for operators: `/healthz`, `/readyz` and `/metrics`, on an address, a thread and connections of their own.
//!
//! What clients do to the public listener does not reach it: a scrape and a probe are answered while all of the public
//! connections are taken, and metrics are not shown to whom they are not for.

mod bind;
mod exporter;
mod listener;

pub use bind::{AdminBind, BindError};
pub use exporter::{Exporter, ExporterError};
pub use listener::{AdminListener, Readiness};
