//! The tool surface over the use cases of `domain`: what AI clients list and call (interface 15).
//!
//! A tool is a [`tool::Entry`]: name, title, description and a use case. Permission, arguments and result are types of
//! the use case, and both schemas are derived from them, so that they always match the behaviour.

mod addresses;
mod arguments;
mod call;
mod changes;
mod listing;
mod long_texts;
mod messages;
mod misdirected;
mod named;
mod outline;
mod outputs;
mod record_arguments;
mod routes;
mod shapes;
mod shown;
mod tool;
mod tools;
mod transport;
mod upserts;

pub use listing::catalogue;
pub use routes::{OPERATIONS, ROUTES};
