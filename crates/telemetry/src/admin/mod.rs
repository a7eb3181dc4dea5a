//! The listener for operators: `/healthz`, `/readyz` and `/metrics`. It has its own address, thread and connections.
//!
//! It is isolated from clients: probes and scrapes are answered even when all public connections are in use, and metrics are not
//! visible on the public address.

mod bind;
mod exporter;
mod listener;

pub use bind::{AdminBind, BindError};
pub use exporter::{Exporter, ExporterError};
pub use listener::{AdminListener, Readiness};
