//! The tool surface over the use cases of `domain`: what AI clients see and call (contract: MCP).
//!
//! A tool is a [`tool::ToolCall`]: a use case with its permission, the type that a call is parsed into and the type that
//! it is answered with. Both schemas are derived from these types, so that neither can say what is not so.

mod arguments;
mod catalogue;
mod listing;
mod long_texts;
mod messages;
mod outputs;
mod results;
mod routes;
mod tool;
mod tools;
mod transport;

pub use routes::{OPERATIONS, ROUTES};
