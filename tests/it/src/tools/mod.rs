//! The tools that AI clients call.

mod annotations;
mod calls;
mod classes;
mod errors;
mod idempotency;
mod leniency;
mod misdirected;
mod people;
mod permissions;
mod schemas;
mod sizes;
mod standard;
mod summaries;
mod table;
mod tenants;
mod trial;
mod upsert_load;
mod upserts;
mod world;

pub(crate) use calls::{call, call_once, catalogue, create, details, fail, run, start_with_all_tools, with_all_tools};
