//! The service as a library: configuration, composition, and the commands.
//!
//! The binary `workspace-service` is a thin `main` over [`run`].

mod adapters;
mod backup;
mod cli;
mod cluster_supervisor;
mod commands;
mod compose;
mod config;
mod config_args;
mod database;
mod database_wait;
mod demo;
mod doctor;
mod draft;
mod exposure;
mod hand_over;
mod housekeeping;
mod link_requests;
mod master_key;
mod metrics;
mod open_files;
mod service;
mod transfer;
mod webhook_dispatcher;

pub use cli::Cli;
pub use commands::{RowsRefused, run};
pub use compose::{Adapters, ReplicaOptions, ServiceOptions, compose};
pub use demo::make as make_demo;
pub use service::Service;

/// All surfaces of the service. If two patterns match a path, the earlier one wins.
pub const SURFACES: &[&http_core::Routes] =
    &[&http_actix::ROUTES, &mcp_http::ROUTES, &console::ROUTES, &api_docs::reference::ROUTES];
