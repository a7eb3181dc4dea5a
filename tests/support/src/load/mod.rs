//! What `bench` and `attack` share: callers that cost little CPU, and workspaces to measure and attack.

pub mod browser;
pub mod http;
pub mod stats;
pub mod tenant;
