//! What `bench` and `attack` share: the service in its own process, a small HTTP client, webhook receivers on loopback.

pub mod browser;
pub mod http;
pub mod pages;
pub mod receiver;
pub mod service;
pub mod stats;
pub mod tenant;
