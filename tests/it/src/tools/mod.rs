//! The tools that AI clients call.

mod calls;
mod classes;
mod effects;
mod errors;
mod once;
mod permissions;
mod schemas;
mod sizes;
mod standard;
mod table;
mod tenants;
mod trial;
mod world;

pub(crate) use calls::{catalogue, done};
