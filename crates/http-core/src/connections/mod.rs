//! Open connections: how many there may be, and how long one may do nothing.
//!
//! actix accepts; [`Connections`] decides whether a connection may stay, and [`GuardedStream`] ends one that is stalled.

mod connection;
mod guarded_stream;
mod registry;

pub(crate) use connection::{Connection, RequestInFlight};
pub(crate) use guarded_stream::{GuardedStream, Patience};
pub(crate) use registry::{ConnectionLimits, Connections, Refused, describe_metrics};
