//! Open connections: their maximum number, and how long one may be idle or stalled.
//!
//! actix accepts connections; [`Connections`] decides which may stay, and [`GuardedStream`] closes stalled ones.

mod connection;
mod guarded_stream;
mod registry;

pub(crate) use connection::{Connection, RequestInFlight};
pub(crate) use guarded_stream::{ClientTimeouts, GuardedStream};
pub(crate) use registry::{ConnectionLimits, Connections, Refused, describe_metrics};
