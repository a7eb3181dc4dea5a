//! Shared by `bench` and `attack`: clients that use little CPU, and workspaces to measure and attack.

pub mod browser;
pub mod http;
pub mod stats;
pub mod tenant;
